// Runs `assay` as people and scripts do: what tests of its commands share.

#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "message/json.h"
#include "runner/temporary_folder.h"
#include "testing/playback.h"

namespace assay {

using Words = std::vector<std::string>;

// WORDS -- SERVER
Words Against(const Words& server, Words words);

Json Parsed(const std::string& text);

// The verdicts of a report.
using ByCase = std::map<std::string, std::string>;
ByCase Verdicts(const Json& report);

// Cases of which, with the server of RunBroken, s/held holds, s/broken breaks a MUST, and s/soft
// what is only described.
extern const char kCases[];
// Cases good/ping@one, @two and @three, which hold with every server.
extern const char kGoodCases[];

class ProgramTest : public testing::Test {
 protected:
  ProgramTest();

  struct Ran {
    int code = -1;
    std::string out;
    std::string err;
  };

  // Runs `assay` with these words in `folder`. `meanwhile` is called when it has started.
  Ran Assay(const Words& words, const std::function<void(pid_t)>& meanwhile = nullptr) const;

  // assay run --only-cases CASES OPTIONS -- SERVER
  Ran Run(const std::string& cases, const Words& options, const Words& server,
          const std::function<void(pid_t)>& meanwhile = nullptr) const;
  // The same with kCases and a server for which they are made.
  Ran RunBroken(const Words& options) const;
  // That server.
  Words broken() const { return broken_.command().argv; }

  // Writes a file into the folder; returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  const TemporaryFolder temporary_{"program"};
  const Playback broken_;

 protected:
  const std::filesystem::path folder = temporary_.path();
  const Words reference = {ASSAY_REFERENCE_SERVER};
};

}  // namespace assay
