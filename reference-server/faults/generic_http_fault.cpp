#include "faults/generic_http_fault.h"

#include <boost/json.hpp>
#include <charconv>
#include <optional>

#include "faults/http_edit.h"
#include "faults/json_patch.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

std::optional<int> Number(std::string_view text) {
  int number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::variant<HttpScript, std::string> ChangedStatus(std::string_view rest) {
  const std::size_t colon = rest.find(':');
  const auto from = Number(rest.substr(0, colon));
  const auto to = colon == std::string_view::npos ? std::nullopt : Number(rest.substr(colon + 1));
  if (!from || !to) return "http-status=FROM:TO takes two numbers";
  const auto change = [from = *from, to = *to](const HttpRequest&, HttpResponse& response) {
    if (response.status == from) response.status = to;
  };
  return HttpScript{.response = change, .head = change};
}

HttpScript WithoutHeader(std::string_view name) {
  const auto erase = [name = std::string(name)](const HttpRequest&, HttpResponse& response) {
    EraseHeader(response.headers, name);
  };
  return {.response = erase, .head = erase};
}

std::variant<HttpScript, std::string> ReplacedHeader(std::string_view rest) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return "http-header=NAME:VALUE takes two texts";
  const auto replace = [name = std::string(rest.substr(0, colon)),
                        value = std::string(rest.substr(colon + 1))](const HttpRequest&,
                                                                     HttpResponse& response) {
    for (HttpHeader& header : response.headers) {
      if (EqualsIgnoringCase(header.name, name)) header.value = value;
    }
  };
  return HttpScript{.response = replace, .head = replace};
}

/// As a server does that runs out of something.
std::variant<HttpScript, std::string> OnlyTheFirst(std::string_view rest) {
  const std::size_t colon = rest.find(':');
  const auto count = Number(rest.substr(0, colon));
  if (!count || colon == std::string_view::npos) return "http-first=COUNT:METHOD takes a number";
  return HttpScript{.instead = [left = *count, method = std::string(rest.substr(colon + 1))](
                                   const HttpRequest& request, HttpReply& reply) mutable {
    if (MethodOf(request) != method || left-- > 0) return false;
    reply.Respond({503});
    return true;
  }};
}

HttpScript IgnoredHeader(std::string_view name) {
  return {.request = [name = std::string(name)](HttpRequest& request) {
    EraseHeader(request.headers, name);
  }};
}

std::variant<HttpScript, std::string> PatchedBody(std::string_view rest) {
  boost::system::error_code failed;
  json::value patch = json::parse(rest, failed);
  if (failed) return "http-body=JSON-PATCH: not JSON";
  if (auto problem = PatchProblem(patch)) return *problem;
  return HttpScript{.response = [patch](const HttpRequest&, HttpResponse& response) {
    EditBody(response, [&](json::object& body) {
      json::value document = body;
      if (ApplyPatch(patch, document)) body = document.as_object();
    });
  }};
}

std::variant<HttpScript, std::string> ReplacedText(std::string_view rest) {
  const std::size_t bar = rest.find('|');
  if (bar == std::string_view::npos || bar == 0) return "http-event=TEXT|TEXT takes two texts";
  return HttpScript{
      .event = [from = std::string(rest.substr(0, bar)), to = std::string(rest.substr(bar + 1))](
                   const HttpRequest&, std::string& event) {
        const std::size_t at = event.find(from);
        if (at != std::string::npos) event.replace(at, from.size(), to);
      }};
}

}  // namespace

const std::string_view kGenericHttpFaultHelp =
    R"(Faults that take any HTTP exchange apart:
  http-status=FROM:TO       answer with the status TO instead of FROM
  http-without=HEADER       leave that header out of answers
  http-header=HEADER:VALUE  give that header of answers another value
  http-first=COUNT:METHOD   serve that many requests of METHOD, and answer later ones with 503
  http-ignore=HEADER        do not see that header of requests
  http-body=JSON-PATCH      apply the patch to each body that it fits
  http-event=TEXT|TEXT      in each event of a stream write the second text for the first)";

std::variant<HttpScript, std::string> MakeGenericHttpFault(std::string_view specification) {
  const std::size_t equals = specification.find('=');
  const std::string_view form = specification.substr(0, equals);
  const std::string_view rest = specification.substr(equals + 1);
  if (form == "http-status") return ChangedStatus(rest);
  if (form == "http-without") return WithoutHeader(rest);
  if (form == "http-header") return ReplacedHeader(rest);
  if (form == "http-first") return OnlyTheFirst(rest);
  if (form == "http-ignore") return IgnoredHeader(rest);
  if (form == "http-body") return PatchedBody(rest);
  if (form == "http-event") return ReplacedText(rest);
  return "unknown fault " + std::string(form) + "=";
}

}  // namespace assay::reference
