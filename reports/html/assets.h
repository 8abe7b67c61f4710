// The files of this folder, as they travel inside the executable.

#pragma once

#include <string_view>

namespace assay::html {

extern const std::string_view kStyle;         // style.css: of every page
extern const std::string_view kReportBody;    // report.html: the landmarks of report.html
extern const std::string_view kReportScript;  // report.js: fills them

}  // namespace assay::html
