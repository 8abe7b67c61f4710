// What every HTML report has in common: one file that loads nothing, and in which only our own
// style and script work. Its content security policy names both by their hashes, so that nothing
// a server says can run even where it were taken for markup.

#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace assay {

// Everything up to and including <body>. `script` is what WritePageEnd will be given.
void WritePageStart(std::string_view title, std::string_view script, std::ostream& out);

// The script, if any, and the end of the page.
void WritePageEnd(std::string_view script, std::ostream& out);

// `json` such that it can stand in a script element: without the characters that could end it.
// JSON has them in strings only.
std::string JsonForScript(std::string_view json);

// `text` as an HTML text or attribute value, everything invisible spelled out.
std::string HtmlText(std::string_view text);

}  // namespace assay
