#include "runner/tokens.h"

namespace assay {

const std::vector<std::string>& AskForTokens() {
  static const std::vector<std::string> arguments = {
      "--bearer", "assay;user=ann",
      "--bearer", "other;user=bob",
      "--bearer", "narrow;user=ann;scope=mcp:read",
      "--bearer", "broad;user=ann;scope=mcp:all",
      "--bearer", "foreign;user=ann;audience=https://elsewhere.example/mcp",
      "--bearer", "upper-case;user=ann;audience=HTTP://LOCALHOST:{port}/mcp"};
  return arguments;
}

std::map<std::string, std::string> TokensByName() {
  std::map<std::string, std::string> tokens;
  for (const std::string& argument : AskForTokens()) {
    if (argument.starts_with("--")) continue;
    const std::string token = argument.substr(0, argument.find(';'));
    tokens.emplace(token, token);
  }
  return tokens;
}

std::string OwnToken() { return AskForTokens()[1].substr(0, AskForTokens()[1].find(';')); }

}  // namespace assay
