// Reading profiles.

#include "discover/profile.h"

#include <algorithm>
#include <charconv>

#include "case/builtin.h"
#include "case/yaml.h"

namespace assay {
namespace {

class ProfileReader {
 public:
  explicit ProfileReader(std::string path) : path_(std::move(path)) {}

  Profile Read(const YamlNode& root) const {
    Profile profile;
    if (root.is_null()) return profile;  // an empty file says nothing
    ForEachMember(
        root, "a profile (a mapping)", [&](const std::string& key, const YamlNode& value) {
          if (key == "profile") {
            profile.name = Text(value);
          } else if (key == "title") {
            profile.title = Text(value);
          } else if (key == "match") {
            ForEachMember(value, "a mapping", [&](const std::string& inner, const YamlNode& glob) {
              if (inner != "server") Unknown(glob, inner, "server");
              profile.match = Text(glob);
            });
          } else if (key == "server") {
            ReadServer(value, profile);
          } else if (key == "roles") {
            ForEachMember(value, "a mapping from roles to tools",
                          [&](const std::string& role, const YamlNode& entry) {
                            profile.roles[role] = ReadRole(entry);
                          });
          } else if (key == "tokens") {
            ForEachMember(value, "a mapping from names to bearer tokens",
                          [&](const std::string& name, const YamlNode& token) {
                            profile.tokens[name] = ReadToken(token);
                          });
          } else if (key == "fleet") {
            profile.fleet = ReadFleet(value);
          } else if (key == "require") {
            profile.require = Texts(value);
          } else if (key == "baseline") {
            profile.baseline = Text(value);
          } else {
            Unknown(value, key,
                    "profile, title, match, server, roles, tokens, fleet, require, baseline");
          }
        });
    for (const std::string& level : profile.require) {
      if (level != "must" && level != "should" && level != "contract") {
        throw InputError({path_, root.line, root.column},
                         "require: expected must, should or contract, got '" + level + "'");
      }
    }
    return profile;
  }

 private:
  [[noreturn]] void Fail(const YamlNode& node, const std::string& message) const {
    throw InputError({path_, node.line, node.column}, message);
  }
  [[noreturn]] void Unknown(const YamlNode& node, const std::string& key,
                            const std::string& known) const {
    Fail(node, "unknown key '" + key + "'; expected one of: " + known);
  }

  template <typename Visit>
  void ForEachMember(const YamlNode& node, const std::string& what, Visit visit) const {
    if (!node.is_mapping()) Fail(node, "expected " + what);
    for (std::size_t i = 0; i < node.keys.size(); ++i) visit(node.keys[i].text, node.items[i]);
  }

  std::string Text(const YamlNode& node) const {
    if (!node.is_scalar()) Fail(node, "expected text");
    return node.text;
  }

  std::vector<std::string> Texts(const YamlNode& node) const {
    if (!node.is_sequence()) Fail(node, "expected a list");
    std::vector<std::string> texts;
    for (const YamlNode& item : node.items) texts.push_back(Text(item));
    return texts;
  }

  std::chrono::milliseconds Duration(const YamlNode& node) const {
    const std::string text = Text(node);
    double amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const std::string unit(end, text.data() + text.size());
    if (error != std::errc() || (unit != "s" && unit != "ms") || amount < 0) {
      Fail(node, "expected a duration such as 10s or 500ms, got '" + text + "'");
    }
    return std::chrono::milliseconds(static_cast<long>(unit == "s" ? amount * 1000 : amount));
  }

  void ReadServer(const YamlNode& node, Profile& profile) const {
    ForEachMember(node, "a mapping", [&](const std::string& key, const YamlNode& value) {
      if (key == "command") {
        profile.command = Texts(value);
        if (profile.command.empty()) Fail(value, "expected a program and its arguments");
      } else if (key == "http") {
        ReadHttp(value, profile);
      } else if (key == "env") {
        ForEachMember(value, "a mapping", [&](const std::string& name, const YamlNode& text) {
          profile.environment[name] = Text(text);
        });
      } else if (key == "start_within") {
        profile.start_within = Duration(value);
      } else {
        Unknown(value, key, "command, http, env, start_within");
      }
    });
  }

  void ReadHttp(const YamlNode& node, Profile& profile) const {
    ForEachMember(node, "a mapping", [&](const std::string& key, const YamlNode& value) {
      if (key == "command") {
        profile.http_command = Texts(value);
        if (profile.http_command.empty()) Fail(value, "expected a program and its arguments");
      } else if (key == "url") {
        profile.url = Text(value);
      } else {
        Unknown(value, key, "command, url");
      }
    });
    if (profile.http_command.empty() == profile.url.empty()) {
      Fail(node, "expected either a command or a url");
    }
  }

  Role ReadRole(const YamlNode& node) const {
    Role role;
    ForEachMember(node, "a mapping with the tool and its arguments",
                  [&](const std::string& key, const YamlNode& value) {
                    if (key == "tool") {
                      role.tool = Text(value);
                    } else if (key == "arguments") {
                      if (!value.is_mapping()) Fail(value, "expected a mapping of arguments");
                      role.arguments = ToJson(value);
                    } else {
                      role.extra.Set(key, ToJson(value));
                    }
                  });
    return role;
  }

  FleetSetup ReadFleet(const YamlNode& node) const {
    FleetSetup fleet;
    ForEachMember(node, "a mapping", [&](const std::string& key, const YamlNode& value) {
      if (key == "arguments") {
        fleet.arguments = Texts(value);
      } else if (key == "short_lived") {
        fleet.short_lived = Texts(value);
      } else if (key == "env") {
        ForEachMember(value, "a mapping", [&](const std::string& name, const YamlNode& text) {
          fleet.environment[name] = Text(text);
        });
      } else {
        Unknown(value, key, "arguments, env, short_lived");
      }
    });
    return fleet;
  }

  // It becomes part of a header. The message does not repeat what may be a secret.
  std::string ReadToken(const YamlNode& node) const {
    std::string token = Text(node);
    const bool printable =
        std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (token.empty() || !printable) Fail(node, "expected a token: visible ASCII without spaces");
    return token;
  }

  std::string path_;
};

}  // namespace

Profile LoadProfile(const std::string& path, const YamlText& text) {
  return ProfileReader(path).Read(ParseYaml(path, text));
}

std::vector<Profile> BuiltinProfiles() {
  std::vector<Profile> profiles;
  for (const BuiltinFile& file : BuiltinFiles("profiles/")) {
    profiles.push_back(LoadProfile(std::string(file.path), file.text));
  }
  return profiles;
}

}  // namespace assay
