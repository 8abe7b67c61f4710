#include "faults/json_patch.h"

#include <charconv>
#include <string_view>
#include <vector>

namespace assay::reference {
namespace {

namespace json = boost::json;
using Path = std::vector<std::string>;

std::optional<Path> ParsePointer(std::string_view text) {
  Path path;
  if (text.empty()) return path;
  if (text.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      path.emplace_back();
    } else if (text[i] == '~') {
      if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return std::nullopt;
      path.back() += text[++i] == '0' ? '~' : '/';
    } else {
      path.back() += text[i];
    }
  }
  return path;
}

std::optional<std::size_t> Index(std::string_view token, std::size_t limit) {
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [rest, failed] = std::from_chars(token.data(), end, index);
  const bool leading_zero = token.size() > 1 && token.front() == '0';
  if (failed != std::errc() || rest != end || leading_zero || index >= limit) return std::nullopt;
  return index;
}

json::value* Child(json::value& parent, const std::string& token) {
  if (json::object* object = parent.if_object()) return object->if_contains(token);
  if (json::array* array = parent.if_array()) {
    if (const auto index = Index(token, array->size())) return &(*array)[*index];
  }
  return nullptr;
}

json::value* Find(json::value& document, const Path& path, std::size_t depth) {
  json::value* at = &document;
  for (std::size_t i = 0; i < depth && at != nullptr; ++i) at = Child(*at, path[i]);
  return at;
}

bool Add(json::value& document, const Path& path, json::value value) {
  if (path.empty()) {
    document = std::move(value);
    return true;
  }
  json::value* parent = Find(document, path, path.size() - 1);
  if (parent == nullptr) return false;
  if (json::object* object = parent->if_object()) {
    (*object)[path.back()] = std::move(value);
    return true;
  }
  json::array* array = parent->if_array();
  if (array == nullptr) return false;
  const auto index = path.back() == "-" ? std::optional<std::size_t>(array->size())
                                        : Index(path.back(), array->size() + 1);
  if (!index) return false;
  array->insert(array->begin() + *index, std::move(value));
  return true;
}

bool Remove(json::value& document, const Path& path) {
  if (path.empty()) return false;
  json::value* parent = Find(document, path, path.size() - 1);
  if (parent == nullptr || Child(*parent, path.back()) == nullptr) return false;
  if (json::object* object = parent->if_object()) {
    object->stable_erase(object->find(path.back()));
    return true;
  }
  json::array& array = parent->get_array();
  array.erase(array.begin() + *Index(path.back(), array.size()));
  return true;
}

bool ApplyOperation(const json::object& operation, json::value& document) {
  const std::string_view name = operation.at("op").as_string();
  const Path path = *ParsePointer(operation.at("path").as_string());
  if (name == "add") return Add(document, path, operation.at("value"));
  if (name == "remove") return Remove(document, path);
  if (name == "replace" || name == "test") {
    json::value* target = Find(document, path, path.size());
    if (target == nullptr) return false;
    if (name == "test") return *target == operation.at("value");
    *target = operation.at("value");
    return true;
  }
  const Path from = *ParsePointer(operation.at("from").as_string());
  const json::value* source = Find(document, from, from.size());
  if (source == nullptr) return false;
  json::value value = *source;
  if (name == "move" && !Remove(document, from)) return false;
  return Add(document, path, std::move(value));
}

bool IsPointer(const json::object& operation, std::string_view member) {
  const json::value* pointer = operation.if_contains(member);
  return pointer != nullptr && pointer->is_string() && ParsePointer(pointer->get_string());
}

}  // namespace

std::optional<std::string> PatchProblem(const json::value& patch) {
  if (!patch.is_array()) return "a patch is an array of operations";
  for (const json::value& one : patch.get_array()) {
    const json::object* operation = one.if_object();
    if (operation == nullptr) return "an operation is an object";
    const json::value* op = operation->if_contains("op");
    const std::string_view name =
        op != nullptr && op->is_string() ? std::string_view(op->get_string()) : "";
    const bool takes_value = name == "add" || name == "replace" || name == "test";
    const bool takes_from = name == "move" || name == "copy";
    if (!takes_value && !takes_from && name != "remove") {
      return "op must be add, remove, replace, move, copy or test";
    }
    if (!IsPointer(*operation, "path")) return "path must be a JSON Pointer";
    if (takes_from && !IsPointer(*operation, "from")) return "from must be a JSON Pointer";
    if (takes_value && !operation->contains("value")) return "value is missing";
  }
  return std::nullopt;
}

bool ApplyPatch(const json::value& patch, json::value& document) {
  json::value patched = document;
  for (const json::value& operation : patch.get_array()) {
    if (!ApplyOperation(operation.get_object(), patched)) return false;
  }
  document = std::move(patched);
  return true;
}

}  // namespace assay::reference
