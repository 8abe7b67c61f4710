// Cuts a byte stream into lines, within bounds. What is wrong with the stream is reported to the
// owner, who decides what to do about it.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

class Framer {
 public:
  struct Sink {
    // A whole line without its newline; `terminated` is false for a rest at the end of the stream.
    std::function<void(std::string line, bool terminated)> line;
    // A line passed the limit: its head. The rest of it is dropped.
    std::function<void(std::string head)> overlong;
  };

  // Lines longer than `max_line` bytes are cut.
  Framer(std::size_t max_line, Sink sink) : max_line_(max_line), sink_(std::move(sink)) {}

  void Feed(std::string_view bytes);
  void End();

 private:
  void Append(std::string_view piece);

  const std::size_t max_line_;
  Sink sink_;
  std::string pending_;
  bool skipping_ = false;  // within an overlong line
};

}  // namespace assay
