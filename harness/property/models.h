// The models, one for each part of the protocol in which the order of things matters. Each gives
// nothing where the server has no such part.

#pragma once

#include <optional>

#include "property/model.h"

namespace assay {

// How a connection opens, and what its first request decides. Over stdio, where a connection is.
std::optional<Model> OpeningModel(const ServerFacts& facts);
// The legacy handshake: 2025-11-25, lifecycle.
std::optional<Model> HandshakeModel(const ServerFacts& facts, bool over_http);
// Lists and their cursors in one era.
std::optional<Model> PaginationModel(const ServerFacts& facts, Era era);
// Calls that are cancelled, or report progress, while others are under way.
std::optional<Model> RacesModel(const ServerFacts& facts, Era era);
// The life of tasks in the three dialects (DESIGN §8).
std::optional<Model> LegacyTasksModel(const ServerFacts& facts);
std::optional<Model> ExtensionTasksModel(const ServerFacts& facts, bool over_http);
std::optional<Model> HandleTasksModel(const ServerFacts& facts, bool over_http);
// subscriptions/listen of the modern era; resources/subscribe of the legacy one.
std::optional<Model> ListenModel(const ServerFacts& facts);
std::optional<Model> SubscribeModel(const ServerFacts& facts);

}  // namespace assay
