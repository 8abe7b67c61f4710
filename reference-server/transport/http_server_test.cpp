// The only tests over real sockets: what cannot be seen without them.
#include "transport/http_server.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "transport/hostile_http_for_test.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http/origin_guard.h"
#include "transport/http_client_for_test.h"

namespace assay::reference {
namespace {

using std::chrono::milliseconds;

/// Answers by the path.
class Paths : public HttpHandler {
 public:
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override {
    if (request.target == "/drop") return;
    if (request.target == "/stream") {
      reply->OnGone([this] { gone.set_value(); });
      reply->Start({200});
      reply->Write("first;");
      open.push_back(std::move(reply));
      return;
    }
    if (request.target == "/flood") {
      reply->OnGone([this] { gone.set_value(); });
      reply->Start({200});
      for (int i = 0; i < 1000; ++i) reply->Write(std::string(100'000, 'x'));
      open.push_back(std::move(reply));
      return;
    }
    reply->Respond({200, {}, request.target + ":" + request.body + ";"});
  }
  void HandleEnd() override {
    for (const auto& reply : open) {
      reply->Write("last;");
      reply->End();
    }
  }

  std::vector<std::shared_ptr<HttpReply>> open;
  std::promise<void> gone;
};

/// A server in a thread of its own.
class Running {
 public:
  explicit Running(HttpHandler& handler, const HttpServerSettings& settings = {})
      : server_(loop_, settings, handler), thread_([this] { server_.Run(); }) {}
  ~Running() { Stop(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void Stop() {
    if (!thread_.joinable()) return;
    boost::asio::post(loop_, [this] { server_.Stop(); });
    thread_.join();
  }
  std::uint16_t port() const { return server_.port(); }

 private:
  boost::asio::io_context loop_{1};
  HttpServer server_;
  std::thread thread_;
};

constexpr std::string_view kStreamRequest = "GET /stream HTTP/1.1\r\n\r\n";

TEST(HttpServerTest, AConnectionServesOneRequestAfterTheOther) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
  const std::string answer = client.ReadUntil(";");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\nDate: ")) << answer;
  EXPECT_NE(answer.find("\r\nContent-Length: 7\r\n\r\n/a:abc;"), std::string::npos) << answer;
  client.Send("GET /b HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_NE(client.ReadAll().find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST(HttpServerTest, PipelinedRequestsAreAnsweredInOrder) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\n\r\n";
  client.Send(requests);
  for (int i = 0; i < 500; ++i) {
    EXPECT_TRUE(client.ReadUntil(";").ends_with("\r\n\r\n/" + std::to_string(i) + ":;")) << i;
  }
}

TEST(HttpServerTest, StreamsAreChunkedAndLeaveTheConnectionOpen) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send(kStreamRequest);
  EXPECT_TRUE(client.ReadUntil(";").ends_with("\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst;"));
  client.Send("GET /next HTTP/1.1\r\n\r\n");
  server.Stop();
  EXPECT_EQ(client.ReadAll(), "\r\n5\r\nlast;\r\n0\r\n\r\n");
}

TEST(HttpServerTest, AnOldClientGetsAStreamThatEndsWithTheConnection) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(client.ReadUntil(";").ends_with("\r\nConnection: close\r\n\r\nfirst;"));
  server.Stop();
  EXPECT_EQ(client.ReadAll(), "last;");
}

TEST(HttpServerTest, AClientThatLeavesAStreamIsNoticed) {
  Paths paths;
  Running server(paths);
  {
    HttpClient client(server.port());
    client.Send(kStreamRequest);
    client.ReadUntil(";");
  }
  EXPECT_EQ(paths.gone.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(HttpServerTest, AClientThatTakesNothingIsGivenUp) {
  Paths paths;
  Running server(paths, {.most_pending_output = 1'000'000});
  HttpClient client(server.port());
  client.Send("GET /flood HTTP/1.1\r\n\r\n");
  EXPECT_EQ(paths.gone.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(HttpServerTest, AReplyThatIsDroppedEndsTheConnection) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("GET /drop HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(HttpServerTest, BrokenRequestsGetAStatusAndTheConnectionEnds) {
  Paths paths;
  Running server(paths, {.limits = {1000, 1000}});
  const auto status = [&](const std::string& bytes) {
    HttpClient client(server.port());
    client.Send(bytes);
    const std::string answer = client.ReadUntil("\r\n\r\n");
    client.CloseOutput();
    EXPECT_EQ(client.ReadAll(), "");
    return answer.substr(9, 3);
  };
  EXPECT_EQ(status("nonsense\r\n\r\n"), "400");
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(1000, 'a') + "\r\n\r\n"), "431");
  // The answer must arrive although the server has not read what was sent.
  EXPECT_EQ(
      status("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + std::string(1000000, 'a')),
      "413");
}

TEST(HttpServerTest, ARequestThatDoesNotComeToAnEndTimesOut) {
  Paths paths;
  Running server(paths, {.request_time = milliseconds(20)});
  HttpClient client(server.port());
  client.Send("POST /a HTTP/1.1\r\nContent-Le");
  EXPECT_TRUE(client.ReadUntil("\r\n\r\n").starts_with("HTTP/1.1 408 "));
}

TEST(HttpServerTest, AnIdleConnectionIsClosed) {
  Paths paths;
  Running server(paths, {.idle_time = milliseconds(20)});
  HttpClient client(server.port());
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(HttpServerTest, TooManyConnectionsAreTurnedAway) {
  Paths paths;
  Running server(paths, {.most_connections = 1});
  HttpClient first(server.port());
  first.Send("GET /a HTTP/1.1\r\n\r\n");
  first.ReadUntil(";");
  HttpClient second(server.port());
  EXPECT_TRUE(second.ReadUntil("\r\n\r\n").starts_with("HTTP/1.1 503 "));
  first.Send("GET /b HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(first.ReadUntil(";").ends_with("/b:;"));
}

TEST(HttpServerTest, TheBodyIsAskedForWhenTheClientWaits) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("{}");
  EXPECT_TRUE(client.ReadUntil(";").ends_with("/a:{};"));
}

TEST(HttpServerTest, AHeadRequestGetsNoBody) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("HEAD /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string answers = client.ReadAll();
  EXPECT_EQ(answers.find("/a:"), std::string::npos);
  EXPECT_NE(answers.find("/b:;"), std::string::npos);
}

TEST(HttpServerTest, APortThatIsTakenIsAnError) {
  Paths paths;
  Running server(paths);
  boost::asio::io_context loop(1);
  EXPECT_ANY_THROW(HttpServer(loop, {.port = server.port()}, paths));
}

TEST(HttpServerTest, StoppingClosesWhatIsIdle) {
  Paths paths;
  Running server(paths);
  HttpClient client(server.port());
  client.Send("GET /a HTTP/1.1\r\n\r\n");
  client.ReadUntil(";");
  server.Stop();
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(HostileHttpTest, RandomAndTruncatedRequestsOverSocketsAreAnsweredOrHungUpOn) {
  constexpr int kRequests = 5'000;
  HostileInput hostile(20250618);
  EndpointInMemory endpoint;
  const std::string session = endpoint.OpenSession();
  OriginGuard guard(endpoint.endpoint());
  Running server(guard);
  for (int i = 0; i < kRequests; ++i) {
    HttpClient client(server.port());
    client.Send(hostile.Request(session));
    client.CloseOutput();
    const std::string answer = client.ReadAll();
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << answer;
  }
}

}  // namespace
}  // namespace assay::reference
