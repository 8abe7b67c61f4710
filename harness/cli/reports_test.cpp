// The commands that make something of reports: merge, compare, matrix.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "runner/files.h"
#include "testing/program.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using ReportsCommand = ProgramTest;

// A report but for its times.
Json WithoutTimes(const Json& report) {
  Json timeless = report;
  timeless.Remove("started");
  timeless.Remove("duration_ms");
  for (JsonMember& member : timeless.members()) {
    if (member.key != "results") continue;
    for (Json& result : member.value.items()) {
      result.Remove("duration_ms");
      for (JsonMember& inner : result.members()) {
        if (inner.key != "transcript") continue;
        for (Json& line : inner.value.items()) line.Remove("t_us");
      }
    }
  }
  return timeless;
}

TEST_F(ReportsCommand, MergedShardsAreTheReportOfTheWholeApartFromTimes) {
  const auto run = [&](const std::string& name, Words options) {
    Words words = {"run", "--filter", "modern/resources/*", "--isolate", "--report", name};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", ASSAY_REFERENCE_SERVER, "--fault", "retired-not-found-code"});
    return Assay(words).code;
  };
  EXPECT_EQ(run("whole", {}), 1);
  Words merge = {"merge", "--report", "merged"};
  for (const char* shard : {"3", "1", "4", "2"}) {
    run(shard, {"--shard", std::string(shard) + "/4"});
    merge.push_back(std::string(shard) + "/report.json");
  }
  EXPECT_EQ(Assay(merge).code, 1);
  EXPECT_EQ(WithoutTimes(Parsed(ReadFile(folder / "merged/report.json"))).Dump(),
            WithoutTimes(Parsed(ReadFile(folder / "whole/report.json"))).Dump());
  merge.pop_back();
  const Ran incomplete = Assay(merge);
  EXPECT_EQ(incomplete.code, 2);
  EXPECT_NE(incomplete.err.find("shard 2 is missing"), std::string::npos) << incomplete.err;
}

TEST_F(ReportsCommand, CompareNamesExactlyWhatBroke) {
  const auto run = [&](const std::string& name, Words fault) {
    Words words = {"run", "--filter", "modern/resources/*",  "--report",
                   name,  "--",       ASSAY_REFERENCE_SERVER};
    words.insert(words.end(), fault.begin(), fault.end());
    Assay(words);
  };
  run("clean", {});
  run("faulty", {"--fault", "retired-not-found-code"});
  std::set<std::string> failed;
  const Json faulty = Parsed(ReadFile(folder / "faulty/report.json"));
  for (const auto& [id, verdict] : Verdicts(faulty)) {
    if (verdict == "fail") failed.insert(id);
  }
  EXPECT_FALSE(failed.empty());
  const Ran compared = Assay({"compare", "clean/report.json", "faulty/report.json"});
  EXPECT_EQ(compared.code, 1);
  std::set<std::string> named;
  std::istringstream lines(compared.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string course = "  pass → fail  ";
    if (line.starts_with(course)) {
      named.insert(line.substr(course.size(), line.find(" (") - course.size()));
    }
  }
  EXPECT_EQ(named, failed);
  EXPECT_EQ(Assay({"compare", "faulty/report.json", "clean/report.json"}).code, 0);
  EXPECT_EQ(Assay({"compare", "clean/report.json", "no/report.json"}).code, 2);
}

TEST_F(ReportsCommand, OneBrokenServerDoesNotStopTheMatrix) {
  const std::string reference_server = ASSAY_REFERENCE_SERVER;
  const std::string list = Write("servers.yaml",
                                 "servers:\n"
                                 "  - { name: missing, command: [/no/such/server] }\n"
                                 "  - { name: mute, command: [\"true\"] }\n"
                                 "  - { name: whole, command: [\"" +
                                     reference_server + "\"] }\n");
  Write("assay.yaml", "server: { command: [\"false\"] }\nroles: { echo: { tool: none } }\n");
  const Ran ran = Assay({"matrix", list, "--report", "matrix"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.out.find("whole: exit 0"), std::string::npos) << ran.out;
  const std::string page = ReadFile(folder / "matrix/matrix.html");
  for (const char* name : {"missing", "mute", "whole"}) {
    EXPECT_NE(page.find(name), std::string::npos) << name;
  }
  EXPECT_TRUE(fs::exists(folder / "matrix/whole/report.html"));
  const Json report = Parsed(ReadFile(folder / "matrix/whole/report.json"));
  EXPECT_EQ(report.Find("target")->FindString("profile"), "reference");
}

}  // namespace
}  // namespace assay
