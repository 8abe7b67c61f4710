#include "reports/junit.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <sstream>
#include <string>

#include "reports/sample_report.h"

namespace assay {
namespace {

std::string Written(const Report& report) {
  std::ostringstream out;
  WriteJUnit(report, out);
  return out.str();
}

class JUnit : public testing::Test {
 protected:
  void Load(const Report& report) {
    text_ = Written(report);
    ASSERT_TRUE(document_.load_string(text_.c_str()));
  }

  pugi::xml_node Test(const std::string& name) const {
    return document_.select_node(("//testcase[@name='" + name + "']").c_str()).node();
  }
  std::string Attribute(const std::string& path, const char* name) const {
    return document_.select_node(path.c_str()).node().attribute(name).value();
  }

  std::string text_;
  pugi::xml_document document_;
};

TEST_F(JUnit, SortsResultsByWhatCounts) {
  Load(SampleReport());
  EXPECT_EQ(Attribute("/testsuites", "tests"), "11");
  EXPECT_EQ(Attribute("/testsuites", "failures"), "4");  // two, the folded one, the stale entry
  EXPECT_EQ(Attribute("/testsuites", "errors"), "1");
  EXPECT_EQ(Attribute("//testsuite[@name='modern/prompts']", "skipped"), "1");
  const pugi::xml_node failed = Test("unsupported (2026-07-28 stdio)");
  EXPECT_STREQ(failed.attribute("classname").value(), "modern.versioning");
  EXPECT_STREQ(failed.attribute("time").value(), "0.001");
  EXPECT_STREQ(failed.child("failure").attribute("message").value(),
               "The error's code is not -32022.");
  EXPECT_STREQ(failed.child("failure").attribute("type").value(), "M-VER-UNSUPPORTED");
  EXPECT_TRUE(Test("cancel (2026-07-28 stdio)").child("error"));
  EXPECT_STREQ(Test("list (2026-07-28 stdio)").child("skipped").attribute("message").value(),
               "the server does not declare it: prompts");
  EXPECT_STREQ(Test("unknown (2026-07-28 stdio)").child("skipped").attribute("message").value(),
               "known: issue # 1234");
  EXPECT_EQ(Attribute("//testsuite[@name='baseline']/testcase/failure", "type"), "M-OLD");
}

TEST_F(JUnit, AWarningFailsOnlyWhereItIsRequired) {
  Report report = SampleReport();
  Load(report);
  const pugi::xml_node passed = Test("late (2026-07-28 stdio)");
  EXPECT_FALSE(passed.child("failure"));
  EXPECT_NE(std::string(passed.child_value("system-out")).find("warn: The answer to"),
            std::string::npos);
  report.required = {"must", "should"};
  Load(report);
  EXPECT_TRUE(Test("late (2026-07-28 stdio)").child("failure"));
}

TEST_F(JUnit, HostileTextStaysText) {
  Load(SampleReport());
  const std::string output = Test("unsupported (2026-07-28 stdio)").child_value("system-out");
  EXPECT_NE(output.find(R"(← {"id":1,"error":"]]>\x1b[2J\xff"})"), std::string::npos);
  EXPECT_NE(output.find("assay run --cases"), std::string::npos);
  for (const char c : text_) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  EXPECT_EQ(FindInvalidUtf8(text_), std::string_view::npos);
}

TEST_F(JUnit, ACaseIsInTheSuiteBeforeItsLastSlashWhateverItsVariant) {
  Report report;
  report.results = {SampleResult("a/b/c@x/y", Verdict::kPass, "M"),
                    SampleResult("alone", Verdict::kPass, "M")};
  Load(report);
  EXPECT_EQ(Attribute("/testsuites/testsuite[1]", "name"), "a/b");
  EXPECT_TRUE(Test("c@x/y (2026-07-28 stdio)"));
  EXPECT_EQ(Attribute("/testsuites/testsuite[2]", "name"), "alone");
}

}  // namespace
}  // namespace assay
