#include "reports/progress.h"

#include <algorithm>
#include <utility>

#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kBetweenDraws{50};
constexpr std::chrono::seconds kBetweenLines{10};

// The first `columns` characters of `text`, whose ids and digits are all one column wide.
std::string Fitted(const std::string& text, int columns) {
  std::size_t at = 0;
  for (int used = 0; at < text.size(); ++used) {
    std::size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
    if (used == columns) break;
    at = next;
  }
  return text.substr(0, at);
}

}  // namespace

TerminalProgress::TerminalProgress(std::ostream& out, Options options, Clock clock)
    : out_(out), options_(std::move(options)), clock_(std::move(clock)) {}

TerminalProgress::~TerminalProgress() { Clear(); }

void TerminalProgress::SetTotal(int results) {
  total_ = results;
  if (!options_.live) last_draw_ = clock_();
  Draw();
}

void TerminalProgress::Started(std::string_view case_id) {
  running_ = case_id;
  Draw();
}

void TerminalProgress::Finished(const Result& result) {
  ++done_;
  if (result.verdict == Verdict::kFail) ++failed_;
  if (options_.live) {
    Draw();
    return;
  }
  const auto now = clock_();
  if (now - last_draw_ < kBetweenLines || done_ == total_) return;
  last_draw_ = now;
  out_ << done_;
  if (total_ > 0) out_ << " of " << total_;
  out_ << " " << options_.things << "\n" << std::flush;
}

void TerminalProgress::Tick() {
  if (behind_) Draw();
}

void TerminalProgress::Clear() {
  if (!drawn_) return;
  out_ << "\r\x1b[K" << std::flush;
  drawn_ = false;
  last_draw_ = {};
}

// Thousands of results a second are no reason for as many writes.
void TerminalProgress::Draw() {
  if (!options_.live) return;
  const auto now = clock_();
  if (drawn_ && now - last_draw_ < kBetweenDraws && done_ != total_) {
    behind_ = true;
    return;
  }
  behind_ = false;
  last_draw_ = now;
  drawn_ = true;
  const std::string count =
      std::to_string(done_) + (total_ > 0 ? "/" + std::to_string(total_) : "");
  const std::string failed = failed_ == 0 ? "" : "  " + std::to_string(failed_) + " failed";
  const int room = std::max(0, options_.width - 1);
  const std::string line = Fitted("  " + count + failed + "  " + Visible(running_), room);
  out_ << '\r';
  const std::size_t at = failed.empty() ? std::string::npos : line.find(failed);
  if (options_.colour && at != std::string::npos) {
    out_ << line.substr(0, at) << "\x1b[31m" << failed << "\x1b[0m"
         << line.substr(at + failed.size());
  } else {
    out_ << line;
  }
  out_ << "\x1b[K" << std::flush;
}

}  // namespace assay
