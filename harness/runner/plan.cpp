// Planning: one run for each case and revision, or one skip that says why.

#include "runner/plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "case/glob.h"
#include "message/json.h"
#include "runner/cover.h"

namespace assay {
namespace {

// The value at a dotted path in `capabilities` is there and is not false.
bool Declares(const Json& capabilities, const std::string& path) {
  const Json* here = &capabilities;
  std::string_view rest = path;
  while (!rest.empty() && here != nullptr) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    here = here->Find(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  return here != nullptr && !here->is_null() && (!here->is_boolean() || here->boolean());
}

class Planner {
 public:
  Planner(const Catalogue& catalogue, const ServerFacts& facts, const PlanSettings& settings)
      : catalogue_(catalogue), facts_(facts), settings_(settings) {}

  std::vector<PlannedRun> Plan(const Case& test_case) const {
    PlannedRun run;
    run.test_case = &test_case;
    run.era = test_case.era;
    const EraFacts& era = test_case.era == Era::kModern ? facts_.modern : facts_.legacy;
    if (test_case.era != Era::kNone && !era.revisions.empty()) run.revision = era.revisions.front();
    if (std::string why = WrongEra(test_case); !why.empty()) {
      return {Skip(run, "not-this-era", why)};
    }
    if (std::string why = WrongTransport(test_case); !why.empty()) {
      return {Skip(run, "not-this-transport", why)};
    }
    const std::vector<std::string> revisions = Revisions(test_case, era);
    if (test_case.era != Era::kNone && revisions.empty()) {
      return {Skip(run, "not-this-era", WhyNoRevision(test_case))};
    }
    if (std::string why = Undeclared(test_case); !why.empty()) {
      return {Skip(run, "not-declared", why)};
    }
    if (test_case.topology && test_case.topology->shares && !facts_.fleet) {
      return {Skip(run, "needs-role",
                   "nothing says how instances share what they keep; a profile can (`fleet`)")};
    }
    if (test_case.topology && test_case.topology->short_lived &&
        (!facts_.fleet || facts_.fleet->short_lived.empty())) {
      return {
          Skip(run, "needs-role",
               "nothing says how a requestState comes to expire soon; a profile can (`fleet`)")};
    }
    for (const std::string& role : test_case.when.roles) {
      if (facts_.roles.contains(role)) continue;
      const auto withheld = facts_.withheld_roles.find(role);
      const bool unsafe = withheld != facts_.withheld_roles.end() &&
                          withheld->second.find("--allow-tool-calls") != std::string::npos;
      const std::string why = withheld != facts_.withheld_roles.end()
                                  ? withheld->second
                                  : "no tool plays the role '" + role + "'; a profile can name one";
      return {Skip(run, unsafe ? "unsafe-tool" : "needs-role", why)};
    }
    for (const std::string& token : test_case.when.tokens) {
      if (facts_.tokens.contains(token)) continue;
      return {Skip(run, "needs-role", "no token '" + token + "'; a profile can give one")};
    }
    if (test_case.era == Era::kNone) return {run};
    std::vector<PlannedRun> runs;
    for (const std::string& revision : revisions) {
      run.revision = revision;
      runs.push_back(run);
    }
    return runs;
  }

 private:
  static PlannedRun Skip(PlannedRun run, const char* reason, std::string detail) {
    run.skip_reason = reason;
    run.skip_detail = std::move(detail);
    return run;
  }

  struct Eras {
    bool legacy = false;
    bool modern = false;
  };
  // A case that opens its connection itself belongs to the eras of what it proves.
  Eras ErasOf(const Case& test_case) const {
    Eras eras{test_case.era == Era::kLegacy, test_case.era == Era::kModern};
    if (test_case.era != Era::kNone) return eras;
    for (const std::string& id : test_case.requires_ids) {
      const Requirement* requirement = catalogue_.Find(id);
      if (requirement == nullptr) continue;
      // What the contract asks of either era says which only by how long it is asked.
      const bool either = requirement->until.empty() || requirement->until >= "2026";
      if (requirement->level == Level::kContract && either) continue;
      (requirement->since >= "2026" ? eras.modern : eras.legacy) = true;
    }
    return eras;
  }

  bool Wanted(Era era) const {
    return settings_.era == "auto" || settings_.era == "both" || settings_.era == ToString(era);
  }

  std::string WrongEra(const Case& test_case) const {
    const bool legacy = facts_.legacy.served;
    const bool modern = facts_.modern.served;
    const std::string& server = test_case.when.server;
    if (server == "dual" && !(legacy && modern)) return "only for servers of both eras";
    if (server == "modern" && (legacy || !modern)) return "only for modern-only servers";
    if (server == "legacy" && (modern || !legacy)) return "only for legacy-only servers";
    const auto [needs_legacy, needs_modern] =
        server.empty() ? ErasOf(test_case)
                       : Eras{test_case.era == Era::kLegacy, test_case.era == Era::kModern};
    if (needs_legacy && !legacy) return "the server does not speak the legacy era";
    if (needs_modern && !modern) return "the server does not speak the modern era";
    if (needs_legacy && !Wanted(Era::kLegacy)) return "the legacy era was not asked for";
    if (needs_modern && !Wanted(Era::kModern)) return "the modern era was not asked for";
    if (server == "dual" && settings_.era != "auto" && settings_.era != "both") {
      return "both eras at once were not asked for";
    }
    return "";
  }

  std::string WrongTransport(const Case& test_case) const {
    if (!settings_.both_transports &&
        ConnectsOver(test_case, settings_.over_http ? "stdio" : "http")) {
      return "compares both transports; a profile can tell how the server is reached over each";
    }
    if (!settings_.over_http) {
      return test_case.transport == "http" ? "only over HTTP; this server is spoken to over stdio"
                                           : "";
    }
    if (test_case.topology && !settings_.is_ours) {
      return "starts several instances of the server; give its command: --http -- COMMAND";
    }
    if (test_case.transport == "stdio") {
      return "only over stdio; this server is spoken to over HTTP";
    }
    if (NeedsStdio(test_case)) return "about a process and its streams, so only over stdio";
    const bool proves = std::any_of(
        test_case.requires_ids.begin(), test_case.requires_ids.end(), [&](const std::string& id) {
          const Requirement* requirement = catalogue_.Find(id);
          return requirement != nullptr && requirement->transport != "stdio";
        });
    return proves ? "" : "what it proves holds only over stdio";
  }

  // The revisions to run a case at: asked for, negotiated, the case's own, and such that the case
  // proves something there.
  std::vector<std::string> Revisions(const Case& test_case, const EraFacts& era) const {
    std::vector<std::string> revisions = era.revisions;
    if (settings_.revisions.empty()) {
      revisions.resize(std::min<std::size_t>(revisions.size(), 1));
    } else if (settings_.revisions.front() != "all") {
      std::erase_if(revisions, [&](const std::string& revision) {
        return !Contains(settings_.revisions, revision);
      });
    }
    const bool over_http = settings_.over_http || ConnectsOver(test_case, "http");
    std::erase_if(revisions, [&](const std::string& revision) {
      // Over HTTP it had another transport, which is not spoken here.
      if (over_http && revision == "2024-11-05") return true;
      if (!test_case.revisions.empty() && !Contains(test_case.revisions, revision)) return true;
      return std::none_of(test_case.requires_ids.begin(), test_case.requires_ids.end(),
                          [&](const std::string& id) {
                            const Requirement* requirement = catalogue_.Find(id);
                            return requirement != nullptr && requirement->InForceAt(revision);
                          });
    });
    return revisions;
  }

  std::string WhyNoRevision(const Case& test_case) const {
    if (!test_case.revisions.empty()) {
      std::string list;
      for (const std::string& revision : test_case.revisions) {
        list += (list.empty() ? "" : ", ") + revision;
      }
      return "only at revision " + list + " (see --revision)";
    }
    return "nothing that it proves is in force at the revision under test (see --revision)";
  }

  std::string Undeclared(const Case& test_case) const {
    Eras eras = ErasOf(test_case);
    if (!eras.legacy && !eras.modern) eras = {true, true};  // only of the contract
    const bool legacy = eras.legacy && facts_.legacy.served;
    const bool modern = eras.modern && facts_.modern.served;
    for (const std::string& capability : test_case.when.capabilities) {
      const bool wanted = !capability.starts_with('!');
      const std::string path = capability.substr(wanted ? 0 : 1);
      if ((legacy && Declares(facts_.legacy.capabilities, path) != wanted) ||
          (modern && Declares(facts_.modern.capabilities, path) != wanted)) {
        return wanted ? "the server does not declare " + path
                      : "only for servers that do not declare " + path;
      }
    }
    for (const std::string& named : test_case.when.features) {
      const bool wanted = !named.starts_with('!');
      const std::string feature = named.substr(wanted ? 0 : 1);
      if (Offers(feature) == wanted) continue;
      return (wanted ? "the server does not offer " : "only for servers that do not offer ") +
             feature;
    }
    return "";
  }

  bool Offers(const std::string& feature) const {
    if (feature == "authorization") return facts_.asks_for_token;
    const bool tasks = feature.starts_with("tasks-");
    return Contains(facts_.tasks, tasks ? feature.substr(sizeof("tasks-") - 1) : feature);
  }

  static bool Contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  }

  const Catalogue& catalogue_;
  const ServerFacts& facts_;
  const PlanSettings& settings_;
};

}  // namespace

bool Selected(const std::vector<std::string>& filters, const std::string& case_id) {
  bool any_positive = false;
  bool selected = false;
  for (const std::string& filter : filters) {
    if (filter.starts_with('!')) {
      if (MatchesGlob(std::string_view(filter).substr(1), case_id)) return false;
    } else {
      any_positive = true;
      selected = selected || MatchesGlob(filter, case_id);
    }
  }
  return selected || !any_positive;
}

std::vector<PlannedRun> PlanRuns(const std::vector<Case>& cases, const Catalogue& catalogue,
                                 const ServerFacts& facts, const PlanSettings& settings) {
  const Planner planner(catalogue, facts, settings);
  std::vector<PlannedRun> plan;
  for (const Case& test_case : cases) {
    if (!Selected(settings.filters, test_case.id)) continue;
    std::vector<PlannedRun> runs = planner.Plan(test_case);
    std::move(runs.begin(), runs.end(), std::back_inserter(plan));
  }
  if (settings.quick) plan = EachRequirementOnce(std::move(plan), catalogue);
  std::vector<PlannedRun> part;
  for (std::size_t i = static_cast<std::size_t>(settings.shard) - 1; i < plan.size();
       i += static_cast<std::size_t>(settings.shards)) {
    part.push_back(std::move(plan[i]));
  }
  return part;
}

}  // namespace assay
