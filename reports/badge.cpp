#include "reports/badge.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "message/json.h"
#include "reports/exit_code.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::string_view kLabel = "MCP";

struct Badge {
  std::string message;
  std::string_view colour;  // a name that shields.io knows
  std::string_view hex;
};

Badge BadgeOf(const Report& report) {
  if (report.target.eras.empty() || report.results.empty())
    return {"not tested", "grey", "#5f6875"};
  std::string eras;
  for (const std::string_view era : {"legacy", "modern"}) {
    const auto& all = report.target.eras;
    if (std::find(all.begin(), all.end(), era) == all.end()) continue;
    eras += (eras.empty() ? "" : " + ") + std::string(era);
  }
  if (const int findings = CountFindings(report); findings > 0) {
    return {eras + ": " + Several(static_cast<std::size_t>(findings), "finding", "findings"), "red",
            "#b3221a"};
  }
  if (report.exit_code != 0) return {eras + ": incomplete", "yellow", "#835000"};
  return {eras + ": conforms", "brightgreen", "#11693a"};
}

// Pixels that `text` takes in 11 pixel Verdana, roughly; textLength then makes it exact.
std::size_t WidthOf(std::string_view text) { return text.size() * 13 / 2 + 10; }

}  // namespace

void WriteBadgeSvg(const Report& report, std::ostream& out) {
  const Badge badge = BadgeOf(report);
  const std::size_t left = WidthOf(kLabel);
  const std::size_t right = WidthOf(badge.message);
  const auto text = [&](std::string_view words, std::size_t from, std::size_t width) {
    out << "  <text x=\"" << from + 5 << "\" y=\"14\" textLength=\"" << width - 10 << "\">" << words
        << "</text>\n";
  };
  // The words are ours and hold nothing that XML would take for markup.
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << left + right
      << "\" height=\"20\" role=\"img\" aria-label=\"" << kLabel << ": " << badge.message
      << "\">\n  <title>" << kLabel << ": " << badge.message
      << "</title>\n  <clipPath id=\"round\"><rect width=\"" << left + right
      << "\" height=\"20\" rx=\"3\"/></clipPath>\n  <g clip-path=\"url(#round)\"><rect width=\""
      << left << "\" height=\"20\" fill=\"#444b54\"/><rect x=\"" << left << "\" width=\"" << right
      << "\" height=\"20\" fill=\"" << badge.hex
      << "\"/></g>\n  <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
         "font-size=\"11\">\n";
  text(kLabel, 0, left);
  text(badge.message, left, right);
  out << "  </g>\n</svg>\n";
}

void WriteBadgeJson(const Report& report, std::ostream& out) {
  const Badge badge = BadgeOf(report);
  out << Json::Object({{"schemaVersion", Json::Integer(1)},
                       {"label", Json::String(std::string(kLabel))},
                       {"message", Json::String(badge.message)},
                       {"color", Json::String(std::string(badge.colour))}})
             .Dump()
      << '\n';
}

}  // namespace assay
