#include "transport/line_reader.h"

#include <utility>

namespace assay::reference {

void LineReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return Keep(bytes);
    const std::string_view part = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (partial_.empty() && !overlong_ && part.size() <= longest_line_) {
      handler_.HandleLine(part);  // the usual case: no copy
      continue;
    }
    Keep(part);
    EndLine();
  }
}

void LineReader::Finish() {
  if (!partial_.empty() || overlong_) EndLine();
}

void LineReader::Keep(std::string_view part) {
  if (overlong_) return;
  if (partial_.size() + part.size() <= longest_line_) {
    partial_ += part;
    return;
  }
  overlong_ = true;
  partial_.clear();
  partial_.shrink_to_fit();
}

void LineReader::EndLine() {
  if (std::exchange(overlong_, false)) return handler_.HandleOverlongLine();
  const std::string line = std::exchange(partial_, {});
  handler_.HandleLine(line);
}

}  // namespace assay::reference
