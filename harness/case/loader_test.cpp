#include "case/loader.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

const Catalogue& Requirements() {
  static const Catalogue catalogue = [] {
    Catalogue built;
    const std::pair<const char*, Level> kAll[] = {{"R-MUST", Level::kMust},
                                                  {"R-SHOULD", Level::kShould},
                                                  {"R-MAY", Level::kMay},
                                                  {"C-OURS", Level::kContract}};
    for (const auto& [id, level] : kAll) {
      Requirement requirement;
      requirement.id = id;
      requirement.level = level;
      built.Add(requirement);
    }
    return built;
  }();
  return catalogue;
}

// "f.yaml:2:1: message" each.
std::vector<std::string> Problems(std::string_view text) {
  std::vector<InputError> problems;
  LoadCaseFile("f.yaml", text, Requirements(), &problems);
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const InputError& problem : problems) {
    lines.push_back(ToString(problem));
  }
  return lines;
}

std::vector<Case> Load(std::string_view text) {
  std::vector<InputError> problems;
  std::vector<Case> cases = LoadCaseFile("f.yaml", text, Requirements(), &problems);
  for (const InputError& problem : problems) {
    ADD_FAILURE() << ToString(problem);
  }
  return cases;
}

// A file with one case, whose first step is on line 7.
std::string WithSteps(const std::string& steps, const std::string& keys = "requires: [R-MUST]") {
  return "suite: s\nera: modern\ncases:\n  - id: c\n    " + keys + "\n    steps:\n" + steps;
}

// A step that proves the requirement, for cases whose point is elsewhere.
const std::string kProof =
    "      - request: { method: ping }\n"
    "        expect: { result: {} }\n";

std::vector<std::string> One(const std::string& line) { return {line}; }

// --- what a file means
// ----------------------------------------------------------------------------

TEST(LoaderTest, ReadsACase) {
  const std::vector<Case> cases = Load(R"(suite: modern/versioning
era: modern
transport: stdio
when: { server: dual, capability: tools }
revisions: ["2026-07-28"]
client: { capabilities: { roots: {} } }
cases:
  - id: refused
    title: A title
    notes: Why it matters
    requires: [R-MUST]
    level: should
    when: { capability: [tools.listChanged, prompts], role: slow, feature: tasks-extension }
    session: fresh
    client: { info: { name: x, version: "1" } }
    steps:
      - request: { method: tools/list, params: { a: 1.0, b: "1", c: ~, d: yes } }
        envelope: { protocolVersion: "1900-01-01" }
        within: 1.5s
        expect:
          error: { code: -32022 }
        save: { version: /error/data/requested }
      - request: { method: "${version}", jsonrpc: ~ }
        id: 9007199254740993
        on: main
)");
  ASSERT_EQ(cases.size(), 1U);
  const Case& loaded = cases.front();
  EXPECT_EQ(loaded.id, "modern/versioning/refused");
  EXPECT_EQ(loaded.suite, "modern/versioning");
  EXPECT_EQ(loaded.title, "A title");
  EXPECT_EQ(loaded.notes, "Why it matters");
  EXPECT_EQ(ToString(loaded.place), "f.yaml:8:5");
  EXPECT_EQ(loaded.era, Era::kModern);
  EXPECT_EQ(loaded.transport, "stdio");
  EXPECT_EQ(loaded.session, "fresh");
  EXPECT_EQ(loaded.revisions, std::vector<std::string>{"2026-07-28"});
  EXPECT_EQ(loaded.requires_ids, std::vector<std::string>{"R-MUST"});
  EXPECT_EQ(loaded.level, Level::kShould);
  EXPECT_EQ(loaded.when.server, "dual") << "of the suite";
  EXPECT_EQ(loaded.when.capabilities, (std::vector<std::string>{"tools.listChanged", "prompts"}));
  EXPECT_EQ(loaded.when.roles, std::vector<std::string>{"slow"});
  EXPECT_EQ(loaded.when.features, std::vector<std::string>{"tasks-extension"});
  EXPECT_EQ(loaded.client_capabilities.Dump(), "{}") << "the case's client, not the suite's";
  EXPECT_EQ(loaded.client_info->Dump(), R"({"name":"x","version":"1"})");

  ASSERT_EQ(loaded.steps.size(), 2U);
  const Step& first = loaded.steps[0];
  EXPECT_EQ(first.verb, Step::Verb::kRequest);
  EXPECT_EQ(ToString(first.place), "f.yaml:17:9");
  EXPECT_EQ(first.message.Dump(),
            R"({"method":"tools/list","params":{"a":1.0,"b":"1","c":null,"d":"yes"}})");
  EXPECT_EQ(first.envelope->Dump(), R"({"protocolVersion":"1900-01-01"})");
  EXPECT_EQ(first.within, std::chrono::milliseconds(1500));
  EXPECT_EQ(first.id, std::nullopt);
  ASSERT_TRUE(first.expect);
  EXPECT_EQ(first.expect->requirements, std::vector<std::string>{"R-MUST"}) << "implied";
  ASSERT_EQ(first.expect->any_of.size(), 1U);
  EXPECT_EQ(first.expect->any_of[0].error->Dump(), R"({"code":-32022})");
  ASSERT_EQ(first.save.size(), 1U);
  EXPECT_EQ(first.save[0].variable, "version");
  EXPECT_EQ(first.save[0].pointer, "/error/data/requested");
  const Step& second = loaded.steps[1];
  EXPECT_EQ(second.id->text(), "9007199254740993");
  EXPECT_TRUE(second.message.Find("jsonrpc")->is_null());
  EXPECT_FALSE(second.expect);
}

