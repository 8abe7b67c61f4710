// The body of a POST, read once to find out whom it is for and whether its headers fit it. The
// connection that serves it reads it again for itself.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/message.h"

namespace assay::reference {

class PostBody {
 public:
  /// `text` must outlive the body.
  explicit PostBody(std::string_view text);
  PostBody(const PostBody&) = delete;
  PostBody& operator=(const PostBody&) = delete;

  /// What is to be handed on: without a byte order mark.
  std::string_view text() const { return text_; }

  /// Whether it is JSON that can be handed on. If not, `broken_answer` is the answer.
  bool is_json() const { return is_json_; }
  /// `no_id` stands for an id that could not be read; empty leaves the member out.
  std::string BrokenAnswer(std::string_view no_id) const;

  bool is_array() const { return is_json_ && value_.is_array(); }
  /// Of a body that is JSON and no array.
  const Message& message() const { return messages_.front(); }
  /// Null if it is anything but a single request.
  const Request* request() const;
  const Notification* notification() const;

  /// All requests in it, be it one or a batch.
  std::vector<const Request*> requests() const;
  std::vector<const Notification*> notifications() const;

  /// Whether it is an object whose `params._meta` names a protocol version, well or badly.
  bool is_enveloped() const;

  /// The id's JSON text if it is a single request with a readable one, otherwise empty.
  std::string id() const;

 private:
  std::array<unsigned char, 4096> first_block_;
  boost::json::monotonic_resource memory_{first_block_.data(), first_block_.size()};
  std::string_view text_;
  boost::json::value value_;
  std::vector<Message> messages_;
  bool is_json_ = false;
  bool is_too_deep_ = false;
};

}  // namespace assay::reference
