// Finds messages that a server spread over several lines.

#include "oracle/joiner.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::oracle {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostBytes = 1 << 20;

// Follows brackets and strings over line ends.
class BracketCounter {
 public:
  // Whether the outermost bracket closes exactly at the end of `line`.
  bool Add(std::string_view line) {
    for (const char c : line) {
      if (closed_ && c != ' ' && c != '\t' && c != '\r') closed_ = false;
      if (in_string_) {
        if (escaped_) {
          escaped_ = false;
        } else if (c == '\\') {
          escaped_ = true;
        } else if (c == '"') {
          in_string_ = false;
        }
        continue;
      }
      if (c == '"') {
        in_string_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if ((c == '}' || c == ']') && --depth_ <= 0) {
        closed_ = true;
      }
    }
    escaped_ = false;
    return closed_;
  }
  bool overdrawn() const { return depth_ < 0; }

 private:
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool closed_ = false;
};

bool MayBegin(const Entry& entry) {
  const std::size_t first = entry.bytes.find_first_not_of(" \t");
  return first != std::string::npos && (entry.bytes[first] == '{' || entry.bytes[first] == '[');
}

bool IsMessage(const Entry& entry) {
  return entry.message.body.is_object() && entry.message.body.Find("jsonrpc") != nullptr;
}

class Joiner {
 public:
  Joiner(const std::deque<Entry>& entries, std::vector<std::size_t> lines)
      : entries_(entries), lines_(std::move(lines)) {}

  void Run(std::map<std::size_t, Joint>& joints) {
    for (std::size_t first = 0; first < lines_.size(); ++first) {
      const Entry& entry = entries_[lines_[first]];
      if (entry.message.kind != Message::Kind::kNotJson || !MayBegin(entry)) continue;
      const std::size_t last = FindEnd(first);
      Joint joint;
      if (last <= first || !Parse(first, last, joint)) {
        first = std::max(first, scanned_);  // never look at a line twice
        continue;
      }
      joints[lines_[first]] = std::move(joint);
      for (std::size_t i = first + 1; i <= last; ++i) joints[lines_[i]] = Joint();
      first = last;
    }
  }

 private:
  // The line that closes what `first` opens, or `first` when there is none. Leaves in scanned_ the
  // last line that was looked at.
  std::size_t FindEnd(std::size_t first) {
    BracketCounter counter;
    std::size_t bytes = 0;
    for (std::size_t i = first; i < lines_.size() && i - first < kMostLines; ++i) {
      const Entry& entry = entries_[lines_[i]];
      bytes += entry.bytes.size();
      if (bytes > kMostBytes || (i > first && IsMessage(entry))) break;
      scanned_ = i;
      if (counter.Add(entry.bytes)) return i;
      if (counter.overdrawn()) break;
    }
    return first;
  }

  bool Parse(std::size_t first, std::size_t last, Joint& joint) const {
    for (const bool in_string : {false, true}) {
      std::string text = entries_[lines_[first]].bytes;
      for (std::size_t i = first + 1; i <= last; ++i) {
        text += in_string ? "\\n" : "\n";
        text += entries_[lines_[i]].bytes;
      }
      JsonParse parse = ParseJson(text);
      if (!parse.value) continue;
      joint.lines = last - first + 1;
      joint.body = std::move(*parse.value);
      joint.newline_in_string = in_string;
      return true;
    }
    return false;
  }

  const std::deque<Entry>& entries_;
  std::vector<std::size_t> lines_;  // indexes of one process' output, in order
  std::size_t scanned_ = 0;
};

}  // namespace

std::map<std::size_t, Joint> JoinLines(const Transcript& transcript) {
  std::map<std::size_t, Joint> joints;
  std::map<std::string, std::vector<std::size_t>> lines;
  bool broken = false;
  const auto flush = [&](std::vector<std::size_t>& of) {
    Joiner(transcript.entries, std::exchange(of, {})).Run(joints);
  };
  for (std::size_t i = 0; i < transcript.entries.size(); ++i) {
    const Entry& entry = transcript.entries[i];
    if (transcript.over_http.contains(entry.connection)) continue;
    if (entry.direction == Entry::Direction::kIn) {
      lines[entry.connection].push_back(i);
      broken = broken || entry.message.kind == Message::Kind::kNotJson;
    } else if (entry.event == Entry::Event::kStarted) {
      flush(lines[entry.connection]);
    }
  }
  if (!broken) return {};
  for (auto& [connection, of] : lines) flush(of);
  return joints;
}

}  // namespace assay::oracle
