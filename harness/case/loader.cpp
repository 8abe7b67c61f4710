// Case files -> Case.

#include "case/loader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "case/catalogue_loader.h"
#include "case/format.h"
#include "case/lint.h"
#include "case/vary.h"
#include "case/yaml.h"
#include "message/base64.h"

namespace assay {
namespace {

using Verb = Step::Verb;

// How many values the variants of a file may have together.
constexpr std::size_t kExpansionBudget = 1'000'000;
// No person of a case thinks for longer.
constexpr std::chrono::milliseconds kLongestThought{5000};

Verb VerbNamed(std::string_view name) {
  static const std::map<std::string_view, Verb> kVerbs = {
      {"request", Verb::kRequest}, {"notify", Verb::kNotify},   {"respond", Verb::kRespond},
      {"raw", Verb::kRaw},         {"bytes", Verb::kBytes},     {"expect", Verb::kExpect},
      {"await", Verb::kAwait},     {"silence", Verb::kSilence}, {"parallel", Verb::kParallel},
      {"repeat", Verb::kRepeat},   {"poll", Verb::kPoll},       {"close", Verb::kClose},
      {"exit", Verb::kExit},       {"signal", Verb::kSignal},   {"restart", Verb::kRestart},
      {"connect", Verb::kConnect}, {"quiet", Verb::kQuiet},     {"http", Verb::kHttp},
      {"kill", Verb::kKill},       {"pause", Verb::kPause},     {"think", Verb::kThink},
  };
  return kVerbs.at(name);
}

std::chrono::milliseconds DurationOf(const YamlNode& node) {
  const double number = std::strtod(node.text.c_str(), nullptr);
  const bool milliseconds = node.text.ends_with("ms");
  return std::chrono::milliseconds(std::llround(std::ceil(milliseconds ? number : number * 1000)));
}

std::size_t CountOf(const YamlNode& node) {
  return static_cast<std::size_t>(std::strtoul(node.text.c_str(), nullptr, 10));
}

std::vector<std::string> TextsOf(const YamlNode* node) {
  std::vector<std::string> texts;
  if (node == nullptr) return texts;
  if (node->is_scalar()) texts.push_back(node->text);
  for (const YamlNode& item : node->items) texts.push_back(item.text);
  return texts;
}

std::optional<Json> ValueAt(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.Find(key);
  if (value == nullptr) return std::nullopt;
  return ToJson(*value);
}

// How much a level asks; a contract item counts like a SHOULD, since its breach differs, not fails.
int Strength(Level level) {
  switch (level) {
    case Level::kMust:
    case Level::kMustNot:
      return 3;
    case Level::kShould:
    case Level::kShouldNot:
    case Level::kContract:
      return 2;
    case Level::kMay:
      return 1;
  }
  return 0;
}

// Reads one expanded case. Its form has been checked (CheckPart); what is still wrong goes to
// `problems`.
class CaseReader {
 public:
  CaseReader(const std::string& path, const YamlNode& suite, const YamlNode& node,
             const Catalogue& catalogue, std::vector<InputError>* problems)
      : path_(path), suite_(suite), node_(node), catalogue_(catalogue), problems_(problems) {}

  Case Read() {
    Case test_case;
    test_case.suite = suite_.Find("suite")->text;
    test_case.id = test_case.suite + "/" + node_.Find("id")->text;
    test_case.title = node_.Find("title") != nullptr ? node_.Find("title")->text : test_case.id;
    if (const YamlNode* notes = node_.Find("notes")) test_case.notes = notes->text;
    test_case.place = PlaceOf(node_);
    if (const YamlNode* era = Setting("era")) {
      if (era->text == "legacy") test_case.era = Era::kLegacy;
      if (era->text == "modern") test_case.era = Era::kModern;
    } else {
      Fail(node_, "missing key 'era', here or for the suite");
    }
    if (const YamlNode* transport = Setting("transport")) test_case.transport = transport->text;
    if (const YamlNode* session = Setting("session")) test_case.session = session->text;
    test_case.revisions = TextsOf(Setting("revisions"));
    if (const YamlNode* client = Setting("client")) {
      test_case.client_capabilities = ValueAt(*client, "capabilities").value_or(Json::Object());
      test_case.client_info = ValueAt(*client, "info");
    }
    test_case.when = ReadWhen();
    ReadTopology(test_case);
    ReadRequires(test_case);
    ReadLevel(test_case);
    test_case.steps = ReadSteps(*node_.Find("steps"));
    // A variant stands for what it proves, not for what its siblings do.
    std::erase_if(test_case.requires_ids, [&](const auto& id) { return !proven_.contains(id); });
    return test_case;
  }

