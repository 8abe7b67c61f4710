// Newline framing (stdio transport: messages are delimited by newlines).

#include "transport/framer.h"

#include <utility>

namespace assay {

namespace {
constexpr std::size_t kHeadOfOverlongLine = 4096;
}

void Framer::Append(std::string_view piece) {
  if (skipping_) return;
  if (pending_.size() + piece.size() > max_line_) {
    pending_.append(piece.substr(0, kHeadOfOverlongLine));
    pending_.resize(std::min(pending_.size(), kHeadOfOverlongLine));
    skipping_ = true;
    sink_.overlong(std::exchange(pending_, {}));
    return;
  }
  pending_.append(piece);
}

void Framer::Feed(std::string_view bytes) {
  for (;;) {
    const std::size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) break;
    Append(bytes.substr(0, newline));
    if (!std::exchange(skipping_, false)) sink_.line(std::exchange(pending_, {}), true);
    bytes.remove_prefix(newline + 1);
  }
  Append(bytes);
}

void Framer::End() {
  if (!pending_.empty() && !skipping_) sink_.line(std::exchange(pending_, {}), false);
}

}  // namespace assay
