// The servers of `assay matrix`, as a YAML file names them:
//
//   servers:
//     - name: everything            # letters, digits, . _ -; the folder of its report
//       command: [npx, server-everything]
//       env: { LOG_LEVEL: error }
//       profile: everything         # a built-in profile, or the path of one
//     - name: remote
//       url: https://host/mcp       # or `http: true`, to start the command and speak HTTP to it
//
// A profile that is a file may name the command itself.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "case/yaml.h"

namespace assay {

struct ListedServer {
  std::string name;
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::string profile;       // a built-in one's name
  std::string profile_file;  // or a path, relative to the working directory
  std::string url;
  bool http = false;
};

// Throws InputError: also on two servers of one name, and on one without a command.
std::vector<ListedServer> ReadServerList(const std::string& path, const YamlText& text);

}  // namespace assay
