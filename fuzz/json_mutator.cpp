// The mutator of the targets whose inputs are lines of JSON. Half of the time it leaves the work to
// libFuzzer, which finds what breaks the syntax; otherwise it changes the order of the lines, or
// one value in the tree that a line is. What a tree does not keep, as the spelling of numbers, is
// left to the other half.

#include <algorithm>
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/input.h"

// These names are libFuzzer's.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                                 const std::uint8_t* right, std::size_t right_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed);

namespace assay::fuzz {
namespace {

namespace json = boost::json;

// So that one line cannot take all of the time.
constexpr std::size_t kMostTreeBytes = 4096;

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  std::size_t Below(std::size_t bound) { return bound == 0 ? 0 : engine_() % bound; }

 private:
  std::minstd_rand engine_;
};

using Lines = std::vector<std::string>;

Lines Split(std::string_view text) {
  Lines lines;
  while (!text.empty()) lines.emplace_back(TakeLine(text));
  return lines;
}

std::size_t Write(const Lines& lines, std::uint8_t* out, std::size_t max_size) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  if (!text.empty()) text.pop_back();
  const std::size_t size = std::min(text.size(), max_size);
  std::copy_n(text.data(), size, out);
  return size;
}

void ChangeLines(Lines& lines, Chance& chance) {
  const std::size_t at = chance.Below(lines.size());
  const std::size_t other = chance.Below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (chance.Below(4)) {
    case 0:
      lines.erase(place);
      return;
    case 1:
      lines.insert(place, lines[other]);
      return;
    case 2:
      std::swap(lines[at], lines[other]);
      return;
    default:
      lines.insert(place, "@" + std::to_string(chance.Below(8) * 100));  // time passes
  }
}

void Collect(json::value& value, std::vector<json::value*>& all) {
  all.push_back(&value);
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) Collect(member.value(), all);
  } else if (json::array* array = value.if_array()) {
    for (json::value& item : *array) Collect(item, all);
  }
}

// libFuzzer's own mutation, which knows the dictionary and what the program compares with.
std::string Mutated(std::string text) {
  const std::size_t size = text.size();
  text.resize(size + 32);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  return text;
}

json::value Fresh(Chance& chance) {
  switch (chance.Below(12)) {
    case 0:
      return nullptr;
    case 1:
      return true;
    case 2:
      return 0;
    case 3:
      return -1;
    case 4:
      return 1.5;
    case 5:
      return std::int64_t{9'007'199'254'740'993};
    case 6:
      return 1e300;
    case 7:
      return "";
    case 8:
      return json::array();
    case 9:
      return json::object();
    case 10:
      return "2026-07-28";
    default:
      return "\xE2\x80\xA8$";
  }
}

void RenameMember(json::object& object, Chance& chance) {
  if (object.empty()) return;
  const auto* member = object.begin() + chance.Below(object.size());
  json::value kept = member->value();
  const std::string key = Mutated(std::string(member->key()));
  if (chance.Below(2) == 0) object.erase(member->key());
  object[key] = std::move(kept);
}

void ChangeInside(json::value& value, Chance& chance) {
  if (json::object* object = value.if_object(); object != nullptr && !object->empty()) {
    if (chance.Below(3) == 0) return RenameMember(*object, chance);
    object->erase((object->begin() + chance.Below(object->size()))->key());
  } else if (json::array* array = value.if_array(); array != nullptr && !array->empty()) {
    auto* item = array->begin() + chance.Below(array->size());
    if (chance.Below(2) == 0) {
      array->erase(item);
    } else {
      array->push_back(json::value(*item));
    }
  } else if (value.is_string()) {
    value = Mutated(std::string(value.get_string()));
  } else {
    value = Fresh(chance);
  }
}

void ChangeTree(json::value& root, Chance& chance) {
  std::vector<json::value*> all;
  Collect(root, all);
  json::value& target = *all[chance.Below(all.size())];
  switch (chance.Below(6)) {
    case 0:
      target = Fresh(chance);
      return;
    case 1:
      target = json::value(*all[chance.Below(all.size())]);
      return;
    case 2:
      target = json::array({target});
      return;
    default:
      ChangeInside(target, chance);
  }
}

// False where the line is no JSON.
bool ChangeJson(std::string& line, Chance& chance) {
  // What stands before the tree, as a choice of settings, stays.
  const std::size_t start = line.find_first_of("{[");
  if (start > 1 || line.size() > kMostTreeBytes) return false;
  boost::system::error_code failed;
  json::value root = json::parse(std::string_view(line).substr(start), failed);
  if (failed) return false;
  ChangeTree(root, chance);
  line.replace(start, std::string::npos, json::serialize(root));
  return true;
}

}  // namespace
}  // namespace assay::fuzz

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned seed) {
  using namespace assay::fuzz;
  Chance chance(seed);
  const std::size_t way = chance.Below(8);
  if (size == 0 || way < 4) return LLVMFuzzerMutate(data, size, max_size);
  Lines lines = Split(Text(data, size));
  if (way == 4) {
    ChangeLines(lines, chance);
  } else if (!ChangeJson(lines[chance.Below(lines.size())], chance)) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  return Write(lines, data, max_size);
}

// Some lines of one sequence in the midst of another.
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                      const std::uint8_t* right, std::size_t right_size,
                                      std::uint8_t* out, std::size_t max_size, unsigned seed) {
  using namespace assay::fuzz;
  Chance chance(seed);
  Lines lines = Split(Text(left, left_size));
  const Lines others = Split(Text(right, right_size));
  if (others.empty()) return Write(lines, out, max_size);
  const std::size_t first = chance.Below(others.size());
  const std::size_t count = 1 + chance.Below(others.size() - first);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(chance.Below(lines.size() + 1)),
               others.begin() + static_cast<std::ptrdiff_t>(first),
               others.begin() + static_cast<std::ptrdiff_t>(first + count));
  return Write(lines, out, max_size);
}
