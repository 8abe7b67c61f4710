#include "reports/html_page.h"

#include <openssl/sha.h>

#include <array>

#include "message/base64.h"
#include "reports/html/assets.h"
#include "reports/visible_text.h"

namespace assay {
namespace {

// https://www.w3.org/TR/CSP3/#grammardef-hash-source
std::string HashSource(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  const std::string bytes(digest.begin(), digest.end());
  return "'sha256-" + EncodeBase64(bytes) + "'";
}

}  // namespace

void WritePageStart(std::string_view title, std::string_view script, std::ostream& out) {
  out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      << HashSource(html::kStyle);
  if (!script.empty()) out << "; script-src " << HashSource(script);
  out << "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>"
      << HtmlText(title) << "</title>\n<style>" << html::kStyle << "</style>\n</head>\n<body>\n";
}

void WritePageEnd(std::string_view script, std::ostream& out) {
  if (!script.empty()) out << "<script>" << script << "</script>\n";
  out << "</body>\n</html>\n";
}

std::string JsonForScript(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : Visible(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

}  // namespace assay
