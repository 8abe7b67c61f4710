#include "catalog/asking_tools.h"

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "catalog/tool_definition.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kNoParameters =
    R"(,"inputSchema": {"type": "object", "properties": {}}})";

const json::object kText{{"type", "string"}};

/// A tool without parameters.
Tool Fixture(std::string_view name, std::string_view description,
             std::function<void(ToolCall& call)> run) {
  const std::string definition = R"({"name": ")" + std::string(name) + R"(", "description": ")" +
                                 std::string(description) + "\"" + std::string(kNoParameters);
  return Define(definition,
                [run = std::move(run)](const json::object&, ToolCall& call) { run(call); });
}

InputRequest AskName(std::string_view question) {
  return AskUser(question, {{"name", kText}}, {"name"});
}

/// What the user wrote into the field of a form, or what they did instead.
std::string Written(const json::object& answer, std::string_view field) {
  const json::object* form = Accepted(answer);
  if (form == nullptr) return "(" + std::string(answer.at("action").as_string()) + ")";
  const json::value* value = form->if_contains(field);
  if (value == nullptr) return "(nothing)";
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

/// The first text in what the model said: the content may be one block or several.
std::string Said(const json::object& answer) {
  const json::value& content = answer.at("content");
  const json::array blocks = content.is_array() ? content.get_array() : json::array{content};
  for (const json::value& block : blocks) {
    const json::object* members = block.if_object();
    const json::value* text = members == nullptr ? nullptr : members->if_contains("text");
    if (text != nullptr && text->is_string()) return std::string(text->get_string());
  }
  return "(no text)";
}

std::string CountRoots(const json::object& answer) {
  return std::to_string(answer.at("roots").as_array().size());
}

const json::object& Of(const json::object* answers, std::string_view key) {
  return answers->at(key).as_object();
}

// --- the fixtures of the handshake era; they work in both

Tool Sampling() {
  return Define(R"({
    "name": "test_sampling",
    "description": "Asks the client's model and returns what it says.",
    "inputSchema": {
      "type": "object",
      "properties": {"prompt": {"type": "string", "description": "What to ask the model"}},
      "required": ["prompt"]
    }
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const auto* answers =
                      call.Ask({{"response", AskModel(arguments.at("prompt").as_string(), 100)}});
                  if (answers == nullptr) return;
                  call.Finish(Text("LLM response: " + Said(Of(answers, "response"))));
                });
}

Tool Elicitation() {
  return Define(R"({
    "name": "test_elicitation",
    "description": "Asks the user for a name and an address and returns what they answer.",
    "inputSchema": {
      "type": "object",
      "properties": {"message": {"type": "string", "description": "The question"}},
      "required": ["message"]
    }
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const json::object properties{
                      {"username", json::object{{"type", "string"}, {"title", "User name"}}},
                      {"email", json::object{{"type", "string"}, {"format", "email"}}}};
                  const auto* answers =
                      call.Ask({{"user", AskUser(arguments.at("message").as_string(), properties,
                                                 {"username", "email"})}});
                  if (answers == nullptr) return;
                  call.Finish(Text("User response: " + json::serialize(Of(answers, "user"))));
                });
}

/// Asks with the properties that the caller's revision knows; the others came with 2025-11-25.
void AskForm(ToolCall& call, json::object properties,
             const std::vector<std::string_view>& newer_properties) {
  if (call.caller().revision < Revision::k2025_11_25) {
    for (const std::string_view name : newer_properties) properties.stable_erase(name);
  }
  const auto* answers = call.Ask({{"form", AskUser("Please fill in the form.", properties, {})}});
  if (answers == nullptr) return;
  call.Finish(Text("Elicitation completed: " + json::serialize(Of(answers, "form"))));
}

Tool Defaults() {
  return Fixture("test_elicitation_sep1034_defaults",
                 "Asks the user with a form that has default values.", [](ToolCall& call) {
                   json::object properties = json::parse(R"({
          "name": {"type": "string", "description": "User name", "default": "John Doe"},
          "age": {"type": "integer", "description": "User age", "default": 30},
          "score": {"type": "number", "description": "User score", "default": 95.5},
          "status": {"type": "string", "description": "User status",
                     "enum": ["active", "inactive", "pending"], "default": "active"},
          "verified": {"type": "boolean", "description": "Verification status", "default": true}
        })")
                                                 .as_object();
                   if (call.caller().revision < Revision::k2025_11_25) {
                     for (auto& property : properties) {
                       json::object& schema = property.value().as_object();
                       if (schema.at("type") != "boolean") schema.stable_erase("default");
                     }
                   }
                   AskForm(call, std::move(properties), {});
                 });
}

