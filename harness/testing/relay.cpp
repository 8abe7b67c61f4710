// assay-relay VARIATION COMMAND...: stands between a client and a server on stdio and changes what
// the server says, within what the specification permits. What Assay finds fault with behind a
// relay is Assay's own fault.
//
//   key-order        members of objects in the opposite order
//   unknown-members  members that nobody defined, in results and list items
//   escapes          every letter of a string as \u escape
//   other-words      other error messages
//   meta             `_meta` in every result
//   more-versions    later versions listed beside those of the server
//   no-descriptions  no description of tools, prompts, resources and templates
//   extra-tool       a tool more than the server has
//   spaces           white space between all tokens
//   numbers          integers with a fraction of zero
//   slow             every answer a moment later
//   out-of-order     answers in the opposite order, where two wait
//   chatter          talk on stderr with every message
//   slow-start       the server starts a moment later

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "message/json.h"

namespace {

using assay::Json;
using assay::JsonMember;

constexpr std::chrono::milliseconds kMoment{20};

using Change = std::function<void(Json& message)>;

// Calls `visit` for every value, inner ones first.
void Walk(Json& value, const std::function<void(Json&)>& visit) {
  for (Json& item : value.items()) Walk(item, visit);
  for (JsonMember& member : value.members()) Walk(member.value, visit);
  visit(value);
}

Json* Member(Json& value, std::string_view key) {
  for (JsonMember& member : value.members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* ResultOf(Json& message) {
  Json* result = Member(message, "result");
  return result != nullptr && result->is_object() ? result : nullptr;
}

void EachListItem(Json& message, const std::function<void(Json&)>& visit) {
  Json* result = ResultOf(message);
  if (result == nullptr) return;
  for (const char* list : {"tools", "prompts", "resources", "resourceTemplates"}) {
    Json* items = Member(*result, list);
    if (items == nullptr) continue;
    for (Json& item : items->items()) visit(item);
  }
}

void ReverseKeys(Json& message) {
  Walk(message, [](Json& value) {
    auto& members = value.members();
    std::vector<JsonMember> reversed(members.rbegin(), members.rend());
    members = std::move(reversed);
  });
}

void AddUnknownMembers(Json& message) {
  const Json unknown = Json::Object({{"anything", Json::Array({Json::Integer(1)})}});
  EachListItem(message, [&](Json& item) { item.Set("x-unheard-of", unknown); });
  // Where an empty result is demanded, one with members is none.
  Json* result = ResultOf(message);
  if (result != nullptr && !result->members().empty()) result->Set("x-unheard-of", unknown);
}

void ReplaceWords(Json& message) {
  if (Json* error = Member(message, "error")) error->Set("message", Json::String("Nope."));
}

void AddMeta(Json& message) {
  Json* result = ResultOf(message);
  if (result == nullptr) return;
  if (Member(*result, "_meta") == nullptr) result->Set("_meta", Json::Object());
  Member(*result, "_meta")->Set("org.example/trace", Json::String("abc"));
}

void AddVersions(Json& message) {
  const auto add = [](Json* list) {
    if (list != nullptr && list->is_array()) list->items().push_back(Json::String("2027-01-01"));
  };
  if (Json* result = ResultOf(message)) add(Member(*result, "supportedVersions"));
  if (Json* error = Member(message, "error")) {
    if (Json* data = Member(*error, "data")) add(Member(*data, "supported"));
  }
}

void RemoveDescriptions(Json& message) {
  EachListItem(message, [](Json& item) { item.Remove("description"); });
}

void AddTool(Json& message) {
  Json* result = ResultOf(message);
  Json* tools = result == nullptr ? nullptr : Member(*result, "tools");
  // Behind the last page.
  if (tools == nullptr || Member(*result, "nextCursor") != nullptr) return;
  tools->items().push_back(*assay::ParseJson(R"({"name":"zz_extra","description":"One more.",
    "inputSchema":{"type":"object"}})")
                                .value);
}

void AddFractions(Json& message) {
  for (JsonMember& member : message.members()) {
    if (member.key == "id") continue;  // goes back as it came
    Walk(member.value, [](Json& value) {
      if (!value.is_number() || !value.is_integer()) return;
      if (value.text().find_first_of(".eE") == std::string::npos) {
        value = Json::Number(value.text() + ".0");
      }
    });
  }
}

// Texts, because Json writes none of these.
std::string WithEscapes(const std::string& line) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') {
      const std::size_t size = line[i + 1] == 'u' ? 6 : 2;
      text += line.substr(i, size);
      i += size - 1;
    } else if (in_string && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) {
      const auto code = static_cast<unsigned char>(c);
      text += "\\u00";
      text += kDigits[code >> 4U];
      text += kDigits[code & 15U];
    } else {
      text += c;
    }
  }
  return text;
}