 private:
  Place PlaceOf(const YamlNode& node) const { return {path_, node.line, node.column}; }
  void Fail(const YamlNode& node, const std::string& message) {
    problems_->emplace_back(PlaceOf(node), message);
  }

  // What the case says, else what the suite says.
  const YamlNode* Setting(std::string_view key) const {
    const YamlNode* own = node_.Find(key);
    return own != nullptr ? own : suite_.Find(key);
  }

  When ReadWhen() const {
    const auto condition = [&](std::string_view key) -> const YamlNode* {
      for (const YamlNode* holder : {&node_, &suite_}) {
        const YamlNode* when = holder->Find("when");
        if (when != nullptr && when->Find(key) != nullptr) return when->Find(key);
      }
      return nullptr;
    };
    When when;
    when.capabilities = TextsOf(condition("capability"));
    when.roles = TextsOf(condition("role"));
    when.features = TextsOf(condition("feature"));
    if (const YamlNode* server = condition("server")) when.server = server->text;
    return when;
  }

  void ReadTopology(Case& test_case) {
    const YamlNode* node = Setting("topology");
    if (node == nullptr) return;
    Topology topology{.instances = CountOf(*node->Find("instances"))};
    if (topology.instances > kMostInstances) {
      Fail(*node->Find("instances"), "at most " + std::to_string(kMostInstances) + " instances");
    }
    topology.shares = node->Find("store") != nullptr;
    topology.short_lived = node->Find("state") != nullptr;
    test_case.topology = topology;
    if (test_case.transport == "stdio") Fail(*node, "instances are reached over HTTP");
    test_case.transport = "http";
  }

  void ReadRequires(Case& test_case) {
    const YamlNode& ids = *node_.Find("requires");
    if (ids.items.empty()) Fail(ids, "`requires` names no requirement");
    for (const YamlNode& id : ids.items) {
      if (catalogue_.Find(id.text) == nullptr) {
        Fail(id, "unknown requirement '" + id.text + "'");
      }
      if (!requires_.insert(id.text).second) {
        Fail(id, "requirement '" + id.text + "' is named twice");
      }
      test_case.requires_ids.push_back(id.text);
    }
  }

  void ReadLevel(Case& test_case) {
    const YamlNode* level = node_.Find("level");
    if (level == nullptr) return;
    test_case.level = LevelOf(level->text);
    for (const std::string& id : test_case.requires_ids) {
      const Requirement* requirement = catalogue_.Find(id);
      if (requirement != nullptr && Strength(*test_case.level) > Strength(requirement->level)) {
        Fail(*level, "`level: " + level->text + "` raises the level of " + id + ", which is " +
                         std::string(ToString(requirement->level)) + "; it can only lower it");
      }
    }
  }

  // --- steps ------------------------------------------------------------------------------------

  std::vector<Step> ReadSteps(const YamlNode& node) {
    std::vector<Step> steps;
    if (node.is_mapping()) {
      steps.push_back(ReadStep(node));
      return steps;
    }
    if (node.items.empty()) Fail(node, "expected at least one step");
    for (const YamlNode& item : node.items) steps.push_back(ReadStep(item));
    return steps;
  }

