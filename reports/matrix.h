// Many servers on one page.

#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/report.h"

namespace assay {

struct MatrixRow {
  std::string name;              // as its owner calls it; also the folder of its report.html
  std::optional<Report> report;  // none where the run left none
  std::string failure;           // why not, in words
};

// Servers x areas of the specification. Each cell says how many requirements are broken there and
// opens the findings, which stand below on the same page and lead on into the server's own report.
// The page loads nothing and needs no script.
void WriteMatrixHtml(const std::vector<MatrixRow>& rows, std::ostream& out);

// The same table without the findings.
void WriteMatrixMarkdown(const std::vector<MatrixRow>& rows, std::ostream& out);

}  // namespace assay
