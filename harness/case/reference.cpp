// Prints the tables of case/format.h and message/matcher.h as Markdown.

#include "case/reference.h"

#include <algorithm>
#include <vector>

#include "case/format.h"
#include "message/matcher.h"

namespace assay {
namespace {

constexpr std::string_view kOpening = R"(# The case format

<!-- Printed by `assay schema --markdown`; a test holds this file to it. -->

A case file is a suite: what its cases have in common, and the cases, each of them a list of steps.
[Your first case](first-case.md) is an introduction; here is every key. `assay schema` prints the same as
JSON Schema, for your editor, and `assay check` names file, line and column of what is wrong.

)";

constexpr std::string_view kValues = R"(## Values

What is sent goes out as it is written: `1`, `1.0`, `"1"` and `9007199254740993` are four different things.
A plain scalar is a text unless it is a number or one of `true`, `false`, `null` and `~`. `{ $json: '…' }`
stands for exactly this JSON text. A literal `$` at the start of a text is written `$$`.

`${name}` is a variable: of `vary`, of `save`, `${role.NAME.…}` of the profile's roles, `${token.NAME}` of
its tokens, and `${fresh.string}` and `${fresh.integer}`, which nobody has used before. A scalar that is one
variable takes its value with its type; inside longer text the value is text. A member whose value is
`${name?}` is left out when there is no such variable.

)";

constexpr std::string_view kPatterns = R"(## Patterns

A pattern says what a message must look like. A scalar equals: numbers by value, texts after unescaping. A
mapping wants the members that it names, and lets others be; a list matches element by element. `~` is JSON
null. And there are matchers; where a mapping has several, all must hold.

)";

std::string Code(std::string_view text) { return "`" + std::string(text) + "`"; }

class Reference {
 public:
  std::string Text() {
    text_ = kOpening;
    Section("## ", "A case file", CaseFilePart());
    Section("## ", "A case", CasePart());
    text_ += "## Steps\n\nA step has one verb, which is its first key.\n\n";
    for (const Part& step : Steps()) Section("### ", Code(step.name), step);
    text_ += "## What stands inside\n\n";
    // Printing one may bring up others.
    for (std::size_t next = 0; next < inner_.size();) {
      const Part& part = *inner_[next++];
      Section("### ", HeadingOf(part), part);
    }
    text_ += kValues;
    text_ += kPatterns;
    text_ += "| pattern | matches |\n|---|---|\n";
    for (const MatcherText& matcher : MatcherTexts()) {
      text_ += "| " + Code(matcher.written) + " | " + std::string(matcher.matches) + " |\n";
    }
    return text_;
  }

 private:
  void Section(std::string_view level, const std::string& heading, const Part& part) {
    text_ += std::string(level) + heading + "\n\n" + std::string(part.text) + "\n\n";
    text_ += "| key | takes | what it is for |\n|---|---|---|\n";
    for (const Key& key : part.keys) {
      const bool needed = key.required || key.name == part.name;
      text_ += "| " + Code(key.name) + (needed ? " (required)" : "") + " | " + InWords(key.forms) +
               " | " + std::string(key.text) + " |\n";
    }
    text_ += "\n";
  }

  std::string InWords(const std::vector<Form>& forms) {
    std::string words;
    for (const Form& form : forms) words += (words.empty() ? "" : " or ") + InWords(form);
    return words;
  }

  std::string InWords(const Form& form) {
    switch (form.kind) {
      case Form::Kind::kNull:
        return Code("~");
      case Form::Kind::kWord: {
        std::string words;
        for (const std::string_view& word : form.words) {
          if (!words.empty()) words += &word == &form.words.back() ? " or " : ", ";
          words += Code(word);
        }
        return words;
      }
      case Form::Kind::kPattern:
        return "a [pattern](#patterns)";
      case Form::Kind::kValue:
        return "a [value](#values)";
      case Form::Kind::kPart:
        return LinkTo(*form.part);
      case Form::Kind::kStep:
        return "a [step](#steps)";
      case Form::Kind::kList:
        return "a list, each " + InWords(form.of);
      case Form::Kind::kMapOf:
        return "a mapping, each value " + InWords(form.of);
      default:
        return Describe(form);
    }
  }

  // Of what stands inside a step of the same name, another heading than the step's.
  static std::string HeadingOf(const Part& part) {
    const bool is_verb = std::any_of(Steps().begin(), Steps().end(),
                                     [&](const Part& step) { return step.name == part.name; });
    return (is_verb ? "Inside " : "") + std::string(part.name);
  }

  std::string LinkTo(const Part& part) {
    if (&part == &CasePart()) return "[a case](#a-case)";
    if (std::find(inner_.begin(), inner_.end(), &part) == inner_.end()) inner_.push_back(&part);
    std::string anchor = HeadingOf(part);
    // As Markdown viewers make them of headings.
    std::transform(anchor.begin(), anchor.end(), anchor.begin(), [](char c) {
      if (c == ' ') return '-';
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return "[" + std::string(part.name) + "](#" + anchor + ")";
  }

  std::string text_;
  std::vector<const Part*> inner_;
};

}  // namespace

std::string CaseReference() { return Reference().Text(); }

}  // namespace assay
