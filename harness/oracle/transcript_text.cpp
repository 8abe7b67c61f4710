// Transcripts as text, for tests.

#include "oracle/transcript_text.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "oracle/oracle.h"

namespace assay::oracle {
namespace {

constexpr std::string_view kEnvelope =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{})";

std::string Expand(std::string text) {
  const std::pair<std::string, std::string> words[] = {
      {"$2026", R"({"_meta":{$ENV}})"}, {"$ENV", std::string(kEnvelope)}};
  for (const auto& [word, meaning] : words) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.replace(at, word.size(), meaning);
    }
  }
  return text;
}

std::string TakeWord(std::string& text) {
  const std::size_t end = text.find(' ');
  std::string word = text.substr(0, end);
  text = end == std::string::npos ? "" : text.substr(end + 1);
  return word;
}

Entry EventOf(std::string text) {
  static const std::map<std::string, Entry::Event> kEvents = {
      {"started", Entry::Event::kStarted},
      {"closed", Entry::Event::kInputClosed},
      {"output-closed", Entry::Event::kOutputClosed},
      {"exited", Entry::Event::kExited},
      {"died", Entry::Event::kExited},
      {"killed", Entry::Event::kKilled},
      {"hang", Entry::Event::kHang},
      {"dropped", Entry::Event::kDropped},
      {"overlong", Entry::Event::kOverlongLine},
      {"flood", Entry::Event::kFlood},
      {"orphans", Entry::Event::kOrphans},
      {"signal", Entry::Event::kNone},
  };
  Entry entry;
  entry.direction = Entry::Direction::kEvent;
  entry.bytes = text;
  const std::string word = TakeWord(text);
  entry.event = kEvents.at(word);
  if (word == "exited") entry.exit_code = std::stoi(text);
  if (word == "died") entry.signal = std::stoi(text);
  if (word == "dropped") entry.message = ParseMessage(Expand(text));
  return entry;
}

const Shapes& BuiltInShapes() {
  static const Shapes shapes = [] {
    Shapes all;
    std::set<std::filesystem::path> files;
    const std::filesystem::path folder = std::filesystem::path(ASSAY_SOURCE_DIR) / "cases/shapes";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() == ".yaml") files.insert(file.path());
    }
    for (const std::filesystem::path& path : files) {
      std::ifstream in(path);
      std::stringstream text;
      text << in.rdbuf();
      all.AddFile(path.filename().string(), text.str());
    }
    return all;
  }();
  return shapes;
}

}  // namespace

Transcript ParseTranscript(std::string_view text) {
  Transcript transcript;
  std::string step;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.empty() || line[0] == '#') continue;
    const bool other = line[0] == '~';
    if (other) line.erase(0, 2);
    const std::string sign = TakeWord(line);
    if (sign == "era:") {
      transcript.era = line == "modern" ? Era::kModern : Era::kLegacy;
    } else if (sign == "revision:") {
      transcript.revision = line;
    } else if (sign == "client:") {
      transcript.client_capabilities = *ParseJson(line).value;
    } else if (sign == "shared:") {
      transcript.shared = true;
    } else if (sign == "@") {
      step = line;
    } else {
      Entry entry;
      if (sign == "!") {
        entry = EventOf(line);
      } else if (sign == ">" || sign == "<" || sign == "<|") {
        entry.direction = sign == ">" ? Entry::Direction::kOut : Entry::Direction::kIn;
        entry.bytes = Expand(line);
        entry.message = ParseMessage(entry.bytes);
        entry.unterminated = sign == "<|";
      } else {
        throw std::invalid_argument("no such sign: " + sign);
      }
      entry.connection = other ? "other" : "main";
      entry.step = step;
      transcript.entries.push_back(std::move(entry));
    }
  }
  return transcript;
}

std::vector<Finding> FindingsOf(std::string_view text) {
  return JudgeTranscript(ParseTranscript(text), BuiltInShapes());
}

std::vector<std::string> Verdicts(std::string_view text) {
  std::vector<std::string> verdicts;
  for (const Finding& finding : FindingsOf(text)) {
    verdicts.push_back(finding.requirement + (finding.at_most_warn ? "?" : ""));
  }
  return verdicts;
}

}  // namespace assay::oracle
