// Finding -> signature.

#include "shrink/signature.h"

#include <algorithm>
#include <cctype>

namespace assay {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string SignatureOf(const ReportedFinding& finding) {
  std::string signature = finding.requirement + ": ";
  const std::string& words = finding.message;
  for (std::size_t i = 0; i < words.size();) {
    if (IsDigit(words[i])) {
      while (i < words.size() && IsDigit(words[i])) ++i;
      signature += '#';
    } else if (words[i] == '"') {
      const std::size_t end = words.find('"', i + 1);
      i = end == std::string::npos ? words.size() : end + 1;
      signature += "\"\"";
    } else {
      signature += words[i++];
    }
  }
  return signature;
}

bool Shows(const Result& result, std::string_view signature) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const auto& finding) { return SignatureOf(finding) == signature; });
}

}  // namespace assay
