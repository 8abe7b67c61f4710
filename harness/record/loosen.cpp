#include "record/loosen.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "message/matcher.h"

namespace assay {
namespace {

// Longer texts are content that a server makes up, or data in base64.
constexpr std::size_t kLongText = 200;
// Numbers of more digits are times, sizes and counters.
constexpr std::size_t kShortNumber = 3;
constexpr std::size_t kDigitsOfAnId = 4;

bool IsTimestamp(const Json& value) {
  return !Match(Json::String("$timestamp"), &value, MatchContext{});
}

// A run of digits, or of the letters of hexadecimal numbers with digits among them.
bool HoldsANumber(std::string_view text) {
  std::size_t run = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    run = std::isxdigit(byte) != 0 ? run + 1 : 0;
    digits = run == 0 ? 0 : digits + (std::isdigit(byte) != 0 ? 1 : 0);
    if (digits >= kDigitsOfAnId) return true;
  }
  return false;
}

std::optional<std::string> IdentityOf(const Json& item) {
  for (const char* key : {"name", "uri", "uriTemplate"}) {
    if (item.is_object() && item.FindString(key)) return key;
  }
  return std::nullopt;
}

std::string Doubled(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '$' ? 2 : 1, c);
  return doubled;
}

Json Loosened(std::string_view key, const Json& value) {
  switch (value.kind()) {
    case Json::Kind::kNumber:
      if (value.is_integer() && value.text().size() <= kShortNumber) return value;
      return Json::String(value.is_integer() ? "$integer" : "$number");
    case Json::Kind::kString:
      if (IsTimestamp(value)) return Json::String("$timestamp");
      if (IsServersChoice(key, value.text())) return Json::String("$string");
      return Json::String(Doubled(value.text()));
    case Json::Kind::kArray: {
      Json pattern = Json::Array();
      for (const Json& item : value.items()) {
        const std::optional<std::string> identity = IdentityOf(item);
        pattern.items().push_back(
            identity ? Json::Object({{*identity, Loosened(*identity, *item.Find(*identity))}})
                     : Loosened(key, item));
      }
      return pattern;
    }
    case Json::Kind::kObject: {
      Json pattern = Json::Object();
      for (const JsonMember& member : value.members()) {
        if (member.key == "_meta") continue;
        pattern.members().push_back({Doubled(member.key), Loosened(member.key, member.value)});
      }
      return pattern;
    }
    default:
      return value;
  }
}

}  // namespace

Json Loosened(const Json& recorded) { return Loosened("", recorded); }

bool IsServersChoice(std::string_view key, std::string_view text) {
  static constexpr std::array<std::string_view, 7> kKeys = {
      "taskId", "nextCursor", "requestState", "sessionId", "subscriptionId", "version", "data"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end() || text.size() > kLongText ||
         HoldsANumber(text);
}

Json Literally(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::kString:
      return Json::String(Doubled(value.text()));
    case Json::Kind::kArray: {
      Json all = Json::Array();
      for (const Json& item : value.items()) all.items().push_back(Literally(item));
      return all;
    }
    case Json::Kind::kObject: {
      Json all = Json::Object();
      for (const JsonMember& member : value.members()) {
        all.members().push_back({Doubled(member.key), Literally(member.value)});
      }
      return all;
    }
    default:
      return value;
  }
}

}  // namespace assay
