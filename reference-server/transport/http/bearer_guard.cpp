#include "transport/http/bearer_guard.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "transport/http/answer_status.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kMetadataPath = "/.well-known/oauth-protected-resource";
constexpr std::string_view kResourcePath = "/mcp";

/// The host is one of ours, or the request would not have come this far.
std::string Url(const HttpRequest& request, std::string_view path) {
  return "http://" + std::string(request.Header("Host").value_or("127.0.0.1")) + std::string(path);
}

HttpResponse Challenge(int status, const HttpRequest& request, std::string_view id,
                       std::string_view error, std::string message,
                       const std::vector<std::string_view>& scopes = {kReadScope, kWriteScope}) {
  std::string scope;
  for (const std::string_view name : scopes) {
    scope += (scope.empty() ? "" : " ") + std::string(name);
  }
  std::string challenge = "Bearer ";
  if (!error.empty()) challenge += "error=\"" + std::string(error) + "\", ";
  challenge += "resource_metadata=\"" + Url(request, kMetadataPath) + std::string(kResourcePath) +
               "\", scope=\"" + scope + "\"";
  HttpResponse response = ErrorResponse(status, id, std::move(message));
  response.headers.push_back({"WWW-Authenticate", std::move(challenge)});
  return response;
}

HttpResponse Metadata(const HttpRequest& request) {
  // RFC 2606 reserves the name: nobody hands out tokens there.
  const json::object metadata{{"resource", Url(request, kResourcePath)},
                              {"authorization_servers", {"https://authorization.example"}},
                              {"scopes_supported", {kReadScope, kWriteScope}},
                              {"bearer_methods_supported", {"header"}},
                              {"resource_name", "Assay reference server"}};
  return JsonResponse(200, json::serialize(metadata));
}

/// RFC 6750 section 2.1.
bool IsToken(std::string_view text) {
  const std::size_t end = text.find_last_not_of('=');
  return end != std::string_view::npos &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end) + 1, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  std::string_view("-._~+/").find(c) != std::string_view::npos;
         });
}

/// Takes the same time wherever the difference is.
bool IsSame(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

bool HasTokenInQuery(std::string_view query) {
  constexpr std::string_view kParameter = "access_token=";
  return query.starts_with(kParameter) ||
         query.find("&" + std::string(kParameter)) != std::string_view::npos;
}

/// Where the path of an absolute URI begins.
std::size_t PathOf(std::string_view uri) {
  const std::size_t authority = uri.find("://");
  if (authority == std::string_view::npos) return 0;
  return std::min(uri.find('/', authority + 3), uri.size());
}

/// Scheme and host are the same in any letter case
/// (2026-07-28 basic/authorization#canonical-server-uri).
bool IsSameResource(std::string_view a, std::string_view b) {
  const std::size_t path = PathOf(a);
  return path == PathOf(b) && EqualsIgnoringCase(a.substr(0, path), b.substr(0, path)) &&
         a.substr(path) == b.substr(path);
}

/// The text before the separator; `text` keeps what follows it.
std::string_view CutOff(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

bool IsScope(std::string_view text) {
  return text == kReadScope || text == kWriteScope || text == kDestroyScope || text == kEveryScope;
}

}  // namespace

std::optional<BearerToken> BearerToken::Parse(std::string_view text) {
  BearerToken parsed;
  parsed.token = CutOff(text, ';');
  if (!IsToken(parsed.token)) return std::nullopt;
  while (!text.empty()) {
    std::string_view value = CutOff(text, ';');
    const std::string_view name = CutOff(value, '=');
    if (value.empty()) return std::nullopt;
    if (name == "user") {
      parsed.user = value;
    } else if (name == "scope") {
      while (!value.empty()) parsed.scopes.emplace_back(CutOff(value, ','));
      if (!std::ranges::all_of(parsed.scopes, IsScope)) return std::nullopt;
    } else if (name == "audience") {
      parsed.audience = value;
    } else {
      return std::nullopt;
    }
  }
  if (parsed.user.empty()) parsed.user = parsed.token;
  if (parsed.scopes.empty()) parsed.scopes.emplace_back(kEveryScope);
  return parsed;
}

void BearerGuard::Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) {
  if (request.path() == kMetadataPath ||
      request.path() == std::string(kMetadataPath) + std::string(kResourcePath)) {
    if (request.method == "GET") return reply->Respond(Metadata(request));
    return reply->Respond({405, {{"Allow", "GET"}}});
  }
  constexpr std::string_view kScheme = "Bearer";
  const std::optional<std::string_view> header = request.Header("Authorization");
  if (HasTokenInQuery(request.query()) || request.Contradicts("Authorization")) {
    return reply->Respond(Challenge(400, request, {}, "invalid_request",
                                    "The token belongs into one Authorization header"));
  }
  if (!header || !EqualsIgnoringCase(header->substr(0, header->find(' ')), kScheme)) {
    return reply->Respond(Challenge(401, request, {}, {}, "Authorization is required"));
  }
  std::string_view token = header->substr(kScheme.size());
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  if (!IsToken(token)) {
    return reply->Respond(
        Challenge(400, request, {}, "invalid_request", "Malformed Authorization header"));
  }
  const BearerToken* known = Find(token);
  if (known == nullptr) {
    return reply->Respond(Challenge(401, request, {}, "invalid_token", "The token is not valid"));
  }
  if (!known->audience.empty() && !IsSameResource(known->audience, Url(request, kResourcePath))) {
    return reply->Respond(
        Challenge(401, request, {}, "invalid_token", "The token is for another resource"));
  }
  request.caller = {known->user, known->scopes};
  inner_.Handle(std::move(request), std::move(reply));
}

const BearerToken* BearerGuard::Find(std::string_view token) const {
  const BearerToken* found = nullptr;
  for (const BearerToken& known : tokens_) {
    if (IsSame(known.token, token)) found = &known;
  }
  return found;
}

std::optional<HttpResponse> ScopeRefusal(const HttpRequest& request, std::string_view id,
                                         const std::vector<std::string_view>& needed) {
  if (request.caller.principal.empty()) return std::nullopt;
  const std::vector<std::string>& scopes = request.caller.scopes;
  const auto has = [&scopes](std::string_view scope) {
    return std::ranges::find(scopes, scope) != scopes.end();
  };
  if (has(kEveryScope) || std::ranges::all_of(needed, has)) return std::nullopt;
  return Challenge(403, request, id, "insufficient_scope", "The token may not do this", needed);
}

}  // namespace assay::reference
