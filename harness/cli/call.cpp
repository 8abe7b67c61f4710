// assay call: a small client. What the tool said goes to stdout, the wire to stderr.

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "client/client.h"
#include "reports/evidence.h"
#include "reports/visible_text.h"
#include "runner/kept_transcript.h"

namespace assay {
namespace {

constexpr std::size_t kLineLimit = 2000;

constexpr char kExamples[] = R"(Examples:
  assay call -- ./server                                        what tools are there?
  assay call add --arguments '{"a":2,"b":3}' -- ./server
  assay call cart_checkout --arguments '{"cart":"c1"}' --accept '{"confirm":true}' --url https://host/mcp

What the tool says goes to stdout, the wire to stderr. Exit code: 0 it was called, 1 it was called and
says that it failed, 3 it could not be called.)";

struct CallOptions {
  ServerOptions server;
  std::string tool;
  std::string arguments = "{}";
  std::string era = "auto";
  std::string accept;
  bool quiet = false;
};

Json ReadObject(const std::string& text, const std::string& option) {
  const JsonParse parsed = ParseJson(text);
  if (!parsed.value) throw InputError({.file = option}, "is not JSON: " + parsed.error);
  if (!parsed.value->is_object()) {
    throw InputError({.file = option},
                     "expected an object, got " + std::string(parsed.value->KindName()));
  }
  return *parsed.value;
}

void PrintTools(const Json& tools) {
  for (const Json& tool : tools.items()) {
    std::string wanted;
    if (const Json* required = tool.Find("inputSchema", "required")) {
      for (const Json& name : required->items()) wanted += " " + Visible(name.text());
    }
    std::cout << Visible(tool.FindString("name").value_or("?")) << wanted << "\n";
    if (const auto description = tool.FindString("description")) {
      std::cout << "    " << Visible(Unwrapped(*description)) << "\n";
    }
  }
}

// Texts as they are, line by line; whatever else as JSON.
void PrintResult(const Json& result) {
  const Json* content = result.Find("content");
  for (const Json& block : content == nullptr ? std::vector<Json>{} : content->items()) {
    const auto text = block.FindString("text");
    if (!text) {
      std::cout << Visible(block.Dump()) << "\n";
      continue;
    }
    for (std::size_t at = 0; at <= text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      std::cout << Visible(text->substr(at, end - at)) << "\n";
      at = end + 1;
    }
  }
  if (const Json* structured = result.Find("structuredContent")) {
    std::cout << Visible(structured->Dump()) << "\n";
  }
}

int Call(const CallOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  CallSettings settings;
  ApplyServerOptions(options.server, chosen, server, settings.run);
  settings.tool = options.tool;
  settings.arguments = ReadObject(options.arguments, "--arguments");
  if (options.era != "auto") settings.era = options.era == "modern" ? Era::kModern : Era::kLegacy;
  if (!options.accept.empty()) {
    settings.elicited = Json::Object(
        {{"action", Json::String("accept")}, {"content", ReadObject(options.accept, "--accept")}});
  }
  const Called called = CallTool(settings);
  if (!options.quiet) {
    Result wire;
    wire.transcript = KeepTranscript(called.transcript, settings.run.tokens);
    for (const std::string& line : WireOf(wire, kLineLimit)) std::cerr << line << "\n";
  }
  if (!called.result) {
    std::cerr << "assay call: " << Visible(called.why_not) << "\n";
    return kExitUntestable;
  }
  if (options.tool.empty()) {
    PrintTools(*called.result);
    return 0;
  }
  PrintResult(*called.result);
  const Json* failed = called.result->Find("isError");
  return failed != nullptr && failed->boolean() ? 1 : 0;
}

}  // namespace

void AddCall(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "call", "A small client: list tools, call one, answer what it asks, show the wire");
  const auto options = std::make_shared<CallOptions>();
  command->add_option("TOOL", options->tool, "Its name; without one the tools are listed");
  AddServerOptions(*command, options->server);
  command->add_option("--arguments", options->arguments, "Of the call, an object")
      ->type_name("JSON");
  AddChoice(*command, "--era", options->era, "ERA", {"auto", "legacy", "modern"},
            "Which era to speak (auto: modern if it is served)");
  CLI::Option* accept =
      command->add_option("--accept", options->accept, "Answer a question with these values")
          ->type_name("JSON");
  command->add_flag("--decline")
      ->description("Answer a question by declining (the default)")
      ->excludes(accept);
  command->add_flag("--quiet", options->quiet, "Do not show the wire");
  command->footer(kExamples);
  command->callback(
      [options, line] { line.chosen = [options, line] { return Call(*options, line.server); }; });
}

}  // namespace assay
