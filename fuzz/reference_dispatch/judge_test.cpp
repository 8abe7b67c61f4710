#include "fuzz/reference_dispatch/judge.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "era/loopback_for_test.h"
#include "faults/fault_chain.h"
#include "faults/fault_list.h"
#include "fuzz/reference/server.h"

namespace assay::fuzz {
namespace {

using reference::Bare;
using reference::Enveloped;
using reference::Initialize;
using reference::Notify;

// A server with a fault is told `lines`, all the time passes, and the input ends.
void Talk(std::string_view fault, const std::vector<std::string>& lines) {
  reference::Settings settings;
  std::vector<std::unique_ptr<reference::Fault>> faults;
  if (!fault.empty()) {
    reference::AnyFault made = std::get<reference::AnyFault>(reference::MakeFault(fault));
    faults.push_back(std::get<std::unique_ptr<reference::Fault>>(std::move(made)));
    reference::StdioSettings stdio;
    faults.back()->Configure(settings, stdio);
  }
  Server server({});
  Judge judge({});
  reference::FaultChain chain(std::move(faults), settings, server.services(), judge, [](int) {});
  chain.HandleStart();
  for (const std::string& line : lines) {
    judge.Sending(line);
    chain.HandleLine(line);
    judge.Sent();
  }
  server.Advance(std::chrono::hours(2));
  judge.Waited();
  chain.HandleEnd();
  judge.Ended();
}

struct Broken {
  std::string fault;
  std::vector<std::string> lines;
  std::string rule;
};

const std::vector<Broken>& All() {
  static const std::vector<Broken> all{
      {"negative-ids-dropped", {Enveloped("-1", "tools/list")}, "is answered"},
      {"empty-method-dropped", {Enveloped("1", "")}, "is answered"},
      {"numeric-ids-become-strings", {Enveloped("7", "tools/list")}, "only a request in flight"},
      {"unknown-notification-answered",
       {Enveloped("1", "tools/list"), Notify("notifications/other")},
       "one of the protocol's"},
      {"errors-lose-id", {Enveloped("1", "nope")}, "only what cannot be read"},
      {"log-lines-on-stdout",
       {Enveloped("1", "tools/list"), Enveloped("2", "tools/list")},
       "a message is"},
      {"raw-newline-in-string",
       {Enveloped("1", "tools/call", R"("name":"echo","arguments":{"message":"a\nb"})")},
       "a message is one line"},
      {"pre-initialize-invalid-params", {Bare("1", "tools/list")}, "an invalid request"},
      {"pre-initialize-served", {Bare("1", "tools/list")}, "must be refused"},
      {"initialize-served-after-envelope",
       {Enveloped("1", "tools/list"), Initialize("2025-11-25", "2")},
       "must be refused"},
      {"unsupported-is-invalid-params",
       {Enveloped("1", "tools/list"), Initialize("2025-11-25", "2")},
       "refused for its version"},
      {"tool-failure-code-zero",
       {Enveloped("1", "tools/call", R"("name":"test_error_handling")")},
       "the era has the error code"},
      {"retired-not-found-code",
       {Enveloped("1", "resources/read", R"("uri":"test://none")")},
       "the era has the error code"},
      {"parse-error-internal-error", {"{"}, "a parse error or an invalid request"}};
  return all;
}

class JudgeTest : public testing::TestWithParam<Broken> {};

TEST_P(JudgeTest, SeesTheFault) {
  Talk("", GetParam().lines);
  EXPECT_DEATH(Talk(GetParam().fault, GetParam().lines), GetParam().rule);
}

std::string NameOf(const testing::TestParamInfo<Broken>& broken) {
  std::string name = broken.param.fault;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Dispatch, JudgeTest, testing::ValuesIn(All()), NameOf);

}  // namespace
}  // namespace assay::fuzz