TEST(LoaderTest, ReadsEveryVerb) {
  const std::vector<Case> cases = Load(R"(suite: s
era: legacy
cases:
  - id: c
    requires: [R-MUST]
    steps:
      - connect: other
      - notify: { method: notifications/x, params: { a: 1 } }
      - respond: { method: sampling/createMessage, result: { role: user } }
        within: 2s
      - raw: '{"a": $${x}}'
        end: ""
        split: [1, 20, 41]
      - raw: 5
      - bytes: aGk=
        on: other
        expect: nothing
      - http: { method: GET, path: /other, headers: { Accept: ~, X: "1" }, body: "" }
        expect: { status: 405, headers: { Allow: $string }, body: $any }
      - expect: { anyOf: [ { result: {} }, { error: {} }, nothing, { nothing: ~ } ] }
      - await: { method: notifications/message }
        for: ~
        within: 300ms
      - silence: ~
      - silence: [ { method: a }, { method: b } ]
      - parallel:
          - request: { method: a }
          - - request: { method: b }
            - request: { method: c }
      - repeat: 3
        steps:
          - request: { method: d }
      - poll:
          request: { method: tasks/get }
          envelope: none
          id: "7"
          until: { result: { status: done } }
          every: 10ms
          within: 10s
      - quiet: 300ms
      - silence: ~
      - signal: TERM
      - restart: ~
      - restart: other
      - close: stdin
      - exit: { within: 2s, code: 0 }
)");
  ASSERT_EQ(cases.size(), 1U);
  const std::vector<Step>& steps = cases.front().steps;
  using Verb = Step::Verb;
  const std::vector<Verb> verbs = {Verb::kConnect, Verb::kNotify,  Verb::kRespond, Verb::kRaw,
                                   Verb::kRaw,     Verb::kBytes,   Verb::kHttp,    Verb::kExpect,
                                   Verb::kAwait,   Verb::kSilence, Verb::kSilence, Verb::kParallel,
                                   Verb::kRepeat,  Verb::kPoll,    Verb::kQuiet,   Verb::kSilence,
                                   Verb::kSignal,  Verb::kRestart, Verb::kRestart, Verb::kClose,
                                   Verb::kExit};
  ASSERT_EQ(steps.size(), verbs.size());
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].verb, verbs[i]) << i;

  EXPECT_EQ(steps[0].text.text(), "other");
  EXPECT_EQ(steps[2].message.Dump(),
            R"({"method":"sampling/createMessage","result":{"role":"user"}})");
  EXPECT_EQ(steps[3].text.text(), R"({"a": $${x}})") << "a template still";
  EXPECT_EQ(steps[3].end, "");
  EXPECT_EQ(steps[3].split, (std::vector<std::size_t>{1, 20, 41}));
  EXPECT_EQ(steps[4].text.text(), "5");
  EXPECT_EQ(steps[4].end, "\n");
  EXPECT_EQ(steps[5].end, "") << "bytes are sent as they are";
  EXPECT_EQ(steps[5].on, "other");
  EXPECT_TRUE(steps[5].expect->any_of.front().nothing);
  EXPECT_EQ(steps[6].http->Dump(),
            R"({"method":"GET","path":"/other","headers":{"Accept":null,"X":"1"},"body":""})");
  EXPECT_EQ(steps[6].expect->any_of.front().status->Dump(), "405");
  ASSERT_EQ(steps[7].expect->any_of.size(), 4U);
  EXPECT_TRUE(steps[7].expect->any_of[2].nothing);
  EXPECT_TRUE(steps[7].expect->any_of[3].nothing);
  EXPECT_EQ(steps[8].message.Dump(), R"({"method":"notifications/message"})");
  EXPECT_TRUE(steps[8].expect->set_up);
  EXPECT_TRUE(steps[8].expect->requirements.empty());
  EXPECT_TRUE(steps[8].expect->any_of.empty());
  EXPECT_EQ(steps[9].expect->requirements, std::vector<std::string>{"R-MUST"});
  EXPECT_EQ(steps[10].allowed.size(), 2U);
  ASSERT_EQ(steps[11].branches.size(), 2U);
  EXPECT_EQ(steps[11].branches[0].size(), 1U);
  EXPECT_EQ(steps[11].branches[1][1].message.Dump(), R"({"method":"c"})");
  EXPECT_EQ(steps[12].count, 3U);
  EXPECT_EQ(steps[12].branches[0][0].message.Dump(), R"({"method":"d"})");
  const Step& poll = steps[13];
  EXPECT_EQ(poll.branches[0][0].verb, Verb::kRequest);
  EXPECT_EQ(poll.branches[0][0].envelope->text(), "none");
  EXPECT_EQ(poll.branches[0][0].id->Dump(), "\"7\"");
  EXPECT_EQ(poll.until->Dump(), R"({"result":{"status":"done"}})");
  EXPECT_EQ(poll.every, std::chrono::milliseconds(10));
  EXPECT_EQ(poll.within, std::chrono::seconds(10));
  EXPECT_EQ(steps[14].within, std::chrono::milliseconds(300));
  EXPECT_EQ(steps[16].signal, "TERM");
  EXPECT_EQ(steps[17].on, "main");
  EXPECT_EQ(steps[18].on, "other");
  EXPECT_EQ(steps[20].within, std::chrono::seconds(2));
  EXPECT_EQ(steps[20].code->Dump(), "0");
}

