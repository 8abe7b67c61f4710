#include "reports/report.h"

namespace assay {

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kWarn:
      return "warn";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kSkip:
      return "skip";
    case Verdict::kError:
      return "error";
  }
  return "";
}

}  // namespace assay
