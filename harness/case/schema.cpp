// Prints the tables of case/format.h as JSON Schema.

#include "case/schema.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "case/format.h"

namespace assay {
namespace {

Json Text(std::string_view text) { return Json::String(std::string(text)); }
Json TypeOf(std::string_view type) { return Json::Object({{"type", Text(type)}}); }
Json Reference(std::string_view name) {
  return Json::Object({{"$ref", Json::String("#/$defs/" + std::string(name))}});
}

class SchemaBuilder {
 public:
  Json Build() {
    Json root = Json::Object({
        {"$schema", Text("https://json-schema.org/draft/2020-12/schema")},
        {"title", Text("Assay case file")},
    });
    // Variables exist inside a case; the file's own keys are written out.
    Json file = Mapping(CaseFilePart(), false);
    std::move(file.members().begin(), file.members().end(), std::back_inserter(root.members()));
    Json steps = Json::Array();
    for (const Part& step : Steps()) steps.items().push_back(Mapping(step, true));
    Define("step", Json::Object({{"oneOf", std::move(steps)}}));
    Define("variable", Json::Object({
                           {"description", Text("A variable of `vary`.")},
                           {"type", Text("string")},
                           {"pattern", Text("^\\$\\{[^}]+\\}$")},
                       }));
    root.Set("$defs", std::move(definitions_));
    return root;
  }

 private:
  void Define(std::string_view name, Json schema) { definitions_.Set(name, std::move(schema)); }

  Json Mapping(const Part& part, bool variables) {
    Json properties = Json::Object();
    Json required = Json::Array({});
    for (const Key& key : part.keys) {
      Json value = AnyOf(key.forms, variables);
      value.Set("description", Text(key.text));
      properties.Set(key.name, std::move(value));
      // The verb of a step is its first key, and what tells one step from another.
      const bool verb = key.name == part.name;
      if (key.required || verb) required.items().push_back(Text(key.name));
    }
    Json schema = Json::Object({{"description", Text(part.text)}, {"type", Text("object")}});
    schema.Set("properties", std::move(properties));
    if (!required.items().empty()) schema.Set("required", std::move(required));
    schema.Set("additionalProperties", Json::Boolean(false));
    return schema;
  }

  Json AnyOf(const std::vector<Form>& forms, bool variables) {
    Json choices = Json::Array();
    bool open = false;
    for (const Form& form : forms) {
      choices.items().push_back(One(form, variables));
      open |= choices.items().back().members().empty();
    }
    if (variables && !open) choices.items().push_back(Reference("variable"));
    if (choices.items().size() == 1) return choices.items().front();
    return Json::Object({{"anyOf", std::move(choices)}});
  }

  Json One(const Form& form, bool variables) {
    switch (form.kind) {
      case Form::Kind::kAny:
      case Form::Kind::kValue:
      case Form::Kind::kPattern:
        return Json::Object();
      case Form::Kind::kNull:
        return TypeOf("null");
      case Form::Kind::kCount:
        return Json::Object({{"type", Text("integer")}, {"minimum", Json::Integer(1)}});
      case Form::Kind::kText:
        // A scalar is taken as text however it looks.
        return Json::Object(
            {{"type", Json::Array({Text("string"), Text("number"), Text("boolean")})}});
      case Form::Kind::kName:
      case Form::Kind::kRevision:
      case Form::Kind::kDuration:
      case Form::Kind::kPointer: {
        Json schema = TypeOf("string");
        schema.Set("pattern", Json::String("^(?:" + std::string(TextOf(form.kind)) + ")$"));
        return schema;
      }
      case Form::Kind::kWord: {
        Json words = Json::Array();
        for (const std::string_view word : form.words) words.items().push_back(Text(word));
        return Json::Object({{"enum", std::move(words)}});
      }
      case Form::Kind::kObject:
        return TypeOf("object");
      case Form::Kind::kPart:
        if (definitions_.Find(form.part->name) == nullptr) {
          Define(form.part->name, Json());  // so that it is built only once
          Define(form.part->name, Mapping(*form.part, true));
        }
        return Reference(form.part->name);
      case Form::Kind::kStep:
        return Reference("step");
      case Form::Kind::kList: {
        Json schema = TypeOf("array");
        schema.Set("items", AnyOf(form.of, variables));
        return schema;
      }
      case Form::Kind::kMapOf: {
        Json schema = TypeOf("object");
        schema.Set("additionalProperties", AnyOf(form.of, variables));
        return schema;
      }
    }
    return Json::Object();
  }

  Json definitions_ = Json::Object();
};

}  // namespace

Json CaseFileSchema() { return SchemaBuilder().Build(); }

}  // namespace assay
