// Findings -> symptoms.

#include "campaign/symptom.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

#include "shrink/signature.h"

namespace assay {
namespace {

// As oracle/process.cpp words them.
constexpr std::array<std::string_view, 4> kDeaths = {
    "The server died of signal", "The server ended with code", "The server closed its stdout",
    "The server stopped answering"};

constexpr std::array<std::string_view, 12> kTelling = {
    "Sanitizer", "runtime error:", "panicked", "Panic",     "panic:",    "Assertion",
    "assert",    "Error",          "error:",   "Exception", "exception", "fatal"};

constexpr std::size_t kLongest = 200;

// Addresses, ports, process ids and line numbers differ from run to run.
std::string WithoutNumbers(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    if (std::isdigit(static_cast<unsigned char>(line[i])) == 0) {
      text += line[i++];
      continue;
    }
    while (i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0) ++i;
    text += '#';
  }
  return text;
}

std::string_view DeathOf(const ReportedFinding& finding) {
  for (const std::string_view death : kDeaths) {
    if (finding.message.starts_with(death)) return death;
  }
  return {};
}

}  // namespace

bool IsDeath(const ReportedFinding& finding) { return !DeathOf(finding).empty(); }

std::string LastWords(const Result& result) {
  std::string said;
  for (const TranscriptLine& line : result.transcript) {
    if (line.direction == "err") said += line.bytes;
  }
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const bool tells = std::any_of(kTelling.begin(), kTelling.end(), [&](std::string_view word) {
      return line.find(word) != std::string::npos;
    });
    if (tells) return line.substr(0, kLongest);
  }
  return "";
}

std::string SymptomOf(const ReportedFinding& finding, const Result& result) {
  const std::string_view death = DeathOf(finding);
  if (death.empty()) return SignatureOf(finding);
  std::string symptom(death);
  // The number of the signal, or the exit code.
  for (std::size_t i = death.size();
       i < finding.message.size() &&
       (finding.message[i] == ' ' ||
        std::isdigit(static_cast<unsigned char>(finding.message[i])) != 0);
       ++i) {
    symptom += finding.message[i];
  }
  while (symptom.ends_with(' ')) symptom.pop_back();
  const std::string words = WithoutNumbers(LastWords(result));
  return words.empty() ? symptom : symptom + ": " + words;
}

const ReportedFinding* FindSymptom(const Result& result, const std::string& symptom,
                                   Verdict weight) {
  for (const ReportedFinding& finding : result.findings) {
    if (finding.counts_as <= weight && SymptomOf(finding, result) == symptom) return &finding;
  }
  return nullptr;
}

}  // namespace assay
