#include "testing/variation.h"

#include <fstream>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Change = std::function<void(Json& message)>;

// Calls `visit` for every value, inner ones first.
void Walk(Json& value, const std::function<void(Json&)>& visit) {
  for (Json& item : value.items()) Walk(item, visit);
  for (JsonMember& member : value.members()) Walk(member.value, visit);
  visit(value);
}

Json* Member(Json& value, std::string_view key) {
  for (JsonMember& member : value.members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* ObjectMember(Json& value, std::string_view key) {
  Json* member = Member(value, key);
  return member != nullptr && member->is_object() ? member : nullptr;
}

Json* ResultOf(Json& message) { return ObjectMember(message, "result"); }

void EachItem(Json& of, std::initializer_list<const char*> lists,
              const std::function<void(Json&)>& visit) {
  for (const char* list : lists) {
    Json* items = Member(of, list);
    if (items == nullptr) continue;
    for (Json& item : items->items()) visit(item);
  }
}

void EachListItem(Json& message, const std::function<void(Json&)>& visit) {
  if (Json* result = ResultOf(message)) {
    EachItem(*result, {"tools", "prompts", "resources", "resourceTemplates"}, visit);
  }
}

void ReverseKeys(Json& message) {
  Walk(message, [](Json& value) {
    auto& members = value.members();
    std::vector<JsonMember> reversed(members.rbegin(), members.rend());
    members = std::move(reversed);
  });
}

void AddUnknownMembers(Json& message) {
  const auto add = [](Json& object) {
    object.Set("x-unheard-of", Json::Object({{"anything", Json::Array({Json::Integer(1)})}}));
  };
  EachListItem(message, add);
  if (Json* params = ObjectMember(message, "params")) add(*params);
  Json* result = ResultOf(message);
  // Where an empty result is demanded, one with members is none.
  if (result == nullptr || result->members().empty()) return;
  add(*result);
  EachItem(*result, {"content", "contents", "messages", "tasks"}, add);
  for (const char* part : {"capabilities", "serverInfo", "completion"}) {
    if (Json* object = ObjectMember(*result, part)) add(*object);
  }
}

void ReplaceWords(Json& message) {
  if (Json* error = ObjectMember(message, "error")) error->Set("message", Json::String("Nope."));
}

void AddMeta(Json& message) {
  const bool is_notification = Member(message, "id") == nullptr;
  Json* place = is_notification ? ObjectMember(message, "params") : ResultOf(message);
  if (place == nullptr) return;
  if (Member(*place, "_meta") == nullptr) place->Set("_meta", Json::Object());
  Member(*place, "_meta")->Set("org.example/trace", Json::String("abc"));
}

void AddVersions(Json& message) {
  const auto add = [](Json* list) {
    if (list != nullptr && list->is_array()) list->items().push_back(Json::String("2027-01-01"));
  };
  if (Json* result = ResultOf(message)) add(Member(*result, "supportedVersions"));
  if (Json* error = Member(message, "error")) {
    if (Json* data = Member(*error, "data")) add(Member(*data, "supported"));
  }
}

void RemoveDescriptions(Json& message) {
  EachListItem(message, [](Json& item) { item.Remove("description"); });
}

void AddTool(Json& message) {
  Json* result = ResultOf(message);
  Json* tools = result == nullptr ? nullptr : Member(*result, "tools");
  // Behind the last page.
  if (tools == nullptr || Member(*result, "nextCursor") != nullptr) return;
  tools->items().push_back(*ParseJson(R"({"name":"zz_extra","description":"One more.",
    "inputSchema":{"type":"object"}})")
                                .value);
}

void AddFractions(Json& message) {
  for (JsonMember& member : message.members()) {
    if (member.key == "id") continue;  // goes back as it came
    Walk(member.value, [](Json& value) {
      if (!value.is_number() || !value.is_integer()) return;
      if (value.text().find_first_of(".eE") == std::string::npos) {
        value = Json::Number(value.text() + ".0");
      }
    });
  }
}

// Texts, because Json writes none of these.
std::string WithEscapes(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string varied;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') {
      const std::size_t size = text[i + 1] == 'u' ? 6 : 2;
      varied += text.substr(i, size);
      i += size - 1;
    } else if (in_string && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) {
      const auto code = static_cast<unsigned char>(c);
      varied += "\\u00";
      varied += kDigits[code >> 4U];
      varied += kDigits[code & 15U];
    } else {
      varied += c;
    }
  }
  return varied;
}

const std::map<std::string, Change, std::less<>>& Changes() {
  static const std::map<std::string, Change, std::less<>> changes = {
      {"key-order", ReverseKeys},     {"unknown-members", AddUnknownMembers},
      {"other-words", ReplaceWords},  {"meta", AddMeta},
      {"more-versions", AddVersions}, {"no-descriptions", RemoveDescriptions},
      {"extra-tool", AddTool},        {"numbers", AddFractions}};
  return changes;
}

std::string Varied(const std::string& name, const std::string& text) {
  if (name == "escapes") return WithEscapes(text);
  if (name == "spaces") return AfterEachToken(text, " \t ");
  const auto change = Changes().find(name);
  if (change == Changes().end()) return text;
  JsonParse parsed = ParseJson(text);
  if (!parsed.value) return text;
  if (parsed.value->is_object()) change->second(*parsed.value);
  for (Json& message : parsed.value->items()) change->second(message);
  return parsed.value->Dump();
}

}  // namespace

Variation::Variation(std::string name, std::string tally)
    : name_(std::move(name)), tally_(std::move(tally)) {}

bool Variation::Makes(std::string_view name) {
  if (!Is(name)) return false;
  NoteChange();
  return true;
}

std::string Variation::Apply(const std::string& text) {
  if (Makes("slow")) std::this_thread::sleep_for(kMoment);
  if (Makes("chatter")) {
    const std::string talk = "relayed " + std::to_string(text.size()) + " bytes\n";
    std::cerr << talk << std::flush;
  }
  std::string varied = Varied(name_, text);
  if (varied != text) NoteChange();
  return varied;
}

void Variation::NoteChange() {
  if (tally_.empty() || noted_.exchange(true)) return;
  std::ofstream(tally_, std::ios::app) << name_ << std::endl;
}

std::string AfterEachToken(const std::string& json, std::string_view space) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    text += c;
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') {
      text += json[++i];
    } else if (!in_string && (c == ',' || c == ':' || c == '{' || c == '[')) {
      text += space;
    }
  }
  return text;
}

bool MayChangePlaces(const Json& message) {
  return message.Find("id") != nullptr && message.Find("method") == nullptr &&
         message.Find("result", "protocolVersion") == nullptr;
}

}  // namespace assay
