// The tables of keys.

#include "case/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <utility>

#include "message/matcher.h"

namespace assay {
namespace {

using Kind = Form::Kind;

Form Of(Kind kind) { return {kind, {}, nullptr, {}}; }
Form OneOf(std::vector<std::string_view> words) {
  return {Kind::kWord, std::move(words), nullptr, {}};
}
Form A(const Part& part) { return {Kind::kPart, {}, &part, {}}; }
Form ListOf(std::vector<Form> elements) { return {Kind::kList, {}, nullptr, std::move(elements)}; }
Form MapOf(std::vector<Form> values) { return {Kind::kMapOf, {}, nullptr, std::move(values)}; }

Key Required(Key key) {
  key.required = true;
  return key;
}

std::vector<Form> OneOrMore(Kind kind) { return {Of(kind), ListOf({Of(kind)})}; }

const Part& WhenPart() {
  static const Part part = {
      "when",
      "What a server must have for the case to apply.",
      {
          {"capability", OneOrMore(Kind::kText),
           "Capabilities it must declare, as dotted paths: tools.listChanged; \"!tools\": it must "
           "not."},
          {"role", OneOrMore(Kind::kText), "Roles that the profile must give to tools."},
          {"server", {OneOf({"dual", "modern", "legacy"})}, "Which eras it must serve."},
          {"feature", OneOrMore(Kind::kText),
           "Features it must have: tasks-extension, tasks-handle, tasks-legacy; "
           "\"!tasks-extension\": it "
           "must not."},
      }};
  return part;
}

const Part& ClientPart() {
  static const Part part = {
      "client",
      "What the client says of itself.",
      {
          {"capabilities", {Of(Kind::kObject)}, "The capabilities it declares; none by default."},
          {"info", {Of(Kind::kObject)}, "Its name and version instead of the harness' own."},
      }};
  return part;
}

const Part& TopologyPart() {
  static const Part part = {
      "topology",
      "Several instances of the server, called a, b, c, ..., and a balancer in front of them.",
      {
          Required({"instances", {Of(Kind::kCount)}, "How many; at most 5."}),
          {"store",
           {OneOf({"shared"})},
           "They must share what they keep; the profile says how (`fleet`)."},
          {"state",
           {OneOf({"short-lived"})},
           "A requestState of theirs expires within half a second; the profile says how."},
      }};
  return part;
}

// Keys that a suite may set for all its cases.
std::vector<Key> SharedKeys() {
  return {
      {"era",
       {OneOf({"modern", "legacy", "none"})},
       "How a connection opens; with none the case opens it itself."},
      {"transport", {OneOf({"any", "stdio", "http"})}, "Which transport it is about."},
      {"when", {A(WhenPart())}, "What a server must have for the case to apply."},
      {"session",
       {OneOf({"shared", "fresh"})},
       "Whether it may share a connection with other cases; worked out by default."},
      {"revisions",
       {ListOf({Of(Kind::kRevision)})},
       "The revisions it is about; every one of the era by default."},
      {"client", {A(ClientPart())}, "What the client says of itself."},
      {"topology",
       {A(TopologyPart())},
       "Instances of the server behind a balancer that takes them in turn; implies HTTP, and a "
       "server that is ours to start."},
  };
}

const Part& RequestPart() {
  static const Part part = {
      "message",
      "A request or notification.",
      {
          Required({"method", {Of(Kind::kValue)}, "Its method."}),
          {"params", {Of(Kind::kValue)}, "Its params."},
          {"jsonrpc", {Of(Kind::kValue)}, "What stands there instead of 2.0; ~ leaves it out."},
      }};
  return part;
}

const Part& ReplyPart() {
  static const Part part = {
      "reply",
      "The answer to a request of the server: a result or an error.",
      {
          Required({"method", {Of(Kind::kText)}, "The method of the request that is answered."}),
          {"result", {Of(Kind::kValue)}, "The result."},
          {"error", {Of(Kind::kValue)}, "The error."},
      }};
  return part;
}

std::vector<Key> OutcomeKeys() {
  return {
      {"result", {Of(Kind::kPattern)}, "A result response whose result matches."},
      {"error", {Of(Kind::kPattern)}, "An error response whose error matches."},
      {"response", {Of(Kind::kPattern)}, "A response that matches as a whole message."},
      {"nothing", {Of(Kind::kNull)}, "No answer."},
      {"status", {Of(Kind::kPattern)}, "The HTTP status."},
      {"headers",
       {Of(Kind::kPattern)},
       "Headers of the HTTP response; a media type in lower case."},
      {"body", {Of(Kind::kPattern)}, "The body of the HTTP response."},
  };
}

const Part& OutcomePart() {
  static const Part part = {"outcome", "One acceptable outcome.", OutcomeKeys()};
  return part;
}

const Key& ForKey() {
  static const Key key = {
      "for",
      {Of(Kind::kText), ListOf({Of(Kind::kText)}), Of(Kind::kNull)},
      "The requirements it proves; ~ for set-up, which skips the case when it does not hold."};
  return key;
}

const Part& ExpectationPart() {
  static const Part part = [] {
    Part expectation = {"expectation", "What the answer must be.", OutcomeKeys()};
    expectation.keys.insert(expectation.keys.begin(), ForKey());
    expectation.keys.push_back({"anyOf",
                                {ListOf({A(OutcomePart()), OneOf({"nothing"})})},
                                "Several acceptable outcomes."});
    return expectation;
  }();
  return part;
}

// Await, silence and exit say themselves what must happen: beside them `expect` only attributes it.
const Key& AttributionKey() {
  static const Part part = {
      "attribution", "Which requirements the step proves.", {Required(ForKey())}};
  static const Key key = {"expect", {A(part)}, "The same as `for` on the step itself."};
  return key;
}

std::vector<Key> HttpKeys() {
  return {
      {"headers", {MapOf({Of(Kind::kText), Of(Kind::kNull)})}, "Headers to set; ~ leaves one out."},
      {"method", {Of(Kind::kText)}, "The HTTP method."},
      {"path", {Of(Kind::kText)}, "The path; ${session.path} is that of the server's URL."},
      {"behind",
       {Of(Kind::kText)},
       "Text written on the connection right behind the request, before any answer: another "
       "request, "
       "say. What becomes of it is not looked at."},
      {"closes",
       {OneOf({"writing"})},
       "writing: nothing more is written on the connection, and the server is told so."},
  };
}

const Part& HttpHeadersPart() {
  static const Part part = {
      "httpHeaders", "Headers of HTTP requests.", {Required(HttpKeys().front())}};
  return part;
}

const Part& HttpChangePart() {
  static const Part part = {"httpChange", "Changes to the HTTP request.", HttpKeys()};
  return part;
}

const Part& HttpRequestPart() {
  static const Part part = [] {
    Part request = {"httpRequest", "An HTTP request of its own.", HttpKeys()};
    request.keys.push_back(
        {"body", {Of(Kind::kValue)}, "The body: a text as it is, anything else as JSON."});
    return request;
  }();
  return part;
}

const Key& OnKey() {
  static const Key key = {
      "on",
      {Of(Kind::kText)},
      "The connection, by the name `connect` gave it; with a topology also an instance."};
  return key;
}

const Key& ExpectKey() {
  static const Key key = {
      "expect", {A(ExpectationPart()), OneOf({"nothing"})}, "What the answer must be."};
  return key;
}

const Key& SaveKey() {
  static const Key key = {
      "save",
      {MapOf({Of(Kind::kPointer)})},
      "Variables to set, each from a JSON Pointer into the whole message; over HTTP "
      "/http/headers/NAME is a header of the answer."};
  return key;
}

const Key& MeasureKey() {
  static const Key key = {
      "measure",
      {Of(Kind::kName)},
      "A name under which the report tells how long its connection was held, and who served it; "
      "several steps of a name are measured together."};
  return key;
}

const Key& WithinKey() {
  static const Key key = {"within", {Of(Kind::kDuration)}, "How long it may take."};
  return key;
}

const Key& EnvelopeKey() {
  static const Key key = {
      "envelope",
      {OneOf({"good", "none"}), Of(Kind::kObject)},
      "The modern envelope: good, none, or what is merged over the good one; ~ removes a key."};
  return key;
}

const Key& IdKey() {
  static const Key key = {
      "id", {Of(Kind::kValue)}, "A fixed id, instead of one that the engine chooses."};
  return key;
}

const Key& HttpKey() {
  static const Key key = {"http", {A(HttpChangePart())}, "Changes to the HTTP request."};
  return key;
}

const Key& SplitKey() {
  static const Key key = {
      "split", {ListOf({Of(Kind::kCount)})}, "Offsets in bytes at which it is cut into writes."};
  return key;
}

const Part& UntilPart() {
  static const Part part = {
      "until",
      "What ends the polling.",
      {
          {"result", {Of(Kind::kPattern)}, "A result response whose result matches."},
          {"error", {Of(Kind::kPattern)}, "An error response whose error matches."},
      }};
  return part;
}

const Part& PollPart() {
  static const Part part = {
      "poll",
      "A request that is repeated until its response matches.",
      {
          Required({"request", {A(RequestPart())}, "The request."}),
          EnvelopeKey(),
          HttpKey(),
          IdKey(),
          Required({"until", {A(UntilPart())}, "What ends the polling."}),
          {"every", {Of(Kind::kDuration)}, "The pause, unless the server asks for a longer one."},
          WithinKey(),
      }};
  return part;
}

const Part& ExitPart() {
  static const Part part = {"exit",
                            "How the server ends.",
                            {
                                WithinKey(),
                                {"code", {Of(Kind::kPattern)}, "Its exit code."},
                            }};
  return part;
}

// Built once; `http` and `expect` come last because they are modifiers of the others too.
std::vector<Part> BuildSteps() {
  const Form pattern = Of(Kind::kPattern);
  return {
      {"request",
       "Sends a request and awaits its response.",
       {{"request", {A(RequestPart())}, "The request."},
        OnKey(),
        IdKey(),
        EnvelopeKey(),
        HttpKey(),
        WithinKey(),
        MeasureKey(),
        ExpectKey(),
        SaveKey()}},
      {"notify",
       "Sends a notification.",
       {{"notify", {A(RequestPart())}, "The notification."},
        OnKey(),
        EnvelopeKey(),
        HttpKey(),
        WithinKey(),
        ExpectKey()}},
      {"respond",
       "Awaits a request of the server and answers it.",
       {{"respond", {A(ReplyPart())}, "The answer."},
        OnKey(),
        HttpKey(),
        WithinKey(),
        MeasureKey(),
        ExpectKey(),
        SaveKey()}},
      {"raw",
       "Sends a line of text as it is.",
       {{"raw", {Of(Kind::kText)}, "The line."},
        OnKey(),
        {"end", {Of(Kind::kText)}, "What ends it instead of a newline."},
        SplitKey(),
        HttpKey(),
        WithinKey(),
        ExpectKey(),
        SaveKey()}},
      {"bytes",
       "Sends bytes.",
       {{"bytes", {Of(Kind::kText)}, "The bytes, in base64."},
        OnKey(),
        SplitKey(),
        HttpKey(),
        WithinKey(),
        ExpectKey(),
        SaveKey()}},
      {"await",
       "Awaits a message that answers no request.",
       {{"await", {pattern}, "The pattern it matches."},
        OnKey(),
        ForKey(),
        AttributionKey(),
        WithinKey(),
        SaveKey()}},
      {"silence",
       "Nothing came since the step before.",
       {{"silence", {Of(Kind::kNull), ListOf({pattern})}, "Patterns of messages that may come."},
        OnKey(),
        ForKey(),
        AttributionKey()}},
      {"parallel",
       "Runs branches at the same time.",
       {{"parallel",
         {ListOf({Of(Kind::kStep), ListOf({Of(Kind::kStep)})})},
         "The branches: a step each, or a list of steps."}}},
      {"repeat",
       "Runs steps several times.",
       {{"repeat", {Of(Kind::kCount)}, "How often."},
        Required({"steps", {ListOf({Of(Kind::kStep)})}, "The steps."}),
        {"memory",
         {OneOf({"settles"})},
         "The server's memory is looked at on the way, and must not grow to the end: "
         "C-MEMORY-SETTLES. Only of a server that Assay starts."}}},
      {"poll",
       "Repeats a request until its response matches.",
       {{"poll", {A(PollPart())}, "The request and when it ends."},
        OnKey(),
        ExpectKey(),
        SaveKey()}},
      {"close",
       "Closes the server's input.",
       {{"close", {OneOf({"stdin"})}, "What is closed."}, OnKey()}},
      {"exit",
       "The server ends.",
       {{"exit", {A(ExitPart()), Of(Kind::kNull)}, "How it ends."},
        OnKey(),
        ForKey(),
        AttributionKey()}},
      {"signal",
       "Sends a signal to the server.",
       {{"signal",
         {OneOf({"TERM", "INT", "HUP", "QUIT", "KILL", "USR1", "USR2", "PIPE", "STOP", "CONT"})},
         "The signal."},
        OnKey()}},
      {"restart",
       "Ends the server and starts it again.",
       {{"restart",
         {Of(Kind::kNull), Of(Kind::kText)},
         "The connection, when it is not main; with a topology the instance."}}},
      {"kill", "Ends an instance by SIGKILL.", {{"kill", {Of(Kind::kText)}, "The instance."}}},
      {"pause",
       "Stops an instance by SIGSTOP: it keeps its connections, and answers nothing until it is "
       "restarted.",
       {{"pause", {Of(Kind::kText)}, "The instance."}}},
      {"think",
       "A person thinks before the next step.",
       {{"think", {Of(Kind::kDuration)}, "How long; at most 5s."},
        {"open",
         {pattern},
         "How many requests, on whatever connection, have not been answered at the end of it."},
        ForKey(),
        AttributionKey()}},
      {"connect",
       "Opens another connection.",
       {{"connect", {Of(Kind::kText)}, "Its name, for `on`."},
        {"transport",
         {OneOf({"stdio", "http"})},
         "Over which transport; that of the run by default. Over the other one the profile must "
         "say "
         "how the server is reached."},
        {"http", {A(HttpHeadersPart())}, "What every request on it has over HTTP."}}},
      {"quiet",
       "Waits, where no fence can show that nothing comes.",
       {{"quiet", {Of(Kind::kDuration)}, "How long."}, OnKey()}},
      {"http",
       "Sends an HTTP request of its own.",
       {{"http", {A(HttpRequestPart())}, "The request."},
        OnKey(),
        WithinKey(),
        ExpectKey(),
        SaveKey()}},
      {"expect", "Judges the latest answer once more.", {ExpectKey(), OnKey(), SaveKey()}},
  };
}

}  // namespace

const std::vector<Part>& Steps() {
  static const std::vector<Part> steps = BuildSteps();
  return steps;
}

const Part& CasePart() {
  static const Part part = [] {
    Part built = {
        "case",
        "A scenario that exercises requirements.",
        {
            Required({"id", {Of(Kind::kName)}, "Its name within the suite."}),
            {"title", {Of(Kind::kText)}, "What it shows, in one sentence."},
            Required({"requires", {ListOf({Of(Kind::kText)})}, "The requirements it proves."}),
            {"level",
             {OneOf({"must", "must_not", "should", "should_not", "may"})},
             "A lower level than the requirements have."},
            {"notes", {Of(Kind::kText)}, "Why it matters."},
            {"vary", {MapOf({MapOf({Of(Kind::kAny)})})}, "Named sets of variables: one run each."},
        }};
    for (Key& key : SharedKeys()) built.keys.push_back(std::move(key));
    built.keys.push_back(
        Required({"steps", {ListOf({Of(Kind::kStep)})}, "What is done and what must come of it."}));
    return built;
  }();
  return part;
}

const Part& CaseFilePart() {
  static const Part part = [] {
    Part built = {"file",
                  "A suite of cases.",
                  {Required({"suite", {Of(Kind::kName)}, "Its name: modern/versioning."})}};
    for (Key& key : SharedKeys()) built.keys.push_back(std::move(key));
    built.keys.push_back(Required({"cases", {ListOf({A(CasePart())})}, "The cases."}));
    return built;
  }();
  return part;
}

const Part& RequirementPart() {
  static const Part part = {
      "requirement",
      "One obligation of a server.",
      {
          Required({"id", {Of(Kind::kText)}, "Its name, which baselines use."}),
          Required({"level",
                    {OneOf({"must", "must_not", "should", "should_not", "may", "contract"})},
                    "How strong it is."}),
          {"basis",
           {OneOf({"keyword", "schema", "jsonrpc", "http", "prose", "example", "derived"})},
           "How firmly the specification says it; absent for contract items."},
          {"since", {Of(Kind::kRevision)}, "The first revision it holds in."},
          {"until", {Of(Kind::kRevision)}, "The last one; absent while it is in force."},
          {"where", {Of(Kind::kText)}, "Page and heading."},
          {"link", {Of(Kind::kText)}, "The same as a URL."},
          Required({"transport", {OneOf({"any", "stdio", "http"})}, "Where it can be seen."}),
          Required({"observable",
                    {OneOf({"wire", "http", "process", "timing", "load", "not-observable"})},
                    "How it can be seen."}),
          Required({"text", {Of(Kind::kText)}, "What the server owes."}),
          {"why_not", {Of(Kind::kText)}, "Why nothing judges it."},
      }};
  return part;
}

const Part& RequirementFilePart() {
  static const Part part = {
      "requirementFile",
      "A catalogue of requirements.",
      {Required({"requirements", {ListOf({A(RequirementPart())})}, "The requirements."})}};
  return part;
}

std::string_view TextOf(Kind kind) {
  switch (kind) {
    case Kind::kName:
      return "[a-z0-9]+([-./][a-z0-9]+)*";
    case Kind::kRevision:
      return "[0-9]{4}-[0-9]{2}-[0-9]{2}";
    case Kind::kCount:
      return "[1-9][0-9]{0,5}";
    case Kind::kDuration:
      return "(?=[0-9.]*[1-9])[0-9]{1,6}(\\.[0-9]{1,3})?(ms|s)";
    case Kind::kPointer:
      return "(/([^~/]|~[01])*)*";
    default:
      return "";
  }
}

const Part* VerbOf(const YamlNode& step) {
  const auto verb = std::find_if(Steps().begin(), Steps().end(), [&](const Part& candidate) {
    return step.Find(candidate.name) != nullptr;
  });
  return verb == Steps().end() ? nullptr : &*verb;
}

std::string Describe(const Form& form) {
  switch (form.kind) {
    case Kind::kAny:
    case Kind::kValue:
      return "a value";
    case Kind::kPattern:
      return "a pattern";
    case Kind::kText:
      return "a text";
    case Kind::kNull:
      return "~";
    case Kind::kWord: {
      std::string words;
      for (const std::string_view& word : form.words) {
        if (!words.empty()) words += &word == &form.words.back() ? " or " : ", ";
        words += word;
      }
      return words;
    }
    case Kind::kName:
      return "a name of lower-case letters, digits, '-', '.' and '/'";
    case Kind::kRevision:
      return "a revision such as 2025-11-25";
    case Kind::kCount:
      return "an integer from 1 to 999999";
    case Kind::kDuration:
      return "a duration such as 300ms or 1.5s";
    case Kind::kPointer:
      return "a JSON Pointer such as /result/taskId";
    case Kind::kObject:
    case Kind::kPart:
    case Kind::kMapOf:
      return "a mapping";
    case Kind::kStep:
      return "a step";
    case Kind::kList:
      return "a list";
  }
  return "";
}

namespace {

// Words for "expected …".
std::string Describe(const std::vector<Form>& forms) {
  std::string text;
  for (const Form& form : forms) {
    if (!text.empty()) text += " or ";
    text += Describe(form);
  }
  return text;
}

std::string Show(const YamlNode& node) {
  if (node.is_mapping()) return "a mapping";
  if (node.is_sequence()) return "a list";
  if (node.is_null()) return "nothing";
  constexpr std::size_t kLimit = 60;
  return node.text.size() <= kLimit ? "'" + node.text + "'" : "a long text";
}

bool MatchesText(Kind kind, const std::string& text) {
  // Nothing that has such a form is long, and std::regex recurses over what it reads.
  constexpr std::size_t kLimit = 500;
  static const auto kRegexes = [] {
    std::array<std::optional<std::regex>, static_cast<std::size_t>(Kind::kMapOf) + 1> regexes;
    for (std::size_t i = 0; i < regexes.size(); ++i) {
      const std::string_view form = TextOf(static_cast<Kind>(i));
      if (!form.empty()) regexes.at(i).emplace(form.data(), form.size());
    }
    return regexes;
  }();
  const auto& regex = kRegexes.at(static_cast<std::size_t>(kind));
  return !regex || (text.size() <= kLimit && std::regex_match(text, *regex));
}

// Whether a node looks like this form at all: the right kind of node, and the right text.
bool Fits(const YamlNode& node, const Form& form) {
  switch (form.kind) {
    case Kind::kAny:
    case Kind::kValue:
    case Kind::kPattern:
      return true;
    case Kind::kNull:
      return node.is_null();
    case Kind::kWord:
      return node.is_scalar() &&
             std::find(form.words.begin(), form.words.end(), node.text) != form.words.end();
    case Kind::kText:
    case Kind::kName:
    case Kind::kRevision:
    case Kind::kCount:
    case Kind::kDuration:
    case Kind::kPointer:
      return node.is_scalar() && !node.is_null() && MatchesText(form.kind, node.text);
    case Kind::kObject:
    case Kind::kPart:
    case Kind::kStep:
    case Kind::kMapOf:
      return node.is_mapping();
    case Kind::kList:
      return node.is_sequence();
  }
  return false;
}

std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

std::string UnknownKey(const std::string& key, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongestKey = 40;
  std::string message = "unknown key " + (key.size() <= kLongestKey ? "'" + key + "'" : "");
  std::string_view nearest;
  std::size_t least = 3;
  for (const std::string_view candidate : known) {
    if (key.size() > kLongestKey) break;
    const std::size_t distance = Distance(key, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty()) return message + "; did you mean '" + std::string(nearest) + "'?";
  message += "; expected one of ";
  for (const std::string_view candidate : known) {
    if (candidate != known.front()) message += ", ";
    message += candidate;
  }
  return message;
}

class Checker {
 public:
  Checker(const std::string& path, std::vector<InputError>* problems)
      : path_(path), problems_(problems) {}

  void Mapping(const YamlNode& node, const Part& part) {
    if (!node.is_mapping()) return Fail(node, "expected a mapping, got " + Show(node));
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const auto key = std::find_if(part.keys.begin(), part.keys.end(), [&](const Key& candidate) {
        return candidate.name == node.keys[i].text;
      });
      if (key == part.keys.end()) {
        std::vector<std::string_view> known;
        for (const Key& candidate : part.keys) known.push_back(candidate.name);
        Fail(node.keys[i], UnknownKey(node.keys[i].text, known));
      } else {
        Value(node.items[i], key->forms, std::string(key->name) + ": ");
      }
    }
    for (const Key& key : part.keys) {
      if (key.required && node.Find(key.name) == nullptr) {
        Fail(node, "missing key '" + std::string(key.name) + "'");
      }
    }
  }

 private:
  void Fail(const YamlNode& node, const std::string& message) {
    problems_->emplace_back(Place{path_, node.line, node.column}, message);
  }

  void Value(const YamlNode& node, const std::vector<Form>& forms, const std::string& what) {
    const auto form = std::find_if(forms.begin(), forms.end(),
                                   [&](const Form& candidate) { return Fits(node, candidate); });
    if (form == forms.end()) {
      return Fail(node, what + "expected " + Describe(forms) + ", got " + Show(node));
    }
    switch (form->kind) {
      case Kind::kValue:
      case Kind::kObject:
        return Sent(node);
      case Kind::kPattern:
        return Pattern(node);
      case Kind::kPart:
        return Mapping(node, *form->part);
      case Kind::kStep:
        return Step(node);
      case Kind::kList:
      case Kind::kMapOf:
        for (const YamlNode& item : node.items) Value(item, form->of, what);
        return;
      default:
        return;
    }
  }

  void Step(const YamlNode& node) {
    const Part* verb = VerbOf(node);
    if (verb == nullptr) {
      std::vector<std::string_view> verbs;
      for (const Part& candidate : Steps()) verbs.push_back(candidate.name);
      if (node.keys.empty()) return Fail(node, "expected a step, got an empty mapping");
      return Fail(node.keys.front(),
                  "a step without a verb: " + UnknownKey(node.keys.front().text, verbs));
    }
    for (const Part& other : Steps()) {
      if (&other != verb && other.name != "http" && other.name != "expect" &&
          node.Find(other.name) != nullptr) {
        return Fail(node, "a step has one verb; this one has " + std::string(verb->name) + " and " +
                              std::string(other.name));
      }
    }
    Mapping(node, *verb);
  }

  // Reports the innermost part of the pattern that is wrong.
  void Pattern(const YamlNode& node) {
    if (!CheckPattern(ToJson(node))) return;
    const std::size_t before = problems_->size();
    for (const YamlNode& item : node.items) Pattern(item);
    if (problems_->size() == before) Fail(node, *CheckPattern(ToJson(node)));
  }

  void Sent(const YamlNode& node) {
    if (node.is_scalar()) return NoMatcher(node);
    if (node.keys.size() == 1 && node.keys.front().text == "$json") {
      return ExactText(node.items.front());
    }
    for (const YamlNode& key : node.keys) NoMatcher(key);
    for (const YamlNode& item : node.items) Sent(item);
  }
  void ExactText(const YamlNode& node) {
    if (!node.is_scalar()) return Fail(node, "$json takes a text, got " + Show(node));
    if (node.text.find("${") != std::string::npos) return;
    const JsonParse parse = ParseJson(node.text);
    if (!parse.value) Fail(node, "$json is not JSON: " + parse.error);
  }
  void NoMatcher(const YamlNode& node) {
    const std::string& text = node.text;
    if (text.size() < 2 || text[0] != '$' || text[1] == '$' || text[1] == '{') return;
    Fail(node, Show(node) + " looks like a matcher, but this is sent; a literal $ is written $$");
  }

  const std::string& path_;
  std::vector<InputError>* problems_;
};

}  // namespace

void CheckPart(const std::string& path, const YamlNode& node, const Part& part,
               std::vector<InputError>* problems) {
  Checker(path, problems).Mapping(node, part);
}

}  // namespace assay
