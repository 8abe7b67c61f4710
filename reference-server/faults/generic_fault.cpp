#include "faults/generic_fault.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <charconv>
#include <iostream>
#include <optional>
#include <utility>

#include "faults/edit.h"
#include "faults/json_patch.h"
#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Which messages a fault is for: the nth answer to METHOD or, if METHOD starts with
/// "notifications/" and answers nothing, the nth notification of that method. 0 is every one.
struct Selection {
  std::string method;
  std::size_t nth = 0;
  std::size_t seen = 0;

  bool Takes(const OutgoingMessage& message) {
    if (message.method != method) return false;
    ++seen;
    return nth == 0 || seen == nth;
  }
};

struct Specification {
  Selection selection;
  std::string argument;
};

/// METHOD:NTH or METHOD:NTH:ARGUMENT. A method may contain colons, so the first colon that is
/// followed by a number (or *) counts.
std::optional<Specification> ParseSpecification(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const std::size_t end = std::min(text.find(':', colon + 1), text.size());
    const std::string_view nth = text.substr(colon + 1, end - colon - 1);
    Specification parsed{{std::string(text.substr(0, colon))}, {}};
    if (nth != "*") {
      const auto [rest, failed] =
          std::from_chars(nth.data(), nth.data() + nth.size(), parsed.selection.nth);
      if (failed != std::errc() || rest != nth.data() + nth.size() || parsed.selection.nth == 0) {
        continue;
      }
    }
    if (end < text.size()) parsed.argument = text.substr(end + 1);
    return parsed;
  }
  return std::nullopt;
}

class SelectingFault : public Fault {
 public:
  explicit SelectingFault(Specification specification)
      : selection_(std::move(specification.selection)),
        argument_(std::move(specification.argument)) {}

  void Send(OutgoingMessage message) override {
    if (selection_.Takes(message)) return Spoil(std::move(message));
    SendOn(std::move(message));
  }

 protected:
  virtual void Spoil(OutgoingMessage message) = 0;
  const std::string& argument() const { return argument_; }

 private:
  Selection selection_;
  std::string argument_;
};

class Mutate : public SelectingFault {
 public:
  Mutate(Specification specification, json::value patch)
      : SelectingFault(std::move(specification)), patch_(std::move(patch)) {}

 private:
  void Spoil(OutgoingMessage message) override {
    const bool applied = EditMessage(
        message, [this](json::value& document) { return ApplyPatch(patch_, document); });
    if (!applied) std::cerr << "mutate: the patch does not fit " << message.bytes;
    SendOn(std::move(message));
  }

  json::value patch_;
};

class Drop : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

 private:
  void Spoil(OutgoingMessage) override {}
};

class Inject : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

 private:
  void Spoil(OutgoingMessage message) override {
    Write(argument() + "\n");
    SendOn(std::move(message));
  }
};

class Append : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

 private:
  void Spoil(OutgoingMessage message) override {
    SendOn(std::move(message));
    Write(argument() + "\n");
  }
};

class Replace : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

 private:
  void Spoil(OutgoingMessage message) override {
    constexpr std::string_view kToken = "$ID";
    message.bytes = argument() + "\n";
    const std::string id = message.id.empty() ? "null" : message.id;
    for (std::size_t at = message.bytes.find(kToken); at != std::string::npos;
         at = message.bytes.find(kToken, at + id.size())) {
      message.bytes.replace(at, kToken.size(), id);
    }
    SendOn(std::move(message));
  }
};

class ExitInstead : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

 private:
  void Spoil(OutgoingMessage) override { Exit(3); }
};

class Hang : public SelectingFault {
 public:
  using SelectingFault::SelectingFault;

  void Send(OutgoingMessage message) override {
    if (!hanging_) SelectingFault::Send(std::move(message));
  }

 private:
  void Spoil(OutgoingMessage) override { hanging_ = true; }

  bool hanging_ = false;
};

class AnswerNotification : public Fault {
 public:
  AnswerNotification(std::string method, std::string answer)
      : method_(std::move(method)), answer_(std::move(answer)) {}

  void HandleLine(std::string_view line) override {
    const auto method = MemberText(line, "method");
    if (method == json::serialize(json::value(method_)) && !MemberText(line, "id")) {
      Write(answer_ + "\n");
    }
    PassOn(line);
  }

 private:
  std::string method_;
  std::string answer_;
};

constexpr std::string_view kForms[] = {"mutate", "drop", "inject", "append",
                                       "answer", "exit", "hang",   "answer-notification"};

}  // namespace

const std::string_view kGenericFaultHelp =
    R"(Faults that take any message apart. METHOD is the method of the answered request (- for an
answer to a line without a readable method, and for the answers of a batch), or a notification's own
method; NTH counts from 1, * is every one.
  mutate=METHOD:NTH:JSON-PATCH    apply an RFC 6902 patch to the whole message
  drop=METHOD:NTH                 do not send it
  inject=METHOD:NTH:TEXT          write TEXT as a line just before it
  append=METHOD:NTH:TEXT          write TEXT as a line just after it
  answer=METHOD:NTH:JSON          send JSON instead, $ID in it standing for the request's id
  exit=METHOD:NTH                 exit with code 3 instead of sending it
  hang=METHOD:NTH                 send nothing from then on
  answer-notification=METHOD:JSON write JSON as a line whenever the client sends that notification)";

bool LooksGeneric(std::string_view specification) {
  return specification.find('=') != std::string_view::npos;
}

std::variant<std::unique_ptr<Fault>, std::string> MakeGenericFault(std::string_view specification) {
  const std::size_t equals = specification.find('=');
  const std::string_view form = specification.substr(0, equals);
  const std::string_view rest = specification.substr(equals + 1);
  if (std::find(std::begin(kForms), std::end(kForms), form) == std::end(kForms)) {
    return "unknown fault " + std::string(form) + "=";
  }
  if (form == "answer-notification") {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return "answer-notification= needs METHOD:JSON";
    return std::make_unique<AnswerNotification>(std::string(rest.substr(0, colon)),
                                                std::string(rest.substr(colon + 1)));
  }
  std::optional<Specification> parsed = ParseSpecification(rest);
  if (!parsed) return std::string(form) + "= needs METHOD:NTH with NTH a number from 1, or *";
  const bool takes_argument = form != "drop" && form != "exit" && form != "hang";
  if (takes_argument == parsed->argument.empty()) {
    return std::string(form) + (takes_argument ? "= needs something after METHOD:NTH:"
                                               : "= takes nothing after METHOD:NTH");
  }
  if (form == "mutate") {
    boost::system::error_code failed;
    json::value patch = json::parse(parsed->argument, failed);
    if (failed) return "mutate= needs a JSON Patch: " + failed.message();
    if (const auto problem = PatchProblem(patch)) return "mutate=: " + *problem;
    return std::make_unique<Mutate>(*std::move(parsed), std::move(patch));
  }
  if (form == "drop") return std::make_unique<Drop>(*std::move(parsed));
  if (form == "inject") return std::make_unique<Inject>(*std::move(parsed));
  if (form == "append") return std::make_unique<Append>(*std::move(parsed));
  if (form == "answer") return std::make_unique<Replace>(*std::move(parsed));
  if (form == "exit") return std::make_unique<ExitInstead>(*std::move(parsed));
  return std::make_unique<Hang>(*std::move(parsed));
}

}  // namespace assay::reference
