// What goes wrong between messages and bytes (stdio transport).
#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

Script BannerOnStdout() {
  return {.start = [](Fault& fault) { fault.Write("server v1.2.3 listening on stdio\n"); }};
}

Script LogLinesOnStdout() {
  return {.answer = [count = 0](FaultyMessage& answer) mutable {
    if (++count % 2 == 0) answer.fault.Write("info: handled " + std::string(answer.method) + "\n");
  }};
}

Script DebugOutputDuringCall() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method == "tools/call") answer.fault.Write("{\n  status: 'syncing',\n}\n");
  }};
}

/// A server that did this to every message could not be spoken to at all.
bool IsLong(const std::string& bytes) { return bytes.starts_with('{') && bytes.size() > 2048; }

Script ContentLengthOutput() {
  return {.bytes = [](Fault&, std::string& bytes) {
    if (!IsLong(bytes)) return;
    bytes.pop_back();
    std::string framed = "Content-Length: ";
    framed += std::to_string(bytes.size());
    framed += "\r\n\r\n";
    framed += bytes;
    bytes = std::move(framed);
  }};
}

Script RawNewlineInString() {
  return {.bytes = [](Fault&, std::string& bytes) {
    std::string broken;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool escaped = bytes[i] == '\\' && i + 1 < bytes.size();
      broken += escaped && bytes[i + 1] == 'n' ? '\n' : bytes[i];
      if (escaped && bytes[++i] != 'n') broken += bytes[i];
    }
    bytes = std::move(broken);
  }};
}

Script PrettyPrinted() {
  return {.bytes = [](Fault&, std::string& bytes) {
    if (IsLong(bytes)) bytes.replace(0, 1, "{\n  ");
  }};
}

/// Writes above 4 KiB are done in two halves, and the second one waits for its turn.
Script InterleavedWrites() {
  constexpr std::size_t kAtomic = 4096;
  const auto rest = std::make_shared<std::string>();
  return {.bytes = [rest](Fault& fault, std::string& bytes) {
    const std::string earlier = std::exchange(*rest, {});
    if (bytes.size() > kAtomic) {
      *rest = bytes.substr(kAtomic);
      bytes.resize(kAtomic);
      fault.scheduler().After(std::chrono::milliseconds(10), [rest, &fault] {
        if (!rest->empty()) fault.Write(std::exchange(*rest, {}));
      });
    }
    bytes += earlier;
  }};
}

bool IsBroken(const FaultyLine& line) {
  boost::system::error_code failed;
  boost::json::parse(line.text, failed);
  return failed.failed();
}

Script InvalidUtf8Fatal() {
  return {.line = [](FaultyLine& line) {
    boost::json::parse_options lenient;
    lenient.allow_invalid_utf8 = true;
    boost::system::error_code failed;
    boost::json::parse(line.text, failed, {}, lenient);
    const bool only_the_encoding = !failed && IsBroken(line);
    const bool has_high_bytes = line.text.find_first_of("\xFE\xFF\xC0\xC1") != std::string::npos;
    if (only_the_encoding || has_high_bytes) line.fault.Exit(1);
  }};
}

/// What came behind a broken line is looked at only when even more comes.
Script LinesBehindBrokenOneStuck() {
  struct State {
    bool behind = false;
    std::string stuck;
  };
  return {.line = [state = State()](FaultyLine& line) mutable {
    if (IsBroken(line)) {
      state.behind = true;
    } else if (state.behind) {
      state.behind = false;
      state.stuck = line.text;
      line.drop = true;
    } else if (!state.stuck.empty()) {
      line.fault.PassOn(std::exchange(state.stuck, {}));
    }
  }};
}

Script DeafAfterBrokenLine() {
  return {.line = [deaf = false](FaultyLine& line) mutable {
    line.drop = deaf;
    deaf = deaf || IsBroken(line);
  }};
}

Script ExitOnBrokenLine() {
  return {.line = [](FaultyLine& line) {
    if (IsBroken(line)) line.fault.Exit(0);
  }};
}

}  // namespace

std::vector<NamedFault> FramingFaults() {
  return {
      {"banner-on-stdout", "M-STDIO-STDOUT-ONLY-MCP", "BUG-001",
       "prints a version banner on stdout at start-up", BannerOnStdout},
      {"log-lines-on-stdout", "L-STDIO-stdout-clean", "BUG-002",
       "prints a log line on stdout before every second answer", LogLinesOnStdout},
      {"debug-output-during-call", "M-STDIO-STDOUT-ONLY-MCP", "BUG-003",
       "prints fragments of an object on stdout while a tool runs", DebugOutputDuringCall},
      {"content-length-output", "M-STDIO-STDOUT-ONLY-MCP", "BUG-008",
       "frames its long messages with Content-Length headers", ContentLengthOutput},
      {"raw-newline-in-string", "M-STDIO-NO-EMBEDDED-NEWLINE", "BUG-009",
       "writes line breaks inside strings unescaped", RawNewlineInString},
      {"pretty-printed", "L-STDIO-no-embedded-newline", "BUG-009",
       "spreads a long message over two lines", PrettyPrinted},
      {"interleaved-writes", "M-STATE-INTERLEAVED-CONVERSATIONS", "BUG-010",
       "mixes the next answer into a long one", InterleavedWrites},
      {"invalid-utf8-fatal", "L-BASE-parse-error", "BUG-016", "dies of a line that is not UTF-8",
       InvalidUtf8Fatal},
      {"stuck-behind-broken-line", "M-ERR-PARSE", "BUG-018",
       "leaves the line behind a broken one unread until more comes", LinesBehindBrokenOneStuck},
      {"deaf-after-broken-line", "L-BASE-parse-error", "BUG-023",
       "answers nothing any more after a line that is not JSON", DeafAfterBrokenLine},
      {"exit-on-broken-line", "M-ERR-PARSE", "BUG-024",
       "takes a line that is not JSON for the end of input", ExitOnBrokenLine},
  };
}

}  // namespace assay::reference