TEST(LoaderTest, VaryMakesOneCaseEach) {
  const std::vector<Case> cases = Load(R"(suite: http/headers
era: modern
transport: http
cases:
  - id: broken
    title: Header ${name}
    requires: [R-MUST, R-SHOULD]
    vary:
      one: { name: a, rule: R-MUST,   headers: { Mcp-Method: ~ }, code: -32020, id: "7" }
      two: { name: b, rule: R-SHOULD, headers: { x: "$$1" }, code: { $oneOf: [1, 2] }, id: 7.0 }
    steps:
      - request: { method: "x/${name}", params: { whole: "${headers}", text: "<${code}>" } }
        http: { headers: "${headers}" }
        id: ${id}
        expect: { for: "${rule}", status: 400, error: { code: "${code}" } }
)");
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].id, "http/headers/broken@one");
  EXPECT_EQ(cases[0].variant, "one");
  EXPECT_EQ(cases[0].title, "Header a");
  EXPECT_EQ(cases[0].requires_ids, std::vector<std::string>{"R-MUST"}) << "what it proves itself";
  EXPECT_EQ(cases[0].variables.at("code").Dump(), "-32020");
  EXPECT_EQ(cases[0].steps[0].id->Dump(), "\"7\"");
  EXPECT_EQ(cases[0].steps[0].http->Dump(), R"({"headers":{"Mcp-Method":null}})");
  EXPECT_EQ(cases[0].steps[0].message.Dump(),
            R"({"method":"x/a","params":{"whole":{"Mcp-Method":null},"text":"<-32020>"}})");
  EXPECT_EQ(cases[1].id, "http/headers/broken@two");
  EXPECT_EQ(cases[1].requires_ids, std::vector<std::string>{"R-SHOULD"});
  EXPECT_EQ(cases[1].steps[0].id->Dump(), "7.0");
  EXPECT_EQ(cases[1].steps[0].http->Dump(), R"({"headers":{"x":"$$1"}})") << "a template still";
  EXPECT_EQ(cases[1].steps[0].expect->any_of[0].error->Dump(), R"({"code":{"$oneOf":[1,2]}})")
      << "its matchers are matchers";
  EXPECT_EQ(cases[1].steps[0].expect->requirements, std::vector<std::string>{"R-SHOULD"});
}

