// Tasks in each dialect: asked about, cancelled, answered and fetched at any time. What a task may
// become after what it was is the oracle's to judge (oracle/tasks.h); here is what each answer must
// be.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

struct Started {
  std::string variable;  // of its id
  bool is_long = false;  // works on for longer than any sequence takes, or waits for an answer
  bool asks = false;     // waits for an answer
  bool cancelled = false;
  std::optional<std::size_t> awaited = {};  // the held tasks/result of it: its number in the scene
};

struct Tasks {
  std::vector<Started> started;
  bool second = false;  // another connection is open
};

using Play = std::function<bool(Tasks&, Scene&)>;

Json Reference(const std::string& variable) { return Json::String("${" + variable + "}"); }

Json TaskId(const Started& task) { return Json::Object({{"taskId", Reference(task.variable)}}); }

Json CallOf(const std::string& role) {
  return Json::Object({{"name", Json::String("${role." + role + ".tool}")},
                       {"arguments", Json::String("${role." + role + ".arguments}")}});
}

Started& Remember(Tasks& tasks, bool is_long, bool asks = false) {
  tasks.started.push_back({.variable = "task" + std::to_string(tasks.started.size() + 1),
                           .is_long = is_long,
                           .asks = asks});
  return tasks.started.back();
}

// Whether a variable that is saved is used is known at the end only.
void Forget(Step& step, const Tasks& tasks, const std::vector<bool>& used) {
  std::erase_if(step.save, [&](const Save& save) {
    for (std::size_t i = 0; i < tasks.started.size(); ++i) {
      if (tasks.started[i].variable == save.variable) return !used[i];
    }
    return false;
  });
}

bool Mentions(const Json& value, const std::string& text) {
  if (value.is_string()) return value.text() == text;
  for (const Json& item : value.items()) {
    if (Mentions(item, text)) return true;
  }
  for (const JsonMember& member : value.members()) {
    if (Mentions(member.value, text)) return true;
  }
  return false;
}

bool Mentions(const Step& step, const std::string& text) {
  if (Mentions(step.message, text)) return true;
  if (!step.expect) return false;
  for (const Alternative& one : step.expect->any_of) {
    if (one.result && Mentions(*one.result, text)) return true;
  }
  return false;
}

// Ids that nothing asks for are not saved.
void ForgetUnused(Tasks& tasks, Scene& scene) {
  std::vector<bool> used;
  for (const Started& task : tasks.started) {
    const std::string reference = "${" + task.variable + "}";
    bool mentioned = false;
    scene.ForEach([&](Step& step) { mentioned = mentioned || Mentions(step, reference); });
    used.push_back(mentioned);
  }
  scene.ForEach([&](Step& step) { Forget(step, tasks, used); });
}

// The last task that was started, or the first. The only one is both: then what is found with two
// shrinks to one where one is enough.
Started* Which(Tasks& tasks, bool older) {
  if (tasks.started.empty()) return nullptr;
  return older ? &tasks.started.front() : &tasks.started.back();
}

// --- 2025-11-25, basic § Tasks ------------------------------------------------------------------

Play StartLegacy(bool is_long) {
  return [is_long](Tasks& tasks, Scene& scene) {
    Json params = CallOf(is_long ? "long-task" : "task");
    params.Set("task", Json::Object());
    Step& step = scene.Request("tools/call", std::move(params));
    Expect(step, "L-TASK-create-result", {ResultLike(J(R"({"task":{"taskId":"$string"}})"))});
    step.save.push_back({Remember(tasks, is_long).variable, "/result/task/taskId"});
    return true;
  };
}

Play GetLegacy(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    const Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Step& step = scene.Request("tasks/get", TaskId(*task));
    std::vector<Alternative> outcomes = {ResultLike(Json::Object(
        {{"taskId", Reference(task->variable)}, {"status", Json::String("$string")}}))};
    // A cancelled task may be deleted at once.
    if (task->cancelled) outcomes.push_back(ErrorLike(J(R"({"code":-32602})")));
    Expect(step, "L-TASK-param-over-meta", std::move(outcomes));
    return true;
  };
}

