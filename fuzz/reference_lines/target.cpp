// How the reference server cuts its input into lines. The first character chooses how long a line
// may be, the second how large the pieces are in which the rest arrives.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "era/wire.h"
#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "transport/line_reader.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

class Lines : public reference::LineHandler {
 public:
  void HandleLine(std::string_view line) override { all.emplace_back(line); }
  void HandleOverlongLine() override { all.emplace_back(kOverlong); }
  void HandleEnd() override {}
  bool Idle() const override { return true; }

  static constexpr std::string_view kOverlong = "overlong\n";  // no line has a line end
  std::vector<std::string> all;
};

std::vector<std::string> Read(std::string_view text, std::size_t longest, std::size_t piece) {
  Lines lines;
  reference::LineReader reader(lines, longest);
  for (std::size_t at = 0; at < text.size(); at += piece) reader.Feed(text.substr(at, piece));
  reader.Finish();
  return lines.all;
}

// What a line is, in short: what stands between line ends, and after the last one if anything does.
std::vector<std::string> Expected(std::string_view text, std::size_t longest) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    lines.emplace_back(line.size() > longest ? Lines::kOverlong : line);
  }
  return lines;
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  constexpr std::array<std::size_t, 4> kLongest{0, 1, 16, 1U << 20U};
  std::string_view text = Text(data, size);
  const std::size_t longest = kLongest.at(TakeChoice(text, kLongest.size()));
  const std::size_t piece = TakeChoice(text, 256) + 1;
  Expect(Read(text, longest, piece) == Expected(text, longest),
         "lines are what stands between line ends, however they arrive", text);
  return 0;
}