  Step ReadStep(const YamlNode& node) {
    const std::string_view name = VerbOf(node)->name;
    Step step;
    step.verb = VerbNamed(name);
    step.place = PlaceOf(node);
    if (const YamlNode* on = node.Find("on")) step.on = on->text;
    step.id = ValueAt(node, "id");
    step.envelope = ValueAt(node, "envelope");
    step.http = ValueAt(node, "http");
    step.open = ValueAt(node, "open");
    if (const YamlNode* measure = node.Find("measure")) step.measure = measure->text;
    if (const YamlNode* within = node.Find("within")) step.within = DurationOf(*within);
    if (const YamlNode* save = node.Find("save")) {
      for (std::size_t i = 0; i < save->keys.size(); ++i) {
        step.save.push_back({save->keys[i].text, save->items[i].text});
      }
    }
    const bool attributes = step.verb == Verb::kAwait || step.verb == Verb::kSilence ||
                            step.verb == Verb::kExit ||
                            (step.verb == Verb::kThink && node.Find("open") != nullptr);
    if (attributes) {
      step.expect = ReadAttribution(node);
    } else if (const YamlNode* expect = node.Find("expect")) {
      step.expect = ReadExpectation(*expect);
    }
    ReadVerb(step, *node.Find(name), node);
    return step;
  }

  void ReadVerb(Step& step, const YamlNode& value, const YamlNode& node) {
    switch (step.verb) {
      case Verb::kRequest:
      case Verb::kNotify:
        step.message = ToJson(value);
        break;
      case Verb::kRespond:
        step.message = ToJson(value);
        if ((value.Find("result") == nullptr) == (value.Find("error") == nullptr)) {
          Fail(value, "an answer has either a result or an error");
        }
        break;
      case Verb::kRaw:
      case Verb::kBytes:
        ReadText(step, value, node);
        break;
      case Verb::kAwait:
        step.message = ToJson(value);
        break;
      case Verb::kSilence:
        for (const YamlNode& pattern : value.items) step.allowed.push_back(ToJson(pattern));
        break;
      case Verb::kParallel:
        for (const YamlNode& branch : value.items) step.branches.push_back(ReadSteps(branch));
        if (value.items.empty()) Fail(value, "expected at least one branch");
        break;
      case Verb::kRepeat:
        step.count = CountOf(value);
        step.branches.push_back(ReadSteps(*node.Find("steps")));
        step.memory_settles = node.Find("memory") != nullptr;
        break;
      case Verb::kPoll:
        ReadPoll(step, value);
        break;
      case Verb::kExit:
        if (const YamlNode* within = value.Find("within")) step.within = DurationOf(*within);
        step.code = ValueAt(value, "code");
        break;
      case Verb::kSignal:
        step.signal = value.text;
        break;
      case Verb::kRestart:
        if (!value.is_null()) step.on = value.text;
        break;
      case Verb::kKill:
      case Verb::kPause:
        step.on = value.text;
        break;
      case Verb::kThink:
        step.within = DurationOf(value);
        if (*step.within > kLongestThought) {
          Fail(value,
               "nobody thinks for longer than " + std::to_string(kLongestThought.count()) + " ms");
        }
        break;
      case Verb::kConnect:
        step.text = Json::String(value.text);
        if (const YamlNode* transport = node.Find("transport")) step.transport = transport->text;
        break;
      case Verb::kQuiet:
        step.within = DurationOf(value);
        break;
      case Verb::kClose:
      case Verb::kHttp:
      case Verb::kExpect:
        break;
    }
  }

  void ReadText(Step& step, const YamlNode& value, const YamlNode& node) {
    step.text = Json::String(value.text);
    if (step.verb == Verb::kBytes) {
      step.end.clear();
      if (value.text.find("${") == std::string::npos && !DecodeBase64(value.text)) {
        Fail(value, "expected bytes in base64");
      }
    }
    if (const YamlNode* end = node.Find("end")) step.end = end->text;
    const YamlNode* split = node.Find("split");
    if (split == nullptr) return;
    for (const YamlNode& offset : split->items) {
      if (!step.split.empty() && CountOf(offset) <= step.split.back()) {
        Fail(offset, "the offsets of `split` must increase");
      }
      step.split.push_back(CountOf(offset));
    }
  }

