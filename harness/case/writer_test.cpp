// What is written is what is read.

#include "case/writer.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "case/loader.h"
#include "case/yaml_text.h"
#include "runner/library.h"

namespace assay {
namespace {

std::string Show(const std::optional<Json>& value) { return value ? value->Dump() : "-"; }

std::string Show(const std::optional<Expectation>& expectation) {
  if (!expectation) return "-";
  std::string text = expectation->set_up ? "set-up" : "for";
  for (const std::string& id : expectation->requirements) text += " " + id;
  for (const Alternative& one : expectation->any_of) {
    text += std::string(one.nothing ? " nothing" : " ") + Show(one.result) + Show(one.error) +
            Show(one.response) + Show(one.status) + Show(one.headers) + Show(one.body);
  }
  return text;
}

// All that a step says, but not where it stands.
std::string Show(const Step& step) {
  std::string text = "[" + std::to_string(static_cast<int>(step.verb)) + " on " + step.on + " " +
                     step.message.Dump() + Show(step.id) + Show(step.envelope) + Show(step.http) +
                     step.text.Dump() + step.end + step.transport;
  for (const std::size_t offset : step.split) text += " " + std::to_string(offset);
  for (const Json& pattern : step.allowed) text += " may " + pattern.Dump();
  text += " x" + std::to_string(step.count) + Show(step.until) +
          std::to_string(step.every.count()) + "/" +
          std::to_string(step.within ? step.within->count() : -1) + Show(step.code) + step.signal +
          " " + Show(step.expect);
  for (const Save& save : step.save) text += " " + save.variable + "=" + save.pointer;
  for (const auto& branch : step.branches) {
    text += "(";
    for (const Step& inner : branch) text += Show(inner);
    text += ")";
  }
  return text + "]\n";
}

std::string Show(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += " " + text;
  return all;
}

std::string Show(const Case& c) {
  std::string text = c.id + "|" + c.suite + "|" + c.variant + "|" + c.title + "|" + c.notes + "|" +
                     std::string(ToString(c.era)) + "|" + c.transport + "|" + c.session + "|" +
                     Show(c.revisions) + "|" + Show(c.requires_ids) + "|" +
                     std::string(c.level ? ToString(*c.level) : "-") + "|" +
                     Show(c.when.capabilities) + "|" + Show(c.when.roles) + "|" + c.when.server +
                     "|" + Show(c.when.features) + Show(c.when.tokens) + "|" +
                     c.client_capabilities.Dump() + Show(c.client_info) + "\n";
  for (const Step& step : c.steps) text += Show(step);
  return text;
}

std::vector<Case> Load(const std::string& text, const Catalogue& catalogue) {
  std::vector<InputError> problems;
  std::vector<Case> cases = LoadCaseFile("written.yaml", text, catalogue, &problems);
  for (const InputError& problem : problems) ADD_FAILURE() << ToString(problem) << "\n" << text;
  return cases;
}

TEST(Writer, EveryBuiltinCaseIsReadBackAsItIs) {
  Library library = LoadBuiltinRules();
  AddBuiltinCases(library);
  ASSERT_GT(library.cases.size(), 500U);
  for (const Case& test_case : library.cases) {
    const std::vector<Case> again = Load(WriteCaseFile({test_case}), library.catalogue);
    ASSERT_EQ(again.size(), 1U) << test_case.id;
    EXPECT_EQ(Show(again.front()), Show(test_case));
    // A variable that is needed by name, and not by its value, is still there.
    for (const auto& [name, value] : again.front().variables) {
      EXPECT_EQ(value.Dump(), test_case.variables.at(name).Dump()) << test_case.id;
    }
  }
}

TEST(Writer, WhatIsWrittenOnceIsWrittenTheSameAgain) {
  Library library = LoadBuiltinRules();
  AddBuiltinCases(library);
  for (const Case& test_case : library.cases) {
    const std::string text = WriteCaseFile({test_case});
    EXPECT_EQ(WriteCaseFile(Load(text, library.catalogue)), text);
  }
}

TEST(YamlText, EveryTextIsReadBackAsItIs) {
  for (const std::string& text : {std::string(),
                                  std::string("~"),
                                  std::string("null"),
                                  std::string("true"),
                                  std::string("1"),
                                  std::string("1e5"),
                                  std::string("-"),
                                  std::string("- a"),
                                  std::string("a: b"),
                                  std::string("a #b"),
                                  std::string("#"),
                                  std::string(" a "),
                                  std::string("a\nb\n"),
                                  std::string("\r\n\t"),
                                  std::string("\0\x01\x1f\x7f", 4),
                                  std::string("\u0085\u2028\u2029"),
                                  std::string("\uFEFF"),
                                  std::string("\u00a0é🔑"),
                                  std::string("\"'\\${x}$$"),
                                  std::string("{[,]}"),
                                  std::string("&a *b !c %d @e `f"),
                                  std::string("NULL"),
                                  std::string(3000, 'x')}) {
    const Json value = Json::Object({{"key", Json::String(text)},
                                     {"list", Json::Array({Json::String(text)})},
                                     {text, Json::Array()}});
    EXPECT_EQ(ToJson(ParseYaml("t.yaml", WriteYaml(FromJson(value)))).Dump(), value.Dump()) << text;
  }
}

TEST(YamlText, NumbersKeepTheirText) {
  for (const char* number : {"0", "-0", "1.0", "1e400", "9007199254740993", "1E-7"}) {
    const Json value = Json::Object({{"n", Json::Number(number)}});
    EXPECT_EQ(ToJson(ParseYaml("t.yaml", WriteYaml(FromJson(value)))).Dump(), value.Dump());
  }
}

TEST(YamlText, WhatYamlCannotSayIsKeptAsExactText) {
  Json twice = Json::Object();
  twice.members() = {{"a", Json::Integer(1)}, {"a", Json::Integer(2)}};
  Json deep = Json::Integer(1);
  for (int i = 0; i < 300; ++i) deep = Json::Array({deep});
  for (const Json& value : {twice, deep}) {
    const Json again = ToJson(ParseYaml("t.yaml", WriteYaml(FromJson(value))));
    EXPECT_EQ(again.kind(), Json::Kind::kRaw);
    EXPECT_EQ(again.Dump(), value.Dump());
  }
}

}  // namespace
}  // namespace assay
