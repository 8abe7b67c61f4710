// Transcripts as text, for tests.

#include "testing/transcript_text.h"

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "case/builtin.h"
#include "oracle/oracle.h"

namespace assay::oracle {
namespace {

std::string Expand(std::string text) {
  const std::pair<std::string, std::string> words[] = {
      {"$2026", R"({"_meta":{$ENV}})"},
      {"$ENV", R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{})"},
      {"$DONE", R"("resultType":"complete",)"
                R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}})"},
      {"$KEEP", R"("ttlMs":0,"cacheScope":"private")"}};
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

std::string Or(const std::string& text, const std::string& otherwise) {
  return text.empty() ? otherwise : text;
}

// The JSON-RPC message behind a short form, or nothing when `sign` is none.
std::optional<std::string> LongForm(const std::string& sign, std::string rest) {
  const std::string begin = R"({"jsonrpc":"2.0",)";
  const auto method = [&rest] {
    const std::string name = TakeWord(rest);
    return R"("method":")" + name + "\"" + (rest.empty() ? "" : R"(,"params":)" + rest) + "}";
  };
  if (sign == "->" || sign == "<-") return begin + method();
  const bool with_id = sign == "=>" || sign == ">=" || sign == "<=" || sign == "<!" || sign == "<?";
  if (!with_id) return std::nullopt;
  const std::string id = R"("id":)" + TakeWord(rest) + ",";
  if (sign == "=>" || sign == "<?") return begin + id + method();
  if (sign != "<!") return begin + id + R"("result":)" + Or(rest, "{}") + "}";
  if (rest[0] != '{') rest = R"({"code":)" + rest + R"(,"message":"no"})";
  return begin + id + R"("error":)" + rest + "}";
}

std::string Handshake(std::string text) {
  const std::string revision = TakeWord(text);
  const std::string server = Or(TakeWord(text), "{}");
  const std::string client = Or(text, "{}");
  return "era: legacy\nrevision: " + revision + "\n=> 0 initialize {\"protocolVersion\":\"" +
         revision + "\",\"capabilities\":" + client +
         R"(,"clientInfo":{"name":"a","version":"1"}})" + "\n<= 0 {\"protocolVersion\":\"" +
         revision + "\",\"capabilities\":" + server +
         R"(,"serverInfo":{"name":"s","version":"1"}})" + "\n-> notifications/initialized\n";
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
      {"head", Entry::Event::kHttpHead},
      {"id", Entry::Event::kHttpEventId},
      {"no-data", Entry::Event::kHttpNoData},
      {"retry", Entry::Event::kHttpRetry},
      {"body", Entry::Event::kHttpBody},
      {"end", Entry::Event::kHttpEnd},
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

// NAME: VALUE | NAME: VALUE
std::vector<HttpField> FieldsOf(std::string_view text) {
  std::vector<HttpField> fields;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(" | "), text.size());
    const std::string_view field = text.substr(0, end);
    const std::size_t colon = field.find(": ");
    if (colon == std::string_view::npos)
      throw std::invalid_argument("no field: " + std::string(field));
    fields.push_back({std::string(field.substr(0, colon)), std::string(field.substr(colon + 2))});
    text.remove_prefix(std::min(end + 3, text.size()));
  }
  return fields;
}

// Puts an entry into its HTTP exchange. `heads` are those that came so far.
void Carry(Entry& entry, int exchange, std::map<int, std::shared_ptr<const HttpHead>>& heads) {
  entry.exchange = exchange;
  if (entry.direction == Entry::Direction::kOut) {
    if (entry.request == nullptr) {
      entry.request = std::make_shared<const HttpRequest>(
          HttpRequest{.method = "POST",
                      .path = "",
                      .fields = {{"Content-Type", "application/json"},
                                 {"Accept", "application/json, text/event-stream"}},
                      .body = ""});
    }
    return;
  }
  std::string words = entry.bytes;
  const std::string word = TakeWord(words);
  switch (entry.event) {
    case Entry::Event::kHttpHead: {
      HttpHead head{.status = std::stoi(TakeWord(words)), .fields = {}};
      head.fields = FieldsOf(words);
      heads[exchange] = std::make_shared<const HttpHead>(std::move(head));
      break;
    }
    case Entry::Event::kHttpEventId:
    case Entry::Event::kHttpBody:
    case Entry::Event::kHttpEnd:
      entry.bytes = words;
      break;
    default:
      break;
  }
  entry.head = heads[exchange];
}

