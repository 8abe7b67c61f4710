#include "catalog/page.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(Cursor, ComesBackAsThePositionItNamed) {
  const std::string cursor = MakeCursor("tools", 20);
  EXPECT_EQ(cursor, MakeCursor("tools", 20));
  EXPECT_EQ(ReadCursor("tools", cursor), 20U);
}

TEST(Cursor, IsNoCursorElsewhereOrChanged) {
  const std::string cursor = MakeCursor("tools", 20);
  EXPECT_FALSE(ReadCursor("prompts", cursor));
  EXPECT_FALSE(ReadCursor("tools", ""));
  EXPECT_FALSE(ReadCursor("tools", "no-such-cursor"));
  EXPECT_FALSE(ReadCursor("tools", cursor.substr(0, cursor.size() - 1)));
  EXPECT_FALSE(ReadCursor("tools", cursor + "0"));
}

}  // namespace
}  // namespace assay::reference
