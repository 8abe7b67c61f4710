// HTTP fields are found whatever the case of their letters.

#include "message/http_message.h"

#include <algorithm>

namespace assay {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

const std::string* FindField(const std::vector<HttpField>& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const HttpField& field) {
    return SameFieldName(field.name, name);
  });
  return found == fields.end() ? nullptr : &found->value;
}

}  // namespace

bool SameFieldName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

const std::string* HttpRequest::Find(std::string_view name) const {
  return FindField(fields, name);
}

const std::string* HttpHead::Find(std::string_view name) const { return FindField(fields, name); }

std::string HttpHead::MediaType() const {
  const std::string* value = Find("Content-Type");
  if (value == nullptr) return "";
  std::string type = value->substr(0, value->find(';'));
  type.erase(0, type.find_first_not_of(" \t"));
  type.erase(type.find_last_not_of(" \t") + 1);
  std::transform(type.begin(), type.end(), type.begin(), Lower);
  return type;
}

}  // namespace assay
