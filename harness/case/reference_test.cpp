#include "case/reference.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "case/format.h"
#include "message/matcher.h"

namespace assay {
namespace {

TEST(ReferenceTest, IsWhatTheDocumentationSays) {
  std::ifstream file(ASSAY_SOURCE_DIR "/docs/case-reference.md");
  const std::string documented{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(documented, CaseReference())
      << "write it anew: assay schema --markdown > docs/case-reference.md";
}

TEST(ReferenceTest, HasEveryKeyAndMatcher) {
  const std::string text = CaseReference();
  for (const Part& step : Steps()) {
    EXPECT_NE(text.find("### `" + std::string(step.name) + "`\n"), std::string::npos) << step.name;
    for (const Key& key : step.keys) {
      EXPECT_NE(text.find("| `" + std::string(key.name) + "`"), std::string::npos) << key.name;
    }
  }
  for (const MatcherText& matcher : MatcherTexts()) {
    EXPECT_NE(text.find("| `" + matcher.written + "` |"), std::string::npos) << matcher.written;
  }
}

TEST(ReferenceTest, LinksLeadToHeadings) {
  const std::string text = CaseReference();
  std::set<std::string> headings;
  const std::regex heading("\n#+ `?([A-Za-z ]+)`?\n");
  for (std::sregex_iterator at(text.begin(), text.end(), heading); at != std::sregex_iterator();
       ++at) {
    std::string anchor;
    for (const char c : (*at)[1].str()) {
      anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    EXPECT_TRUE(headings.insert(anchor).second) << anchor << " is there twice";
  }
  const std::regex link("\\]\\(#([a-z-]+)\\)");
  for (std::sregex_iterator at(text.begin(), text.end(), link); at != std::sregex_iterator();
       ++at) {
    EXPECT_TRUE(headings.contains((*at)[1].str())) << (*at)[1].str();
  }
}

}  // namespace
}  // namespace assay
