#include "transport/http_reader.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <utility>

namespace assay::reference {

namespace http = boost::beast::http;
using boost::system::error_code;

struct HttpReader::Impl {
  using Parser = http::request_parser<http::string_body>;

  explicit Impl(const HttpLimits& the_limits) : limits(the_limits) { Renew(); }

  void Renew() {
    parser.emplace();
    parser->header_limit(static_cast<std::uint32_t>(limits.header));
    parser->body_limit(limits.body);
    parser->eager(true);
    expectation_taken = false;
  }

  /// Empty lines before a request are ignored (RFC 9112 section 2.2). False if what is there may
  /// become one.
  bool SkipEmptyLines() {
    while (std::string_view(buffer).substr(begin).starts_with("\r\n")) begin += 2;
    return std::string_view(buffer).substr(begin) != "\r";
  }

  void Compact() {
    buffer.erase(0, begin);
    begin = 0;
  }

  HttpLimits limits;
  std::optional<Parser> parser;
  std::string buffer;
  std::size_t begin = 0;  // of what is not parsed yet
  bool expectation_taken = false;
  bool broken = false;
};

namespace {

int StatusOf(const error_code& failed) {
  if (failed == http::error::header_limit) return 431;
  if (failed == http::error::body_limit) return 413;
  if (failed == http::error::bad_version) return 505;
  return 400;
}

HttpReader::Complete Completed(http::request<http::string_body> message) {
  HttpReader::Complete complete{{}, message.keep_alive(), message.version() >= 11};
  complete.request.method = message.method_string();
  complete.request.target = message.target();
  for (const auto& field : message) {
    complete.request.headers.push_back(
        {std::string(field.name_string()), std::string(field.value())});
  }
  complete.request.body = std::move(message.body());
  return complete;
}

}  // namespace

HttpReader::HttpReader(const HttpLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}

HttpReader::~HttpReader() = default;

void HttpReader::Feed(std::string_view bytes) { impl_->buffer += bytes; }

std::variant<HttpReader::NeedsMore, HttpReader::Complete, HttpReader::Broken> HttpReader::Next() {
  Impl& impl = *impl_;
  if (impl.broken) return Broken{400};
  if (!impl.parser->got_some() && !impl.SkipEmptyLines()) return NeedsMore{};
  while (impl.begin < impl.buffer.size() && !impl.parser->is_done()) {
    error_code failed;
    const std::size_t taken = impl.parser->put(
        boost::asio::buffer(impl.buffer.data() + impl.begin, impl.buffer.size() - impl.begin),
        failed);
    impl.begin += taken;
    if (failed == http::error::need_more) break;
    if (failed) {
      impl.broken = true;
      return Broken{StatusOf(failed)};
    }
  }
  impl.Compact();
  if (!impl.parser->is_done()) return NeedsMore{};
  Complete complete = Completed(impl.parser->release());
  impl.Renew();
  return complete;
}

bool HttpReader::in_request() const {
  return impl_->parser->got_some() || impl_->begin < impl_->buffer.size();
}

std::size_t HttpReader::buffered() const { return impl_->buffer.size() - impl_->begin; }

bool HttpReader::TakeExpectation() {
  if (impl_->expectation_taken || !impl_->parser->is_header_done() || impl_->parser->is_done()) {
    return false;
  }
  impl_->expectation_taken = true;
  return boost::beast::iequals(impl_->parser->get()[http::field::expect], "100-continue");
}

}  // namespace assay::reference