  void ReadPoll(Step& step, const YamlNode& value) {
    Step request;
    request.verb = Verb::kRequest;
    request.place = PlaceOf(value);
    request.on = step.on;
    request.message = ToJson(*value.Find("request"));
    request.id = ValueAt(value, "id");
    request.envelope = ValueAt(value, "envelope");
    request.http = ValueAt(value, "http");
    step.branches = {{std::move(request)}};
    const YamlNode& until = *value.Find("until");
    if (until.keys.size() != 1) Fail(until, "expected either a result or an error");
    step.until = ToJson(until);
    if (const YamlNode* every = value.Find("every")) step.every = DurationOf(*every);
    if (const YamlNode* within = value.Find("within")) step.within = DurationOf(*within);
  }

  // --- expectations -----------------------------------------------------------------------------

  Expectation ReadExpectation(const YamlNode& node) {
    Expectation expectation = WhatFor(node);
    const YamlNode* any_of = node.Find("anyOf");
    if (any_of == nullptr) {
      expectation.any_of.push_back(ReadOutcome(node));
      return expectation;
    }
    if (node.keys.size() > (node.Find("for") == nullptr ? 1U : 2U)) {
      Fail(node, "`anyOf` stands alone; what all outcomes share is written in each");
    }
    if (any_of->items.empty()) Fail(*any_of, "expected at least one outcome");
    for (const YamlNode& outcome : any_of->items) {
      expectation.any_of.push_back(ReadOutcome(outcome));
    }
    return expectation;
  }

  Alternative ReadOutcome(const YamlNode& node) {
    Alternative outcome;
    if (node.is_scalar() || node.Find("nothing") != nullptr) outcome.nothing = true;
    outcome.result = ValueAt(node, "result");
    outcome.error = ValueAt(node, "error");
    outcome.response = ValueAt(node, "response");
    outcome.status = ValueAt(node, "status");
    outcome.headers = ValueAt(node, "headers");
    outcome.body = ValueAt(node, "body");
    const int messages = static_cast<int>(outcome.result.has_value()) +
                         static_cast<int>(outcome.error.has_value()) +
                         static_cast<int>(outcome.response.has_value());
    const bool http = outcome.status || outcome.headers || outcome.body;
    if (outcome.nothing ? messages > 0 || http : messages > 1) {
      Fail(node, "an answer is one of result, error, response and nothing");
    } else if (!outcome.nothing && messages == 0 && !http) {
      Fail(node,
           "expected one of result, error, response, nothing, anyOf, status, headers and body");
    }
    return outcome;
  }

  // Of a step that says itself what must happen.
  Expectation ReadAttribution(const YamlNode& step) {
    const YamlNode* expect = step.Find("expect");
    if (expect != nullptr && step.Find("for") != nullptr) {
      Fail(*expect, "`for` is given twice, on the step and in its `expect`");
    }
    return WhatFor(expect == nullptr ? step : *expect);
  }

  // What `holder`, an expectation or a step, says with `for`.
  Expectation WhatFor(const YamlNode& holder) {
    Expectation expectation;
    expectation.place = PlaceOf(holder);
    const YamlNode* ids = holder.Find("for");
    if (ids == nullptr) {
      if (requires_.size() == 1) {
        Prove(expectation, *requires_.begin());
      } else if (!requires_.empty()) {
        Fail(holder,
             "which requirement is this for? `requires` has several: say `for: ID`, or "
             "`for: ~` when it is set-up");
      }
      return expectation;
    }
    expectation.set_up = ids->is_null();
    if (ids->is_sequence() && ids->items.empty()) {
      Fail(*ids, "`for` names no requirement; `for: ~` marks set-up");
    }
    for (const std::string& id : ids->is_null() ? std::vector<std::string>{} : TextsOf(ids)) {
      if (!requires_.contains(id)) Fail(*ids, "'" + id + "' is not among those in `requires`");
      Prove(expectation, id);
    }
    return expectation;
  }

  void Prove(Expectation& expectation, const std::string& id) {
    expectation.requirements.push_back(id);
    proven_.insert(id);
  }