Play CancelLegacy(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Step& step = scene.Request("tasks/cancel", TaskId(*task));
    if (task->cancelled) {
      Expect(step, "L-TASK-cancel-terminal-rejected", {ErrorLike(J(R"({"code":-32602})"))});
    } else if (task->is_long) {
      Expect(step, "L-TASK-cancel-transition", {ResultLike(J(R"({"status":"cancelled"})"))});
    }
    if (task->awaited) Expect(scene.Held(*task->awaited), "L-TASK-result-terminal", {AnyAnswer()});
    // One that ends by itself may have ended, or not.
    task->cancelled = task->cancelled || task->is_long;
    return true;
  };
}

// Held back until the task has ended, while other things go on.
bool ResultLegacy(Tasks& tasks, Scene& scene) {
  Started* task = Which(tasks, false);
  if (task == nullptr || (task->awaited && !task->cancelled)) return false;
  Step step = RequestStep("tasks/result", TaskId(*task));
  if (task->is_long && !task->cancelled) {
    Expect(step, "", {NoAnswer(), AnyAnswer()});
    task->awaited = scene.Hold(std::move(step));
    return true;
  }
  Expect(step, "L-TASK-result-terminal", {AnyAnswer()});
  scene.Add(std::move(step));
  return true;
}

bool ListLegacy(Tasks& tasks, Scene& scene) {
  Step& step = scene.Request("tasks/list");
  // A long list may have it on another page, and a cancelled task may be deleted.
  std::vector<Alternative> outcomes = {ResultLike(J(R"({"nextCursor":"$string"})"))};
  Json has_all = J(R"({"tasks":"$array"})");
  for (const Started& task : tasks.started) {
    if (task.cancelled) continue;
    has_all.Set("tasks", Json::Object({{"$contains", TaskId(task)}}));
  }
  outcomes.push_back(ResultLike(std::move(has_all)));
  Expect(step, "L-TASK-list-complete", std::move(outcomes));
  return true;
}

bool GetUnknownLegacy(Tasks&, Scene& scene) {
  Step& step = scene.Request("tasks/get", J(R"({"taskId":"assay-no-such-task"})"));
  Expect(step, "L-TASK-unknown-id-get", {ErrorLike(J(R"({"code":-32602})"))});
  return true;
}

bool PingLegacy(Tasks&, Scene& scene) {
  Expect(scene.Request("ping"), "L-PING-respond", {ResultLike(Json::Object())});
  return true;
}

// --- the extension io.modelcontextprotocol/tasks -------------------------------------------------

Play StartExtension(const std::string& role) {
  return [role](Tasks& tasks, Scene& scene) {
    Step& step = scene.Request("tools/call", CallOf(role));
    // Whether it makes a task of a call is the server's choice.
    Expect(step, "", {ResultLike(J(R"({"resultType":"task","taskId":"$string"})"))});
    const Started& task = Remember(tasks, role != "task", role == "asking-task");
    step.save.push_back({task.variable, "/result/taskId"});
    return true;
  };
}

Play GetExtension(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    const Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Step& step = scene.Request("tasks/get", TaskId(*task));
    Expect(step, "T-GET-IMPLEMENTED",
           {ResultLike(Json::Object(
               {{"taskId", Reference(task->variable)}, {"status", Json::String("$string")}}))});
    return true;
  };
}

// Cancelling is cooperative: the acknowledgement is empty, and what becomes of the task is not
// said.
Play CancelExtension(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Step& step = scene.Request("tasks/cancel", TaskId(*task));
    const Alternative acknowledged =
        ResultLike(J(R"({"resultType":"complete","status":"$absent"})"));
    Expect(step, task->cancelled ? "C-TASK-CANCEL-IDEMPOTENT" : "T-CANCEL-ACK", {acknowledged});
    // It may have ended before, and the answer to that is not said.
    if (!task->is_long && !task->cancelled) {
      Expect(step, "T-CANCEL-ACK", {acknowledged, ErrorLike(Json::Object())});
    }
    task->cancelled = true;
    return true;
  };
}

// Answers that nobody asked for are ignored.
bool UpdateExtension(Tasks& tasks, Scene& scene) {
  const Started* task = Which(tasks, false);
  if (task == nullptr) return false;
  Json params = TaskId(*task);
  params.Set("inputResponses", J(R"({"assay-nobody-asked":{"action":"cancel"}})"));
  Step& step = scene.Request("tasks/update", std::move(params));
  Expect(step, "T-UPDATE-UNKNOWN-KEYS-IGNORED",
         task->is_long && !task->cancelled
             ? std::vector{ResultLike(Json::Object())}
             : std::vector{ResultLike(Json::Object()), ErrorLike(Json::Object())});
  return true;
}

