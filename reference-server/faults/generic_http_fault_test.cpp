#include "faults/generic_http_fault.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

HttpScript Made(std::string_view specification) {
  return std::get<HttpScript>(MakeGenericHttpFault(specification));
}

HttpResponse Spoiled(std::string_view specification, HttpResponse response) {
  Made(specification).response({}, response);
  return response;
}

TEST(GenericHttpFault, ChangesOneStatusAndNoOther) {
  EXPECT_EQ(Spoiled("http-status=400:200", {400}).status, 200);
  EXPECT_EQ(Spoiled("http-status=400:200", {404}).status, 404);
}

TEST(GenericHttpFault, LeavesAHeaderOutOfAnswers) {
  EXPECT_TRUE(Spoiled("http-without=allow", {405, {{"Allow", "POST"}}}).headers.empty());
}

TEST(GenericHttpFault, GivesAHeaderOfAnswersAnotherValue) {
  const HttpResponse spoiled = Spoiled("http-header=allow:GET", {405, {{"Allow", "POST"}}});
  EXPECT_EQ(spoiled.headers.front().value, "GET");
  EXPECT_TRUE(Spoiled("http-header=allow:GET", {405}).headers.empty());
}

TEST(GenericHttpFault, HidesAHeaderOfRequests) {
  HttpRequest request{"POST", "/mcp", {{"Origin", "http://a"}, {"Accept", "*/*"}}, ""};
  Made("http-ignore=origin").request(request);
  EXPECT_FALSE(request.Header("Origin"));
  EXPECT_TRUE(request.Header("Accept"));
}

TEST(GenericHttpFault, PatchesOnlyBodiesThatThePatchFits) {
  const std::string patch = R"(http-body=[{"op":"remove","path":"/a"}])";
  EXPECT_EQ(Spoiled(patch, {200, {}, R"({"a":1,"b":2})"}).body, R"({"b":2})");
  EXPECT_EQ(Spoiled(patch, {200, {}, R"({"b":2})"}).body, R"({"b":2})");
}

TEST(GenericHttpFault, ReplacesTextInEvents) {
  std::string event = "id: 1\ndata: {}\n\n";
  Made("http-event=id: 1|id: 2").event({}, event);
  EXPECT_EQ(event, "id: 2\ndata: {}\n\n");
}

TEST(GenericHttpFault, SaysWhatIsWrong) {
  for (const char* wrong :
       {"http-status=400", "http-status=a:b", "http-body={", "http-body={}", "http-event=a",
        "http-header=a", "http-first=a:ping", "http-nothing=a"}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(MakeGenericHttpFault(wrong))) << wrong;
  }
}

}  // namespace
}  // namespace assay::reference
