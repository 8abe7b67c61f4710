// One step -> its simpler forms.

#include "shrink/steps.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "message/base64.h"

namespace assay {
namespace {

// Texts without a stretch, halves first.
std::vector<std::string> ShorterTexts(const std::string& text) {
  std::vector<std::string> shorter;
  for (std::size_t size = text.size() / 2; size > 0; size /= 2) {
    for (std::size_t at = 0; at + size <= text.size(); at += size) {
      shorter.push_back(text.substr(0, at) + text.substr(at + size));
    }
  }
  return shorter;
}

// Values that are `value` with one thing less in it, or simpler.
std::vector<Json> SimplerValues(const Json& value) {
  std::vector<Json> simpler;
  if (value.is_object()) {
    for (std::size_t i = 0; i < value.members().size(); ++i) {
      Json without = value;
      without.members().erase(without.members().begin() + static_cast<std::ptrdiff_t>(i));
      simpler.push_back(std::move(without));
    }
    for (std::size_t i = 0; i < value.members().size(); ++i) {
      for (Json& form : SimplerValues(value.members()[i].value)) {
        Json changed = value;
        changed.members()[i].value = std::move(form);
        simpler.push_back(std::move(changed));
      }
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Json without = value;
      without.items().erase(without.items().begin() + static_cast<std::ptrdiff_t>(i));
      simpler.push_back(std::move(without));
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      for (Json& form : SimplerValues(value.items()[i])) {
        Json changed = value;
        changed.items()[i] = std::move(form);
        simpler.push_back(std::move(changed));
      }
    }
  } else if (value.kind() == Json::Kind::kRaw && value.text() != "null") {
    simpler.emplace_back();
  } else if (value.is_string() && value.text().size() > 1 &&
             value.text().find('$') == std::string::npos) {
    simpler.push_back(Json::String(value.text().substr(0, 1)));
    simpler.push_back(Json::String(value.text().substr(0, value.text().size() / 2)));
  } else if (value.is_number() && value.text() != "0" && value.text() != "1") {
    simpler.push_back(Json::Integer(1));
  }
  return simpler;
}

}  // namespace

std::vector<Step> SimplerSteps(const Step& step) {
  std::vector<Step> simpler;
  const auto with = [&](auto change) {
    Step changed = step;
    change(changed);
    simpler.push_back(std::move(changed));
  };
  if (step.envelope) with([](Step& changed) { changed.envelope.reset(); });
  if (step.http && step.verb != Step::Verb::kHttp) with([](Step& c) { c.http.reset(); });
  if (step.id) with([](Step& changed) { changed.id.reset(); });
  if (!step.split.empty()) with([](Step& changed) { changed.split.clear(); });
  if (step.envelope && step.envelope->is_object()) {
    for (Json& form : SimplerValues(*step.envelope)) {
      with([&](Step& changed) { changed.envelope = std::move(form); });
    }
  }
  if (step.verb == Step::Verb::kRequest || step.verb == Step::Verb::kNotify) {
    if (const Json* params = step.message.Find("params")) {
      with([](Step& changed) { changed.message.Remove("params"); });
      for (Json& form : SimplerValues(*params)) {
        with([&](Step& changed) { changed.message.Set("params", std::move(form)); });
      }
    }
  }
  if (step.verb == Step::Verb::kRaw) {
    for (std::string& text : ShorterTexts(step.text.text())) {
      with([&](Step& changed) { changed.text = Json::String(std::move(text)); });
    }
  }
  if (step.verb == Step::Verb::kBytes) {
    for (const std::string& bytes : ShorterTexts(DecodeBase64(step.text.text()).value_or(""))) {
      with([&](Step& changed) { changed.text = Json::String(EncodeBase64(bytes)); });
    }
  }
  return simpler;
}

}  // namespace assay
