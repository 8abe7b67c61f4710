// Spawns the program, and waits for it.

#include "testing/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/files.h"

namespace assay {

const char kCases[] = R"(suite: s
era: legacy
cases:
  - id: held
    title: A ping is answered
    requires: [L-PING-respond]
    steps:
      - request: { method: ping }
        expect: { result: {} }
  - id: broken
    title: The tools can be listed
    requires: [L-BASE-response-id-echo]
    steps:
      - request: { method: tools/list }
        expect: { result: { tools: $array } }
  - id: soft
    title: An unknown method is refused as such
    requires: [L-BASE-error-message-concise]
    steps:
      - request: { method: assay/unknown }
        expect: { error: { code: -1 } }
)";

const char kGoodCases[] = R"(suite: good
era: legacy
cases:
  - id: ping
    title: A ping is answered
    requires: [L-PING-respond]
    vary:
      one: { word: a }
      two: { word: b }
      three: { word: c }
    steps:
      - request: { method: ping, params: { word: "${word}" } }
        expect: { result: {} }
)";

namespace {

Script BrokenScript() {
  Script script;
  script.On("tools/list").Say(ErrorLine(-32603));
  script.On("assay/unknown").Say(ErrorLine(-32601));
  return script.Legacy();
}

}  // namespace

Words Against(const Words& server, Words words) {
  words.emplace_back("--");
  words.insert(words.end(), server.begin(), server.end());
  return words;
}

Json Parsed(const std::string& text) {
  const JsonParse parse = ParseJson(text);
  EXPECT_TRUE(parse.value) << parse.error << " in:\n" << text.substr(0, 500);
  return parse.value.value_or(Json());
}

ByCase Verdicts(const Json& report) {
  ByCase verdicts;
  for (const Json& result : report.Find("results")->items()) {
    verdicts[*result.FindString("case")] = *result.FindString("verdict");
  }
  return verdicts;
}

ProgramTest::ProgramTest() : broken_(BrokenScript()) {}

ProgramTest::Ran ProgramTest::Assay(const Words& words,
                                    const std::function<void(pid_t)>& meanwhile) const {
  Words argv = {ASSAY};
  argv.insert(argv.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : argv) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = (folder / "stdout").string();
  const std::string err = (folder / "stderr").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = -1;
  EXPECT_EQ(::posix_spawn(&pid, ASSAY, &actions, nullptr, pointers.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  if (meanwhile) meanwhile(pid);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(err)};
}

ProgramTest::Ran ProgramTest::Run(const std::string& cases, const Words& options,
                                  const Words& server,
                                  const std::function<void(pid_t)>& meanwhile) const {
  Words words = {"run", "--only-cases", Write("cases.yaml", cases)};
  words.insert(words.end(), options.begin(), options.end());
  return Assay(Against(server, words), meanwhile);
}

ProgramTest::Ran ProgramTest::RunBroken(const Words& options) const {
  return Run(kCases, options, broken());
}

std::string ProgramTest::Write(const std::string& name, const std::string& text) const {
  WriteFile(folder / name, text);
  return (folder / name).string();
}

}  // namespace assay
