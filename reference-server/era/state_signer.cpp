#include "era/state_signer.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <vector>

#include "protocol/base64.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::size_t kMacSize = 32;

/// The same text for equal values, however the client orders the members.
std::string Canonical(const json::value& value) {
  if (const json::array* array = value.if_array()) {
    std::string text = "[";
    for (const json::value& element : *array) text += Canonical(element) + ",";
    return text + "]";
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return json::serialize(value);
  std::vector<std::string> members;
  for (const auto& [name, member] : *object) {
    members.push_back(json::serialize(json::value(name)) + ":" + Canonical(member));
  }
  std::ranges::sort(members);
  std::string text = "{";
  for (const std::string& member : members) text += member + ",";
  return text + "}";
}

std::int64_t Milliseconds(StateSigner::Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

std::string StateSigner::Mac(std::string_view payload, const StateBinding& binding) const {
  // Each part is JSON text, in which no line feed occurs, so no two bindings give the same input.
  std::string input;
  for (const std::string_view part : {binding.method, binding.name, binding.principal}) {
    input += json::serialize(json::value(part)) + "\n";
  }
  input += Canonical(binding.arguments) + "\n";
  input += payload;
  std::string mac(kMacSize, '\0');
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(input.data()), input.size(),
       reinterpret_cast<unsigned char*>(mac.data()), nullptr);
  return mac;
}

std::string StateSigner::Sign(const json::object& payload, const StateBinding& binding,
                              Time now) const {
  const std::string text = json::serialize(
      json::object{{"expires", Milliseconds(now + lifetime_)}, {"payload", payload}});
  return EncodeBase64(Mac(text, binding) + text);
}

std::optional<json::object> StateSigner::Verify(std::string_view text, const StateBinding& binding,
                                                Time now) const {
  const std::optional<std::string> bytes = DecodeBase64(text);
  if (!bytes || bytes->size() < kMacSize) return std::nullopt;
  const std::string_view payload = std::string_view(*bytes).substr(kMacSize);
  if (CRYPTO_memcmp(bytes->data(), Mac(payload, binding).data(), kMacSize) != 0) {
    return std::nullopt;
  }
  const json::object state = json::parse(payload).as_object();
  if (Milliseconds(now) >= state.at("expires").to_number<std::int64_t>()) return std::nullopt;
  return state.at("payload").as_object();
}

}  // namespace assay::reference