TEST(LoaderTest, RolesThatAreUsedAreNeeded) {
  const std::vector<Case> cases = Load(WithSteps(
      "      - request: { method: tools/call, params: { name: \"${role.slow.tool}\" } }\n" +
      kProof));
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].when.roles, std::vector<std::string>{"slow"});
}

TEST(LoaderTest, TokensThatAreUsedAreNeeded) {
  const std::vector<Case> cases =
      Load(WithSteps("      - connect: stranger\n"
                     "        http: { headers: { Authorization: \"Bearer ${token.other}\" } }\n"
                     "      - request: { method: ping }\n"
                     "        on: stranger\n"
                     "        expect: { result: {} }\n"));
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].when.tokens, std::vector<std::string>{"other"});
  ASSERT_TRUE(cases[0].steps[0].http);
  EXPECT_EQ(cases[0].steps[0].http->Dump(),
            R"({"headers":{"Authorization":"Bearer ${token.other}"}})");
}

TEST(LoaderTest, AttributionMayStandInExpect) {
  const std::vector<Case> cases = Load(
      WithSteps("      - await: { method: notifications/x }\n        expect: { for: R-SHOULD }\n" +
                    std::string("      - silence: ~\n        for: [R-MUST, R-SHOULD]\n"),
                "requires: [R-MUST, R-SHOULD]"));
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].steps[0].expect->requirements, std::vector<std::string>{"R-SHOULD"});
  EXPECT_EQ(cases[0].steps[1].expect->requirements,
            (std::vector<std::string>{"R-MUST", "R-SHOULD"}));
}

TEST(LoaderTest, GoodCasesOfABadFileAreKept) {
  std::vector<InputError> problems;
  const std::vector<Case> cases = LoadCaseFile("f.yaml", R"(suite: s
era: modern
cases:
  - id: bad
    requires: [R-MUST]
    steps: []
  - id: good
    requires: [R-MUST]
    steps:
      - request: { method: a }
        expect: { result: {} }
)",
                                               Requirements(), &problems);
  EXPECT_EQ(problems.size(), 1U);
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].id, "s/good");
}

TEST(LoaderTest, IdsMustDifferAcrossFiles) {
  std::vector<InputError> problems;
  const std::vector<Case> cases = LoadCases(
      {{"a.yaml", WithSteps(kProof)}, {"b.yaml", WithSteps(kProof)}}, Requirements(), &problems);
  EXPECT_EQ(cases.size(), 1U);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(ToString(problems[0].place()), "b.yaml:4:5");
  EXPECT_STREQ(problems[0].what(), "duplicate case id 's/c'; the first one is at a.yaml:4:5");
}

