// Reports on disk.

#include "cli/report_files.h"

#include <filesystem>
#include <ostream>
#include <utility>

#include "case/place.h"
#include "reports/badge.h"
#include "reports/html_report.h"
#include "reports/json_report.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"
#include "reports/tap.h"
#include "runner/files.h"

namespace assay {

namespace fs = std::filesystem;

void WriteReports(const Report& report, const std::string& directory) {
  const auto write = [&](const char* name, auto writer) {
    WriteFile(fs::path(directory) / name, [&](std::ostream& out) { writer(report, out); });
  };
  write("report.json", WriteJsonReport);
  write("report.html", WriteHtmlReport);
  write("junit.xml", WriteJUnit);
  write("summary.md", WriteMarkdown);
  write("results.sarif", WriteSarif);
  write("results.tap", WriteTap);
  write("badge.svg", WriteBadgeSvg);
  write("badge.json", WriteBadgeJson);
}

Report LoadReport(const std::string& path) {
  ReportRead read = ReadReport(ReadFile(path));
  if (!read.report) throw InputError({.file = path}, read.error);
  return std::move(*read.report);
}

}  // namespace assay
