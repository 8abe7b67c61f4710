// How a message may be carried over HTTP.

#pragma once

#include "campaign/chance.h"
#include "campaign/subject.h"

namespace assay {

// Changes to the request that carries a message, as a step's `http` has them: headers that do not
// fit the body, that are missing, empty, doubled in meaning or odd; media types and encodings;
// methods and paths.
Json OddHttp(const Subject& subject, Chance& chance);

}  // namespace assay
