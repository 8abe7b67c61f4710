// Cuts a byte stream into lines, however it arrives, and never keeps more than one bounded line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "era/wire.h"

namespace assay::reference {

class LineReader {
 public:
  /// A line longer than `longest_line` bytes is dropped while it arrives and reported once, at its
  /// end. The handler is not owned.
  LineReader(LineHandler& handler, std::size_t longest_line)
      : handler_(handler), longest_line_(longest_line) {}

  void Feed(std::string_view bytes);

  /// The stream has ended: what is left over is the last line, though nothing ended it.
  void Finish();

 private:
  void Keep(std::string_view part);
  void EndLine();

  LineHandler& handler_;
  std::size_t longest_line_;
  std::string partial_;
  bool overlong_ = false;
};

}  // namespace assay::reference
