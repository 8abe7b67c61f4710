// The `requestState` of a multi round-trip request (2026-07-28 basic/patterns/mrtr): what the
// server wants to remember between two rounds travels with the client, who is not trusted with it.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "random/random.h"

namespace assay::reference {

/// What a state belongs to: it is worthless for any other request or client.
struct StateBinding {
  std::string_view method;
  /// The tool's, prompt's name, or the resource's URI.
  std::string_view name;
  const boost::json::object& arguments;
  /// Whom the transport knows the client to be, or empty.
  std::string_view principal;
};

class StateSigner {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// All instances that shall be able to go on with each other's requests need the same key. A
  /// state is good for `lifetime`.
  StateSigner(const SecretKey& key, std::chrono::milliseconds lifetime)
      : key_(key), lifetime_(lifetime) {}

  /// Base64 of an HMAC-SHA-256 and what it protects: the payload and when it expires.
  std::string Sign(const boost::json::object& payload, const StateBinding& binding, Time now) const;

  /// The payload; nothing if the text was not made by Sign with the same key and binding, in any
  /// way changed, or longer ago than its lifetime.
  std::optional<boost::json::object> Verify(std::string_view text, const StateBinding& binding,
                                            Time now) const;

 private:
  std::string Mac(std::string_view payload, const StateBinding& binding) const;

  SecretKey key_;
  std::chrono::milliseconds lifetime_;
};

}  // namespace assay::reference