const Shapes& BuiltinShapes() {
  static const Shapes shapes = [] {
    Shapes all;
    for (const BuiltinFile& file : BuiltinFiles("shapes/")) {
      all.AddFile(std::string(file.path), file.text);
    }
    return all;
  }();
  return shapes;
}

}  // namespace

Transcript ParseTranscript(std::string_view text) {
  Transcript transcript;
  std::string step;
  std::map<int, std::shared_ptr<const HttpHead>> heads;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.empty() || line[0] == '#') continue;
    const bool other = line[0] == '~';
    if (other) line.erase(0, 2);
    int exchange = 0;
    const auto [digits, failed] = std::from_chars(line.data(), line.data() + line.size(), exchange);
    if (failed == std::errc() && *digits == ':') TakeWord(line);
    const std::string sign = TakeWord(line);
    if (sign == "era:") {
      transcript.era = line == "modern" ? Era::kModern : Era::kLegacy;
    } else if (sign == "revision:") {
      transcript.revision = line;
    } else if (sign == "open:") {
      Transcript opened = ParseTranscript(Handshake(line));
      transcript.era = opened.era;
      transcript.revision = opened.revision;
      for (Entry& entry : opened.entries) transcript.entries.push_back(std::move(entry));
    } else if (sign == "http:") {
      transcript.over_http = {"main", "other"};
    } else if (sign == "shared:") {
      transcript.shared = true;
    } else if (sign == "@") {
      step = line;
    } else {
      Entry entry;
      if (sign == "!") {
        entry = EventOf(line);
      } else if (sign == "GET" || sign == "POST" || sign == "DELETE") {
        entry.request = std::make_shared<const HttpRequest>(
            HttpRequest{.method = sign, .path = "", .fields = FieldsOf(line), .body = ""});
        entry.by_harness = true;
      } else if (const auto message = LongForm(sign, line);
                 message || sign == ">" || sign == ">|" || sign == "<" || sign == "<|") {
        const bool out =
            sign == ">" || sign == ">|" || sign == "=>" || sign == "->" || sign == ">=";
        entry.direction = out ? Entry::Direction::kOut : Entry::Direction::kIn;
        entry.bytes = Expand(message.value_or(line));
        entry.message = ParseMessage(entry.bytes);
        entry.unterminated = sign == "<|" || sign == ">|";
      } else {
        throw std::invalid_argument("no such sign: " + sign);
      }
      entry.connection = other ? "other" : "main";
      entry.step = step;
      entry.at = std::chrono::seconds(transcript.entries.size());
      if (exchange != 0) Carry(entry, exchange, heads);
      transcript.entries.push_back(std::move(entry));
    }
  }
  return transcript;
}

std::vector<Finding> FindingsOf(std::string_view text) { return FindingsOf(ParseTranscript(text)); }

std::vector<Finding> FindingsOf(const Transcript& transcript) {
  return JudgeTranscript(transcript, BuiltinShapes());
}

std::vector<std::string> UnjudgedIn(std::string_view text) {
  std::vector<Unjudged> unjudged;
  JudgeTranscript(ParseTranscript(text), BuiltinShapes(), &unjudged);
  std::vector<std::string> lines;
  lines.reserve(unjudged.size());
  for (const Unjudged& one : unjudged) lines.push_back(one.requirement + ": " + one.why);
  return lines;
}

std::vector<std::string> Verdicts(std::string_view text) {
  std::vector<std::string> verdicts;
  for (const Finding& finding : FindingsOf(text)) {
    verdicts.push_back(finding.requirement + (finding.at_most_warn ? "?" : ""));
  }
  return verdicts;
}

}  // namespace assay::oracle