// The answer to the question of the last task that has one. Before it was asked, it is an answer
// that nobody asked for.
bool AnswerExtension(Tasks& tasks, Scene& scene) {
  const auto task = std::find_if(tasks.started.rbegin(), tasks.started.rend(),
                                 [](const Started& started) { return started.asks; });
  if (task == tasks.started.rend()) return false;
  Json params = TaskId(*task);
  params.Set("inputResponses", J(R"({"${role.asking-task.key}":
                   {"action":"accept","content":"${role.asking-task.answer}"}})"));
  Step& step = scene.Request("tasks/update", std::move(params));
  const Alternative acknowledged =
      ResultLike(J(R"({"resultType":"complete","taskId":"$absent","status":"$absent"})"));
  Expect(step, "T-UPDATE-ACK",
         task->is_long && !task->cancelled ? std::vector{acknowledged}
                                           : std::vector{acknowledged, ErrorLike(Json::Object())});
  task->is_long = false;
  return true;
}

bool GetUnknownExtension(Tasks&, Scene& scene) {
  Step& step = scene.Request("tasks/get", J(R"({"taskId":"assay-no-such-task"})"));
  Expect(step, "T-ERR-GET-UNKNOWN", {ErrorLike(J(R"({"code":-32602})"))});
  return true;
}

bool Discover(Tasks&, Scene& scene) {
  Expect(scene.Request("server/discover"), "M-DISCOVER-IMPLEMENTED",
         {ResultLike(J(R"({"supportedVersions":"$array"})"))});
  return true;
}

// --- the handle dialect (DESIGN §8): the call stays open -----------------------------------------

bool StartHandle(Tasks& tasks, Scene& scene) {
  Started& task = Remember(tasks, true);
  const std::string id = "assay-call-" + task.variable;
  Json params = CallOf("long-task");
  params.Set("_meta", Json::Object({{"progressToken", Json::String(id)}}));
  Step call = RequestStep("tools/call", std::move(params));
  call.id = Json::String(id);
  Expect(call, "", {NoAnswer(), AnyAnswer()});
  scene.Hold(std::move(call));
  Step await;
  await.verb = Step::Verb::kAwait;
  await.message =
      Json::Object({{"method", Json::String("notifications/progress")},
                    {"params", Json::Object({{"progressToken", Json::String(id)},
                                             {"_meta", J(R"({"taskHandle":"$string"})")}})}});
  Expect(await, "C-TASK-HANDLE-IN-META", {});
  await.save.push_back({task.variable, "/params/_meta/taskHandle"});
  scene.Add(std::move(await));
  return true;
}

Play GetHandle(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    const Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Expect(scene.Request("tasks/get", TaskId(*task)), "C-TASK-GET-METADATA-ONLY",
           {ResultLike(J(R"({"content":"$absent","isError":"$absent"})"))});
    return true;
  };
}

Play CancelHandle(bool older) {
  return [older](Tasks& tasks, Scene& scene) {
    const Started* task = Which(tasks, older);
    if (task == nullptr) return false;
    Expect(scene.Request("tasks/cancel", TaskId(*task)), "C-TASK-CANCEL-IDEMPOTENT",
           {ResultLike(Json::Object())});
    return true;
  };
}

// The same request on a second connection, which is opened at its first use.
Play Elsewhere(Play play) {
  return [play = std::move(play)](Tasks& tasks, Scene& scene) {
    if (!std::exchange(tasks.second, true)) {
      Step connect;
      connect.verb = Step::Verb::kConnect;
      connect.text = Json::String("second");
      scene.Add(std::move(connect));
    }
    if (!play(tasks, scene)) return false;
    scene.Last().on = "second";
    return true;
  };
}

bool Speaks(const ServerFacts& facts, const std::string& dialect) {
  for (const std::string& spoken : facts.tasks) {
    if (spoken == dialect) return true;
  }
  return false;
}

}  // namespace