// --- what is refused
// ------------------------------------------------------------------------------

TEST(LoaderTest, BadYaml) {
  EXPECT_EQ(Problems("suite: s\n\tera: modern\n"),
            One("f.yaml:2:1: a tab in the indentation; use spaces"));
  EXPECT_EQ(Problems("suite: s\nera: modern\ncases: []\n---\nsuite: t\n"),
            One("f.yaml:4:1: content after the end of the document; a file holds one document"));
  EXPECT_EQ(Problems("suite: s\ncases:\n  - \xFF\n"),
            One("f.yaml:3:5: not UTF-8; case files are UTF-8 text"));
  EXPECT_EQ(
      Problems("suite: &a [x, x]\nera: [*a, *a]\n"),
      One("f.yaml:1:8: anchors are not allowed here; write the value out where it is needed"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a, params: " + std::string(1000, '[') +
                               std::string(1000, ']') + " }\n")),
            One("f.yaml:7:97: nested deeper than 64 levels"));
  EXPECT_EQ(Problems(""), One("f.yaml:1:1: expected a mapping, got nothing"));
  EXPECT_EQ(Problems("- a\n"), One("f.yaml:1:1: expected a mapping, got a list"));
}

TEST(LoaderTest, UnknownKeys) {
  EXPECT_EQ(Problems("suite: s\nera: modern\ncase: []\n"),
            (std::vector<std::string>{"f.yaml:1:1: missing key 'cases'",
                                      "f.yaml:3:1: unknown key 'case'; did you mean 'cases'?"}));
  EXPECT_EQ(Problems(WithSteps(kProof, "requires: [R-MUST]\n    titel: x")),
            One("f.yaml:6:5: unknown key 'titel'; did you mean 'title'?"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a, parms: {} }\n" + kProof)),
            One("f.yaml:7:31: unknown key 'parms'; did you mean 'params'?"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n        expect: { resutl: {} }\n")),
            One("f.yaml:8:19: unknown key 'resutl'; did you mean 'result'?"));
  EXPECT_EQ(Problems(WithSteps("      - quiet: 1s\n        save: {}\n" + kProof)),
            One("f.yaml:8:9: unknown key 'save'; expected one of quiet, on"));
  EXPECT_EQ(
      Problems(WithSteps("      - reqest: { method: a }\n")),
      One("f.yaml:7:9: a step without a verb: unknown key 'reqest'; did you mean 'request'?"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n        notify: { method: b }\n")),
            One("f.yaml:7:9: a step has one verb; this one has request and notify"));
}

TEST(LoaderTest, WrongTypes) {
  EXPECT_EQ(
      Problems("suite: s\nera: newest\ntransport: [http]\nrevisions: 2025\ncases: {}\n"),
      (std::vector<std::string>{"f.yaml:2:6: era: expected modern, legacy or none, got 'newest'",
                                "f.yaml:3:12: transport: expected any, stdio or http, got a list",
                                "f.yaml:4:12: revisions: expected a list, got '2025'",
                                "f.yaml:5:8: cases: expected a list, got a mapping"}));
  EXPECT_EQ(Problems(WithSteps(kProof, "requires: R-MUST")),
            One("f.yaml:5:15: requires: expected a list, got 'R-MUST'"));
  const auto step = [](const std::string& line) {
    return Problems(WithSteps("      - " + line + "\n" + kProof));
  };
  EXPECT_EQ(step("request: tools/list"),
            One("f.yaml:7:18: request: expected a mapping, got 'tools/list'"));
  EXPECT_EQ(step("quiet: 300"),
            One("f.yaml:7:16: quiet: expected a duration such as 300ms or 1.5s, got '300'"));
  EXPECT_EQ(step("quiet: 0ms"),
            One("f.yaml:7:16: quiet: expected a duration such as 300ms or 1.5s, got '0ms'"));
  EXPECT_EQ(step("raw: ~"), One("f.yaml:7:14: raw: expected a text, got nothing"));
  EXPECT_EQ(step("repeat: 0\n        steps: [ { request: { method: a } } ]"),
            One("f.yaml:7:17: repeat: expected an integer from 1 to 999999, got '0'"));
  EXPECT_EQ(step("repeat: 2"), One("f.yaml:7:9: missing key 'steps'"));
  EXPECT_EQ(step("close: stdout"), One("f.yaml:7:16: close: expected stdin, got 'stdout'"));
  EXPECT_EQ(step("bytes: 'a?'"), One("f.yaml:7:16: expected bytes in base64"));
  EXPECT_EQ(step("raw: abc\n        split: [2, 1]"),
            One("f.yaml:8:20: the offsets of `split` must increase"));
  EXPECT_EQ(step("request: { method: a }\n        envelope: best"),
            One("f.yaml:8:19: envelope: expected good or none or a mapping, got 'best'"));
  EXPECT_EQ(step("request: { method: a }\n        save: { x: result/id }"),
            One("f.yaml:8:20: save: expected a JSON Pointer such as /result/taskId, got "
                "'result/id'"));
  EXPECT_EQ(step("respond: { method: a, result: {}, error: {} }"),
            One("f.yaml:7:18: an answer has either a result or an error"));
  EXPECT_EQ(step("poll: { request: { method: a }, until: {} }"),
            One("f.yaml:7:48: expected either a result or an error"));
}

TEST(LoaderTest, Ids) {
  EXPECT_EQ(Problems("suite: S s\nera: modern\ncases: []\n"),
            One("f.yaml:1:8: suite: expected a name of lower-case letters, digits, '-', '.' and "
                "'/', got 'S s'"));
  const std::string one = "  - id: c\n    requires: [R-MUST]\n    steps:\n" + kProof;
  EXPECT_EQ(Problems("suite: s\nera: modern\ncases:\n" + one + one),
            One("f.yaml:9:9: duplicate case id 'c'; the first one is on line 4"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: \"${x}\" }\n" + kProof,
                               "requires: [R-MUST]\n    vary: { A_b: { x: 1 } }")),
            One("f.yaml:6:13: a variant's name has lower-case letters, digits, '-' and '.' only"));
}

TEST(LoaderTest, EraIsNeeded) {
  EXPECT_EQ(Problems("suite: s\ncases:\n  - id: c\n    requires: [R-MUST]\n    steps:\n" + kProof),
            One("f.yaml:3:5: missing key 'era', here or for the suite"));
}

TEST(LoaderTest, RequirementsAndAttribution) {
  EXPECT_EQ(Problems(WithSteps(kProof, "requires: [R-NONE]")),
            One("f.yaml:5:16: unknown requirement 'R-NONE'"));
  EXPECT_EQ(Problems(WithSteps(kProof, "requires: []")),
            One("f.yaml:5:15: `requires` names no requirement"));
  EXPECT_EQ(Problems(WithSteps(kProof, "title: x")), One("f.yaml:4:5: missing key 'requires'"));
  EXPECT_EQ(Problems(WithSteps(kProof, "requires: [R-MUST, R-MUST]")),
            One("f.yaml:5:24: requirement 'R-MUST' is named twice"));
  const std::string several = "requires: [R-MUST, R-SHOULD]";
  const std::string which =
      "which requirement is this for? `requires` has several: say `for: ID`, or `for: ~` when it "
      "is "
      "set-up";
  EXPECT_EQ(Problems(WithSteps(kProof, several)), One("f.yaml:8:17: " + which));
  EXPECT_EQ(Problems(WithSteps("      - silence: ~\n", several)), One("f.yaml:7:9: " + which));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n"
                               "        expect: { for: R-MUST, result: {} }\n",
                               several)),
            One("f.yaml:5:24: no step is `for: R-SHOULD`"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n"
                               "        expect: { for: R-SHOULD, result: {} }\n" +
                               kProof)),
            One("f.yaml:8:24: 'R-SHOULD' is not among those in `requires`"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n"
                               "        expect: { for: ~, result: {} }\n")),
            One("f.yaml:4:5: no step proves anything; an `expect` that is not set-up does"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n")),
            One("f.yaml:4:5: no step proves anything; an `expect` that is not set-up does"));
  EXPECT_EQ(Problems(WithSteps("      - await: {}\n        for: ~\n        expect: { for: ~ }\n" +
                               kProof)),
            One("f.yaml:9:17: `for` is given twice, on the step and in its `expect`"));
}

