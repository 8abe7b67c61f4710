#include "transport/http/http_message.h"

#include <algorithm>

namespace assay::reference {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string_view HttpRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view HttpRequest::query() const {
  const std::size_t mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

std::optional<std::string_view> HttpRequest::Header(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

bool HttpRequest::Contradicts(std::string_view name) const {
  const std::optional<std::string_view> first = Header(name);
  return std::any_of(headers.begin(), headers.end(), [&](const HttpHeader& header) {
    return EqualsIgnoringCase(header.name, name) && header.value != *first;
  });
}

}  // namespace assay::reference
