// The instances of a fleet, what becomes of them, and the folder that they share.

#include "runner/fleets.h"

#include <signal.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runner/temporary_folder.h"
#include "transport/balancer.h"
#include "transport/http_channel.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGrace{1000};
constexpr char kPath[] = "/mcp";

std::string Filled(std::string text, const std::string& place, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size()) {
    text.replace(at, place.size(), value);
  }
  return text;
}

struct Instance {
  std::string name;
  Command command;
  std::unique_ptr<HttpServerProcess> process;
  bool ends_by_us = false;
};

class LocalFleet final : public StartedFleet, public std::enable_shared_from_this<LocalFleet> {
 public:
  LocalFleet(Loop& loop, ServerSource source, const Topology& topology, const FleetSetup& setup)
      : loop_(loop), source_(std::move(source)) {
    const std::string store = (folder_.path() / "store").string();
    for (std::size_t i = 0; i < topology.instances; ++i) {
      Instance instance;
      instance.name = std::string(1, static_cast<char>('a' + i));
      instance.command = source_.command;
      const auto fill = [&](const std::string& text) {
        return Filled(Filled(text, "{store}", store), "{instance}", instance.name);
      };
      for (const std::string& argument : setup.arguments) {
        instance.command.argv.push_back(fill(argument));
      }
      if (topology.short_lived) {
        for (const std::string& argument : setup.short_lived) {
          instance.command.argv.push_back(fill(argument));
        }
      }
      for (const auto& [name, value] : setup.environment) {
        instance.command.environment[name] = fill(value);
      }
      instances_.push_back(std::move(instance));
    }
  }

  Task<std::string> Start() {
    const auto self = shared_from_this();
    std::vector<std::string> why_not(instances_.size());
    std::vector<Task<void>> starts;
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      Launch(instances_[i]);
      starts.push_back(AwaitReady(self, instances_[i], why_not[i]));
    }
    std::vector<Balancer::Instance> behind;
    for (const Instance& instance : instances_) {
      behind.push_back({instance.name, instance.process->target()});
    }
    balancer_ = StartBalancer(loop_, std::move(behind));
    co_await loop_.All(std::move(starts));
    const auto failed =
        std::ranges::find_if(why_not, [](const std::string& why) { return !why.empty(); });
    co_return failed == why_not.end() ? "" : *failed;
  }

  std::shared_ptr<Connection> Connect(const std::string& name) override {
    const Instance* instance = Find(name);
    HttpTarget target = instance == nullptr ? balancer_->target() : instance->process->target();
    target.fields = source_.reach.fields;
    auto connection =
        std::make_shared<Connection>(loop_, ConnectHttp(loop_, target, source_.limits));
    connections_.emplace_back(connection);
    return connection;
  }

  bool Has(const std::string& instance) const override {
    return std::ranges::any_of(instances_,
                               [&](const Instance& one) { return one.name == instance; });
  }

  Task<std::string> Restart(std::string name) override {
    const auto self = shared_from_this();
    Instance& instance = *Find(name);
    instance.ends_by_us = true;
    instance.process->Signal(SIGCONT);  // it may be paused
    co_await instance.process->Shutdown(kGrace);
    Launch(instance);
    balancer_->Move(name, instance.process->target());
    std::string why_not;
    co_await AwaitReady(self, instance, why_not);
    co_return why_not;
  }

  Task<void> Kill(std::string name) override {
    const auto self = shared_from_this();
    Instance& instance = *Find(name);
    instance.ends_by_us = true;
    instance.process->Signal(SIGKILL);
    co_await instance.process->Shutdown(kGrace);
  }

  void Pause(const std::string& name) override { Find(name)->process->Signal(SIGSTOP); }

  Task<void> Close() override {
    const auto self = shared_from_this();
    std::vector<Task<void>> endings;
    for (Instance& instance : instances_) {
      if (instance.process == nullptr) continue;
      instance.ends_by_us = true;
      instance.process->Signal(SIGCONT);
      endings.push_back(instance.process->Shutdown(kGrace));
    }
    if (balancer_) endings.push_back(balancer_->Close());
    co_await loop_.All(std::move(endings));
  }

  void Abort() override {
    for (Instance& instance : instances_) {
      if (instance.process) instance.process->Signal(SIGKILL);
    }
  }

 private:
  Instance* Find(const std::string& name) {
    const auto found =
        std::ranges::find_if(instances_, [&](const Instance& one) { return one.name == name; });
    return found == instances_.end() ? nullptr : &*found;
  }

  void Launch(Instance& instance) {
    instance.ends_by_us = false;
    instance.process = StartHttpServer(loop_, instance.command, kPath, source_.limits);
    instance.process->Listen([this, &instance](const ChannelEvent& event) {
      // What a case does to an instance is told by its steps.
      if (instance.ends_by_us && event.direction == Entry::Direction::kEvent) return;
      for (const auto& weak : connections_) {
        const auto connection = weak.lock();
        if (connection == nullptr) continue;
        connection->Tell(event);
        return;  // once is enough
      }
    });
  }

  Task<void> AwaitReady(std::shared_ptr<LocalFleet> self, Instance& instance,
                        std::string& why_not) const {
    why_not = co_await instance.process->Ready(Clock::now() + self->source_.start_within);
    if (!why_not.empty()) why_not = "instance " + instance.name + ": " + why_not;
  }

  Loop& loop_;
  const ServerSource source_;
  const TemporaryFolder folder_{"fleet"};  // holds the store
  std::vector<std::weak_ptr<Connection>> connections_;
  std::vector<Instance> instances_;  // never changes in number: they are referred to
  std::unique_ptr<Balancer> balancer_;
};

}  // namespace

Task<FleetStart> StartFleet(Loop& loop, ServerSource source, Topology topology, FleetSetup setup) {
  const auto fleet = std::make_shared<LocalFleet>(loop, std::move(source), topology, setup);
  FleetStart start{.fleet = fleet, .why_not = ""};
  start.why_not = co_await fleet->Start();
  co_return start;
}

}  // namespace assay