Tool Enums() {
  return Fixture("test_elicitation_sep1330_enums",
                 "Asks the user with a form that has every kind of choice.", [](ToolCall& call) {
                   AskForm(call,
                           json::parse(R"({
          "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
          "titledSingle": {"type": "string",
                           "oneOf": [{"const": "value1", "title": "First option"},
                                     {"const": "value2", "title": "Second option"},
                                     {"const": "value3", "title": "Third option"}]},
          "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                         "enumNames": ["Option one", "Option two", "Option three"]},
          "untitledMulti": {"type": "array",
                            "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
          "titledMulti": {"type": "array",
                          "items": {"anyOf": [{"const": "value1", "title": "First choice"},
                                              {"const": "value2", "title": "Second choice"},
                                              {"const": "value3", "title": "Third choice"}]}}
        })")
                               .as_object(),
                           {"titledSingle", "untitledMulti", "titledMulti"});
                 });
}

// --- the fixtures of multi round-trip requests

Tool AskElicitation(std::string_view name) {
  return Fixture(name, "Greets the user by the name that it asks for.", [](ToolCall& call) {
    const auto* answers = call.Ask({{"user_name", AskName("What is your name?")}});
    if (answers == nullptr) return;
    call.Finish(Text("Hello, " + Written(Of(answers, "user_name"), "name") + "!"));
  });
}

Tool AskSampling() {
  return Fixture("test_input_required_result_sampling", "Returns what the client's model says.",
                 [](ToolCall& call) {
                   const auto* answers =
                       call.Ask({{"capital", AskModel("What is the capital of France?", 100)}});
                   if (answers == nullptr) return;
                   call.Finish(Text("The model says: " + Said(Of(answers, "capital"))));
                 });
}

Tool AskForRoots() {
  return Fixture("test_input_required_result_list_roots", "Counts the client's roots.",
                 [](ToolCall& call) {
                   const auto* answers = call.Ask({{"client_roots", AskRoots()}});
                   if (answers == nullptr) return;
                   call.Finish(Text("Roots: " + CountRoots(Of(answers, "client_roots"))));
                 });
}

Tool AskWithState(std::string_view name) {
  return Fixture(name, "Asks for a confirmation and remembers the question in requestState.",
                 [](ToolCall& call) {
                   const json::object properties{{"ok", json::object{{"type", "boolean"}}}};
                   const auto* answers =
                       call.Ask({{"confirm", AskUser("Please confirm.", properties, {"ok"})}});
                   if (answers == nullptr) return;
                   call.Finish(Text("state-ok: " + Written(Of(answers, "confirm"), "ok")));
                 });
}

Tool AskThreeThings() {
  return Fixture("test_input_required_result_multiple_inputs",
                 "Asks the user, the model and the client.", [](ToolCall& call) {
                   const auto* answers =
                       call.Ask({{"user_name", AskName("What is your name?")},
                                 {"greeting", AskModel("Write a short greeting.", 50)},
                                 {"client_roots", AskRoots()}});
                   if (answers == nullptr) return;
                   call.Finish(Text(Said(Of(answers, "greeting")) + " " +
                                    Written(Of(answers, "user_name"), "name") +
                                    ", roots: " + CountRoots(Of(answers, "client_roots"))));
                 });
}

Tool AskTwice() {
  return Fixture(
      "test_input_required_result_multi_round", "Asks a second question after the first.",
      [](ToolCall& call) {
        const auto* answers = call.Ask({{"step1", AskName("Step 1: What is your name?")}});
        if (answers == nullptr) return;
        const std::string name = Written(Of(answers, "step1"), "name");
        const json::object properties{{"color", kText}};
        answers = call.Ask({{"step2", AskUser("Step 2: " + name + ", what is your favourite color?",
                                              properties, {"color"})}});
        if (answers == nullptr) return;
        call.Finish(Text(name + " likes " + Written(Of(answers, "step2"), "color") + "."));
      });
}

Tool AskWhatIsDeclared() {
  return Fixture(
      "test_input_required_result_capabilities", "Asks only what the client declares.",
      [](ToolCall& call) {
        const InputRequests all{{"user_name", AskName("What is your name?")},
                                {"greeting", AskModel("Write a short greeting.", 50)},
                                {"client_roots", AskRoots()}};
        InputRequests declared;
        for (const auto& [key, request] : all) {
          if (CanAsk(request, call.caller().capabilities, call.caller().revision)) {
            declared.emplace_back(key, request);
          }
        }
        const std::size_t count = declared.size();
        if (call.Ask(std::move(declared)) == nullptr) return;
        call.Finish(Text("The client answered " + std::to_string(count) + " questions."));
      });
}

}  // namespace

std::vector<Tool> AskingTools() {
  return {Sampling(),
          Elicitation(),
          Defaults(),
          Enums(),
          AskElicitation("test_streaming_elicitation"),
          AskElicitation("test_input_required_result_elicitation"),
          AskSampling(),
          AskForRoots(),
          AskWithState("test_input_required_result_request_state"),
          AskThreeThings(),
          AskTwice(),
          AskWithState("test_input_required_result_tampered_state"),
          AskWhatIsDeclared()};
}

}  // namespace assay::reference