TEST(LoaderTest, LevelsAreOnlyLowered) {
  const auto with_level = [](const std::string& id, const std::string& level) {
    return Problems(WithSteps(kProof, "requires: [" + id + "]\n    level: " + level));
  };
  EXPECT_EQ(with_level("R-MUST", "should"), std::vector<std::string>{});
  EXPECT_EQ(with_level("C-OURS", "may"), std::vector<std::string>{});
  EXPECT_EQ(with_level("R-SHOULD", "must"),
            One("f.yaml:6:12: `level: must` raises the level of R-SHOULD, which is should; it can "
                "only lower it"));
  EXPECT_EQ(with_level("R-MAY", "should").size(), 1U);
  EXPECT_EQ(with_level("C-OURS", "must").size(), 1U);
}

TEST(LoaderTest, ExpectationsSayOneThing) {
  const auto expect = [](const std::string& text) {
    return Problems(WithSteps("      - request: { method: a }\n        expect: " + text + "\n"));
  };
  const std::string one_of = "an answer is one of result, error, response and nothing";
  EXPECT_EQ(expect("{ result: {}, error: {} }"), One("f.yaml:8:17: " + one_of));
  EXPECT_EQ(expect("{ nothing: ~, error: {} }"), One("f.yaml:8:17: " + one_of));
  EXPECT_EQ(expect("{ for: R-MUST }"),
            One("f.yaml:8:17: expected one of result, error, response, nothing, anyOf, status, "
                "headers and body"));
  EXPECT_EQ(expect("{ anyOf: [ nothing ], result: {} }"),
            One("f.yaml:8:17: `anyOf` stands alone; what all outcomes share is written in each"));
  EXPECT_EQ(expect("{ anyOf: [] }"), One("f.yaml:8:26: expected at least one outcome"));
  EXPECT_EQ(expect("{ anyOf: [ { for: R-MUST, result: {} } ] }").size(), 1U);
  EXPECT_EQ(expect("anything"),
            One("f.yaml:8:17: expect: expected a mapping or nothing, got 'anything'"));
}

