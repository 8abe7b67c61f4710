// Text that others wrote (servers above all), made safe to show: nothing in it can move a cursor,
// change a colour, reorder a line, end a line, or break the encoding of a report.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// Valid UTF-8 on one line in which everything invisible is spelled out: control characters as \n,
// \t, \x1b, bytes that are not UTF-8 as \xff, and characters that hide or reorder text
// (bidirectional controls, zero-width and line separators, noncharacters) as \u{202e}. Backslashes
// stay as they are. Every character of the outcome is one that XML 1.0 and YAML 1.2 allow.
std::string Visible(std::string_view bytes);

// Visible(), of the first `limit` bytes or a few less; what is left out is told by an ellipsis.
std::string Excerpt(std::string_view bytes, std::size_t limit);

// The same text with U+FFFD for every byte that is not UTF-8.
std::string ValidUtf8(std::string_view bytes);

// Runs of white space as single blanks, none at either end: for prose that was wrapped in a file.
std::string Unwrapped(std::string_view prose);

// One word of a POSIX shell command (of bash, where it holds control characters).
std::string ShellWord(std::string_view word);

}  // namespace assay
