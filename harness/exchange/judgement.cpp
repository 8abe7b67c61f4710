// Alternatives one by one; when all disagree, the words of the one that came closest.

#include "exchange/judgement.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

struct Disagreed {
  std::string message;
  bool of_kind = false;
  std::size_t agreeing = 0;  // members of the pattern that do match: how near it was
};

std::optional<Disagreed> MatchPart(const std::string& name, const Json& pattern, const Json* value,
                                   const Lookup& lookup, const MatchContext& context) {
  const Json filled = FillPattern(pattern, lookup);
  const auto mismatch = Match(filled, value, context);
  if (!mismatch) return std::nullopt;
  Disagreed disagreed{name + mismatch->pointer + ": " + mismatch->reason, false, 0};
  if (value != nullptr && value->is_object()) {
    for (const JsonMember& member : filled.members()) {
      if (!Match(member.value, value->Find(member.key), context)) ++disagreed.agreeing;
    }
  }
  return disagreed;
}

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::optional<Disagreed> JudgeHttp(const Alternative& wanted, const HttpReply& http,
                                   const Lookup& lookup, const MatchContext& context) {
  if (wanted.status) {
    const Json status = Json::Integer(http.status);
    if (auto disagreed = MatchPart("status", *wanted.status, &status, lookup, context)) {
      return disagreed;
    }
  }
  if (wanted.headers) {
    Json pattern = Json::Object();
    for (const JsonMember& header : wanted.headers->members()) {
      pattern.Set(Lower(header.key), header.value);
    }
    if (auto disagreed = MatchPart("headers", pattern, &http.headers, lookup, context)) {
      return disagreed;
    }
  }
  if (wanted.body) {
    // A pattern for JSON looks into the body; any other is for its text.
    const JsonParse parsed = ParseJson(http.body);
    const bool as_json = parsed.value && wanted.body->is_object();
    const Json text = Json::String(http.body);
    return MatchPart("body", *wanted.body, as_json ? &*parsed.value : &text, lookup, context);
  }
  return std::nullopt;
}

std::optional<Disagreed> JudgeMessage(const Alternative& wanted, const Message* answer,
                                      const HttpReply* http, const Lookup& lookup,
                                      const MatchContext& context) {
  if (wanted.nothing) {
    if (answer == nullptr) return std::nullopt;
    return Disagreed{"expected no answer, got one", true, 0};
  }
  const bool about_message = wanted.result || wanted.error || wanted.response;
  if (http != nullptr && !about_message) return std::nullopt;
  if (answer == nullptr) {
    if (http == nullptr) return Disagreed{"expected an answer, got none", true, 0};
    return Disagreed{
        http->status == 0
            ? "expected a message, and the connection ended before any answer"
            : "expected a message, got HTTP " + std::to_string(http->status) + " without one",
        true, 0};
  }
  if (wanted.response) {
    return MatchPart("response", *wanted.response, &answer->body, lookup, context);
  }
  const auto kind = [&] {
    return answer->kind == Message::Kind::kError    ? "an error"
           : answer->kind == Message::Kind::kResult ? "a result"
                                                    : "neither result nor error";
  };
  if (wanted.error) {
    if (answer->kind != Message::Kind::kError) {
      return Disagreed{std::string("expected an error, got ") + kind(), true, 0};
    }
    return MatchPart("error", *wanted.error, answer->error(), lookup, context);
  }
  if (wanted.result) {
    if (answer->kind != Message::Kind::kResult) {
      return Disagreed{std::string("expected a result, got ") + kind(), true, 0};
    }
    return MatchPart("result", *wanted.result, answer->result(), lookup, context);
  }
  return std::nullopt;
}

std::optional<Disagreed> JudgeAlternative(const Alternative& wanted, const Message* answer,
                                          const HttpReply* http, const Lookup& lookup,
                                          const MatchContext& context) {
  auto disagreed = JudgeMessage(wanted, answer, http, lookup, context);
  if (disagreed || http == nullptr || wanted.nothing) return disagreed;
  return JudgeHttp(wanted, *http, lookup, context);
}

Json Describe(const Alternative& wanted, const Lookup& lookup) {
  if (wanted.nothing) return Json::String("nothing");
  Json described = Json::Object();
  const auto add = [&](const char* name, const std::optional<Json>& pattern) {
    if (pattern) described.Set(name, FillPattern(*pattern, lookup));
  };
  add("result", wanted.result);
  add("error", wanted.error);
  add("response", wanted.response);
  add("status", wanted.status);
  add("headers", wanted.headers);
  add("body", wanted.body);
  return described;
}

}  // namespace

HttpReply ReplyOf(const HttpHead* head, std::string body) {
  HttpReply reply;
  reply.body = std::move(body);
  if (head == nullptr) return reply;
  reply.status = head->status;
  for (const HttpField& field : head->fields) {
    const std::string name = Lower(field.name);
    const Json* before = reply.headers.Find(name);
    std::string value = field.value;
    if (name == "content-type") {
      const std::size_t parameters = std::min(value.find(';'), value.size());
      value = Lower(value.substr(0, parameters)) + value.substr(parameters);
    }
    reply.headers.Set(name,
                      Json::String(before == nullptr ? value : before->text() + ", " + value));
  }
  return reply;
}

std::optional<Disagreement> Judge(const Expectation& expectation, const Message* answer,
                                  const Lookup& lookup, const MatchContext& context,
                                  const HttpReply* http) {
  std::optional<Disagreed> closest;
  for (const Alternative& wanted : expectation.any_of) {
    auto disagreed = JudgeAlternative(wanted, answer, http, lookup, context);
    if (!disagreed) return std::nullopt;
    const bool nearer =
        !closest || (closest->of_kind && !disagreed->of_kind) ||
        (closest->of_kind == disagreed->of_kind && closest->agreeing < disagreed->agreeing);
    if (nearer) closest = std::move(disagreed);
  }
  if (!closest) return std::nullopt;
  Disagreement disagreement;
  disagreement.message = closest->message;
  disagreement.of_kind = closest->of_kind;
  if (expectation.any_of.size() == 1) {
    disagreement.expected = Describe(expectation.any_of.front(), lookup);
  } else {
    std::vector<Json> all;
    for (const Alternative& wanted : expectation.any_of) all.push_back(Describe(wanted, lookup));
    disagreement.expected = Json::Object({{"anyOf", Json::Array(std::move(all))}});
    disagreement.message = "none of the accepted answers; the nearest: " + disagreement.message;
  }
  if (answer != nullptr) disagreement.actual = answer->body;
  if (http != nullptr && http->status != 0) {
    disagreement.message += " (HTTP " + std::to_string(http->status) + ")";
    if (answer == nullptr && !http->body.empty()) {
      disagreement.actual = Json::String(http->body.substr(0, 2000));
    }
  }
  return disagreement;
}

bool AcceptsNothing(const Expectation& expectation) {
  return std::any_of(expectation.any_of.begin(), expectation.any_of.end(),
                     [](const Alternative& wanted) { return wanted.nothing; });
}

bool AcceptsAnswer(const Expectation& expectation) {
  return std::any_of(expectation.any_of.begin(), expectation.any_of.end(),
                     [](const Alternative& wanted) { return !wanted.nothing; });
}

}  // namespace assay
