// Plays, as values and as files.

#include "campaign/corpus.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "message/base64.h"
#include "runner/files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

Era EraOf(const std::string& name) {
  if (name == "modern") return Era::kModern;
  return name == "legacy" ? Era::kLegacy : Era::kNone;
}

Json Numbers(const std::vector<std::size_t>& numbers) {
  Json list = Json::Array();
  for (const std::size_t number : numbers) {
    list.items().push_back(Json::Integer(static_cast<std::int64_t>(number)));
  }
  return list;
}

Json ToJson(const Probe& probe) {
  Json json = Json::Object({{"family", Json::String(probe.family)}});
  if (FindInvalidUtf8(probe.bytes) == std::string::npos) {
    json.Set("text", Json::String(probe.bytes));
  } else {
    json.Set("base64", Json::String(EncodeBase64(probe.bytes)));
  }
  if (probe.end != "\n") json.Set("end", Json::String(probe.end));
  if (!probe.split.empty()) json.Set("split", Numbers(probe.split));
  if (probe.http) json.Set("http", *probe.http);
  Json saves = Json::Object();
  for (const Save& save : probe.save) saves.Set(save.variable, Json::String(save.pointer));
  if (!probe.save.empty()) json.Set("save", std::move(saves));
  return json;
}

Probe ProbeOf(const Json& json) {
  Probe probe;
  probe.family = json.FindString("family").value_or("");
  probe.bytes = json.FindString("text").value_or("");
  if (const auto base64 = json.FindString("base64")) {
    probe.bytes = DecodeBase64(*base64).value_or("");
  }
  probe.end = json.FindString("end").value_or("\n");
  if (const Json* split = json.Find("split")) {
    for (const Json& at : split->items()) {
      probe.split.push_back(static_cast<std::size_t>(at.AsInteger().value_or(0)));
    }
  }
  if (const Json* http = json.Find("http")) probe.http = *http;
  if (const Json* saves = json.Find("save")) {
    for (const JsonMember& save : saves->members()) {
      probe.save.push_back({save.key, save.value.text()});
    }
  }
  return probe;
}

std::string TextOf(const Manner& manner, const Play& play) {
  Json probes = Json::Array();
  for (const Probe& probe : play) probes.items().push_back(ToJson(probe));
  return Json::Object({{"era", Json::String(std::string(ToString(manner.era)))},
                       {"revision", Json::String(manner.revision)},
                       {"http", Json::Boolean(manner.over_http)},
                       {"probes", std::move(probes)}})
             .Dump() +
         "\n";
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[digest[i] >> 4U];
    text += kHex[digest[i] & 0xFU];
  }
  return text;
}

bool Corpus::Add(const Manner& manner, const Play& play) {
  std::string text = TextOf(manner, play);
  if (!texts_.insert(text).second) return false;
  entries_.push_back({manner, play, std::move(text)});
  return true;
}

const Play* Corpus::Choose(const Manner& manner, Chance& chance) {
  Entry* chosen = nullptr;
  // The least used of some: all have their turn, and what is new has it first.
  for (int draws = 0; draws < 12 && !entries_.empty(); ++draws) {
    Entry& entry = entries_[chance.Below(entries_.size())];
    if (entry.manner != manner) continue;
    if (chosen == nullptr || entry.chosen < chosen->chosen) chosen = &entry;
  }
  if (chosen == nullptr) return nullptr;
  ++chosen->chosen;
  return &chosen->play;
}

void Corpus::WriteTo(const std::string& folder) const {
  fs::create_directories(folder);
  for (const Entry& entry : entries_) {
    const fs::path path = fs::path(folder) / Sha256(entry.text);
    if (fs::exists(path)) continue;
    WriteFile(path, entry.text);
  }
}

void Corpus::ReadFrom(const std::string& folder) {
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> paths;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.is_regular_file()) paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());  // the same folder gives the same corpus
  for (const fs::path& path : paths) {
    const JsonParse parsed = ParseJson(ReadFile(path));
    const Json* probes = parsed.value ? parsed.value->Find("probes") : nullptr;
    if (probes == nullptr || probes->items().empty()) continue;
    const Json* http = parsed.value->Find("http");
    const Manner manner{.era = EraOf(parsed.value->FindString("era").value_or("")),
                        .revision = parsed.value->FindString("revision").value_or(""),
                        .over_http = http != nullptr && http->boolean()};
    Play play;
    for (const Json& probe : probes->items()) play.push_back(ProbeOf(probe));
    Add(manner, play);
  }
}

}  // namespace assay