TEST(LoaderTest, PatternsAreCheckedWhereTheyStand) {
  EXPECT_EQ(
      Problems(WithSteps("      - request: { method: a }\n"
                         "        expect: { result: { a: $string, b: [ { $oneOf: 1 } ] } }\n")),
      One("f.yaml:8:46: $oneOf expects a list of at least one pattern"));
  EXPECT_EQ(Problems(WithSteps("      - await: { method: $strng }\n")),
            One("f.yaml:7:26: there is no matcher $strng (a literal $ is written $$)"));
}

TEST(LoaderTest, MatchersAreNotSent) {
  const auto sent = [](const std::string& params) {
    return Problems(WithSteps("      - request: { method: a, params: " + params + " }\n" + kProof));
  };
  const std::string why = " looks like a matcher, but this is sent; a literal $ is written $$";
  EXPECT_EQ(sent("{ a: $string }"), One("f.yaml:7:44: '$string'" + why));
  EXPECT_EQ(sent("{ $schema: x }"), One("f.yaml:7:41: '$schema'" + why));
  EXPECT_EQ(sent("{ $$schema: $$x, b: \"costs $5\" }"), std::vector<std::string>{});
  EXPECT_EQ(sent("{ $json: '{\"$any\": 1.0}' }"), std::vector<std::string>{});
  EXPECT_EQ(sent("{ $json: '{' }").size(), 1U);
}

