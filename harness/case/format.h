// The file formats as data: every mapping that may stand in a file, its keys, and what each key
// takes. The loaders check files against these tables and `assay schema` prints them, so the two
// cannot disagree.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "case/yaml.h"

namespace assay {

struct Part;

// One form a value may have.
struct Form {
  enum class Kind : std::uint8_t {
    kAny,       // whatever JSON can say; not looked into
    kValue,     // a value to be sent: a template without matchers
    kPattern,   // a pattern (message/matcher.h)
    kText,      // a scalar, taken as text
    kNull,      // ~
    kWord,      // one of `words`
    kName,      // lower-case words: modern/versioning, cancel-twice
    kRevision,  // 2025-11-25
    kCount,     // an integer from 1
    kDuration,  // 300ms, 1.5s
    kPointer,   // a JSON Pointer
    kObject,    // a mapping to be sent, whatever its keys
    kPart,      // the mapping `part`
    kStep,      // one of Steps()
    kList,      // a list whose elements have one of the forms `of`
    kMapOf,     // a mapping with free keys whose values have one of the forms `of`
  };
  Kind kind = Kind::kAny;
  std::vector<std::string_view> words;
  const Part* part = nullptr;
  std::vector<Form> of;
};

struct Key {
  std::string_view name;
  std::vector<Form> forms;  // any of them
  std::string_view text;    // what it is for, in one sentence
  bool required = false;
};

struct Part {
  std::string_view name;
  std::string_view text;
  std::vector<Key> keys;
};

const Part& CaseFilePart();         // a whole case file
const Part& CasePart();             // one of its cases
const std::vector<Part>& Steps();   // one for each verb, which is its first key
const Part& RequirementFilePart();  // a requirement file
const Part& RequirementPart();      // one of its requirements

// The regular expression that the text of such a scalar matches as a whole, "" when any text will
// do.
std::string_view TextOf(Form::Kind kind);

// The form in words: "a duration such as 300ms or 1.5s".
std::string Describe(const Form& form);

// The step's verb among Steps(), or null when there is none. `http` and `expect` are verbs only
// where no other one stands beside them.
const Part* VerbOf(const YamlNode& step);

// Appends what is wrong with `node` as the mapping `part`: unknown keys, missing keys, values of
// the wrong form, bad patterns.
void CheckPart(const std::string& path, const YamlNode& node, const Part& part,
               std::vector<InputError>* problems);

}  // namespace assay
