#include "reports/matrix.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "reports/area.h"
#include "reports/html_page.h"
#include "reports/markdown.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

// A broken requirement of one server.
struct Broken {
  Verdict worst = Verdict::kDiffers;
  const ReportedFinding* example = nullptr;
  const Result* where = nullptr;
  std::size_t cases = 0;
};

// One server in one area.
struct Cell {
  std::map<std::string_view, Broken> broken;
  std::size_t passed = 0;

  std::size_t Count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(broken.begin(), broken.end(),
                      [&](const auto& one) { return one.second.worst == verdict; }));
  }
};

using Cells = std::map<std::string_view, Cell>;  // by area

Cells CellsOf(const Report& report) {
  Cells cells;
  for (const RequirementState& requirement : report.requirements) {
    if (requirement.state == "passed") ++cells[AreaOf(requirement.id)].passed;
  }
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) {
      Broken& broken = cells[AreaOf(finding.requirement)].broken[finding.requirement];
      if (broken.where != &result) ++broken.cases;
      if (broken.example == nullptr || finding.counts_as < broken.worst) {
        broken.worst = finding.counts_as;
        broken.example = &finding;
      }
      if (broken.where == nullptr || broken.example == &finding) broken.where = &result;
    }
  }
  return cells;
}

std::string TextOf(const Cell& cell) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view words) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + std::string(words);
  };
  add(cell.Count(Verdict::kFail), " broken");
  add(cell.Count(Verdict::kWarn), " warned");
  add(cell.Count(Verdict::kDiffers), cell.Count(Verdict::kDiffers) == 1 ? " differs" : " differ");
  if (!text.empty()) return text;
  return cell.passed > 0 ? "good" : "–";
}

std::string_view StyleOf(const Cell& cell) {
  for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn, Verdict::kDiffers}) {
    if (cell.Count(verdict) > 0) return ToString(verdict);
  }
  return cell.passed > 0 ? "pass" : "none";
}

// Areas that say something of a server.
std::vector<std::string_view> AreasOf(const std::vector<Cells>& all) {
  std::vector<std::string_view> areas;
  for (const std::string_view area : Areas()) {
    if (std::any_of(all.begin(), all.end(), [&](const Cells& cells) {
          const auto cell = cells.find(area);
          return cell != cells.end() && StyleOf(cell->second) != "none";
        })) {
      areas.push_back(area);
    }
  }
  return areas;
}

std::vector<Cells> CellsOf(const std::vector<MatrixRow>& rows) {
  std::vector<Cells> all;
  all.reserve(rows.size());
  for (const MatrixRow& row : rows) all.push_back(row.report ? CellsOf(*row.report) : Cells{});
  return all;
}

std::string ServerText(const MatrixRow& row) {
  if (!row.report) return row.failure;
  const Target& target = row.report->target;
  if (target.eras.empty()) return "could not be tested";
  std::string text = Excerpt(target.server_name, 60) + " " + Excerpt(target.server_version, 30);
  return text + ", " + Joined(target.eras) + ", " + target.transport;
}

std::string CellId(std::size_t row, std::string_view area) {
  std::string id = "s" + std::to_string(row) + "-" + std::string(area);
  std::replace(id.begin(), id.end(), ' ', '-');
  return id;
}

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  return out;
}

// The result in the server's own report.html.
std::string AddressOf(const MatrixRow& row, const Result& result) {
  return row.name + "/report.html#case=" +
         PercentEncoded(result.case_id + "|" + result.revision + "|" + result.transport);
}

class Page {
 public:
  Page(const std::vector<MatrixRow>& rows, std::ostream& out)
      : rows_(rows), cells_(CellsOf(rows)), areas_(AreasOf(cells_)), out_(out) {}

