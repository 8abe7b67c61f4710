// Reports on disk.

#include "cli/report_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "case/place.h"
#include "reports/badge.h"
#include "reports/html_report.h"
#include "reports/json_report.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"
#include "reports/tap.h"

namespace assay {

namespace fs = std::filesystem;

void WriteReports(const Report& report, const std::string& directory) {
  fs::create_directories(directory);
  const auto write = [&](const char* name, auto writer) {
    const fs::path path = fs::path(directory) / name;
    std::ofstream file(path, std::ios::binary);
    writer(report, file);
    file.close();
    if (!file) throw InputError({.file = path.string()}, "cannot be written");
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
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({.file = path}, "cannot be read");
  ReportRead read = ReadReport(std::string{std::istreambuf_iterator<char>(file), {}});
  if (!read.report) throw InputError({.file = path}, read.error);
  return std::move(*read.report);
}

}  // namespace assay
