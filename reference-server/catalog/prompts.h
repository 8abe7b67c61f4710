// The prompts.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::reference {

struct Prompt {
  /// As prompts/list shows it to the newest revisions.
  boost::json::object definition;
  /// The messages of prompts/get, for arguments that were checked: all strings, all required there.
  boost::json::array (*messages)(const boost::json::object& arguments);

  std::string_view name() const { return definition.at("name").as_string(); }
};

std::vector<Prompt> BuildPrompts();
Prompt BuildDynamicPrompt();

/// What is wrong with the arguments of prompts/get; empty if nothing is.
std::string ArgumentProblem(const Prompt& prompt, const boost::json::object& arguments);

}  // namespace assay::reference
