// What a balancer of ours adds to the head of an answer.

#pragma once

#include <string_view>

namespace assay {

// Who served it.
inline constexpr std::string_view kInstanceField = "Assay-Instance";
// The answer is the balancer's own (502), for this reason.
inline constexpr std::string_view kBalancerField = "Assay-Balancer";

}  // namespace assay
