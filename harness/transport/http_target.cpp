// URLs, as far as an endpoint needs them (RFC 3986).

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "transport/http_channel.h"

namespace assay {
namespace {

// Takes the part of `url` up to the first of `ends`, or all of it.
std::string_view TakeUntil(std::string_view& url, std::string_view ends) {
  const std::size_t end = std::min(url.find_first_of(ends), url.size());
  const std::string_view part = url.substr(0, end);
  url.remove_prefix(end);
  return part;
}

bool IsPort(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65536;
}

}  // namespace

std::string HttpTarget::Authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (tls ? "443" : "80") ? name : name + ":" + port;
}

HttpTarget ParseUrl(const std::string& url) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("bad URL " + url + ": " + why);
  };
  if (std::ranges::any_of(url, [](unsigned char c) { return c <= ' ' || c == 0x7F; })) {
    refuse("white space or a control character in it");
  }
  std::string_view rest = url;
  HttpTarget target;
  std::string scheme(TakeUntil(rest, ":"));
  std::ranges::transform(scheme, scheme.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  target.tls = scheme == "https";
  if ((scheme != "http" && !target.tls) || !rest.starts_with("://")) {
    refuse("it must begin with http:// or https://");
  }
  rest.remove_prefix(3);

  std::string_view authority = TakeUntil(rest, "/?#");
  if (authority.find('@') != std::string_view::npos) {
    refuse("no user name or password in it, please: use --header or --bearer");
  }
  if (authority.starts_with('[')) {
    authority.remove_prefix(1);
    target.host = TakeUntil(authority, "]");
    if (authority.empty()) refuse("a ] is missing");
    authority.remove_prefix(1);
  } else {
    target.host = TakeUntil(authority, ":");
  }
  if (target.host.empty()) refuse("no host in it");
  target.port = target.tls ? "443" : "80";
  if (!authority.empty()) {
    if (!authority.starts_with(':') || !IsPort(authority.substr(1))) refuse("no such port");
    target.port = authority.substr(1);
  }

  target.path = TakeUntil(rest, "#");  // a fragment is for the client only
  if (!target.path.starts_with('/')) target.path.insert(0, "/");
  return target;
}

}  // namespace assay
