// Reads the answer to one HTTP request (RFC 9112), piece by piece. The only place, with its .cpp,
// that knows Beast.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "message/http_message.h"

namespace assay {

class HttpAnswer {
 public:
  struct Sink {
    // The head, once it is whole. Interim answers (1xx) are not told.
    std::function<void(HttpHead head, std::string status_line)> head;
    // A part of the body, without the framing of chunks.
    std::function<void(std::string_view piece)> body;
  };

  // `bodiless`: the request was HEAD, so the answer has no body, whatever its head says.
  HttpAnswer(bool bodiless, Sink sink);
  ~HttpAnswer();
  HttpAnswer(const HttpAnswer&) = delete;
  HttpAnswer& operator=(const HttpAnswer&) = delete;

  // Takes what the server sent.
  void Feed(std::string_view bytes);
  // The server closed the connection. The answer is done() if that was its proper end.
  void End();

  bool begun() const;  // a byte of it has come
  bool done() const;   // it is complete
  // Why it is no answer in HTTP, in words; "" as long as nothing is wrong with it.
  const std::string& error() const;
  // Bytes that came after its end.
  std::size_t surplus() const;
  // It is done(), and the connection may serve another request.
  bool keeps_alive() const;

 private:
  class Parser;

  void Parse();

  const bool bodiless_;
  Sink sink_;
  std::unique_ptr<Parser> parser_;
  std::string pending_;  // what the parser could not use yet
  bool begun_ = false;
  std::string error_;
};

}  // namespace assay
