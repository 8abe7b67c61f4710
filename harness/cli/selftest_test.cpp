// assay selftest. One fault takes the clean runs as well, all cases over both transports: some ten
// seconds.

#include <gtest/gtest.h>

#include "runner/files.h"
#include "testing/program.h"

namespace assay {
namespace {

using SelftestCommand = ProgramTest;

TEST_F(SelftestCommand, SaysWhoCatchesAFault) {
  const std::string out = (folder / "out").string();
  const Ran ran = Assay({"selftest", "--fault", "banner-on-*", "--server", ASSAY_REFERENCE_SERVER,
                         "--jobs", "4", "--report", out});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("caught   banner-on-stdout  M-STDIO-STDOUT-ONLY-MCP  by "),
            std::string::npos)
      << ran.out;
  const Json matrix = Parsed(ReadFile(out + "/kill-matrix.json"));
  ASSERT_EQ(matrix.Find("faults")->items().size(), 1U);
  EXPECT_TRUE(matrix.Find("faults")->items()[0].Find("caught")->boolean());
  EXPECT_NE(ReadFile(out + "/kill-matrix.md").find("banner-on-stdout"), std::string::npos);
}

TEST_F(SelftestCommand, AFaultThatThereIsNotIsBadUsage) {
  EXPECT_EQ(Assay({"selftest", "--fault", "no-such", "--server", ASSAY_REFERENCE_SERVER}).code, 2);
}

}  // namespace
}  // namespace assay
