// Beast's parser core does it. Its messages and streams are not needed, and dear to compile.

#include "transport/http_answer.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

namespace assay {

namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::uint32_t kHeadLimit = std::uint32_t{64} << 10;
// How much of what is no HTTP is shown.
constexpr std::size_t kShown = 200;

std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class HttpAnswer::Parser final : public http::basic_parser<false> {
 public:
  Parser(bool bodiless, const Sink& sink) : sink_(sink) {
    header_limit(kHeadLimit);
    body_limit(boost::none);  // whoever takes the body bounds it
    skip(bodiless);
  }

  bool interim() const {
    return is_header_done() && head_.status >= 100 && head_.status < 200 && head_.status != 101;
  }
  bool switches_protocols() const { return head_.status == 101; }

  void TellHead() {
    if (told_) return;
    told_ = true;
    sink_.head(head_, status_line_);
  }

 private:
  using string_view = boost::beast::string_view;

  void on_request_impl(http::verb /*method*/, string_view /*method_text*/, string_view /*target*/,
                       int /*version*/, error_code& /*error*/) override {}
  void on_response_impl(int code, string_view reason, int version, error_code& /*error*/) override {
    head_.status = code;
    status_line_ = version == 10 ? "HTTP/1.0 " : "HTTP/1.1 ";
    status_line_ += std::to_string(code);
    if (!reason.empty()) status_line_.append(" ").append(View(reason));
  }
  void on_field_impl(http::field /*field*/, string_view name, string_view value,
                     error_code& /*error*/) override {
    // A trailer of a chunked body is no part of the head.
    if (!is_header_done()) head_.fields.push_back({std::string(name), std::string(value)});
  }
  void on_header_impl(error_code& /*error*/) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*error*/) override {}
  std::size_t on_body_impl(string_view body, error_code& /*error*/) override {
    sink_.body(View(body));
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t /*size*/, string_view /*extensions*/,
                            error_code& /*error*/) override {}
  std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, string_view body,
                                 error_code& /*error*/) override {
    sink_.body(View(body));
    return body.size();
  }
  void on_finish_impl(error_code& /*error*/) override {}

  const Sink& sink_;
  HttpHead head_;
  std::string status_line_;
  bool told_ = false;
};

HttpAnswer::HttpAnswer(bool bodiless, Sink sink)
    : bodiless_(bodiless),
      sink_(std::move(sink)),
      parser_(std::make_unique<Parser>(bodiless_, sink_)) {}

HttpAnswer::~HttpAnswer() = default;

void HttpAnswer::Feed(std::string_view bytes) {
  begun_ = begun_ || !bytes.empty();
  pending_.append(bytes);
  Parse();
}

void HttpAnswer::Parse() {
  std::size_t used = 0;
  while (!done() && error_.empty() && used < pending_.size()) {
    error_code error;
    const std::size_t size = parser_->put(
        boost::asio::const_buffer(pending_.data() + used, pending_.size() - used), error);
    if (error && error != http::error::need_more) {
      error_ = "what came is no answer in HTTP (" + error.message() + ")";
      if (!parser_->is_header_done()) error_ += "; it began: " + pending_.substr(0, kShown);
      break;
    }
    used += size;
    if (parser_->interim()) {
      parser_ = std::make_unique<Parser>(bodiless_, sink_);
    } else if (parser_->is_header_done()) {
      parser_->TellHead();
    }
    if (error) break;
  }
  pending_.erase(0, used);
}

void HttpAnswer::End() {
  if (done() || !error_.empty()) return;
  error_code error;
  if (parser_->got_some()) parser_->put_eof(error);
}

bool HttpAnswer::begun() const { return begun_; }
bool HttpAnswer::done() const { return parser_->is_done(); }
const std::string& HttpAnswer::error() const { return error_; }
std::size_t HttpAnswer::surplus() const { return done() ? pending_.size() : 0; }
bool HttpAnswer::keeps_alive() const {
  return done() && parser_->keep_alive() && !parser_->switches_protocols();
}

}  // namespace assay
