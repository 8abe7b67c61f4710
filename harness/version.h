// The version of assay.

#pragma once

namespace assay {
inline constexpr char kVersion[] = "0.1.0";
}
