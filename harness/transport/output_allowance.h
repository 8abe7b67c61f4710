// How much a server may say that nobody asked for. What it sends is kept, so a server that never
// stops would fill the memory.

#pragma once

#include <cstddef>

namespace assay {

class OutputAllowance {
 public:
  // `bytes` from the start; each message to the server allows for more.
  explicit OutputAllowance(std::size_t bytes) : allowed_(bytes) {}

  void Ask() { allowed_ += kOutputOfAMessage; }
  // The server sent `bytes` that are kept as so many `parts`.
  void Take(std::size_t bytes, std::size_t parts) { taken_ += bytes + parts * kCostOfAPart; }
  bool exceeded() const { return taken_ > allowed_; }

 private:
  // What a part takes in memory besides its bytes, about, once it is parsed and recorded.
  static constexpr std::size_t kCostOfAPart = 1024;
  // How much output each message of ours makes proper, so that long conversations are no floods.
  static constexpr std::size_t kOutputOfAMessage = std::size_t{256} << 10;

  std::size_t allowed_;
  std::size_t taken_ = 0;
};

}  // namespace assay
