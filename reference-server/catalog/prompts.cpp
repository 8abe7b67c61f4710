#include "catalog/prompts.h"

#include "catalog/content.h"
#include "catalog/uri.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object Message(json::object content) {
  return {{"role", "user"}, {"content", std::move(content)}};
}

json::object Define(std::string_view text) { return json::parse(text).as_object(); }

json::array Simple(const json::object&, const json::object&) {
  return {Message(TextBlock("This is a simple prompt for testing."))};
}

json::array WithArguments(const json::object& arguments, const json::object&) {
  const std::string_view first = arguments.at("arg1").as_string();
  const std::string_view second = arguments.at("arg2").as_string();
  return {Message(TextBlock("Prompt with arguments: arg1='" + std::string(first) + "', arg2='" +
                            std::string(second) + "'"))};
}

json::array WithEmbeddedResource(const json::object& arguments, const json::object&) {
  return {Message(EmbeddedText(arguments.at("resourceUri").as_string(), "text/plain",
                               "Embedded resource content for testing.")),
          Message(TextBlock("Please process the embedded resource above."))};
}

json::array WithImage(const json::object&, const json::object&) {
  return {Message(ImageBlock()), Message(TextBlock("Please analyze the image above."))};
}

json::array WithInput(const json::object&, const json::object& answers) {
  const json::value* answer = answers.if_contains("user_context");
  const json::object* form = answer == nullptr ? nullptr : Accepted(answer->as_object());
  const std::string context(form == nullptr ? "no particular context"
                                            : form->at("context").as_string().c_str());
  return {Message(TextBlock("Please answer in the context of " + context + "."))};
}

}  // namespace

std::vector<Prompt> BuildPrompts() {
  return {
      {Define(R"({
        "name": "test_simple_prompt",
        "title": "Simple prompt",
        "description": "One message without arguments."
      })"),
       Simple},
      {Define(R"({
        "name": "test_prompt_with_arguments",
        "title": "Prompt with arguments",
        "description": "One message that repeats its two arguments.",
        "arguments": [
          {"name": "arg1", "title": "First", "description": "First argument", "required": true},
          {"name": "arg2", "title": "Second", "description": "Second argument", "required": true}
        ]
      })"),
       WithArguments},
      {Define(R"({
        "name": "test_prompt_with_embedded_resource",
        "title": "Prompt with an embedded resource",
        "description": "A message that embeds the resource it is told to.",
        "arguments": [
          {"name": "resourceUri", "title": "Resource", "description": "URI of the resource",
           "required": true}
        ]
      })"),
       WithEmbeddedResource},
      {Define(R"({
        "name": "test_prompt_with_image",
        "title": "Prompt with an image",
        "description": "A message that shows an image."
      })"),
       WithImage},
      {Define(R"({
        "name": "test_input_required_result_prompt",
        "title": "Prompt that asks",
        "description": "A message that depends on what the user answers."
      })"),
       WithInput,
       {{"user_context", AskUser("What context should the prompt use?",
                                 {{"context", json::object{{"type", "string"}}}}, {"context"})}}},
  };
}

Prompt BuildDynamicPrompt() {
  return {Define(R"({
    "name": "test_dynamic_prompt",
    "title": "Dynamic prompt",
    "description": "Exists only between two calls of test_trigger_prompt_change."
  })"),
          Simple};
}

std::string ArgumentProblem(const Prompt& prompt, const json::object& arguments) {
  for (const auto& argument : arguments) {
    if (!argument.value().is_string()) {
      return "argument " + std::string(argument.key()) + " must be a string";
    }
  }
  if (const json::value* declared = prompt.definition.if_contains("arguments")) {
    for (const json::value& argument : declared->as_array()) {
      const std::string_view name = argument.at("name").as_string();
      if (!arguments.contains(name)) return "missing required argument " + std::string(name);
    }
  }
  const json::value* uri = arguments.if_contains("resourceUri");
  if (uri != nullptr && prompt.messages == WithEmbeddedResource && !IsUri(uri->get_string())) {
    return "resourceUri is not a URI";
  }
  return {};
}

}  // namespace assay::reference
