#include "oracle/meta.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Legacy(const std::string& member, const std::string& revision = "2025-11-25") {
  return Verdicts("open: " + revision + "\n=> 1 ping\n<= 1 {\"_meta\":{" + member + "}}");
}
Ids Modern(const std::string& member) {
  return Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"a","_meta":{$ENV}}
    <= 1 {"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},)" +
                  member + "}}");
}

TEST(MetaTest, Keys) {
  for (const std::string good : {"\"a\":1", "\"a.b_c-d\":1", "\"com.example/x\":1",
                                 "\"com.example/\":1", "\"a1-b.c/x\":1", "\"progressToken\":1"}) {
    EXPECT_EQ(Legacy(good), Ids{}) << good;
    EXPECT_EQ(Modern(good), Ids{}) << good;
  }
  for (const std::string bad : {"\"-a\":1", "\"a b\":1", "\"a_\":1", "\"com.example/a/b\":1"}) {
    EXPECT_EQ(Legacy(bad), Ids{"L-BASE-meta-name-grammar"}) << bad;
    EXPECT_EQ(Modern(bad), Ids{"M-META-KEY-NAME-FORMAT"}) << bad;
  }
  for (const std::string bad :
       {"\"1a/b\":1", "\"a..b/c\":1", "\"/c\":1", "\"a-/b\":1", "\"a_b/c\":1"}) {
    EXPECT_EQ(Legacy(bad), Ids{"L-BASE-meta-prefix-grammar"}) << bad;
    EXPECT_EQ(Modern(bad), Ids{"M-META-KEY-PREFIX-FORMAT"}) << bad;
  }
  EXPECT_EQ(Legacy("\"-a\":1", "2025-03-26"), Ids{});
}

TEST(MetaTest, ReservedPrefixes) {
  EXPECT_EQ(Modern("\"io.modelcontextprotocol/mine\":1"), Ids{"M-META-RESERVED-PREFIX"});
  EXPECT_EQ(Modern("\"dev.mcp/mine\":1"), Ids{"M-META-RESERVED-PREFIX"});
  EXPECT_EQ(Legacy("\"dev.mcp/mine\":1"), Ids{"L-BASE-meta-reserved-prefix"});
  EXPECT_EQ(Legacy("\"mcp.dev/mine\":1", "2025-06-18"), Ids{"L-BASE-meta-reserved-prefix"});
  EXPECT_EQ(Legacy("\"com.mcp.dev/mine\":1", "2025-06-18"), Ids{"L-BASE-meta-reserved-prefix"});
  EXPECT_EQ(Legacy("\"io.modelcontextprotocol/related-task\":{\"taskId\":\"a\"}"), Ids{});
}

TEST(MetaTest, ReverseDns) {
  EXPECT_EQ(Modern("\"example.com/x\":1"), Ids{"M-META-KEY-REVERSE-DNS"});
  EXPECT_EQ(Legacy("\"example.com/x\":1"), Ids{"L-BASE-meta-reverse-dns"});
}

TEST(MetaTest, TraceContext) {
  EXPECT_EQ(Modern(R"("traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")"),
            Ids{});
  EXPECT_EQ(Modern(R"("traceparent":"none")"), Ids{"M-META-TRACE-FORMAT"});
  EXPECT_EQ(Modern(R"("baggage":{})"), Ids{"M-META-TRACE-FORMAT"});
}

TEST(MetaTest, DataOfOthersIsLeftAlone) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25 {"tools":{},"logging":{}}
    => 1 tools/call {"name":"a"}
    <- notifications/message {"level":"info","data":{"_meta":{"- -":1}}}
    <= 1 {"content":[{"type":"text","text":"{\"_meta\":{\"- -\":1}}"}],"structuredContent":{"_meta":{"- -":1}}}
  )"),
            Ids{});
}

TEST(MetaTest, ExtensionIds) {
  const auto discover = [](const std::string& id) {
    return Verdicts(R"(
      era: modern
      => 1 server/discover $2026
      <= 1 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"extensions":{")" +
                    id + "\":{}}}}");
  };
  EXPECT_EQ(discover("com.example/x"), Ids{});
  EXPECT_EQ(discover("x"), Ids{"M-EXT-ID-FORMAT"});
  EXPECT_EQ(discover("9.example/x"), Ids{"M-EXT-ID-FORMAT"});
}

TEST(MetaTest, IconsAndTimestamps) {
  const auto resource = [](const std::string& members) {
    return Verdicts(
        "open: 2025-11-25 {\"resources\":{}}\n=> 1 resources/list\n<= 1 "
        "{\"resources\":[{\"uri\":\"a:b\",\"name\":\"a\"," +
        members + "}]}");
  };
  EXPECT_EQ(
      resource(
          R"("icons":[{"src":"https://a/b.png","sizes":["48x48","any"]},{"src":"data:image/png;base64,AAAA"}])"),
      Ids{});
  EXPECT_EQ(resource(R"("icons":[{"src":"file:///a"}])"), Ids{"L-BASE-icon-src-scheme"});
  EXPECT_EQ(resource(R"("icons":[{"src":"https://a","sizes":["48"]}])"),
            Ids{"L-BASE-icon-sizes-format"});
  EXPECT_EQ(resource(R"("annotations":{"lastModified":"2025-01-12T15:00:58Z"})"), Ids{});
  EXPECT_EQ(resource(R"("annotations":{"lastModified":"yesterday"})"),
            Ids{"L-BASE-annotations-lastmodified-iso"});
}

}  // namespace
}  // namespace assay::oracle
