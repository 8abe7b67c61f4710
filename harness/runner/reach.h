// How the server under test is reached, and the servers behind that.

#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "message/http_message.h"
#include "runner/servers.h"
#include "transport/channel.h"

namespace assay {

struct Reach {
  bool over_http = false;
  std::string url;                // of a server that is there already; "" = we start a command
  std::vector<HttpField> fields;  // that every HTTP request carries: --header, --bearer
  std::string ca_file;            // for https; "" = the system's
  bool insecure = false;          // accept any certificate
};

// A server, and how it is started where it is ours to start.
struct ServerSource {
  Command command;
  Reach reach;
  ChannelLimits limits;
  std::chrono::milliseconds start_within{10000};
  bool use_once = false;  // over HTTP too, a new process for each taker
};

// `ahead`: how many servers are kept waiting.
std::unique_ptr<Servers> MakeServers(Loop& loop, const ServerSource& source, std::size_t ahead);

}  // namespace assay
