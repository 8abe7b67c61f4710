// Cases -> text, key by key what loader.cpp reads.

#include "case/writer.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "case/yaml_text.h"

namespace assay {
namespace {

using Verb = Step::Verb;

class Mapping {
 public:
  Mapping() { node_.kind = YamlNode::Kind::kMapping; }
  Mapping& Add(std::string key, YamlNode value) {
    node_.keys.push_back(QuotedScalar(std::move(key)));
    node_.items.push_back(std::move(value));
    return *this;
  }
  Mapping& Add(std::string key, const std::optional<Json>& value) {
    if (value) Add(std::move(key), FromJson(*value));
    return *this;
  }
  YamlNode Take() { return std::move(node_); }

 private:
  YamlNode node_;
};

YamlNode List(std::vector<YamlNode> items) {
  YamlNode node;
  node.kind = YamlNode::Kind::kSequence;
  node.items = std::move(items);
  return node;
}

YamlNode Texts(const std::vector<std::string>& texts) {
  std::vector<YamlNode> items;
  for (const std::string& text : texts) items.push_back(QuotedScalar(text));
  return List(std::move(items));
}

YamlNode Null() { return PlainScalar("~"); }

YamlNode Duration(std::chrono::milliseconds time) {
  return PlainScalar(std::to_string(time.count()) + "ms");
}

YamlNode ForNode(const Expectation& expectation) {
  if (expectation.set_up) return Null();
  if (expectation.requirements.size() == 1) return QuotedScalar(expectation.requirements.front());
  return Texts(expectation.requirements);
}

void AddOutcome(Mapping& mapping, const Alternative& outcome) {
  if (outcome.nothing) mapping.Add("nothing", Null());
  mapping.Add("result", outcome.result)
      .Add("error", outcome.error)
      .Add("response", outcome.response)
      .Add("status", outcome.status)
      .Add("headers", outcome.headers)
      .Add("body", outcome.body);
}

YamlNode ExpectationNode(const Expectation& expectation) {
  Mapping mapping;
  mapping.Add("for", ForNode(expectation));
  if (expectation.any_of.size() == 1) {
    AddOutcome(mapping, expectation.any_of.front());
    return mapping.Take();
  }
  std::vector<YamlNode> outcomes;
  for (const Alternative& outcome : expectation.any_of) {
    Mapping one;
    AddOutcome(one, outcome);
    outcomes.push_back(outcome.nothing ? QuotedScalar("nothing") : one.Take());
  }
  mapping.Add("anyOf", List(std::move(outcomes)));
  return mapping.Take();
}

YamlNode Branch(const std::vector<Step>& steps) {
  std::vector<YamlNode> nodes;
  for (const Step& step : steps) nodes.push_back(StepNode(step));
  return List(std::move(nodes));
}

YamlNode Branches(const std::vector<std::vector<Step>>& branches) {
  std::vector<YamlNode> nodes;
  for (const std::vector<Step>& branch : branches) {
    nodes.push_back(branch.size() == 1 ? StepNode(branch.front()) : Branch(branch));
  }
  return List(std::move(nodes));
}

YamlNode PollNode(const Step& step) {
  const Step& request = step.branches.front().front();
  Mapping poll;
  poll.Add("request", FromJson(request.message))
      .Add("id", request.id)
      .Add("envelope", request.envelope)
      .Add("http", request.http)
      .Add("until", step.until)
      .Add("every", Duration(step.every));
  if (step.within) poll.Add("within", Duration(*step.within));
  return poll.Take();
}

// The verb and what it takes; `within` where it is not a key of the step itself.
void AddVerb(Mapping& mapping, const Step& step) {
  switch (step.verb) {
    case Verb::kRequest:
      mapping.Add("request", FromJson(step.message));
      break;
    case Verb::kNotify:
      mapping.Add("notify", FromJson(step.message));
      break;
    case Verb::kRespond:
      mapping.Add("respond", FromJson(step.message));
      break;
    case Verb::kRaw:
      mapping.Add("raw", QuotedScalar(step.text.text()));
      if (step.end != "\n") mapping.Add("end", QuotedScalar(step.end));
      break;
    case Verb::kBytes:
      mapping.Add("bytes", QuotedScalar(step.text.text()));
      break;
    case Verb::kExpect:
      break;
    case Verb::kAwait:
      mapping.Add("await", FromJson(step.message));
      break;
    case Verb::kSilence: {
      std::vector<YamlNode> allowed;
      for (const Json& pattern : step.allowed) allowed.push_back(FromJson(pattern));
      mapping.Add("silence", allowed.empty() ? Null() : List(std::move(allowed)));
      break;
    }
    case Verb::kParallel:
      mapping.Add("parallel", Branches(step.branches));
      break;
    case Verb::kRepeat:
      mapping.Add("repeat", PlainScalar(std::to_string(step.count)));
      mapping.Add("steps", Branch(step.branches.front()));
      if (step.memory_settles) mapping.Add("memory", PlainScalar("settles"));
      break;
    case Verb::kPoll:
      mapping.Add("poll", PollNode(step));
      break;
    case Verb::kClose:
      mapping.Add("close", QuotedScalar("stdin"));
      break;
    case Verb::kExit: {
      Mapping how;
      if (step.within) how.Add("within", Duration(*step.within));
      how.Add("code", step.code);
      mapping.Add("exit", step.within || step.code ? how.Take() : Null());
      break;
    }
    case Verb::kSignal:
      mapping.Add("signal", QuotedScalar(step.signal));
      break;
    case Verb::kRestart:
      mapping.Add("restart", step.on == "main" ? Null() : QuotedScalar(step.on));
      break;
    case Verb::kKill:
      mapping.Add("kill", QuotedScalar(step.on));
      break;
    case Verb::kPause:
      mapping.Add("pause", QuotedScalar(step.on));
      break;
    case Verb::kThink:
      mapping.Add("think", Duration(step.within.value_or(std::chrono::milliseconds(1))));
      mapping.Add("open", step.open);
      break;
    case Verb::kConnect:
      mapping.Add("connect", QuotedScalar(step.text.text()));
      if (!step.transport.empty()) mapping.Add("transport", QuotedScalar(step.transport));
      break;
    case Verb::kQuiet:
      mapping.Add("quiet", Duration(step.within.value_or(std::chrono::milliseconds(1))));
      break;
    case Verb::kHttp:
      break;
  }
}

bool TakesWithin(Verb verb) {
  return verb != Verb::kPoll && verb != Verb::kExit && verb != Verb::kQuiet && verb != Verb::kThink;
}

// Have the name of the connection, or of the instance, as their own value.
bool NamesItsConnection(Verb verb) {
  return verb == Verb::kRestart || verb == Verb::kKill || verb == Verb::kPause;
}

// Say themselves what must happen.
bool OnlyAttributes(Verb verb) {
  return verb == Verb::kAwait || verb == Verb::kSilence || verb == Verb::kExit ||
         verb == Verb::kThink;
}

void CollectNames(const Json& pattern, std::set<std::string>& names) {
  if (const Json* name = pattern.Find("$sameAs")) names.insert(name->text());
  for (const Json& item : pattern.items()) CollectNames(item, names);
  for (const JsonMember& member : pattern.members()) CollectNames(member.value, names);
}

// The variables that are still needed by name: all others have been put in.
void CollectNames(const std::vector<Step>& steps, std::set<std::string>& names) {
  for (const Step& step : steps) {
    CollectNames(step.message, names);
    for (const Json& pattern : step.allowed) CollectNames(pattern, names);
    if (step.until) CollectNames(*step.until, names);
    if (step.expect) {
      for (const Alternative& outcome : step.expect->any_of) {
        for (const auto* pattern : {&outcome.result, &outcome.error, &outcome.response,
                                    &outcome.status, &outcome.headers, &outcome.body}) {
          if (*pattern) CollectNames(**pattern, names);
        }
      }
    }
    for (const std::vector<Step>& branch : step.branches) CollectNames(branch, names);
  }
}

YamlNode VaryNode(const Case& test_case) {
  std::set<std::string> names;
  CollectNames(test_case.steps, names);
  Mapping variables;
  for (const auto& [name, value] : test_case.variables) {
    if (names.contains(name)) variables.Add(name, FromJson(value));
  }
  return Mapping().Add(test_case.variant, variables.Take()).Take();
}

YamlNode WhenNode(const When& when) {
  Mapping mapping;
  if (!when.capabilities.empty()) mapping.Add("capability", Texts(when.capabilities));
  if (!when.roles.empty()) mapping.Add("role", Texts(when.roles));
  if (!when.server.empty()) mapping.Add("server", QuotedScalar(when.server));
  if (!when.features.empty()) mapping.Add("feature", Texts(when.features));
  return mapping.Take();
}

YamlNode TopologyNode(const Topology& topology) {
  Mapping mapping;
  mapping.Add("instances", PlainScalar(std::to_string(topology.instances)));
  if (topology.shares) mapping.Add("store", QuotedScalar("shared"));
  if (topology.short_lived) mapping.Add("state", QuotedScalar("short-lived"));
  return mapping.Take();
}

YamlNode ClientNode(const Case& test_case) {
  Mapping mapping;
  if (!test_case.client_capabilities.members().empty()) {
    mapping.Add("capabilities", FromJson(test_case.client_capabilities));
  }
  mapping.Add("info", test_case.client_info);
  return mapping.Take();
}

YamlNode CaseNode(const Case& test_case) {
  std::string id = test_case.id.substr(test_case.suite.size() + 1);
  if (!test_case.variant.empty()) id.resize(id.size() - test_case.variant.size() - 1);
  Mapping mapping;
  mapping.Add("id", QuotedScalar(id)).Add("title", QuotedScalar(test_case.title));
  mapping.Add("requires", Texts(test_case.requires_ids));
  if (test_case.level) {
    mapping.Add("level", QuotedScalar(std::string(ToString(*test_case.level))));
  }
  if (!test_case.notes.empty()) mapping.Add("notes", QuotedScalar(test_case.notes));
  if (!test_case.variant.empty()) mapping.Add("vary", VaryNode(test_case));
  mapping.Add("era", QuotedScalar(std::string(ToString(test_case.era))));
  if (test_case.transport != "any") mapping.Add("transport", QuotedScalar(test_case.transport));
  if (!test_case.session.empty()) mapping.Add("session", QuotedScalar(test_case.session));
  if (!test_case.revisions.empty()) mapping.Add("revisions", Texts(test_case.revisions));
  YamlNode when = WhenNode(test_case.when);
  if (!when.items.empty()) mapping.Add("when", std::move(when));
  YamlNode client = ClientNode(test_case);
  if (!client.items.empty()) mapping.Add("client", std::move(client));
  if (test_case.topology) mapping.Add("topology", TopologyNode(*test_case.topology));
  mapping.Add("steps", Branch(test_case.steps));
  return mapping.Take();
}

}  // namespace

YamlNode StepNode(const Step& step) {
  Mapping mapping;
  AddVerb(mapping, step);
  mapping.Add("http", step.http);
  if (step.on != "main" && !NamesItsConnection(step.verb)) mapping.Add("on", QuotedScalar(step.on));
  mapping.Add("id", step.id).Add("envelope", step.envelope);
  if (!step.split.empty()) {
    std::vector<YamlNode> offsets;
    for (const std::size_t offset : step.split) {
      offsets.push_back(PlainScalar(std::to_string(offset)));
    }
    mapping.Add("split", List(std::move(offsets)));
  }
  if (!step.measure.empty()) mapping.Add("measure", QuotedScalar(step.measure));
  if (step.within && TakesWithin(step.verb)) mapping.Add("within", Duration(*step.within));
  if (step.expect && OnlyAttributes(step.verb)) {
    mapping.Add("for", ForNode(*step.expect));
  } else if (step.expect) {
    mapping.Add("expect", ExpectationNode(*step.expect));
  }
  if (!step.save.empty()) {
    Mapping variables;
    for (const Save& save : step.save) variables.Add(save.variable, QuotedScalar(save.pointer));
    mapping.Add("save", variables.Take());
  }
  return mapping.Take();
}

std::string WriteCaseFile(const std::vector<Case>& cases) {
  std::vector<YamlNode> nodes;
  for (const Case& test_case : cases) nodes.push_back(CaseNode(test_case));
  return WriteYaml(Mapping()
                       .Add("suite", QuotedScalar(cases.front().suite))
                       .Add("cases", List(std::move(nodes)))
                       .Take());
}

}  // namespace assay