TEST(LoaderTest, VariablesAreDefinedAndUsed) {
  EXPECT_EQ(Problems(WithSteps("      - request: { method: \"${x}\" }\n" + kProof)),
            One("f.yaml:7:28: no variable 'x'; nothing saved it before, and `vary` has none"));
  const std::string save = "        save: { x: /result }\n";
  EXPECT_EQ(Problems(WithSteps(kProof + save)), One("f.yaml:9:17: 'x' is saved but never used"));
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a, params: { a: \"${x}\" } }\n" + save +
                               kProof)),
            One("f.yaml:7:44: no variable 'x'; nothing saved it before, and `vary` has none"))
      << "a step cannot use what it saves itself";
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n" + save +
                               "      - request: { method: b }\n"
                               "        expect: { result: { $sameAs: x } }\n")),
            std::vector<std::string>{});
  EXPECT_EQ(
      Problems(WithSteps("      - request: { method: a, params: { a: \"${role.echo.tool}\", b: "
                         "\"${fresh.string}\", c: \"$${y}\" } }\n" +
                         kProof)),
      std::vector<std::string>{});
  EXPECT_EQ(Problems(WithSteps("      - http: { headers: { A: \"${session.id}\" }, path: "
                               "\"/a${session.path}\" }\n" +
                               kProof)),
            std::vector<std::string>{});
  EXPECT_EQ(Problems(WithSteps("      - request: { method: \"${session.id}\" }\n" + kProof)),
            One("f.yaml:7:28: no variable 'session.id'; nothing saved it before, and `vary` has "
                "none"))
      << "only HTTP has sessions";
  for (const std::string name : {"fresh.", "role.", "token."}) {
    EXPECT_EQ(Problems(WithSteps("      - request: { method: \"${" + name + "}\" }\n" + kProof)),
              One("f.yaml:7:28: no variable '" + name +
                  "'; nothing saved it before, and `vary` has none"));
  }
  const std::string vary = "requires: [R-MUST]\n    vary: { one: { x: 1 }, two: { x: 2 } }";
  EXPECT_EQ(Problems(WithSteps(kProof, vary)), One("f.yaml:6:20: variable 'x' is never used"));
  EXPECT_EQ(
      Problems(WithSteps("      - request: { method: \"${x}${y}\" }\n" + kProof,
                         "requires: [R-MUST]\n    vary: { one: { x: 1, y: 2 }, two: { x: 2 } }")),
      One("f.yaml:8:28: no variable 'y'; nothing saved it before, and `vary` has none"))
      << "each variant needs all variables";
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n        save: { role: /result }\n" +
                               kProof))
                .front(),
            "f.yaml:8:17: 'role' cannot be a variable: the engine has its own values under it");
}

TEST(LoaderTest, ProblemsOfAVariantAreAtItsValues) {
  EXPECT_EQ(Problems(WithSteps("      - request: { method: a }\n"
                               "        expect: { for: \"${rule}\", result: {} }\n",
                               "requires: [R-MUST]\n    vary:\n      one: { rule: R-MUST }\n"
                               "      two: { rule: R-MUTS }")),
            One("f.yaml:8:20: 'R-MUTS' is not among those in `requires`"));
}

TEST(LoaderTest, VaryCannotBomb) {
  std::string text = "requires: [R-MUST]\n    vary:\n      one:\n        x: [0";
  for (int i = 0; i < 20'000; ++i) text += ",0";
  std::string steps;
  for (int i = 0; i < 100; ++i) steps += "      - request: { method: a, params: \"${x}\" }\n";
  const auto problems = Problems(WithSteps(steps + kProof, text + "]"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(problems[0].ends_with("`vary` makes the file too large to load")) << problems[0];
}

}  // namespace
}  // namespace assay
