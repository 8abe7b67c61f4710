// The limits and habits of the stdio transport.
#pragma once

#include <chrono>
#include <cstddef>

namespace assay::reference {

struct StdioSettings {
  /// A longer line is dropped and answered with a parse error.
  std::size_t longest_line = std::size_t{16} << 20U;
  /// Reading pauses while more than this waits to be written.
  std::size_t most_pending_output = std::size_t{64} << 20U;
  /// After the end of input, calls that are nearly done may still be answered.
  std::chrono::milliseconds grace = std::chrono::milliseconds(250);
  /// How long a reader that takes nothing is waited for at the end.
  std::chrono::milliseconds drain = std::chrono::milliseconds(1000);
  bool exits_at_end_of_input = true;
  bool exits_on_signals = true;
};

}  // namespace assay::reference
