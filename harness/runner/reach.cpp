// Servers behind a command line or a URL.

#include "runner/reach.h"

#include <utility>

#include "runner/http_servers.h"
#include "runner/pool.h"

namespace assay {

std::unique_ptr<Servers> MakeServers(Loop& loop, const ServerSource& source, std::size_t ahead) {
  const Reach& reach = source.reach;
  if (!reach.over_http) {
    return std::make_unique<Pool>(loop, source.command, source.limits, ahead);
  }
  if (!reach.url.empty()) {
    HttpTarget target = ParseUrl(reach.url);
    target.fields = reach.fields;
    target.ca_file = reach.ca_file;
    target.insecure = reach.insecure;
    return std::make_unique<RemoteServer>(loop, std::move(target), source.limits);
  }
  return std::make_unique<HttpServerPool>(
      loop, HttpServerPool::Settings{.command = source.command,
                                     .path = "/mcp",
                                     .fields = reach.fields,
                                     .limits = source.limits,
                                     .start_within = source.start_within,
                                     .use_once = source.use_once});
}

}  // namespace assay
