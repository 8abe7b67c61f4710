#include "transport/http_writer.h"

#include <array>
#include <charconv>
#include <ctime>

namespace assay::reference {
namespace {

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

/// The value of the Date header, made once a second.
std::string_view Date() {
  static std::time_t made_at = 0;
  static std::array<char, 32> text;
  static std::size_t size = 0;
  const std::time_t now = std::time(nullptr);
  if (now != made_at) {
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    made_at = now;
  }
  return {text.data(), size};
}

}  // namespace

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

void AppendHead(std::string& out, int status, const HttpHeaders& headers, bool keeps_alive) {
  out += "HTTP/1.1 ";
  out += std::to_string(status);
  out += ' ';
  out += Reason(status);
  out += "\r\n";
  AppendHeader(out, "Date", Date());
  for (const HttpHeader& header : headers) AppendHeader(out, header.name, header.value);
  if (!keeps_alive) AppendHeader(out, "Connection", "close");
}

void AppendChunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;
  std::array<char, 16> size;
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
  out.append(size.data(), end.ptr);
  out += "\r\n";
  out += bytes;
  out += "\r\n";
}

}  // namespace assay::reference
