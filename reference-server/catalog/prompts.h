// The prompts.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/input_request.h"

namespace assay::reference {

struct Prompt {
  /// As prompts/list shows it to the newest revisions.
  boost::json::object definition;
  /// The messages of prompts/get, for arguments that were checked: all strings, all required there.
  /// `answers` has what the client answered to `asks`, or nothing.
  boost::json::array (*messages)(const boost::json::object& arguments,
                                 const boost::json::object& answers);
  /// What has to be known first; a legacy client is not asked.
  InputRequests asks = {};

  std::string_view name() const { return definition.at("name").as_string(); }
};

std::vector<Prompt> BuildPrompts();
Prompt BuildDynamicPrompt();

/// What is wrong with the arguments of prompts/get; empty if nothing is.
std::string ArgumentProblem(const Prompt& prompt, const boost::json::object& arguments);

}  // namespace assay::reference
