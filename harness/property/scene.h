// The case that a sequence of letters becomes, while it is built.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/case.h"
#include "property/model.h"

namespace assay {

// JSON that is written here: `text` must be JSON.
Json J(std::string_view text);

Alternative ResultLike(Json pattern);
Alternative ErrorLike(Json pattern);
Alternative AnyAnswer();
Alternative NoAnswer();

class Scene {
 public:
  // What comes next. The reference is good until the next call.
  Step& Request(const std::string& method, Json params = {});
  Step& Notify(const std::string& method, Json params = {});
  Step& Add(Step step);
  // The step that came last; there must be one.
  Step& Last() { return here().back(); }

  // A request that stays open: what follows happens before its answer is awaited. Returns its
  // number, for Held.
  std::size_t Hold(Step request);
  Step& Held(std::size_t number) { return held_[number].request; }

  // Every step so far.
  void ForEach(const std::function<void(Step&)>& look);
  // The steps in their nesting.
  std::vector<Step> Take();

 private:
  struct Frame {
    Step request;
    std::vector<Step> meanwhile;
  };
  std::vector<Step>& here() { return held_.empty() ? first_ : held_.back().meanwhile; }

  std::vector<Step> first_;
  std::vector<Frame> held_;
};

// What a server must have for the case to apply.
When NeedsFeature(std::string feature);
When NeedsCapabilities(std::vector<std::string> capabilities);

Step RequestStep(const std::string& method, Json params = {});
// What the answer to `step` must be, for `requirement`; "" = set-up.
void Expect(Step& step, const std::string& requirement, std::vector<Alternative> any_of);

// A letter: adds its steps to the scene and changes what is remembered of the sequence so far;
// false where it cannot stand here.
template <typename State>
struct Letter {
  std::string name;
  std::function<bool(State&, Scene&)> play;
};

// What all cases of a model share.
struct Setting {
  std::string name;
  std::string title;
  Era era = Era::kNone;
  std::string revision = {};
  std::string transport = "any";
  std::vector<std::string> revisions = {};  // of the cases
  When when = {};
  Json client_capabilities = Json::Object();
  bool is_slow = false;
};

Case MakeCase(const Setting& setting, const std::vector<std::string>& letters,
              std::vector<Step> steps);

// `finish` adds what must follow every sequence.
template <typename State>
Model MakeModel(Setting setting, State start, std::vector<Letter<State>> letters,
                std::function<void(State&, Scene&)> finish) {
  Model model;
  model.name = setting.name;
  model.title = setting.title;
  model.era = setting.era;
  model.revision = setting.revision;
  model.is_slow = setting.is_slow;
  for (const Letter<State>& letter : letters) model.alphabet.push_back(letter.name);
  model.build = [setting = std::move(setting), start = std::move(start),
                 letters = std::move(letters),
                 finish = std::move(finish)](const Sequence& sequence) -> std::optional<Case> {
    State state = start;
    Scene scene;
    std::vector<std::string> names;
    for (const std::size_t index : sequence) {
      if (!letters[index].play(state, scene)) return std::nullopt;
      names.push_back(letters[index].name);
    }
    finish(state, scene);
    return MakeCase(setting, names, scene.Take());
  };
  return model;
}

}  // namespace assay