std::optional<Model> LegacyTasksModel(const ServerFacts& facts) {
  const bool newest = facts.legacy.served && facts.legacy.revisions.front() == "2025-11-25";
  if (!newest || !Speaks(facts, "legacy") || !facts.roles.contains("long-task")) {
    return std::nullopt;
  }
  const bool lists = facts.legacy.capabilities.Find("tasks", "list") != nullptr;
  const bool cancels = facts.legacy.capabilities.Find("tasks", "cancel") != nullptr;
  std::vector<Letter<Tasks>> letters = {{"start", StartLegacy(true)}, {"get", GetLegacy(false)}};
  if (cancels) letters.push_back({"cancel", CancelLegacy(false)});
  if (lists) letters.push_back({"list", ListLegacy});
  letters.push_back({"result", ResultLegacy});
  if (facts.roles.contains("task")) letters.push_back({"start-short", StartLegacy(false)});
  letters.push_back({"get-older", GetLegacy(true)});
  if (cancels) letters.push_back({"cancel-older", CancelLegacy(true)});
  letters.push_back({"get-unknown", GetUnknownLegacy});
  letters.push_back({"ping", PingLegacy});
  return MakeModel<Tasks>({.name = "tasks-legacy",
                           .title = "the life of a task of 2025-11-25",
                           .era = Era::kLegacy,
                           .revision = "2025-11-25",
                           .revisions = {"2025-11-25"},
                           .when = NeedsFeature("tasks-legacy")},
                          {}, std::move(letters), ForgetUnused);
}

std::optional<Model> ExtensionTasksModel(const ServerFacts& facts, bool over_http) {
  if (!facts.modern.served || !Speaks(facts, "extension") || !facts.roles.contains("long-task")) {
    return std::nullopt;
  }
  std::vector<Letter<Tasks>> letters = {{"start", StartExtension("long-task")},
                                        {"get", GetExtension(false)},
                                        {"cancel", CancelExtension(false)},
                                        {"update", UpdateExtension}};
  if (facts.roles.contains("task")) letters.push_back({"start-short", StartExtension("task")});
  if (facts.roles.contains("asking-task")) {
    letters.push_back({"start-asking", StartExtension("asking-task")});
    letters.push_back({"answer", AnswerExtension});
  }
  letters.push_back({"get-older", GetExtension(true)});
  letters.push_back({"cancel-older", CancelExtension(true)});
  letters.push_back({"get-unknown", GetUnknownExtension});
  letters.push_back({"discover", Discover});
  // Over stdio another connection is another process. In the legacy era it is another session, to
  // which nobody owes the tasks of this one.
  if (over_http) {
    letters.push_back({"get-elsewhere", Elsewhere(GetExtension(false))});
    letters.push_back({"cancel-elsewhere", Elsewhere(CancelExtension(false))});
  }
  return MakeModel<Tasks>(
      {.name = "tasks-extension",
       .title = "the life of a task of the extension",
       .era = Era::kModern,
       .revision = facts.modern.revisions.front(),
       .transport = over_http ? "http" : "any",
       .when = NeedsFeature("tasks-extension"),
       .client_capabilities =
           J(R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})")},
      {}, std::move(letters), ForgetUnused);
}

std::optional<Model> HandleTasksModel(const ServerFacts& facts, bool over_http) {
  if (!facts.modern.served || !Speaks(facts, "handle") || !facts.roles.contains("long-task")) {
    return std::nullopt;
  }
  std::vector<Letter<Tasks>> letters = {
      {"start", StartHandle}, {"get", GetHandle(false)},      {"cancel", CancelHandle(false)},
      {"discover", Discover}, {"get-older", GetHandle(true)}, {"cancel-older", CancelHandle(true)}};
  if (over_http) {
    letters.push_back({"get-elsewhere", Elsewhere(GetHandle(false))});
    letters.push_back({"cancel-elsewhere", Elsewhere(CancelHandle(false))});
  }
  return MakeModel<Tasks>({.name = "tasks-handle",
                           .title = "the life of a task behind a handle",
                           .era = Era::kModern,
                           .revision = facts.modern.revisions.front(),
                           .transport = over_http ? "http" : "any",
                           .when = NeedsFeature("tasks-handle")},
                          {}, std::move(letters), ForgetUnused);
}

}  // namespace assay