  void Write() {
    WritePageStart("MCP servers · Assay", "", out_);
    out_ << "<header><p class=\"brand\">Assay matrix</p><h1>"
         << Several(rows_.size(), "MCP server", "MCP servers")
         << "</h1><p>Requirements of the specification by area: how many are broken, warned of, or "
            "good. A cell opens its findings.</p></header>\n<main>\n";
    WriteTable();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const auto& [area, cell] : cells_[i]) {
        if (!cell.broken.empty()) WriteFindings(i, area, cell);
      }
    }
    out_ << "</main>\n";
    WritePageEnd("", out_);
  }

 private:
  void WriteTable() {
    out_ << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Servers and "
            "areas\"><table class=\"cells\"><thead><tr><th scope=\"col\">Server</th>";
    for (const std::string_view area : areas_) out_ << "<th scope=\"col\">" << area << "</th>";
    out_ << "</tr></thead><tbody>\n";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const MatrixRow& row = rows_[i];
      out_ << "<tr><th scope=\"row\">";
      if (row.report) {
        out_ << "<a href=\"" << HtmlText(row.name) << "/report.html\">" << HtmlText(row.name)
             << "</a>";
      } else {
        out_ << HtmlText(row.name);
      }
      out_ << "<span class=\"title\">" << HtmlText(ServerText(row)) << "</span></th>";
      for (const std::string_view area : areas_) WriteCell(i, area);
      out_ << "</tr>\n";
    }
    out_ << "</tbody></table></div>\n";
  }

  void WriteCell(std::size_t i, std::string_view area) {
    const auto found = cells_[i].find(area);
    const Cell cell = found == cells_[i].end() ? Cell{} : found->second;
    out_ << "<td>";
    if (cell.broken.empty()) {
      out_ << (cell.passed > 0 ? "<span class=\"good\">good</span>" : "–");
    } else {
      out_ << "<a class=\"verdict " << StyleOf(cell) << "\" href=\"#" << CellId(i, area) << "\">"
           << TextOf(cell) << "</a>";
    }
    out_ << "</td>";
  }

  void WriteFindings(std::size_t i, std::string_view area, const Cell& cell) {
    const MatrixRow& row = rows_[i];
    out_ << "<section class=\"opened\" id=\"" << CellId(i, area) << "\"><h2>" << HtmlText(row.name)
         << ": " << area << "</h2>\n<ul class=\"changes\">\n";
    std::vector<std::pair<std::string_view, const Broken*>> sorted;
    for (const auto& [id, broken] : cell.broken) sorted.emplace_back(id, &broken);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return a.second->worst < b.second->worst;
    });
    for (const auto& [id, broken] : sorted) {
      const ReportedFinding& finding = *broken->example;
      out_ << "<li><span class=\"verdict " << ToString(broken->worst) << "\">"
           << ToString(broken->worst) << "</span> " << HtmlText(Excerpt(finding.message, 300))
           << " <span class=\"aside\">"
           << (finding.link.starts_with("https://")
                   ? "<a href=\"" + HtmlText(finding.link) + "\">" + HtmlText(id) + "</a>"
                   : HtmlText(id))
           << "</span>";
      if (!finding.text.empty()) {
        out_ << "<blockquote>" << HtmlText(Unwrapped(finding.text)) << "</blockquote>";
      }
      out_ << "<p class=\"aside\">" << Several(broken->cases, "case", "cases")
           << ", for example <a href=\"" << HtmlText(AddressOf(row, *broken->where)) << "\">"
           << HtmlText(ResultName(*broken->where)) << "</a>";
      if (finding.baselined) out_ << "; known: " << HtmlText(finding.baseline_reason);
      out_ << "</p></li>\n";
    }
    out_ << "</ul></section>\n";
  }

  const std::vector<MatrixRow>& rows_;
  std::vector<Cells> cells_;
  std::vector<std::string_view> areas_;
  std::ostream& out_;
};

}  // namespace

void WriteMatrixHtml(const std::vector<MatrixRow>& rows, std::ostream& out) {
  Page(rows, out).Write();
}

void WriteMatrixMarkdown(const std::vector<MatrixRow>& rows, std::ostream& out) {
  const std::vector<Cells> cells = CellsOf(rows);
  const std::vector<std::string_view> areas = AreasOf(cells);
  out << "| Server |";
  for (const std::string_view area : areas) out << ' ' << area << " |";
  out << "\n| --- |";
  for (std::size_t i = 0; i < areas.size(); ++i) out << " --- |";
  out << '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out << "| **" << MarkdownText(rows[i].name) << "**: " << MarkdownText(ServerText(rows[i]))
        << " |";
    for (const std::string_view area : areas) {
      const auto cell = cells[i].find(area);
      out << ' ' << (cell == cells[i].end() ? "–" : TextOf(cell->second)) << " |";
    }
    out << '\n';
  }
}

}  // namespace assay
