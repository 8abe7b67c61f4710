// A connection of the reference server, in both eras: a choice of settings, then lines.
//
// In a line `${1}` to `${9}` stand for the ids that the server gave out (of tasks, carts, ...), in
// order, `${state}` for the last requestState and `${cursor}` for the last nextCursor. `@200` lets
// 200 ms pass.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "era/connection.h"
#include "fuzz/input.h"
#include "fuzz/reference/server.h"
#include "fuzz/reference_dispatch/judge.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

using std::chrono::milliseconds;

// Longer than any tool works and any task is kept.
constexpr std::chrono::hours kAllTime(2);
constexpr milliseconds kMostAtOnce(10'000);

std::vector<std::string> IdsIn(const std::vector<std::string>& said) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::size_t kSize = 32;
  std::vector<std::string> ids;
  for (const std::string& line : said) {
    std::size_t end = 0;
    for (std::size_t at = line.find_first_of(kDigits); at != std::string::npos;
         at = line.find_first_of(kDigits, end)) {
      end = std::min(line.find_first_not_of(kDigits, at), line.size());
      if (end - at != kSize) continue;
      std::string id = line.substr(at, kSize);
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(std::move(id));
    }
  }
  return ids;
}

// The last string that was said for the member `key`, or "".
std::string LastString(const std::vector<std::string>& said, std::string_view key) {
  const auto line = std::find_if(said.rbegin(), said.rend(), [&](const std::string& words) {
    return words.find(key) != std::string::npos;
  });
  if (line == said.rend()) return {};
  const std::size_t start = line->rfind(key) + key.size();
  return line->substr(start, line->find('"', start) - start);
}

std::string ValueOf(std::string_view name, const std::vector<std::string>& said) {
  if (name == "state") return LastString(said, R"("requestState":")");
  if (name == "cursor") return LastString(said, R"("nextCursor":")");
  if (name.size() != 1 || name.front() < '1' || name.front() > '9') return {};
  const std::vector<std::string> ids = IdsIn(said);
  const auto number = static_cast<std::size_t>(name.front() - '1');
  return number < ids.size() ? ids[number] : std::string();
}

std::string Filled(std::string_view line, const std::vector<std::string>& said) {
  std::string filled;
  while (true) {
    const std::size_t start = line.find("${");
    const std::size_t end = start == std::string_view::npos ? start : line.find('}', start);
    filled += line.substr(0, end == std::string_view::npos ? end : start);
    if (end == std::string_view::npos) return filled;
    filled += ValueOf(line.substr(start + 2, end - start - 2), said);
    line.remove_prefix(end + 1);
  }
}

milliseconds TimeOf(std::string_view number) {
  unsigned time = 0;
  std::from_chars(number.data(), number.data() + number.size(), time);
  return std::min(milliseconds(time), kMostAtOnce);
}

void Run(Server& server, std::string_view text) {
  Judge judge(server.settings());
  reference::Connection connection(server.settings(), server.services(), judge);
  while (!text.empty()) {
    std::string_view line = TakeLine(text);
    if (line.starts_with('@')) {
      server.Advance(TimeOf(line.substr(1)));
      continue;
    }
    std::string filled;
    if (line.find("${") != std::string_view::npos) line = filled = Filled(line, judge.said());
    judge.Sending(line);
    connection.HandleLine(line);
    judge.Sent();
  }
  server.Advance(kAllTime);
  judge.Waited();
  connection.HandleEnd();
  judge.Ended();
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  std::string_view text = Text(data, size);
  Server& server = ServerWith(TakeChoice(text, kSettings));
  Run(server, text);
  server.Reset();
  return 0;
}
