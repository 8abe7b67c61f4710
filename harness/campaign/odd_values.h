// Values at which readers of JSON and users of strings break.

#pragma once

#include <string>

#include "campaign/chance.h"
#include "message/json.h"

namespace assay {

// Characters from everywhere: separators that some take for line ends, marks, halves of pairs
// (as `\u` escapes, hence a raw value), controls, text outside of the basic plane.
Json OddText(Chance& chance);

// At and around the limits of 32, 53 and 64 bits, fractions, exponents, negative zero.
Json OddNumber(Chance& chance);

// Anything, at most `depth` deep.
Json OddValue(Chance& chance, int depth = 2);

// `levels` objects or arrays around `core`.
Json Nested(const Json& core, std::size_t levels, Chance& chance);

}  // namespace assay