  const std::string& path_;
  const YamlNode& suite_;
  const YamlNode& node_;
  const Catalogue& catalogue_;
  std::vector<InputError>* problems_;
  std::set<std::string> requires_;
  std::set<std::string> proven_;
};

class FileLoader {
 public:
  FileLoader(const std::string& path, const Catalogue& catalogue, std::vector<InputError>* problems)
      : path_(path), catalogue_(catalogue), problems_(problems) {}

  std::vector<Case> Load(const YamlText& text) {
    YamlNode root = ParseYaml(path_, text);
    // The cases are checked one by one, after `vary` is put in.
    std::vector<YamlNode> cases;
    for (std::size_t i = 0; i < root.keys.size(); ++i) {
      if (root.keys[i].text == "cases") cases = std::exchange(root.items[i].items, {});
    }
    is_checked_ = text.packed;
    if (!is_checked_) CheckPart(path_, root, CaseFilePart(), problems_);
    suite_is_good_ = problems_->empty();
    std::map<std::string, int> lines;
    for (const YamlNode& node : cases) {
      const YamlNode* id = node.Find("id");
      if (id != nullptr) {
        const auto [first, added] = lines.emplace(id->text, id->line);
        if (!added) {
          Fail(*id, "duplicate case id '" + id->text + "'; the first one is on line " +
                        std::to_string(first->second));
        }
      }
      LoadCase(root, node);
    }
    return std::move(loaded_);
  }

 private:
  void Fail(const YamlNode& node, const std::string& message) {
    problems_->emplace_back(Place{path_, node.line, node.column}, message);
  }

  void LoadCase(const YamlNode& suite, const YamlNode& node) {
    const YamlNode* vary = node.Find("vary");
    const bool varies = vary != nullptr && vary->is_mapping() && !vary->keys.empty();
    const std::size_t problems_before = problems_->size();
    std::vector<Case> variants;
    std::set<std::string> used;
    if (varies) {
      for (std::size_t i = 0; i < vary->keys.size(); ++i) {
        VariantExpander expander(path_, vary->items[i]);
        const YamlNode expanded = ExpandCase(node, i == 0, expander);
        used.insert(expander.used().begin(), expander.used().end());
        if (auto variant = LoadVariant(suite, expanded, vary->items[i], &used)) {
          variant->variant = vary->keys[i].text;
          variant->id += "@" + variant->variant;
          variants.push_back(*std::move(variant));
        }
        CheckVariantName(vary->keys[i]);
      }
      CheckUse(*vary, used);
    } else if (auto variant = LoadVariant(suite, node, YamlNode{}, &used)) {
      variants.push_back(*std::move(variant));
    }
    if (problems_->size() == problems_before) CheckProofs(node, variants);
    if (problems_->size() > problems_before) return;
    std::move(variants.begin(), variants.end(), std::back_inserter(loaded_));
  }

  // Names are the same for all variants, and so is `vary`: it is looked at with the first one.
  YamlNode ExpandCase(const YamlNode& node, bool first, VariantExpander& expander) {
    YamlNode expanded;
    expanded.kind = node.kind;
    expanded.line = node.line;
    expanded.column = node.column;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& key = node.keys[i].text;
      if (key == "vary" && !first) continue;
      expanded.keys.push_back(node.keys[i]);
      expanded.items.push_back(
          key == "id" || key == "vary" ? node.items[i] : expander.Expand(node.items[i], &budget_));
    }
    return expanded;
  }

