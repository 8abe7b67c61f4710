// assay-reference-server: an MCP server that keeps to the specification, or breaks it on request.

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cart/durable_file.h"
#include "cart/file_cart_store.h"
#include "catalog/carts.h"
#include "catalog/catalog.h"
#include "era/services.h"
#include "era/settings.h"
#include "era/state_signer.h"
#include "faults/fault.h"
#include "faults/fault_chain.h"
#include "faults/fault_list.h"
#include "faults/generic_fault.h"
#include "faults/generic_http_fault.h"
#include "faults/http_fault_chain.h"
#include "faults/http_script.h"
#include "random/random.h"
#include "tasks/task_store.h"
#include "transport/asio_scheduler.h"
#include "transport/http/bearer_guard.h"
#include "transport/http/endpoint.h"
#include "transport/http/origin_guard.h"
#include "transport/http/trace_log.h"
#include "transport/http_server.h"
#include "transport/stdio.h"

namespace {

using namespace assay::reference;  // NOLINT(google-build-using-namespace): this is its program

struct Options {
  Settings settings;
  std::string store;
  std::vector<std::string> faults;
  bool over_http = false;
  HttpServerSettings http;
  std::vector<BearerToken> tokens;
  bool trace = false;
};

/// Those of one kind, for specifications that were checked: of messages, made for each connection,
/// or of HTTP, made once.
template <class Kind>
std::vector<Kind> MakeFaults(const std::vector<std::string>& specifications) {
  std::vector<Kind> faults;
  for (const std::string& specification : specifications) {
    auto fault = std::get<AnyFault>(MakeFault(specification));
    if (Kind* found = std::get_if<Kind>(&fault)) faults.push_back(std::move(*found));
  }
  return faults;
}

std::vector<std::unique_ptr<Fault>> MessageFaults(const Options& options) {
  return MakeFaults<std::unique_ptr<Fault>>(options.faults);
}

void ListFaults() {
  for (const NamedFault& fault : AllFaults()) {
    std::cout << fault.name << '\t' << fault.requirement << '\t' << fault.bug << '\t' << fault.text
              << '\n';
  }
}

/// Nothing if the program shall go on; otherwise the exit code.
std::optional<int> ReadOptions(int argc, char** argv, Options& options) {
  CLI::App app("An MCP server that keeps to the specification, or breaks it on request.",
               "assay-reference-server");
  const std::map<std::string, EraSupport> eras{{"dual", EraSupport::kDual},
                                               {"legacy", EraSupport::kLegacyOnly},
                                               {"modern", EraSupport::kModernOnly}};
  std::string transport = "stdio";
  std::string era = "dual";
  std::string lock = "on";
  const std::map<std::string, TaskDialect> dialects{{"ext", TaskDialect::kExtension},
                                                    {"handle", TaskDialect::kHandle},
                                                    {"off", TaskDialect::kOff}};
  std::string tasks = "ext";
  std::size_t page_size = 0;
  std::chrono::milliseconds::rep state_lifetime = options.settings.state_lifetime.count();
  std::vector<std::string> tokens;
  bool list_faults = false;
  app.add_option("--transport", transport,
                 "How to talk to the client: stdio (default), or http (/mcp on 127.0.0.1)")
      ->check(CLI::IsMember({"stdio", "http"}));
  app.add_option("--port", options.http.port, "The port for http; 0 (default) takes a free one");
  app.add_option("--era", era, "Which eras to serve: dual (default), legacy, modern")
      ->check(CLI::IsMember({"dual", "legacy", "modern"}));
  app.add_option("--lock", lock, "Whether a connection keeps the era it was opened in: on, off")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--page-size", page_size, "Cut lists into pages of that many items")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--tasks", tasks,
         "How the modern era speaks of tasks: ext (the official extension, default), handle "
         "(an open call with a handle), off")
      ->check(CLI::IsMember({"ext", "handle", "off"}));
  app.add_option("--store", options.store,
                 "Keep the modern era's carts in this file, which several instances may share");
  app.add_option("--bearer", tokens,
                 "Over http, serve only those who have this token; may be repeated. Its user and "
                 "the resource that it is for are its own and this one unless they are named; its "
                 "scopes are mcp:all, or some of mcp:read, mcp:write, mcp:destroy")
      ->type_name("TOKEN[;user=NAME][;scope=NAME,...][;audience=URI]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--state-lifetime", state_lifetime,
                 "Milliseconds for which a requestState is taken back (default: ten minutes)")
      ->check(CLI::PositiveNumber);
  app.add_option("--instance", options.settings.instance,
                 "The name of this server in what --trace prints");
  app.add_flag("--trace", options.trace, "Print a line on stderr for each HTTP exchange");
  app.add_option("--fault", options.faults, "A misbehaviour, by name or as below; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--list-faults", list_faults,
               "Print all faults: name, requirement, bug and text, separated by tabs");
  app.footer(std::string(kGenericFaultHelp) + "\n" + std::string(kGenericHttpFaultHelp));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list_faults) {
    ListFaults();
    return 0;
  }
  options.settings.eras = eras.at(era);
  options.settings.lock_legacy = options.settings.lock_modern = lock == "on";
  options.settings.tasks = dialects.at(tasks);
  if (page_size != 0) options.settings.page_size = page_size;
  options.settings.state_lifetime = std::chrono::milliseconds(state_lifetime);
  options.over_http = transport == "http";
  for (const std::string& text : tokens) {
    std::optional<BearerToken> token = BearerToken::Parse(text);
    if (!token) {
      std::cerr << "--bearer " << text
                << ": expected TOKEN[;user=NAME][;scope=NAME,...][;audience=URI]\n";
      return 2;
    }
    options.tokens.push_back(*std::move(token));
  }
  for (const std::string& specification : options.faults) {
    const auto fault = MakeFault(specification);
    if (const std::string* problem = std::get_if<std::string>(&fault)) {
      std::cerr << "--fault " << specification << ": " << *problem << '\n';
      return 2;
    }
    if (NeedsHttp(specification) && !options.over_http) {
      std::cerr << "--fault " << specification << ": shows over HTTP only; add --transport http\n";
      return 2;
    }
  }
  return std::nullopt;
}

