// One type of the shape notation (cases/shapes/README.md), parsed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "case/yaml.h"
#include "message/json.h"

namespace assay {

struct ShapeMember;
struct ShapeCase;

struct ShapeType {
  enum class Kind : std::uint8_t {
    kAny,
    kNull,
    kBoolean,
    kNumber,     // least, most
    kInteger,    // least, most
    kString,     // format
    kConstant,   // constant: a string or a number
    kEnum,       // words
    kArray,      // parts[0] where the items have a type
    kObject,     // members, is, each
    kSwitch,     // discriminator, cases, parts[0] for other values where they fit
    kUnion,      // parts
    kReference,  // name
  };
  enum class Format : std::uint8_t { kNone, kUri, kUriTemplate, kBase64 };

  Kind kind = Kind::kAny;
  Place place;
  Format format = Format::kNone;
  std::string least;  // number texts, "" = unbounded
  std::string most;
  Json constant;
  std::vector<std::string> words;
  std::vector<ShapeType> parts;
  std::vector<ShapeMember> members;
  std::vector<ShapeType> is;    // references that the object must fit as well
  std::vector<ShapeType> each;  // at most one: the type of members that are not named
  std::string discriminator;
  std::vector<ShapeCase> cases;
  std::size_t name = 0;  // a number that stands for the name, from the caller's table
};

struct ShapeMember {
  std::string name;
  bool required = true;
  ShapeType type;
};

struct ShapeCase {
  std::string value;
  ShapeType type;
};

// Gives the number that stands for a name.
using InternName = std::function<std::size_t(std::string_view name)>;

// Parses a type. `path` is for messages only. Throws InputError.
ShapeType ParseShapeType(const std::string& path, const YamlNode& node, const InternName& intern);

// Whether `text` may be the name of a shape.
bool IsShapeName(std::string_view text);

}  // namespace assay
