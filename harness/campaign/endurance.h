// The same few probes over and over: does the server's memory settle?

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/probe.h"
#include "transcript/transcript.h"

namespace assay {

inline constexpr std::string_view kEnduranceRequirement = "C-MEMORY-SETTLES";

// How often the probes of a round are sent to see whether memory might grow, and how often before
// it is said that it does.
inline constexpr std::size_t kGlance = 256;
inline constexpr std::size_t kEndurance = 2048;

// CaseOf for C-MEMORY-SETTLES, in which `probes` and a fence are repeated so many `times`.
Case EnduranceOf(const Manner& manner, const std::vector<Probe>& probes, std::size_t times);

// The symptom of its finding, as SymptomOf tells it.
std::string MemorySymptom();

// Whether memory grew enough, in a transcript of kGlance, to look longer.
bool MemoryMightGrow(const Transcript& transcript);

}  // namespace assay
