// Building scripts, and the loop around one exchange.

#include "testing/playback.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "case/loader.h"
#include "exchange/envelope.h"
#include "transport/containment.h"
#include "transport/stdio_channel.h"

namespace assay {

std::string ResultLine(const std::string& result) {
  return R"({"jsonrpc":"2.0","id":$ID,"result":)" + result + "}";
}

std::string ErrorLine(int code) {
  return R"({"jsonrpc":"2.0","id":$ID,"error":{"code":)" + std::to_string(code) +
         R"(,"message":"No"}})";
}

std::string NotificationLine(const std::string& method) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"("})";
}

namespace {

const char kServerInfo[] =
    R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"playback","version":"1"}})";

}  // namespace

std::string ModernToolsLine(const std::string& more) {
  return ResultLine(R"({"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private")" +
                    more + kServerInfo + "}");
}

Script& Script::On(const std::string& when) {
  rules_.items().push_back(Json::Object({{"when", Json::String(when)}, {"say", Json::Array()}}));
  return *this;
}

Script& Script::Once() {
  rule().Set("once", Json::Boolean(true));
  return *this;
}

Script& Script::Say(const std::string& line) {
  Json lines = *rule().Find("say");
  lines.items().push_back(Json::String(line));
  rule().Set("say", lines);
  return *this;
}

Script& Script::Write(const std::string& bytes) {
  rule().Set("raw", Json::String(bytes));
  return *this;
}

Script& Script::Hold(const std::string& name) {
  rule().Set("hold", Json::String(name));
  return *this;
}

Script& Script::Release(const std::string& name) {
  rule().Set("release", Json::String(name));
  return *this;
}

Script& Script::Tell(const std::string& path) {
  rule().Set("tell", Json::String(path));
  return *this;
}

Script& Script::Exit(int code) {
  rule().Set("exit", Json::Integer(code));
  return *this;
}

Script& Script::CloseOutput() {
  rule().Set("close", Json::String("stdout"));
  return *this;
}

Script& Script::Legacy() {
  On("initialize")
      .Say(ResultLine(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                      R"("serverInfo":{"name":"playback","version":"1"}})"));
  On("ping").Say(ResultLine("{}"));
  On("tools/list").Say(ResultLine(R"({"tools":[]})"));
  On("server/discover").Say(ErrorLine(-32601));
  return *this;
}

Script& Script::Modern() {
  On("server/discover")
      .Say(ResultLine(R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
                      R"("capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private")" +
                      std::string(kServerInfo) + "}"));
  On("tools/list").Say(ModernToolsLine());
  On("initialize").Say(ErrorLine(-32022));
  return *this;
}

Playback::Playback(const Script& script) {
  path_ = (std::filesystem::temp_directory_path() / "assay-script-XXXXXX").string();
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw std::runtime_error("no temporary file");
  ::close(file);
  std::ofstream(path_, std::ios::binary) << script.Dump();
}

Playback::~Playback() { std::filesystem::remove(path_); }

Command Playback::command() const { return {.argv = {ASSAY_PLAYBACK, path_}, .environment = {}}; }

namespace {

Library& Rules() {
  static Library library = LoadBuiltinRules();
  return library;
}

}  // namespace

const Library& LibraryWith(std::vector<Case> cases) {
  Rules().cases = std::move(cases);
  return Rules();
}

std::vector<Case> CasesOf(const std::string& yaml) {
  std::vector<InputError> problems;
  std::vector<Case> cases = LoadCaseFile("test.yaml", yaml, Rules().catalogue, &problems);
  for (const InputError& problem : problems) {
    ADD_FAILURE() << ToString(problem.place()) << ": " << problem.what();
  }
  return cases;
}

Case CaseOf(Era era, const std::string& requires_ids, const std::string& steps) {
  std::string yaml = "suite: test\nera: " + std::string(ToString(era)) +
                     "\ncases:\n  - id: case\n    title: A case\n    requires: [" + requires_ids +
                     "]\n    steps:\n";
  std::stringstream stream(steps);
  for (std::string line; std::getline(stream, line);) yaml += "      " + line + "\n";
  std::vector<Case> cases = CasesOf(yaml);
  if (cases.size() != 1) throw std::runtime_error("not one case:\n" + yaml);
  return cases.front();
}

ExchangeOutcome Play(const Script& script, const Case& test_case, const PlaySettings& settings) {
  ::signal(SIGPIPE, SIG_IGN);
  AdoptOrphans();
  const Playback server(script);
  Loop loop;
  ExchangeSettings exchange;
  exchange.timeout = settings.timeout;
  exchange.revision = test_case.era == Era::kLegacy   ? std::string(kNewestLegacy)
                      : test_case.era == Era::kModern ? std::string(kNewestModern)
                                                      : "";
  exchange.shapes = &Rules().shapes;
  exchange.connect = [&](std::string) -> Task<std::shared_ptr<Connection>> {
    co_return std::make_shared<Connection>(loop, StartStdioServer(loop, server.command(), {}));
  };
  ExchangeOutcome outcome;
  const auto run = [&]() -> Task<void> {
    const std::shared_ptr<Connection> connection = co_await exchange.connect("");
    outcome = co_await RunExchange(loop, test_case, exchange, connection, settings.alone);
    co_await connection->channel().Shutdown(exchange.grace);
  };
  loop.Spawn(run());
  loop.Run();
  return outcome;
}

std::string Messages(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += (text.empty() ? "" : "\n") + finding.requirement + (finding.at_most_warn ? "?" : "") +
            ": " + finding.message;
  }
  return text;
}

bool Happened(const Transcript& transcript, Entry::Event event) {
  for (const Entry& entry : transcript.entries) {
    if (entry.event == event) return true;
  }
  return false;
}

}  // namespace assay
