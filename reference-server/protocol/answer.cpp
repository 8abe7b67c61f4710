#include "protocol/answer.h"

#include "protocol/envelope.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

const std::string& ModernSuffix() {
  static const std::string suffix = [] {
    const json::object meta{{kServerInfoKey, ServerInfo(kNewestModern)}};
    return "\"_meta\":" + json::serialize(meta) + "}";
  }();
  return suffix;
}

}  // namespace

json::object ServerInfo(Revision revision) {
  json::object info{{"name", "assay-reference-server"}, {"version", "0.1.0"}};
  if (revision >= Revision::k2025_06_18) info["title"] = "Assay reference server";
  if (revision >= Revision::k2025_11_25) {
    info["description"] = "A server that keeps to the specification, or breaks it on request.";
  }
  return info;
}

ResultText FinishResult(const json::object& body, Revision revision,
                        std::optional<CacheHints> hints) {
  std::string text = json::serialize(body);
  if (!IsModern(revision)) return {std::move(text)};
  text.back() = body.empty() ? ' ' : ',';
  text += "\"resultType\":\"complete\",";
  if (hints) {
    text += "\"ttlMs\":";
    text += std::to_string(hints->ttl_ms);
    text += hints->is_public ? R"(,"cacheScope":"public",)" : R"(,"cacheScope":"private",)";
  }
  text += ModernSuffix();
  return {std::move(text)};
}

ResultText FinishModernResult(const json::object& body, std::string_view result_type,
                              const json::object& meta) {
  std::string text = json::serialize(body);
  text.back() = body.empty() ? ' ' : ',';
  text += R"("resultType":")";
  text += result_type;
  text += "\",";
  text += ModernSuffix();
  if (!meta.empty()) {
    constexpr std::string_view kMetaStart = R"("_meta":{)";
    const std::string members = json::serialize(meta);
    text.insert(text.rfind(kMetaStart) + kMetaStart.size(),
                members.substr(1, members.size() - 2) + ",");
  }
  return {std::move(text)};
}

std::string ResultMessage(std::string_view id, const ResultText& result) {
  std::string text;
  text.reserve(40 + id.size() + result.json.size());
  text += R"({"jsonrpc":"2.0","id":)";
  text += id;
  text += R"(,"result":)";
  text += result.json;
  text += '}';
  return text;
}

json::object ErrorMember(const ProtocolError& error) {
  json::object member{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (error.data) member["data"] = *error.data;
  return member;
}

std::string ErrorMessage(std::string_view id, const ProtocolError& error) {
  std::string text = R"({"jsonrpc":"2.0",)";
  if (!id.empty()) {
    text += R"("id":)";
    text += id;
    text += ',';
  }
  text += R"("error":)";
  text += json::serialize(ErrorMember(error));
  text += '}';
  return text;
}

std::string RequestMessage(std::string_view id, std::string_view method,
                           std::string_view params_json) {
  std::string text = NotificationMessage(method, params_json);
  text.insert(text.find(R"("method")"), R"("id":)" + std::string(id) + ",");
  return text;
}

std::string NotificationMessage(std::string_view method, std::string_view params_json) {
  std::string text = R"({"jsonrpc":"2.0","method":)";
  text += json::serialize(json::value(method));
  if (!params_json.empty()) {
    text += R"(,"params":)";
    text += params_json;
  }
  text += '}';
  return text;
}

}  // namespace assay::reference
