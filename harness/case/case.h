// A case: a scenario that exercises requirements, parsed once from YAML and never changed.
// The file format is described by `assay schema`; its texts and templates stay as written here and
// are filled in when the case runs (message/template.h).

#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case/place.h"
#include "case/requirement.h"
#include "message/json.h"

namespace assay {

enum class Era { kNone, kLegacy, kModern };
std::string_view ToString(Era era);  // none | legacy | modern

// One acceptable outcome. The patterns are templates of matchers (message/matcher.h); all that are
// given must hold.
struct Alternative {
  bool nothing = false;          // no answer
  std::optional<Json> result;    // a result response whose result matches
  std::optional<Json> error;     // an error response whose error matches
  std::optional<Json> response;  // the whole message
  std::optional<Json> status;    // HTTP only, and so are the next two
  std::optional<Json> headers;
  std::optional<Json> body;
};

struct Expectation {
  Place place;
  bool set_up = false;                    // `for: ~`: when it fails the case is skipped
  std::vector<std::string> requirements;  // what it proves; empty exactly when set_up
  std::vector<Alternative> any_of;        // at least one
};

// `save: {variable: pointer}`; the pointer leads into the whole message.
struct Save {
  std::string variable;
  std::string pointer;
};

struct Step {
  enum class Verb {
    kRequest,  // message {method, params}; its response is awaited
    kNotify,   // message {method, params}
    kRespond,  // message {method, result | error}: awaits a server request of that method, or takes
               // the one that `await` has matched, and answers it
    kRaw,      // text: a line, `end` after it, written at `split`
    kBytes,    // text: base64
    kExpect,   // judges the latest answer once more
    kAwait,    // message: pattern of a message that is not a response; `within`
    kSilence,  // nothing but what `allowed` lists came since the step before
    kParallel,  // branches
    kRepeat,    // branches[0], `count` times
    kPoll,      // branches[0][0], a request, until `until` matches its response
    kClose,     // closes the server's stdin
    kExit,      // the server ends within `within`, with exit code `code`
    kSignal,    // signal: TERM, INT, ...
    kRestart,   // ends the server, or the instance `on`, and starts it again
    kKill,      // ends the instance `on` by SIGKILL
    kPause,     // stops the instance `on` by SIGSTOP
    kConnect,   // text: opens another connection of that name, over `transport`
    kQuiet,     // waits `within`
    kThink,     // a person thinks for `within`; `open` requests are under way meanwhile
    kHttp,      // a raw HTTP request: http
  };

  Verb verb = Verb::kRequest;
  Place place;
  std::string on = "main";  // which connection

  Json message;
  std::optional<Json> id;  // request: a fixed id instead of one the engine chooses
  std::optional<Json>
      envelope;              // request, notify: "good", "none", or what is merged over the good one
  std::optional<Json> http;  // changes to headers, method, path; or the raw request; connect: the
                             // headers of whatever is sent on it
  Json text;                 // raw, bytes, connect: a string template
  std::string end = "\n";    // raw
  std::vector<std::size_t> split;
  std::vector<Json> allowed;  // silence: patterns of messages that may come
  std::vector<std::vector<Step>> branches;
  std::size_t count = 1;
  bool memory_settles = false;  // repeat: the server's memory does not grow all the way
  std::optional<Json>
      until;  // poll: an expectation's alternative as a pattern: {result: …} or {error: …}
  std::chrono::milliseconds every{50};
  std::optional<std::chrono::milliseconds> within;
  std::optional<Json> code;
  std::string signal;
  std::string transport;     // connect: stdio | http | "" (that of the run)
  std::string measure;       // request, respond: under which name it is measured
  std::optional<Json> open;  // think: pattern of how many requests have no answer at its end

  // What the answer must be (request, raw, bytes, poll, expect, http). For await, silence, exit and
  // think it has no alternatives and only says, by `for`, which requirement the step proves.
  std::optional<Expectation> expect;
  std::vector<Save> save;
};

// What a server must have for the case to apply.
struct When {
  std::vector<std::string> capabilities;  // dotted paths into what is declared, all needed; with !
                                          // they must not be there
  std::vector<std::string> roles;         // all needed
  std::string server;                     // dual | modern | legacy | "" (any)
  std::vector<std::string> features;      // tasks-extension, ...: all needed; with ! none
  std::vector<std::string> tokens;        // that it sends, and the profile must give: all needed
};

// Several instances of the server, each a process with its own port, called a, b, c, ... The
// connection `main` is to a balancer in front of them, which takes them in turn for each request;
// one of the name of an instance is to that instance.
struct Topology {
  std::size_t instances = 0;
  bool shares = false;       // they share what they keep, as the profile says how
  bool short_lived = false;  // a requestState of theirs expires soon, as the profile says how
};
inline constexpr std::size_t kMostInstances = 5;

struct Case {
  std::string id;       // suite/case, or suite/case@variant
  std::string suite;    // suite
  std::string variant;  // name within `vary`, or ""
  std::string title;
  std::string notes;
  Place place;
  Era era = Era::kNone;                // how the connection opens
  std::string transport = "any";       // any | stdio | http
  std::string session;                 // shared | fresh | "" (worked out)
  std::vector<std::string> revisions;  // restricts to these; empty = every revision of the era
  std::vector<std::string> requires_ids;
  std::optional<Level> level;  // only ever lower than the requirements'
  When when;
  std::optional<Topology> topology;
  Json client_capabilities = Json::Object();
  std::optional<Json> client_info;
  std::map<std::string, Json> variables;  // of this variant
  std::vector<Step> steps;
};

// Whether it is about a server's process, or about how bytes become lines: then HTTP has nothing
// like it.
bool NeedsStdio(const Case& test_case);

// Whether a step of it opens a connection over `transport`.
bool ConnectsOver(const Case& test_case, std::string_view transport);

// Whether it changes what the server tells all its clients of, and waits for word of it: then it
// could take for its own what another client of the same server set off.
bool MustBeAlone(const Case& test_case);

// Whether the server may have something to say to it unasked: it waits for that, asks for progress,
// answers what it is asked, or declares that it can be asked.
bool ExpectsToBeSpokenTo(const Case& test_case);

// Whether the case may run on a connection that others use too: it only sends requests whose ids
// the engine chooses, and none that changes what others see (DESIGN: sharing).
bool MayShare(const Case& test_case);

}  // namespace assay
