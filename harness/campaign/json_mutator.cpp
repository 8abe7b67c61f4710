// Picks a place, then what to do there.

#include "campaign/json_mutator.h"

#include <algorithm>
#include <utility>

#include "campaign/odd_values.h"

namespace assay {
namespace {

void Collect(Json& value, std::vector<Json*>& places) {
  places.push_back(&value);
  for (Json& item : value.items()) Collect(item, places);
  for (JsonMember& member : value.members()) Collect(member.value, places);
}

void MutateMembers(Json& object, Chance& chance, const std::vector<std::string>& words) {
  auto& members = object.members();
  const auto at = static_cast<std::ptrdiff_t>(chance.Below(members.size()));
  JsonMember& member = members[static_cast<std::size_t>(at)];
  switch (chance.Below(6)) {
    case 0:
      members.erase(members.begin() + at);
      break;
    case 1: {  // twice, the other with another value
      JsonMember twin{member.key, OddValue(chance)};
      members.insert(members.begin() + (chance.OneIn(2) ? at : at + 1), std::move(twin));
      break;
    }
    case 2:
      member.key += chance.OneIn(2) ? " " : std::string(1, '\0');
      break;
    case 3: {
      const Json text = OddText(chance);
      const JsonParse parsed = ParseJson(text.text());
      member.key = parsed.value ? parsed.value->text() : "";
      break;
    }
    case 4:
      std::rotate(members.begin(), members.begin() + at, members.begin() + at + 1);
      break;
    default:
      members.push_back({words.empty() ? "a" : chance.Of(words), OddValue(chance)});
  }
}

void MutateValue(Json& value, Chance& chance, const std::vector<std::string>& words) {
  switch (chance.Below(6)) {
    case 0:
      value = OddValue(chance);
      break;
    case 1:
      if (!words.empty()) value = Json::String(chance.Of(words));
      break;
    case 2:
      value = Json::Array({value});
      break;
    case 3:
      value = Json::Object({{"a", value}});
      break;
    case 4:
      if (value.is_string()) {
        value = Json::String(chance.OneIn(2) ? value.text() + "\n" : value.text() + value.text());
      } else if (value.is_number()) {
        value = chance.OneIn(2) ? Json::String(value.text()) : OddNumber(chance);
      } else {
        value = Json();
      }
      break;
    default:
      value = Nested(value, 1 + chance.Below(chance.OneIn(8) ? 600 : 70), chance);
  }
}

}  // namespace

void MutateJson(Json& root, Chance& chance, const std::vector<std::string>& words) {
  std::vector<Json*> places;
  Collect(root, places);
  Json& place = *chance.Of(places);
  if (!place.members().empty() && !chance.OneIn(4)) {
    MutateMembers(place, chance, words);
  } else if (!place.items().empty() && chance.OneIn(2)) {
    auto& items = place.items();
    const std::size_t at = chance.Below(items.size());
    if (chance.OneIn(2)) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      items.push_back(items[at]);
    }
  } else {
    MutateValue(place, chance, words);
  }
}

}  // namespace assay
