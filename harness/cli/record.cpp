// assay record: stands between a client and a server, and writes what they did as a case.

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include "case/place.h"
#include "case/writer.h"
#include "cli/commands.h"
#include "record/relay.h"
#include "record/session.h"
#include "runner/files.h"
#include "transport/framer.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Lines are carried whole, whatever their length; longer ones are only not recorded.
constexpr std::size_t kLongestLine = std::size_t{8} << 20;

constexpr char kExamples[] = R"(Examples:
  assay record --out session.yaml -- node server.js

Name it as the server in the client's settings; it passes on every byte, both ways, and stderr:

  { "command": "assay", "args": ["record", "--out", "session.yaml", "--", "node", "server.js"] }

The case is written when the client closes the connection, and again when the server ends. Then:

  assay check session.yaml
  assay run --only-cases session.yaml -- node server.js

Ids, times and long texts become matchers. What a key calls a password, a token or the like is left
out; read the file before you share it. Exit code: the server's.)";

struct RecordOptions {
  std::string out;
};

// What a case's id can hold of a file's name.
std::string IdOf(const fs::path& file) {
  std::string id;
  for (const char c : file.stem().string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      id += static_cast<char>(std::tolower(byte));
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-')) id.pop_back();
  return id.empty() ? "session" : id;
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::string day(sizeof("2000-01-01"), '\0');
  day.resize(std::strftime(day.data(), day.size(), "%Y-%m-%d", &parts));
  return day;
}

// False when there is nothing to write.
bool Write(const std::vector<RecordedLine>& lines, const fs::path& path) {
  std::optional<RecordedCase> recorded = CaseOf(lines, "recorded", IdOf(path));
  if (!recorded) return false;
  Case& test_case = recorded->test_case;
  test_case.title = "The server answers as it did when this was recorded";
  test_case.notes = "Recorded on " + Today() + ".";
  for (const std::string& place : recorded->left_out)
    test_case.notes += " Left out: " + place + ".";
  WriteFile(path, WriteCaseFile({test_case}));
  return true;
}

int Record(const RecordOptions& options, const std::vector<std::string>& server) {
  if (server.empty()) {
    throw InputError({.file = "assay"}, "no server: put its command behind `--`");
  }
  std::vector<RecordedLine> lines;
  const auto framer = [&](bool from_client) {
    return Framer(kLongestLine, {[&lines, from_client](std::string line, bool) {
                                   lines.push_back({from_client, std::move(line)});
                                 },
                                 [](const std::string&) {}});
  };
  Framer client = framer(true);
  Framer says = framer(false);
  const fs::path path = options.out;
  int code = 0;
  try {
    code = RelayStdio(
        server, {[&](std::string_view bytes) { client.Feed(bytes); },
                 [&](std::string_view bytes) { says.Feed(bytes); }, [&] { Write(lines, path); }});
  } catch (const std::system_error& failure) {
    std::cerr << "assay record: cannot start " << failure.what() << "\n";
    return kExitUntestable;
  }
  client.End();
  says.End();
  if (!Write(lines, path)) {
    std::cerr << "assay record: no request was answered, so there is no case to write\n";
  }
  return code;
}

}  // namespace

void AddRecord(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "record", "Stand between a client and a server, and save the session as a case");
  const auto options = std::make_shared<RecordOptions>();
  command->add_option("--out", options->out, "The case file to write")
      ->type_name("FILE")
      ->required();
  command->footer(kExamples);
  command->callback(
      [options, line] { line.chosen = [options, line] { return Record(*options, line.server); }; });
}

}  // namespace assay
