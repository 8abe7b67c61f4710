#include "runner/server_list.h"

#include <algorithm>
#include <set>

#include "case/place.h"

namespace assay {
namespace {

class ServerListReader {
 public:
  explicit ServerListReader(std::string path) : path_(std::move(path)) {}

  std::vector<ListedServer> Read(const YamlNode& root) const {
    const YamlNode* list = root.Find("servers");
    if (!root.is_mapping() || list == nullptr || root.keys.size() != 1) {
      Fail(root, "expected the one key 'servers', a list of servers");
    }
    if (!list->is_sequence()) Fail(*list, "expected a list of servers");
    std::vector<ListedServer> servers;
    std::set<std::string> names;
    for (const YamlNode& item : list->items) {
      servers.push_back(ReadServer(item));
      if (!names.insert(servers.back().name).second) {
        Fail(item, "there are two servers called '" + servers.back().name + "'");
      }
    }
    return servers;
  }

 private:
  [[noreturn]] void Fail(const YamlNode& node, const std::string& message) const {
    throw InputError({path_, node.line, node.column}, message);
  }

  std::string Text(const YamlNode& node) const {
    if (!node.is_scalar() || node.is_null()) Fail(node, "expected text");
    return node.text;
  }

  // It becomes the name of a folder.
  std::string Name(const YamlNode& node) const {
    std::string name = Text(node);
    const bool sound = std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '.' || c == '_' || c == '-';
    });
    if (!sound || name.empty() || name.front() == '.') {
      Fail(node,
           "a name is made of letters, digits, '.', '_' and '-', and does not begin with '.'");
    }
    return name;
  }

  ListedServer ReadServer(const YamlNode& node) const {
    if (!node.is_mapping()) Fail(node, "expected a server (a mapping)");
    ListedServer server;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& key = node.keys[i].text;
      const YamlNode& value = node.items[i];
      if (key == "name") {
        server.name = Name(value);
      } else if (key == "command") {
        if (!value.is_sequence()) Fail(value, "expected a list of words");
        for (const YamlNode& word : value.items) server.command.push_back(Text(word));
      } else if (key == "env") {
        if (!value.is_mapping()) Fail(value, "expected a mapping from names to values");
        for (std::size_t j = 0; j < value.keys.size(); ++j) {
          server.environment[value.keys[j].text] = Text(value.items[j]);
        }
      } else if (key == "profile") {
        const std::string profile = Text(value);
        const bool file = profile.find('/') != std::string::npos || profile.ends_with(".yaml");
        (file ? server.profile_file : server.profile) = profile;
      } else if (key == "url") {
        server.url = Text(value);
      } else if (key == "http") {
        if (value.text != "true" && value.text != "false") Fail(value, "expected true or false");
        server.http = value.text == "true";
      } else {
        Fail(node.keys[i],
             "unknown key '" + key + "'; expected one of: name, command, env, profile, url, http");
      }
    }
    if (server.name.empty()) Fail(node, "a server needs a name");
    if (server.command.empty() && server.url.empty() && server.profile_file.empty()) {
      Fail(node, "a server needs a command, a url, or a profile that has them");
    }
    return server;
  }

  std::string path_;
};

}  // namespace

std::vector<ListedServer> ReadServerList(const std::string& path, const YamlText& text) {
  return ServerListReader(path).Read(ParseYaml(path, text));
}

}  // namespace assay
