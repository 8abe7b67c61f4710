// Every fault that needs HTTP shows on ordinary exchanges with an endpoint and its guard.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "faults/fault_list.h"
#include "faults/http_fault_chain.h"
#include "faults/listed_faults_for_test.h"
#include "faults/without_chance_for_test.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http/origin_guard.h"

namespace assay::reference {
namespace {

using std::chrono::milliseconds;

std::string CallSlow(const std::string& id, int duration) {
  return Bare(id, "tools/call",
              R"({"name":"slow","_meta":{"progressToken":)" + id +
                  R"(},"arguments":{"duration_ms":)" + std::to_string(duration) +
                  R"(,"steps":2}})");
}

/// What cases of a conformance suite do over HTTP, in both eras. Returns everything that can be
/// observed.
class HttpConversation {
 public:
  explicit HttpConversation(const NamedFault* fault)
      : server_({}, [fault] { return FaultsOf<std::unique_ptr<Fault>>(fault); }),
        chain_(FaultsOf<HttpScript>(fault), guard_) {}

  std::string Run() {
    Modern();
    Headers();
    ModernStreams();
    for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26"}) {
      Legacy(version);
      LegacyStreams(version);
    }
    for (const auto& received : all_) Note(*received);
    return transcript_;
  }

 private:
  template <class Kind>
  static std::vector<Kind> FaultsOf(const NamedFault* fault) {
    std::vector<Kind> faults;
    if (fault == nullptr) return faults;
    AnyFault any = Make(*fault);
    if (Kind* found = std::get_if<Kind>(&any)) faults.push_back(std::move(*found));
    return faults;
  }

  void Note(const Received& received) {
    transcript_ += std::to_string(received.status) + (received.ended ? " ended\n" : "\n");
    for (const HttpHeader& header : received.headers) {
      transcript_ += WithoutChance(header.name + ": " + header.value + "\n");
    }
    transcript_ += WithoutChance(received.body) + "--\n";
  }

  std::shared_ptr<Received> Send(const char* method, HttpHeaders headers, std::string body = {}) {
    if (method == std::string_view("POST")) {
      headers.push_back({"Content-Type", "application/json"});
    }
    headers.push_back({"Host", "localhost"});
    headers.push_back({"Accept", "application/json, text/event-stream"});
    auto received = Exchange(chain_, {method, "/mcp", std::move(headers), std::move(body)});
    Note(*received);
    all_.push_back(received);
    return received;
  }

  std::shared_ptr<Received> Post(std::string body, HttpHeaders headers = {}) {
    return Send("POST", std::move(headers), std::move(body));
  }

  std::shared_ptr<Received> PostModern(const std::string& method, std::string body,
                                       HttpHeaders more = {}) {
    more.push_back({"MCP-Protocol-Version", "2026-07-28"});
    more.push_back({"Mcp-Method", method});
    return Post(std::move(body), std::move(more));
  }

  std::shared_ptr<Received> Call(const std::string& id, const std::string& name_header,
                                 const std::string& members, std::string_view meta = {}) {
    return PostModern("tools/call", Enveloped(id, "tools/call", members, meta),
                      {{"Mcp-Name", name_header}});
  }

  void Modern() {
    for (const char* method : {"server/discover", "tools/list", "no/such/method"}) {
      PostModern(method, Enveloped("1", method));
      PostModern(method, Enveloped("\"x\"", method));
    }
    std::string unsupported = Enveloped("1", "tools/list");
    unsupported.replace(unsupported.find("2026-07-28"), 10, "1900-01-01");
    Post(unsupported, {{"MCP-Protocol-Version", "1900-01-01"}, {"Mcp-Method", "tools/list"}});
    Call("1", "test_missing_capability", R"("name":"test_missing_capability")");
    PostModern("tools/call",
               Enveloped("1", "tools/call", R"("name":"test_input_required_result_elicitation")",
                         {}, R"({"elicitation":{}})"),
               {{"Mcp-Name", "test_input_required_result_elicitation"}});
    PostModern("notifications/cancelled", Notify("notifications/cancelled", R"({"requestId":9})"));
    const std::string deep = std::string(600, '[') + std::string(600, ']');
    for (const std::string& body :
         {std::string("5"), std::string("[]"), std::string("{"), std::string("\xFF"),
          Enveloped("1", "tools/list", "\"a\":" + deep)}) {
      PostModern("tools/list", body);
    }
  }

