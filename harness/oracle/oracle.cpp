// The rules, in one list.

#include "oracle/oracle.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "oracle/envelope.h"
#include "oracle/errors.h"
#include "oracle/features.h"
#include "oracle/findings.h"
#include "oracle/framing.h"
#include "oracle/http.h"
#include "oracle/jsonrpc.h"
#include "oracle/ledger.h"
#include "oracle/legacy.h"
#include "oracle/memory.h"
#include "oracle/meta.h"
#include "oracle/notifications.h"
#include "oracle/process.h"
#include "oracle/progress.h"
#include "oracle/questions.h"
#include "oracle/responses.h"
#include "oracle/results.h"
#include "oracle/shape_rules.h"
#include "oracle/subscriptions.h"
#include "oracle/tasks.h"

namespace assay {
namespace {

const std::vector<oracle::Rule>& Rules() {
  static const std::vector<oracle::Rule> rules = [] {
    std::vector<oracle::Rule> all;
    for (std::vector<oracle::Rule>& group :
         std::vector{oracle::FramingRules(), oracle::JsonRpcRules(), oracle::ResponseRules(),
                     oracle::ProcessRules(), oracle::ErrorRules(), oracle::EnvelopeRules(),
                     oracle::ShapeRules(), oracle::ResultRules(), oracle::NotificationRules(),
                     oracle::SubscriptionRules(), oracle::ProgressRules(), oracle::LegacyRules(),
                     oracle::MetaRules(), oracle::FeatureRules(), oracle::TaskRules(),
                     oracle::HttpRules(), oracle::QuestionRules(), oracle::MemoryRules()}) {
      std::move(group.begin(), group.end(), std::back_inserter(all));
    }
    return all;
  }();
  return rules;
}

// By the names of the rules: those of lines and processes, and those of HTTP exchanges.
std::string_view TransportOf(std::string_view rule) {
  if (rule.starts_with("stdout-")) return "stdio";
  return rule.starts_with("http-") ? "http" : "any";
}

}  // namespace

const std::vector<OracleRule>& OracleRules() {
  static const std::vector<OracleRule> described = [] {
    std::vector<OracleRule> list;
    for (const oracle::Rule& rule : Rules()) {
      OracleRule& entry = list.emplace_back(OracleRule{rule.name, TransportOf(rule.name), {}});
      for (const oracle::Duty& duty : rule.duties) {
        for (const std::string_view id : {duty.modern, duty.legacy}) {
          const auto& ids = entry.requirements;
          if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) {
            entry.requirements.push_back(id);
          }
        }
      }
    }
    return list;
  }();
  return described;
}

std::vector<Finding> JudgeTranscript(const Transcript& transcript, const Shapes& shapes,
                                     std::vector<Unjudged>* unjudged) {
  const oracle::Ledger ledger(transcript, shapes);
  oracle::Findings findings;
  for (const oracle::Rule& rule : Rules()) rule.judge(ledger, findings);
  if (unjudged != nullptr) *unjudged = findings.unjudged();
  return std::move(findings).Take();
}

}  // namespace assay
