// Scripts for assay-playback, and running cases against it: what tests of the engine are made of.

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "exchange/exchange.h"
#include "runner/library.h"
#include "transport/channel.h"

namespace assay {

// Lines as a script says them; $ID becomes the id of what is answered.
std::string ResultLine(const std::string& result);
std::string ErrorLine(int code);
std::string NotificationLine(const std::string& method);
// A modern answer to tools/list; `more`: further members of the result, each with a comma before
// it.
std::string ModernToolsLine(const std::string& more = "");

// A script (playback_server.cpp says what its rules mean). The first rule that fits is played: the
// ones of Legacy() and Modern() come last.
class Script {
 public:
  Script& On(const std::string& when);  // begins a rule
  Script& Once();
  Script& Say(const std::string& line);
  Script& Write(const std::string& bytes);
  Script& Hold(const std::string& name);
  Script& Release(const std::string& name);
  Script& Tell(const std::string& path);
  Script& Exit(int code);
  Script& CloseOutput();
  // The rules of a well-behaved server without any tools.
  Script& Legacy();
  Script& Modern();

  std::string Dump() const { return rules_.Dump(); }

 private:
  Json& rule() { return rules_.items().back(); }

  Json rules_ = Json::Array();
};

// A script in a file that lives as long as this.
class Playback {
 public:
  explicit Playback(const Script& script);
  ~Playback();
  Playback(const Playback&) = delete;
  Playback& operator=(const Playback&) = delete;

  Command command() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The built-in requirements and shapes with these cases. There is only one: the next call changes
// it.
const Library& LibraryWith(std::vector<Case> cases);

// The cases of a file with this text. A problem with it fails the test.
std::vector<Case> CasesOf(const std::string& yaml);

// One case: `steps` is the YAML list of its steps, from the margin. It proves `requires_ids`.
Case CaseOf(Era era, const std::string& requires_ids, const std::string& steps);

struct PlaySettings {
  std::chrono::milliseconds timeout{10'000};  // long: only what must time out should wait for it
  bool alone = true;
};
// Runs one case against a server that plays `script`.
ExchangeOutcome Play(const Script& script, const Case& test_case,
                     const PlaySettings& settings = {});

// Messages of findings, one a line, and the events of a transcript: for comparing at a glance.
std::string Messages(const std::vector<Finding>& findings);
bool Happened(const Transcript& transcript, Entry::Event event);

}  // namespace assay
