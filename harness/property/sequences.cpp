// Enumeration by hand, chance by RapidCheck.

#include "property/sequences.h"

#include <rapidcheck/gen/Container.h>
#include <rapidcheck/gen/Numeric.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMany = 2000;
constexpr std::size_t kManySlow = 200;
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

// The sequences of a model, those of one length after another.
class Lengths {
 public:
  Lengths(const Model& model, std::size_t length) : model_(model), length_(length) {}

  // Those of one letter more than the last; none when they are long enough.
  const std::vector<Sequence>& Next() {
    ++now_;
    const bool stop = length_ > 0 && now_ > length_;
    latest_ = stop ? std::vector<Sequence>{} : Longer(model_, latest_);
    all_ += latest_.size();
    const std::size_t many = model_.is_slow ? kManySlow : kMany;
    if (length_ == 0 && now_ > 2 && all_ > many) latest_.clear();
    return latest_;
  }

 private:
  const Model& model_;
  std::size_t length_;
  std::size_t now_ = 0;
  std::size_t all_ = 0;
  std::vector<Sequence> latest_ = {Sequence{}};
};

}  // namespace

std::vector<PlannedSequence> ShortSequences(const std::vector<Model>& models, std::size_t length) {
  std::vector<PlannedSequence> planned;
  std::vector<Lengths> lengths;
  for (const Model& model : models) lengths.emplace_back(model, length);
  while (true) {
    std::vector<std::vector<Sequence>> latest;
    std::size_t most = 0;
    for (Lengths& of_model : lengths) {
      latest.push_back(of_model.Next());
      most = std::max(most, latest.back().size());
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