std::string WithSpaces(const std::string& line) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    text += c;
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') {
      text += line[++i];
    } else if (!in_string && (c == ',' || c == ':' || c == '{' || c == '[')) {
      text += " \t ";
    }
  }
  return text;
}

const std::map<std::string, Change>& Changes() {
  static const std::map<std::string, Change> changes = {
      {"key-order", ReverseKeys},     {"unknown-members", AddUnknownMembers},
      {"other-words", ReplaceWords},  {"meta", AddMeta},
      {"more-versions", AddVersions}, {"no-descriptions", RemoveDescriptions},
      {"extra-tool", AddTool},        {"numbers", AddFractions}};
  return changes;
}

std::string Vary(const std::string& variation, const std::string& line) {
  if (variation == "escapes") return WithEscapes(line);
  if (variation == "spaces") return WithSpaces(line);
  const auto change = Changes().find(variation);
  if (change == Changes().end()) return line;
  assay::JsonParse parsed = assay::ParseJson(line);
  if (!parsed.value || !parsed.value->is_object()) return line;
  change->second(*parsed.value);
  return parsed.value->Dump();
}

void WriteAll(int descriptor, const std::string& bytes) {
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count <= 0) std::exit(0);
    written += static_cast<std::size_t>(count);
  }
}

class Relay {
 public:
  Relay(std::string variation, int to_server, int from_server)
      : variation_(std::move(variation)), to_server_(to_server), from_server_(from_server) {}

  void Run() {
    std::array<pollfd, 2> ends{{{STDIN_FILENO, POLLIN, 0}, {from_server_, POLLIN, 0}}};
    for (;;) {
      // What waits for company does not wait for long.
      const int count =
          ::poll(ends.data(), ends.size(), held_.empty() ? -1 : static_cast<int>(kMoment.count()));
      if (count == 0) Release();
      if (ends[0].revents != 0) FromClient(ends[0]);
      if (ends[1].revents != 0 && !FromServer()) break;
    }
    Release();
  }

 private:
  void FromClient(pollfd& end) {
    const ssize_t size = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    if (size > 0) {
      WriteAll(to_server_, {buffer_.data(), static_cast<std::size_t>(size)});
    } else {
      ::close(to_server_);
      end.fd = -1;
    }
  }

  bool FromServer() {
    const ssize_t size = ::read(from_server_, buffer_.data(), buffer_.size());
    if (size <= 0) return false;
    pending_.append(buffer_.data(), static_cast<std::size_t>(size));
    for (std::size_t end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n')) {
      Pass(pending_.substr(0, end));
      pending_.erase(0, end + 1);
    }
    return true;
  }

  void Pass(const std::string& line) {
    if (variation_ == "chatter") std::cerr << "relayed " << line.size() << " bytes" << std::endl;
    if (variation_ == "slow") std::this_thread::sleep_for(kMoment);
    const std::string varied = Vary(variation_, line) + "\n";
    const assay::JsonParse parsed = assay::ParseJson(line);
    // Only answers may change places: what is told of a request comes before its answer.
    const bool is_answer = parsed.value && parsed.value->Find("id") != nullptr &&
                           parsed.value->Find("method") == nullptr &&
                           parsed.value->Find("result", "protocolVersion") == nullptr;
    if (variation_ != "out-of-order" || !is_answer) {
      Release();
      WriteAll(STDOUT_FILENO, varied);
      return;
    }
    held_.push_front(varied);
    if (held_.size() == 2) Release();
  }

  void Release() {
    for (const std::string& line : held_) WriteAll(STDOUT_FILENO, line);
    held_.clear();
  }

  std::string variation_;
  int to_server_;
  int from_server_;
  std::string pending_;
  std::deque<std::string> held_;
  std::array<char, 65536> buffer_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string variation = argv[1];
  ::signal(SIGPIPE, SIG_IGN);
  if (variation == "slow-start") std::this_thread::sleep_for(20 * kMoment);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) return 1;
  const pid_t server = ::fork();
  if (server == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
    ::execvp(argv[2], argv + 2);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  // Whoever ends the relay means the server.
  static pid_t child = server;
  ::signal(SIGTERM, [](int signal) { ::kill(child, signal); });
  Relay(variation, in[1], out[0]).Run();
  int status = 0;
  ::waitpid(server, &status, 0);
  if (WIFSIGNALED(status)) ::raise(WTERMSIG(status));
  return WEXITSTATUS(status);
}
