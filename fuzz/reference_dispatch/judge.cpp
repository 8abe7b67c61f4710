#include "fuzz/reference_dispatch/judge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/expect.h"

namespace assay::fuzz {
namespace {

namespace json = boost::json;
using reference::EraSupport;
using reference::OutgoingMessage;

constexpr std::string_view kVersion = "2026-07-28";
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

// Parses into memory that is given back as a whole, at the next call of the same place.
class Reader {
 public:
  // Null where it is no JSON.
  const json::value* Read(std::string_view text) {
    parser_.reset();
    memory_.release();
    parser_.reset(&memory_);
    boost::system::error_code failed;
    parser_.write(text, failed);
    if (failed) return nullptr;
    value_ = parser_.release();
    return &*value_;
  }
  // Until here: nothing of what Read gave may be used any more.
  void Forget() { value_.reset(); }

 private:
  static json::parse_options Options() {
    json::parse_options options;
    options.max_depth = 1000;
    return options;
  }

  std::array<unsigned char, std::size_t{64} << 10U> block_;
  json::monotonic_resource memory_{block_.data(), block_.size()};
  json::parser parser_{json::storage_ptr(), Options()};
  std::optional<json::value> value_;
};

const json::value* Find(const json::object* object, std::string_view name) {
  return object == nullptr ? nullptr : object->if_contains(name);
}

const json::object* FindObject(const json::object* object, std::string_view name) {
  const json::value* value = Find(object, name);
  return value == nullptr ? nullptr : value->if_object();
}

// "" where it is no string.
std::string_view FindString(const json::object* object, std::string_view name) {
  const json::value* value = Find(object, name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

// The same for equal ids: "" where it is none. A string's has a quote in front.
std::string Key(const json::value& id) {
  if (id.is_string()) return '"' + std::string(id.get_string());
  if (id.is_int64()) return std::to_string(id.get_int64());
  if (id.is_uint64()) return std::to_string(id.get_uint64());
  return {};
}

// 1.0 is an integer, 1.5 is none, and the parse of either may have rounded it.
bool IsUnsure(const json::value& id) { return id.is_double(); }

bool IsRetriedAsTask(const json::object& result) {
  return result.contains("task") || FindString(&result, "resultType") == "task";
}

bool IsKnownMethod(std::string_view method) {
  static const std::set<std::string_view> kKnown{"initialize",
                                                 "ping",
                                                 "server/discover",
                                                 "tools/list",
                                                 "tools/call",
                                                 "prompts/list",
                                                 "prompts/get",
                                                 "resources/list",
                                                 "resources/templates/list",
                                                 "resources/read",
                                                 "resources/subscribe",
                                                 "resources/unsubscribe",
                                                 "completion/complete",
                                                 "logging/setLevel",
                                                 "subscriptions/listen",
                                                 "tasks/get",
                                                 "tasks/list",
                                                 "tasks/result",
                                                 "tasks/update",
                                                 "tasks/cancel"};
  return kKnown.contains(method);
}

bool HasCode(bool modern, std::int64_t code) {
  if (code == -32700 || (code <= -32600 && code >= -32603)) return true;
  return modern ? code <= -32020 && code >= -32022 : code == -32002;
}

}  // namespace

Judge::Judge(const reference::Settings& settings)
    : dual_(settings.eras == EraSupport::kDual),
      lock_legacy_(settings.lock_legacy),
      lock_modern_(settings.lock_modern),
      has_era_(!dual_),
      modern_(settings.eras == EraSupport::kModernOnly) {}

// --- what the client says

void Judge::Sending(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(3);
  if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
  static Reader reader;
  const json::value* value = reader.Read(line);
  if (value == nullptr) {
    // What is nested too deeply may have an id all the same.
    if (std::ranges::count_if(line, [](char c) { return c == '[' || c == '{'; }) >= 1000) {
      unsure_ = true;
    }
    ++unreadable_;
  } else if (value->is_array() && has_batches_) {
    for (const json::value& one : value->get_array()) Expecting(one, true);
    if (value->get_array().empty()) ++unreadable_;
  } else {
    Expecting(*value, false);
  }
  reader.Forget();
}

void Judge::Expecting(const json::value& value, bool in_batch) {
  std::size_t& unreadable = in_batch ? unreadable_in_batches_ : unreadable_;
  const json::object* message = value.if_object();
  if (message == nullptr) {
    ++unreadable;
    return;
  }
  const json::value* method = message->if_contains("method");
  const json::value* id = message->if_contains("id");
  const bool has_outcome = message->contains("result") || message->contains("error");
  if (id != nullptr && IsUnsure(*id)) unsure_ = true;
  const bool is_response = method == nullptr && has_outcome;
  const bool is_notification = id == nullptr && method != nullptr && method->is_string();
  if (is_response || is_notification) return ExpectingNothingFor(*message);
  Open open;
  if (id != nullptr) open.id = Key(*id);
  open.in_batch = in_batch;
  if (open.id.empty()) {
    ++unreadable;
    return;
  }
  ExpectingRequest(*message, std::move(open));
}

void Judge::ExpectingRequest(const json::object& message, Open open) {
  open.method = FindString(&message, "method");
  const json::value* method = message.if_contains("method");
  const json::value* given = message.if_contains("params");
  const bool is_request = method != nullptr && method->is_string() &&
                          FindString(&message, "jsonrpc") == "2.0" && !message.contains("result") &&
                          !message.contains("error") &&
                          (given == nullptr || given->is_structured());
  const bool in_flight =
      std::ranges::any_of(open_, [&](const Open& other) { return other.id == open.id; });
  if (!is_request || in_flight) {
    // Whether one in flight that was cancelled within a batch still counts is not worth knowing.
    open.want = is_request ? Want::kAnything : Want::kRefusal;
    open.modern = modern_;
    open_.push_back(std::move(open));
    return;
  }
  const json::object* params = given == nullptr ? nullptr : given->if_object();
  const json::object* meta = FindObject(params, "_meta");
  const json::value* version = Find(meta, kVersionKey);
  open.modern = IsModern(version != nullptr, open.method);
  if (Find(meta, kLogLevelKey) != nullptr) wants_logs_ = true;
  if (const json::value* token = Find(meta, "progressToken")) {
    open.token = Key(*token);
    if (IsUnsure(*token)) unsure_ = true;
    if (!open.token.empty()) ++tokens_[open.token].given;
  }
  if (open.modern) {
    const json::object* capabilities = FindObject(meta, kCapabilitiesKey);
    if (open.method == "initialize") {
      open.want = Want::kOtherVersion;
    } else if (version == nullptr || !version->is_string() || capabilities == nullptr ||
               version->get_string() != kVersion) {
      open.want = Want::kBadEnvelope;
    } else if (!IsKnownMethod(open.method)) {
      open.want = Want::kError;
    } else {
      open.want = Want::kNotOtherVersion;
    }
  } else if (open.method == "ping") {
    open.want = dual_ && version != nullptr ? Want::kRefusal : Want::kEmptyResult;
  } else if (open.method != "initialize" && (!initialized_ || (dual_ && version != nullptr))) {
    open.want = Want::kRefusal;
  } else if (!IsKnownMethod(open.method)) {
    open.want = Want::kError;
  } else if (open.method == "initialize" && !initialized_) {
    declared_.clear();
    if (const json::object* capabilities = FindObject(params, "capabilities")) {
      for (const auto& member : *capabilities) declared_.emplace(member.key());
    }
  }
  open_.push_back(std::move(open));
}

void Judge::ExpectingNothingFor(const json::object& message) {
  if (!message.contains("method")) {
    const json::value* id = message.if_contains("id");
    if (id != nullptr) asked_.erase(Key(*id));
    return;
  }
  if (FindString(&message, "method") != "notifications/cancelled") return;
  const json::value* id = Find(FindObject(&message, "params"), "requestId");
  if (id == nullptr) return;
  if (IsUnsure(*id)) unsure_ = true;
  const std::string key = Key(*id);
  std::erase_if(open_, [&key](Open& open) {
    if (open.id == key) open.cancelled = true;
    // Some of a batch may have been decided already.
    return open.cancelled && !open.in_batch;
  });
}

bool Judge::IsModern(bool enveloped, std::string_view method) {
  const bool asked = enveloped && method != "initialize";
  if (!std::exchange(has_era_, true)) modern_ = asked;
  if (!dual_ || asked == modern_) return modern_;
  return (modern_ ? lock_modern_ : lock_legacy_) ? modern_ : asked;
}

void Judge::Sent() {
  Expect(unsure_ || unreadable_ == 0, "what cannot be read is answered at once");
}

void Judge::Waited() {
  // What waits for the client may wait for ever.
  if (unsure_ || !asked_.empty()) return;
  for (const Open& open : open_) {
    Expect(open.cancelled || open.method == "subscriptions/listen",
           "a request that is not cancelled is answered", open.id + " " + open.method);
  }
}

void Judge::Ended() {
  ended_ = true;
  if (unsure_ || !asked_.empty()) return;
  for (const Open& open : open_) {
    Expect(open.cancelled, "a subscription is answered at the end", open.id + " " + open.method);
  }
}

// --- what the server says

void Judge::Send(OutgoingMessage message) {
  Expect(!ended_, "nothing is said after the end", message.bytes);
  if (message.kind == OutgoingMessage::Kind::kCloseStream) return;
  const std::string& line = said_.emplace_back(std::move(message.bytes));
  Expect(line.find('\n') == line.size() - 1, "a message is one line", line);
  static Reader reader;
  const json::value* value = reader.Read(std::string_view(line).substr(0, line.size() - 1));
  Expect(value != nullptr, "a message is valid JSON", line);
  if (message.kind == OutgoingMessage::Kind::kAnswer) {
    if (const json::array* batch = value->if_array()) {
      Expect(has_batches_ && !batch->empty(), "only a batch is answered by one", line);
      for (const json::value& one : *batch) TakeAnswer(one, line);
    } else {
      TakeAnswer(*value, line);
    }
  } else {
    Expect(value->is_object(), "a message is an object", line);
    const json::object& object = value->get_object();
    Expect(FindString(&object, "jsonrpc") == "2.0", "the version of JSON-RPC is told", line);
    if (message.kind == OutgoingMessage::Kind::kRequest) {
      JudgeRequest(object, line);
    } else {
      JudgeNotification(object, line);
    }
  }
  reader.Forget();
}

void Judge::TakeAnswer(const json::value& value, std::string_view line) {
  Expect(value.is_object(), "a response is an object", line);
  const json::object& answer = value.get_object();
  Expect(FindString(&answer, "jsonrpc") == "2.0", "the version of JSON-RPC is told", line);
  const json::object* error = FindObject(&answer, "error");
  const json::object* result = FindObject(&answer, "result");
  Expect((error == nullptr) != (result == nullptr), "a response has a result or an error", line);
  Expect(answer.size() - answer.contains("id") == 2, "a response has no further members", line);
  const json::value* id = answer.if_contains("id");
  if (unsure_) return;
  if (id == nullptr || id->is_null()) {
    std::size_t& owed = unreadable_ > 0 ? unreadable_ : unreadable_in_batches_;
    Expect(owed > 0, "only what cannot be read is answered without an id", line);
    --owed;
    Expect(error != nullptr, "what cannot be read is refused", line);
    const json::value* code = error->if_contains("code");
    Expect(code != nullptr && (*code == -32700 || *code == -32600),
           "what cannot be read is a parse error or an invalid request", line);
    const bool is_modern = has_era_ && modern_;
    Expect(is_modern == (id == nullptr), "an unknown id is null, or left out in the modern era",
           line);
    return;
  }
  const std::string key = Key(*id);
  const auto is_it = [&key](const Open& open) { return open.id == key; };
  const auto found = std::ranges::find_if(open_, is_it);
  Expect(found != open_.end(), "only a request in flight is answered, and once", line);
  if (std::ranges::count_if(open_, is_it) > 1) {
    // A second one is refused as long as the first is open.
    const auto last = std::find_if(open_.rbegin(), open_.rend(), is_it);
    const bool refused = error != nullptr;
    open_.erase(refused ? std::next(last).base() : found);
    return;
  }
  const Open open = std::move(*found);
  open_.erase(found);
  JudgeAnswer(open, answer, line);
}

void Judge::JudgeAnswer(const Open& open, const json::object& answer, std::string_view line) {
  if (const json::object* error = FindObject(&answer, "error")) {
    JudgeError(open, *error, line);
  } else {
    JudgeResult(open, answer.at("result").get_object(), line);
  }
  if (open.token.empty()) return;
  const json::object* result = FindObject(&answer, "result");
  if (result == nullptr || !IsRetriedAsTask(*result)) tokens_[open.token].ended = true;
}

void Judge::JudgeError(const Open& open, const json::object& error, std::string_view line) {
  const json::value* code = error.if_contains("code");
  Expect(code != nullptr && code->is_int64(), "an error code is an integer", line);
  const json::value* message = error.if_contains("message");
  Expect(message != nullptr && message->is_string(), "an error has a message", line);
  const std::int64_t number = code->get_int64();
  Expect(HasCode(open.modern, number), "the era has the error code", line);
  switch (open.want) {
    case Want::kAnything:
    case Want::kError:
      break;
    case Want::kEmptyResult:
      Expect(false, "a ping is answered", line);
      break;
    case Want::kRefusal:
      Expect(number == -32600, "it is refused as an invalid request", line);
      break;
    case Want::kBadEnvelope:
      Expect(number == -32602 || number == -32022, "a bad envelope is named as such", line);
      break;
    case Want::kOtherVersion:
      Expect(number == -32022, "initialize is refused for its version", line);
      break;
    case Want::kNotOtherVersion:
      Expect(number != -32022, "a version that is served is not refused", line);
      break;
  }
  if (number != -32022) return;
  const json::object* data = FindObject(&error, "data");
  const json::value* supported = Find(data, "supported");
  Expect(supported != nullptr && *supported == json::array({kVersion}),
         "a refused version comes with those that are served", line);
  Expect(Find(data, "requested") != nullptr, "a refused version is named", line);
}

void Judge::JudgeResult(const Open& open, const json::object& result, std::string_view line) {
  Expect(open.want == Want::kAnything || open.want == Want::kEmptyResult ||
             open.want == Want::kNotOtherVersion,
         "what must be refused is refused", line);
  if (open.want == Want::kEmptyResult) Expect(result.empty(), "a ping gets nothing", line);
  const std::string_view type = FindString(&result, "resultType");
  Expect(open.modern ? type == "complete" || type == "input_required" || type == "task"
                     : !result.contains("resultType"),
         "a result has the type that its era wants", line);
  if (!open.modern && open.method == "initialize") {
    initialized_ = true;
    has_batches_ = FindString(&result, "protocolVersion") == "2025-03-26";
  }
}

void Judge::JudgeRequest(const json::object& request, std::string_view line) {
  static const std::map<std::string_view, std::string_view> kCapabilityFor{
      {"elicitation/create", "elicitation"},
      {"sampling/createMessage", "sampling"},
      {"roots/list", "roots"}};
  if (unsure_) return;
  Expect(initialized_, "only an initialized client is asked", line);
  const auto needed = kCapabilityFor.find(FindString(&request, "method"));
  Expect(needed != kCapabilityFor.end(), "the client is asked what there is to ask", line);
  Expect(declared_.contains(needed->second), "the client is asked for what it declared", line);
  const json::value* id = request.if_contains("id");
  Expect(id != nullptr && id->is_string(), "a request has an id", line);
  Expect(asked_.insert(Key(*id)).second, "the id of a request is its own", line);
}

void Judge::JudgeNotification(const json::object& notification, std::string_view line) {
  const std::string_view method = FindString(&notification, "method");
  const json::object* params = FindObject(&notification, "params");
  Expect(method.starts_with("notifications/"), "a notification is one of the protocol's", line);
  Expect(!notification.contains("id"), "a notification has no id", line);
  if (unsure_) return;
  if (method == "notifications/progress") {
    Expect(params != nullptr, "progress has params", line);
    return JudgeProgress(*params, line);
  }
  if (method == "notifications/message") {
    Expect(initialized_ || wants_logs_, "logs come only where they are wanted", line);
    return;
  }
  if (const json::value* subscription = Find(FindObject(params, "_meta"), kSubscriptionKey)) {
    // At the end it goes before its answer.
    const std::string key = Key(*subscription);
    Expect(std::ranges::any_of(open_,
                               [&key](const Open& open) {
                                 return open.id == key && open.method == "subscriptions/listen";
                               }),
           "a subscription that is told of is open", line);
    return;
  }
  if (method == "notifications/cancelled") {
    const json::value* id = Find(params, "requestId");
    Expect(id != nullptr && asked_.erase(Key(*id)) == 1, "the server cancels what it has asked for",
           line);
    return;
  }
  Expect(initialized_, "without a subscription only legacy clients are told", line);
}

void Judge::JudgeProgress(const json::object& params, std::string_view line) {
  const json::value* given = params.if_contains("progressToken");
  Expect(given != nullptr, "progress names a token", line);
  const auto token = tokens_.find(Key(*given));
  Expect(token != tokens_.end(), "progress is for a token that was given", line);
  const json::value* progress = params.if_contains("progress");
  Expect(progress != nullptr && progress->is_number(), "progress is a number", line);
  if (token->second.given > 1) return;
  const double now = progress->to_number<double>();
  Expect(now > token->second.last, "progress rises", line);
  Expect(!token->second.ended, "progress ends with the answer", line);
  token->second.last = now;
}

}  // namespace assay::fuzz
