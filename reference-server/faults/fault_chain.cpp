#include "faults/fault_chain.h"

#include <utility>

namespace assay::reference {

FaultChain::FaultChain(std::vector<std::unique_ptr<Fault>> faults, const Settings& settings,
                       const Services& services, MessageSink& client,
                       std::function<void(int code)> exit)
    : faults_(std::move(faults)),
      connection_(settings, services,
                  faults_.empty() ? client : static_cast<MessageSink&>(*faults_.front())),
      surroundings_{services.scheduler, std::move(exit), settings.instance},
      outermost_(&connection_) {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    MessageSink& outer =
        i + 1 == faults_.size() ? client : static_cast<MessageSink&>(*faults_[i + 1]);
    faults_[i]->Attach(*outermost_, outer, surroundings_);
    outermost_ = faults_[i].get();
  }
}

}  // namespace assay::reference
