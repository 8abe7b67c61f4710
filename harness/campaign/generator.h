// Makes plays: good requests with something odd about them, in any part of them, and changes of
// those that led to something new before.

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "campaign/chance.h"
#include "campaign/corpus.h"
#include "campaign/probe.h"
#include "campaign/subject.h"

namespace assay {

// What the plays of one round share: no two of their requests have the same id by chance.
struct Names {
  std::uint64_t next_id = 1;
  std::size_t next_made = 1;
};

class Generator {
 public:
  // Both must outlive the generator.
  Generator(const Subject& subject, Corpus& corpus) : subject_(subject), corpus_(corpus) {}

  // Calls no tool that must not be called, whatever happened to its bytes.
  Play Next(Chance& chance, Names& names);
  // How a server is first spoken to, where that is left to the plays (Era::kNone).
  Play Opening(Chance& chance, Names& names);
  // From now on producers whose answers do not have what they should are left out.
  void Disable(const std::string& pointer) { disabled_.insert(pointer); }

 private:
  Play Fresh(Chance& chance, Names& names);
  Play Changed(const Play& play, Chance& chance, Names& names) const;
  Play Sequence(Chance& chance, Names& names) const;
  Play Cancelled(Chance& chance, Names& names) const;
  const Json& GoodRequest(Chance& chance) const;
  Json GoodMessage(Chance& chance, Names& names) const;

  const Subject& subject_;
  Corpus& corpus_;
  std::set<std::string, std::less<>> disabled_;  // pointers
};

}  // namespace assay