  void Headers() {
    const std::string simple = R"("name":"test_simple_text")";
    for (const char* name : {"test_simple_text", "other", "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=",
                             "=?base64?=", "=?base64?@@@?="}) {
      Call("1", name, simple);
    }
    PostModern("tasks/get",
               Enveloped("1", "tasks/get", R"("taskId":"a")", {},
                         R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})"),
               {{"Mcp-Name", "b"}});
    PostModern("tools/list", Enveloped("1", "tools/list"), {{"Authorization", "Bearer one"}});
    for (const char* origin :
         {"http://localhost:1", "http://evil.example", "http://localhost@evil.example"}) {
      PostModern("tools/list", Enveloped("1", "tools/list"), {{"Origin", origin}});
    }
  }

  void ModernStreams() {
    const auto call = [this](const std::string& id, const std::string& duration) {
      return Call(id, "slow",
                  R"("name":"slow","arguments":{"steps":2,"duration_ms":)" + duration + "}",
                  R"("progressToken":)" + id);
    };
    call("1", "200");
    const auto left = call("2", "400");
    if (left->gone) left->gone();
    transcript_ += std::to_string(server_.catalog().SlowWork()) + " at work\n";
    server_.Advance(milliseconds(1000));
  }

  void Legacy(std::string_view version) {
    const HttpHeader session{"Mcp-Session-Id", Open(version)};
    Post(Bare("1", "tools/list"), {session});
    Post(Bare("1", "tools/list"), {session, {"MCP-Protocol-Version", "banana"}});
    Post(Bare("\"x\"", "no/such/method"), {session});
    for (const std::string& body :
         {std::string("{"), std::string("7"), std::string("\xFE"), "[" + Bare("1", "ping") + "]",
          Notify("notifications/cancelled", R"({"requestId":9})")}) {
      Post(body, {session});
    }
    for (const char* unknown : {"00000000-0000", "%%%"}) {
      Post(Bare("1", "ping"), {{"Mcp-Session-Id", unknown}});
      Post(Notify("notifications/initialized"), {{"Mcp-Session-Id", unknown}});
    }
    Post(Bare("1", "ping"));
    Send("GET", {});
    Send("DELETE", {session});
    Post(Bare("1", "ping"), {session});
  }

  void LegacyStreams(std::string_view version) {
    const HttpHeader session{"Mcp-Session-Id", Open(version)};
    Send("GET", {session});
    Post(CallSlow("1", 200), {session});
    Post(CallSlow("2", 400), {session});
    server_.Advance(milliseconds(1000));
    server_.catalog().ToggleDynamicTool();
  }

  std::string Open(std::string_view version) {
    return Post(Initialize(version))->Header("Mcp-Session-Id");
  }

  EndpointInMemory server_;
  OriginGuard guard_{server_.endpoint()};
  HttpFaultChain chain_;
  std::vector<std::shared_ptr<Received>> all_;
  std::string transcript_;
};

TEST(HttpFaultChainTest, TheFirstFaultIsNearestToTheServer) {
  const auto add = [](const char* text) {
    return HttpScript{
        .request = [text](HttpRequest& request) { request.body += text; },
        .response = [text](const HttpRequest&, HttpResponse& answer) { answer.body += text; }};
  };
  class Echo : public HttpHandler {
   public:
    void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override {
      reply->Respond({200, {}, request.body + "|"});
    }
    void HandleEnd() override {}
  } echo;
  HttpFaultChain chain({add("1"), add("2")}, echo);
  EXPECT_EQ(Exchange(chain, {"POST", "/mcp", {}, {}})->body, "21|12");
}

TEST(HttpFaultList, TheConversationIsTheSameEachTime) {
  EXPECT_EQ(HttpConversation(nullptr).Run(), HttpConversation(nullptr).Run());
}

class EveryHttpFault : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryHttpFault, ShowsItselfOnOrdinaryTraffic) {
  static const std::string clean = HttpConversation(nullptr).Run();
  EXPECT_NE(HttpConversation(&AllFaults()[GetParam()]).Run(), clean);
}

INSTANTIATE_TEST_SUITE_P(, EveryHttpFault, testing::ValuesIn(ListedFaults(/*needs_http=*/true)),
                         NameOfListed);

}  // namespace
}  // namespace assay::reference