  std::optional<Case> LoadVariant(const YamlNode& suite, const YamlNode& node,
                                  const YamlNode& variables, std::set<std::string>* used) {
    const std::size_t before = problems_->size();
    if (!is_checked_) CheckPart(path_, node, CasePart(), problems_);
    if (problems_->size() > before || !suite_is_good_) return std::nullopt;
    Case test_case = CaseReader(path_, suite, node, catalogue_, problems_).Read();
    std::set<std::string> given;
    for (std::size_t i = 0; i < variables.keys.size(); ++i) {
      given.insert(variables.keys[i].text);
      test_case.variables[variables.keys[i].text] = ToJson(variables.items[i]);
    }
    VariableUse use = CheckVariables(path_, node, given, problems_);
    used->merge(use.used);
    test_case.when.tokens.assign(use.tokens.begin(), use.tokens.end());
    // A tool that a case calls by its role is one that it needs.
    for (const std::string& role : test_case.when.roles) use.roles.erase(role);
    test_case.when.roles.insert(test_case.when.roles.end(), use.roles.begin(), use.roles.end());
    if (problems_->size() > before) return std::nullopt;
    LintCase(test_case, problems_);
    return test_case;
  }

  void CheckVariantName(const YamlNode& name) {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    };
    if (!std::all_of(name.text.begin(), name.text.end(), allowed)) {
      Fail(name, "a variant's name has lower-case letters, digits, '-' and '.' only");
    }
  }

  // Each variable must be used in one of the variants at least.
  void CheckUse(const YamlNode& vary, const std::set<std::string>& used) {
    std::set<std::string> reported;
    for (const YamlNode& variables : vary.items) {
      for (const YamlNode& key : variables.keys) {
        if (auto problem = BadVariableName(key.text)) Fail(key, *problem);
        if (used.contains(key.text) || !reported.insert(key.text).second) continue;
        Fail(key, "variable '" + key.text + "' is never used");
      }
    }
  }

  // Each requirement must be proven by one of the variants, and each variant must prove one.
  void CheckProofs(const YamlNode& node, const std::vector<Case>& variants) {
    std::set<std::string> proven;
    for (const Case& variant : variants) {
      proven.insert(variant.requires_ids.begin(), variant.requires_ids.end());
      if (variant.requires_ids.empty()) {
        const std::string name = variant.variant.empty() ? "" : " of variant " + variant.variant;
        Fail(node, "no step" + name + " proves anything; an `expect` that is not set-up does");
      }
    }
    const YamlNode* ids = node.Find("requires");
    if (proven.empty() || ids == nullptr) return;
    for (const YamlNode& id : ids->items) {
      if (id.text.find("${") == std::string::npos && !proven.contains(id.text)) {
        Fail(id, "no step is `for: " + id.text + "`");
      }
    }
  }

  const std::string& path_;
  const Catalogue& catalogue_;
  std::vector<InputError>* problems_;
  bool is_checked_ = false;  // its form
  bool suite_is_good_ = true;
  std::size_t budget_ = kExpansionBudget;
  std::vector<Case> loaded_;
};

}  // namespace

bool HoldsCases(std::string_view path) {
  for (const std::string folder : {"requirements/", "shapes/", "profiles/"}) {
    if (path.starts_with(folder) || path.find("/" + folder) != std::string_view::npos) return false;
  }
  return true;
}

std::vector<Case> LoadCaseFile(const std::string& path, const YamlText& text,
                               const Catalogue& catalogue, std::vector<InputError>* problems) {
  std::vector<InputError> found;
  std::vector<Case> cases;
  try {
    cases = FileLoader(path, catalogue, &found).Load(text);
  } catch (const InputError& error) {
    found.push_back(error);
  }
  // What is wrong in every variant was found in each.
  AppendInOrder(std::move(found), problems);
  return cases;
}

std::vector<Case> LoadCases(const std::vector<CaseFile>& files, const Catalogue& catalogue,
                            std::vector<InputError>* problems) {
  std::vector<Case> cases;
  std::map<std::string, Place> places;
  for (const CaseFile& file : files) {
    for (Case& test_case : LoadCaseFile(file.path, file.text, catalogue, problems)) {
      const auto [first, added] = places.emplace(test_case.id, test_case.place);
      if (added) {
        cases.push_back(std::move(test_case));
      } else {
        problems->emplace_back(test_case.place, "duplicate case id '" + test_case.id +
                                                    "'; the first one is at " +
                                                    ToString(first->second));
      }
    }
  }
  return cases;
}

}  // namespace assay
