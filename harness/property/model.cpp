// All models that a server has a use for.

#include "property/model.h"

#include <utility>

#include "property/models.h"

namespace assay {

std::vector<Model> ModelsFor(const ServerFacts& facts, bool over_http) {
  std::vector<Model> models;
  const auto add = [&](std::optional<Model> model) {
    if (model) models.push_back(*std::move(model));
  };
  if (!over_http) add(OpeningModel(facts));
  add(HandshakeModel(facts, over_http));
  add(PaginationModel(facts, Era::kModern));
  add(PaginationModel(facts, Era::kLegacy));
  add(LegacyTasksModel(facts));
  add(ExtensionTasksModel(facts, over_http));
  add(HandleTasksModel(facts, over_http));
  add(ListenModel(facts));
  add(SubscribeModel(facts));
  add(RacesModel(facts, Era::kModern));
  add(RacesModel(facts, Era::kLegacy));
  return models;
}

}  // namespace assay
