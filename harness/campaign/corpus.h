// Plays that led to something new: what is worth changing further.

#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "campaign/chance.h"
#include "campaign/probe.h"

namespace assay {

class Corpus {
 public:
  // Keeps `play`, unless there is the same one already: false then.
  bool Add(const Manner& manner, const Play& play);
  // One that speaks to a server in that manner; those that were chosen less often are preferred.
  // Null when there is none.
  const Play* Choose(const Manner& manner, Chance& chance);
  std::size_t size() const { return entries_.size(); }

  // One file for each, named by the SHA-256 of what is in it: a list of objects in JSON. Adds to
  // what is there. Throws InputError.
  void WriteTo(const std::string& folder) const;
  // Adds what such a folder has; what is no play is left out. Nothing when there is none. Throws
  // InputError.
  void ReadFrom(const std::string& folder);

 private:
  struct Entry {
    Manner manner;
    Play play;
    std::string text;  // as its file has it
    std::size_t chosen = 0;
  };
  std::vector<Entry> entries_;
  std::unordered_set<std::string> texts_;
};

std::string Sha256(std::string_view bytes);  // in hexadecimal digits

}  // namespace assay
