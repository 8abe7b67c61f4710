// assay-playback SCRIPT.json: a server that says what a script tells it to, for tests of the
// engine. A script is a list of rules, and the first rule that fits a line which comes in is
// played:
//   when  the line's method; or `*`: any line; or /TEXT/: lines that hold TEXT; or `start`, `eof`
//   once  true: the rule fits one line only
//   say   lines to write. $ID is the line's id as it stands there, $PARAMS its params, $N how many
//         lines have come in before
//   raw   text to write as it is, before the lines
//   hold  a name: the lines of `say` are written when a later rule releases it
//   release  a name
//   tell  a path that is opened for writing: whoever waits at that pipe learns of it
//   exit  an exit code
//   close `stdout`
// It shares no code with the harness.

#include <signal.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

namespace json = boost::json;

struct Line {
  std::string text;
  std::string method;
  std::string id = "null";
  std::string params = "null";
};

// The exact text of the top-level member `key`: ids must come back as they were written.
std::string ExactText(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("\"" + key + "\":");
  if (at == std::string::npos) return "null";
  std::size_t end = at + key.size() + 3;
  const std::size_t begin = end;
  bool in_string = false;
  for (int depth = 0; end < line.size(); ++end) {
    const char c = line[end];
    if (in_string) {
      if (c == '\\') ++end;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '}' || c == ']') --depth;
  }
  return line.substr(begin, end - begin);
}

Line Read(const std::string& text) {
  Line line{.text = text, .method = {}};
  json::error_code error;
  const json::value value = json::parse(text, error);
  const json::object* message = error ? nullptr : value.if_object();
  if (message == nullptr) return line;
  if (const json::value* method = message->if_contains("method")) {
    if (method->is_string()) line.method = method->as_string().c_str();
  }
  if (message->contains("id")) line.id = ExactText(text, "id");
  if (message->contains("params")) line.params = ExactText(text, "params");
  return line;
}

class Player {
 public:
  explicit Player(json::array rules) : rules_(std::move(rules)), played_(rules_.size(), 0) {}

  void Play() {
    On("start", {});
    for (std::string text; std::getline(std::cin, text);) {
      On("", Read(text));
      ++count_;
    }
    On("eof", {});
  }

 private:
  static bool Fits(const json::object& rule, const std::string& event, const Line& line) {
    const std::string when(rule.at("when").as_string());
    if (!event.empty()) return when == event;
    if (when == "*") return true;
    if (when.size() > 2 && when.front() == '/' && when.back() == '/') {
      return line.text.find(when.substr(1, when.size() - 2)) != std::string::npos;
    }
    return !line.method.empty() && when == line.method;
  }

  void On(const std::string& event, const Line& line) {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const json::object& rule = rules_[i].as_object();
      if (!Fits(rule, event, line)) continue;
      if (rule.contains("once") && played_[i] > 0) continue;
      ++played_[i];
      Act(rule, line);
      return;
    }
  }

  void Act(const json::object& rule, const Line& line) {
    std::vector<std::string> lines;
    if (const json::value* say = rule.if_contains("say")) {
      for (const json::value& one : say->as_array()) {
        lines.push_back(Fill(std::string(one.as_string()), line) + "\n");
      }
    }
    if (const json::value* raw = rule.if_contains("raw")) {
      Write(Fill(std::string(raw->as_string()), line));
    }
    if (const json::value* hold = rule.if_contains("hold")) {
      held_[std::string(hold->as_string())] = lines;
      return;
    }
    for (const std::string& one : lines) Write(one);
    if (const json::value* name = rule.if_contains("release")) {
      for (const std::string& one : held_[std::string(name->as_string())]) Write(one);
    }
    if (const json::value* path = rule.if_contains("tell")) {
      std::ofstream(std::string(path->as_string())) << "here\n";
    }
    if (rule.contains("close")) ::close(STDOUT_FILENO);
    if (const json::value* code = rule.if_contains("exit")) {
      ::_exit(static_cast<int>(code->to_number<int>()));
    }
  }

  std::string Fill(std::string text, const Line& line) const {
    const std::map<std::string, std::string> values = {
        {"$ID", line.id}, {"$PARAMS", line.params}, {"$N", std::to_string(count_)}};
    for (const auto& [name, value] : values) {
      for (std::size_t at = text.find(name); at != std::string::npos;
           at = text.find(name, at + value.size())) {
        text.replace(at, name.size(), value);
      }
    }
    return text;
  }

  static void Write(const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t size = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
      if (size <= 0) return;
      done += static_cast<std::size_t>(size);
    }
  }

  json::array rules_;
  std::vector<int> played_;
  std::map<std::string, std::vector<std::string>> held_;
  int count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  if (argc != 2) {
    std::cerr << "usage: assay-playback SCRIPT.json\n";
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string script{std::istreambuf_iterator<char>(file), {}};
  Player(json::parse(script).as_array()).Play();
}
