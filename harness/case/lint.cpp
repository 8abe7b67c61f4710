// Follows the steps of a case and reports what cannot work.

#include "case/lint.h"

#include <algorithm>
#include <map>
#include <string>

namespace assay {
namespace {

using Verb = Step::Verb;

bool Writes(Verb verb) {
  switch (verb) {
    case Verb::kRequest:
    case Verb::kNotify:
    case Verb::kRespond:
    case Verb::kRaw:
    case Verb::kBytes:
    case Verb::kPoll:
    case Verb::kClose:
      return true;
    default:
      return false;
  }
}

// Verbs that leave a message behind which `expect` can judge.
bool Answers(Verb verb) {
  switch (verb) {
    case Verb::kRequest:
    case Verb::kNotify:
    case Verb::kRaw:
    case Verb::kBytes:
    case Verb::kPoll:
    case Verb::kAwait:
    case Verb::kHttp:
      return true;
    default:
      return false;
  }
}

class Linter {
 public:
  Linter(const Case& test_case, std::vector<InputError>* problems)
      : case_(test_case), problems_(problems) {}

  void Run() {
    connections_["main"];
    if (case_.topology) {
      for (std::size_t i = 0; i < case_.topology->instances; ++i) {
        connections_[std::string(1, static_cast<char>('a' + i))];
      }
    }
    Steps(case_.steps);
    LastStep(case_.steps);
    if (case_.session == "shared" && !MayShare(case_)) {
      Fail(case_.place,
           "`session: shared` is not possible: the case does more than send requests "
           "whose ids the engine chooses");
    }
  }

 private:
  struct Connection {
    bool closed = false;    // we closed the server's input
    bool ended = false;     // the server has ended
    bool answered = false;  // there was something that could have an answer
  };

  void Fail(const Place& place, const std::string& message) {
    problems_->emplace_back(place, message);
  }

  void Steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) One(step);
  }

  void One(const Step& step) {
    Transport(step);
    if (step.verb == Verb::kConnect) {
      if (!connections_.emplace(step.text.text(), Connection{}).second) {
        Fail(step.place, "there is a connection '" + step.text.text() + "' already");
      }
      return;
    }
    if (step.verb == Verb::kRepeat || step.verb == Verb::kParallel) {
      for (const std::vector<Step>& branch : step.branches) Steps(branch);
      return;
    }
    const auto found = connections_.find(step.on);
    if (found == connections_.end()) {
      return Fail(step.place, "no connection '" + step.on + "'; `connect` opens one");
    }
    Instance(step);
    Reach(step, found->second);
  }

  // What only instances have happen to them.
  void Instance(const Step& step) {
    const bool needs_one = step.verb == Verb::kKill || step.verb == Verb::kPause ||
                           (case_.topology && step.verb == Verb::kRestart);
    const bool is_one = case_.topology && step.on.size() == 1 && step.on[0] >= 'a' &&
                        step.on[0] < static_cast<char>('a' + case_.topology->instances);
    if (needs_one && !is_one) {
      Fail(step.place, case_.topology ? "no instance '" + step.on + "'"
                                      : "only a case with a `topology` has instances");
    }
  }

  // Whether the step can be reached, and what becomes of the connection.
  void Reach(const Step& step, Connection& connection) {
    if (step.verb == Verb::kRestart) {
      connection = {};
      return;
    }
    if (connection.ended) {
      Fail(step.place, "never reached: the server has ended, and nothing restarts it");
    } else if (connection.closed && Writes(step.verb)) {
      Fail(step.place, "never reached: the server's input is closed, and nothing restarts it");
    }
    if (step.verb == Verb::kExpect && !connection.answered) {
      Fail(step.place, "there is no answer before this to judge once more");
    }
    connection.closed |= step.verb == Verb::kClose;
    connection.ended |= step.verb == Verb::kExit;
    connection.answered |= Answers(step.verb);
  }

  void Transport(const Step& step) {
    if (case_.transport == "http" && step.verb == Verb::kClose) {
      Fail(step.place, "`close` needs `transport: stdio`");
    }
    const bool answerless = step.verb == Verb::kNotify || step.verb == Verb::kRespond;
    if (answerless && step.expect && case_.transport != "http") {
      Fail(step.expect->place,
           "only over HTTP is there an answer to this; `silence` says that nothing comes");
    }
    if (step.open && case_.transport != "http") {
      Fail(step.place, "`open` needs `transport: http`, or a topology");
    }
    if (case_.transport != "stdio") return;
    if (step.http) Fail(step.place, "`http` in a case that is for stdio only");
    if (!step.expect) return;
    const auto& any_of = step.expect->any_of;
    if (std::any_of(any_of.begin(), any_of.end(), [](const Alternative& alternative) {
          return alternative.status || alternative.headers || alternative.body;
        })) {
      Fail(step.expect->place, "an HTTP response is expected in a case that is for stdio only");
    }
  }

  void LastStep(const std::vector<Step>& steps) {
    const Step& last = steps.back();
    if (last.verb == Verb::kQuiet || last.verb == Verb::kThink) {
      Fail(last.place, "a wait that nothing follows; `silence` judges what came meanwhile");
    }
    if (last.verb == Verb::kSilence && case_.era == Era::kNone) {
      Fail(last.place,
           "`silence` cannot be the last step with `era: none`: the fence would decide the era; "
           "the request of a next step can be it");
    }
    for (const std::vector<Step>& branch : last.branches) LastStep(branch);
  }

  const Case& case_;
  std::vector<InputError>* problems_;
  std::map<std::string, Connection> connections_;
};

}  // namespace

void LintCase(const Case& test_case, std::vector<InputError>* problems) {
  Linter(test_case, problems).Run();
}

}  // namespace assay
