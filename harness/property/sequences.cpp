// Enumeration by hand, chance by RapidCheck.

#include "property/sequences.h"

#include <rapidcheck/gen/Container.h>
#include <rapidcheck/gen/Numeric.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kShortEnough = 2000;
// Of a random sequence, in letters. To start a server costs more than to ask it ten times, and what
// is found is shrunk.
constexpr std::size_t kLeast = 4;
constexpr std::size_t kMost = 20;

// All sequences of one letter more than those in `shorter`.
std::vector<Sequence> Longer(const Model& model, const std::vector<Sequence>& shorter) {
  std::vector<Sequence> longer;
  for (const Sequence& sequence : shorter) {
    for (std::size_t letter = 0; letter < model.alphabet.size(); ++letter) {
      Sequence next = sequence;
      next.push_back(letter);
      if (model.build(next)) longer.push_back(std::move(next));
    }
  }
  return longer;
}

}  // namespace

std::size_t ShortLength(const Model& model) {
  const std::size_t letters = model.alphabet.size();
  std::size_t length = 0;
  std::size_t of_length = 1;
  std::size_t all = 0;
  do {
    ++length;
    of_length *= letters;
    all += of_length;
  } while (all + of_length * letters <= kShortEnough || length < 2);
  return length;
}

std::vector<PlannedSequence> ShortSequences(const std::vector<Model>& models, std::size_t length) {
  std::vector<PlannedSequence> planned;
  std::vector<std::vector<Sequence>> latest(models.size(), {Sequence{}});
  for (std::size_t now = 1;; ++now) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const std::size_t limit = length > 0 ? length : ShortLength(models[i]);
      latest[i] = now <= limit ? Longer(models[i], latest[i]) : std::vector<Sequence>{};
      most = std::max(most, latest[i].size());
    }
    if (most == 0) return planned;
    for (std::size_t place = 0; place < most; ++place) {
      for (std::size_t i = 0; i < models.size(); ++i) {
        if (place < latest[i].size()) planned.push_back({i, latest[i][place]});
      }
    }
  }
}

struct RandomSequences::Source {
  const std::vector<Model>& models;
  rc::Random random;
  std::size_t turn = 0;
};

RandomSequences::RandomSequences(const std::vector<Model>& models, std::uint64_t seed)
    : source_(new Source{models, rc::Random(seed)}) {}

RandomSequences::~RandomSequences() = default;

PlannedSequence RandomSequences::Next() {
  const std::size_t number = source_->turn++ % source_->models.size();
  const Model& model = source_->models[number];
  const rc::Random chance = source_->random.split();
  const auto letters =
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(kLeast, kMost + 1), [&](std::size_t length) {
        return rc::gen::container<Sequence>(
            length, rc::gen::inRange<std::size_t>(0, model.alphabet.size()));
      });
  PlannedSequence planned{number, {}};
  for (const std::size_t letter : letters(chance).value()) {
    planned.letters.push_back(letter);
    if (!model.build(planned.letters)) planned.letters.pop_back();
  }
  return planned;
}

}  // namespace assay
