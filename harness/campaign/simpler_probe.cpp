// One probe -> its simpler forms.

#include "campaign/simpler_probe.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kLetterByLetter = 40;

// Where characters begin.
std::vector<std::size_t> Beginnings(const std::string& text) {
  std::vector<std::size_t> beginnings;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) beginnings.push_back(i);
  }
  beginnings.push_back(text.size());
  return beginnings;
}

std::vector<std::string> ShorterTexts(const std::string& text) {
  std::vector<std::string> shorter = {""};
  const std::vector<std::size_t> at = Beginnings(text);
  const std::size_t letters = at.size() - 1;
  const auto without = [&](std::size_t from, std::size_t to) {
    shorter.push_back(text.substr(0, at[from]) + text.substr(at[to]));
  };
  if (letters < 2) return shorter;
  without(letters / 2, letters);
  without(0, letters / 2);
  if (letters > 4) {
    without(letters - letters / 4, letters);
    without(0, letters / 4);
  }
  for (std::size_t i = 0; i < letters && letters <= kLetterByLetter; ++i) without(i, i + 1);
  return shorter;
}

// The only child of a value that has just one.
const Json* OnlyChild(const Json& value) {
  if (value.items().size() == 1) return value.items().data();
  return value.members().size() == 1 ? &value.members().front().value : nullptr;
}

// What stands half way down in a tower of values, and one level down.
std::vector<Json> LessDeep(const Json& value) {
  std::vector<const Json*> tower;
  for (const Json* level = OnlyChild(value); level != nullptr; level = OnlyChild(*level)) {
    tower.push_back(level);
  }
  std::vector<Json> forms;
  if (tower.size() > 3) forms.push_back(*tower[tower.size() / 2]);
  if (tower.size() > 8) forms.push_back(*tower[tower.size() / 8]);
  if (!tower.empty()) forms.push_back(*tower.front());
  return forms;
}

// `is_message`: it must stay what it is, only less.
std::vector<Json> SimplerValues(const Json& value, bool is_message = false) {
  std::vector<Json> simpler;
  for (std::size_t i = 0; i < value.members().size(); ++i) {
    Json without = value;
    without.members().erase(without.members().begin() + static_cast<std::ptrdiff_t>(i));
    simpler.push_back(std::move(without));
  }
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    Json without = value;
    without.items().erase(without.items().begin() + static_cast<std::ptrdiff_t>(i));
    simpler.push_back(std::move(without));
  }
  if (!is_message) {
    std::vector<Json> lower = LessDeep(value);
    const bool is_tower = lower.size() > 1;
    std::move(lower.begin(), lower.end(), std::back_inserter(simpler));
    // It is taken down from its top: what stands in it comes when it is low.
    if (is_tower) return simpler;
  }
  for (std::size_t i = 0; i < value.members().size(); ++i) {
    for (Json& form : SimplerValues(value.members()[i].value)) {
      Json changed = value;
      changed.members()[i].value = std::move(form);
      simpler.push_back(std::move(changed));
    }
    const std::string& key = value.members()[i].key;
    for (std::string& form : ShorterTexts(key)) {
      if (key.size() < 2 || form.empty()) continue;
      Json changed = value;
      changed.members()[i].key = std::move(form);
      simpler.push_back(std::move(changed));
    }
  }
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    for (Json& form : SimplerValues(value.items()[i])) {
      Json changed = value;
      changed.items()[i] = std::move(form);
      simpler.push_back(std::move(changed));
    }
  }
  if (value.is_string() && !value.text().empty()) {
    for (std::string& form : ShorterTexts(value.text())) {
      simpler.push_back(Json::String(std::move(form)));
    }
  }
  const bool is_simple_number = value.text() == "0" || value.text() == "1";
  if (value.is_number() && !is_simple_number) simpler.push_back(Json::Integer(1));
  return simpler;
}

}  // namespace

std::vector<Probe> WithFewerMembers(const Probe& probe) {
  std::vector<Probe> simpler;
  const auto with = [&](auto change) {
    Probe changed = probe;
    change(changed);
    simpler.push_back(std::move(changed));
  };
  if (probe.http) {
    with([](Probe& changed) { changed.http.reset(); });
    for (Json& form : SimplerValues(*probe.http)) {
      with([&](Probe& changed) { changed.http = std::move(form); });
    }
  }
  if (!probe.split.empty()) with([](Probe& changed) { changed.split.clear(); });
  if (probe.end != "\n") with([](Probe& changed) { changed.end = "\n"; });
  if (probe.awaited) with([](Probe& changed) { changed.awaited = false; });
  const JsonParse parsed = ParseJson(probe.bytes);
  if (!parsed.value || !parsed.value->is_object()) return simpler;
  for (const Json& form : SimplerValues(*parsed.value, true)) {
    with([&](Probe& changed) { changed.bytes = form.Dump(); });
  }
  return simpler;
}

std::vector<Probe> WithFewerBytes(const Probe& probe) {
  std::vector<Probe> simpler;
  const JsonParse parsed = ParseJson(probe.bytes);
  if (probe.fence || (parsed.value && parsed.value->is_object())) return simpler;
  const std::string& bytes = probe.bytes;
  for (std::size_t size = bytes.size(); size > 0; size /= 2) {
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
      Probe changed = probe;
      changed.bytes.erase(at, size);
      simpler.push_back(std::move(changed));
    }
  }
  return simpler;
}

}  // namespace assay