void ServeStdio(boost::asio::io_context& loop, const Options& options,
                const StdioSettings& settings, const Services& services) {
  StdioTransport transport(loop, settings);
  FaultChain chain(MessageFaults(options), options.settings, services, transport,
                   [&transport](int code) {
                     transport.Flush();
                     std::_Exit(code);
                   });
  transport.Run(chain);
}

void ServeHttp(boost::asio::io_context& loop, const Options& options, const Services& services) {
  Endpoint endpoint(options.settings, services.catalog, services.scheduler,
                    [&](const Settings& settings, MessageSink& sink) {
                      return std::make_unique<FaultChain>(MessageFaults(options), settings,
                                                          services, sink,
                                                          [](int code) { std::_Exit(code); });
                    });
  BearerGuard bearer_guard(options.tokens, endpoint);
  HttpHandler* guarded =
      options.tokens.empty() ? static_cast<HttpHandler*>(&endpoint) : &bearer_guard;
  OriginGuard origin_guard(*guarded);
  TraceLog trace_log(options.settings.instance, std::cerr, origin_guard);
  HttpHandler* outermost = options.trace ? static_cast<HttpHandler*>(&trace_log) : &origin_guard;
  HttpFaultChain faults(MakeFaults<HttpScript>(options.faults), *outermost);
  HttpServer server(loop, options.http, faults);
  // Whoever started this waits for the line.
  std::cerr << "listening on http://127.0.0.1:" << server.port() << "/mcp" << std::endl;
  server.Run();
}

/// The exit code.
int Serve(Options& options) {
  StdioSettings stdio;
  for (const auto& fault : MessageFaults(options)) fault->Configure(options.settings, stdio);

  boost::asio::io_context loop(1);
  AsioScheduler scheduler(loop);
  Carts carts;
  SecretKey secret = NewSecretKey();
  if (!options.store.empty()) {
    auto shared = std::make_unique<FileCartStore>(options.store);
    // Whatever instance a client comes back to can read what another one signed.
    if (options.settings.shares_key) secret = shared->Secret();
    if (options.settings.shares_carts) carts = Carts(std::move(shared));
  }
  Catalog catalog(options.settings.page_size, std::move(carts));
  TaskStore tasks(catalog, scheduler);
  const StateSigner signer(secret, options.settings.state_lifetime);
  const Services services{catalog, scheduler, tasks, signer};
  if (!options.over_http) {
    ServeStdio(loop, options, stdio, services);
    return 0;
  }
  try {
    ServeHttp(loop, options, services);
  } catch (const boost::system::system_error& failed) {
    std::cerr << "port " << options.http.port << ": " << failed.code().message() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  OpenMissingStreams();
  Options options;
  if (const std::optional<int> exit_code = ReadOptions(argc, argv, options)) return *exit_code;
  try {
    return Serve(options);
  } catch (const StoreError& unusable) {
    std::cerr << "--store " << unusable.what() << '\n';
    return 1;
  }
}
