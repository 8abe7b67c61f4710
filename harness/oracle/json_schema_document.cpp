// What a schema consists of, and what its references mean.

#include "oracle/json_schema_document.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace assay::oracle {
namespace {

using Form = KeywordForm;
using Forms = std::unordered_map<std::string_view, Form>;

Forms SharedForms() {
  return {{"$id", Form::kIdentifier},
          {"$schema", Form::kString},
          {"$ref", Form::kReference},
          {"$comment", Form::kString},
          {"title", Form::kString},
          {"description", Form::kString},
          {"readOnly", Form::kBoolean},
          {"examples", Form::kArray},
          {"multipleOf", Form::kPositive},
          {"maximum", Form::kNumber},
          {"exclusiveMaximum", Form::kNumber},
          {"minimum", Form::kNumber},
          {"exclusiveMinimum", Form::kNumber},
          {"maxLength", Form::kCount},
          {"minLength", Form::kCount},
          {"pattern", Form::kPattern},
          {"maxItems", Form::kCount},
          {"minItems", Form::kCount},
          {"uniqueItems", Form::kBoolean},
          {"contains", Form::kSchema},
          {"maxProperties", Form::kCount},
          {"minProperties", Form::kCount},
          {"required", Form::kNames},
          {"additionalProperties", Form::kSchema},
          {"definitions", Form::kSchemaMap},
          {"properties", Form::kSchemaMap},
          {"patternProperties", Form::kPatternMap},
          {"dependencies", Form::kDependencies},
          {"propertyNames", Form::kSchema},
          {"enum", Form::kArray},
          {"type", Form::kType},
          {"format", Form::kString},
          {"contentMediaType", Form::kString},
          {"contentEncoding", Form::kString},
          {"if", Form::kSchema},
          {"then", Form::kSchema},
          {"else", Form::kSchema},
          {"allOf", Form::kSchemas},
          {"anyOf", Form::kSchemas},
          {"oneOf", Form::kSchemas},
          {"not", Form::kSchema}};
}

Forms FormsOfDraft07() {
  Forms forms = SharedForms();
  forms.insert({{"items", Form::kSchemaOrSchemas}, {"additionalItems", Form::kSchema}});
  return forms;
}

Forms FormsOf2020() {
  Forms forms = SharedForms();
  forms.insert({{"$anchor", Form::kAnchor},
                {"$dynamicRef", Form::kReference},
                {"$dynamicAnchor", Form::kAnchor},
                {"$vocabulary", Form::kBooleanMap},
                {"$defs", Form::kSchemaMap},
                {"$recursiveRef", Form::kReference},
                {"$recursiveAnchor", Form::kAnchor},
                {"prefixItems", Form::kSchemas},
                {"items", Form::kSchema},
                {"dependentSchemas", Form::kSchemaMap},
                {"unevaluatedItems", Form::kSchema},
                {"unevaluatedProperties", Form::kSchema},
                {"maxContains", Form::kCount},
                {"minContains", Form::kCount},
                {"dependentRequired", Form::kNameMap},
                {"deprecated", Form::kBoolean},
                {"writeOnly", Form::kBoolean},
                {"contentSchema", Form::kSchema}});
  return forms;
}

// --- URIs (RFC 3986)

struct Uri {
  std::string_view scheme;     // with its ":"
  std::string_view authority;  // with its "//"
  std::string_view path;
  std::string_view query;  // with its "?"
};

Uri Split(std::string_view uri) {
  Uri parts;
  const std::size_t colon = uri.find_first_of(":/?#");
  if (colon != std::string_view::npos && colon > 0 && uri[colon] == ':') {
    parts.scheme = uri.substr(0, colon + 1);
    uri.remove_prefix(colon + 1);
  }
  if (uri.starts_with("//")) {
    parts.authority = uri.substr(0, std::min(uri.find_first_of("/?#", 2), uri.size()));
    uri.remove_prefix(parts.authority.size());
  }
  uri = uri.substr(0, uri.find('#'));
  parts.path = uri.substr(0, uri.find('?'));
  parts.query = uri.substr(parts.path.size());
  return parts;
}

// §5.2.4
std::string RemoveDots(std::string_view path) {
  std::vector<std::string_view> kept;
  const bool rooted = path.starts_with('/');
  bool folder = false;
  for (std::size_t at = rooted ? 1 : 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    folder = segment == "." || segment == "..";
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (segment != ".") {
      kept.push_back(segment);
    }
    at = end + 1;
  }
  if (folder) kept.emplace_back();
  std::string clean = rooted ? "/" : "";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i > 0) clean += '/';
    clean += kept[i];
  }
  return clean;
}

// §5.2.2, without the fragment.
std::string ResolveUri(std::string_view base, std::string_view reference) {
  const Uri of_base = Split(base);
  const Uri given = Split(reference);
  const auto join = [](std::string_view scheme, std::string_view authority, std::string path,
                       std::string_view query) {
    return std::string(scheme) + std::string(authority) + std::move(path) + std::string(query);
  };
  if (!given.scheme.empty()) {
    return join(given.scheme, given.authority, std::string(given.path), given.query);
  }
  if (!given.authority.empty()) {
    return join(of_base.scheme, given.authority, RemoveDots(given.path), given.query);
  }
  if (given.path.empty()) {
    return join(of_base.scheme, of_base.authority, std::string(of_base.path),
                given.query.empty() ? of_base.query : given.query);
  }
  if (given.path.starts_with('/')) {
    return join(of_base.scheme, of_base.authority, RemoveDots(given.path), given.query);
  }
  const std::size_t slash = of_base.path.rfind('/');
  std::string folder(slash == std::string_view::npos ? "" : of_base.path.substr(0, slash + 1));
  if (folder.empty() && !of_base.authority.empty()) folder = "/";
  return join(of_base.scheme, of_base.authority, RemoveDots(folder + std::string(given.path)),
              given.query);
}

std::string FragmentOf(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  std::string fragment;
  for (std::size_t i = hash; hash != std::string_view::npos && ++i < reference.size();) {
    unsigned char byte = 0;
    const char* digits = reference.data() + i + 1;
    if (reference[i] == '%' && i + 2 < reference.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      fragment += static_cast<char>(byte);
      i += 2;
    } else {
      fragment += reference[i];
    }
  }
  return fragment;
}

}  // namespace

std::optional<Dialect> DialectOf(const Json& schema, Dialect fallback) {
  const Json* declared = schema.Find("$schema");
  if (declared == nullptr || !declared->is_string()) return fallback;
  std::string_view uri = declared->text();
  if (uri.ends_with('#')) uri.remove_suffix(1);
  for (const std::string_view scheme : {"http", "https"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string_view rest = uri.substr(scheme.size());
    if (rest == "://json-schema.org/draft/2020-12/schema") return Dialect::k2020;
    if (rest == "://json-schema.org/draft-07/schema") return Dialect::kDraft07;
  }
  return std::nullopt;
}

std::optional<KeywordForm> FormOf(std::string_view keyword, Dialect dialect) {
  static const Forms draft07 = FormsOfDraft07();
  static const Forms of_2020 = FormsOf2020();
  const Forms& forms = dialect == Dialect::kDraft07 ? draft07 : of_2020;
  const auto found = forms.find(keyword);
  return found == forms.end() ? std::nullopt : std::optional(found->second);
}

std::string SubschemaPlace::Pointer() const {
  std::string pointer = "/" + std::string(keyword);
  if (key) pointer += "/" + PointerToken(*key);
  if (index) pointer += "/" + std::to_string(*index);
  return pointer;
}

void ForEachSubschema(const Json& schema, Dialect dialect, const VisitSubschema& visit) {
  for (const JsonMember& member : schema.members()) {
    const auto form = FormOf(member.key, dialect);
    if (!form) continue;
    const bool one =
        *form == Form::kSchema || (*form == Form::kSchemaOrSchemas && !member.value.is_array());
    const bool list = *form == Form::kSchemas || *form == Form::kSchemaOrSchemas;
    const bool map =
        *form == Form::kSchemaMap || *form == Form::kPatternMap || *form == Form::kDependencies;
    if (one) {
      visit(member.value, {.keyword = member.key});
    } else if (list) {
      for (std::size_t i = 0; i < member.value.items().size(); ++i) {
        visit(member.value.items()[i], {.keyword = member.key, .index = i});
      }
    } else if (map) {
      for (const JsonMember& child : member.value.members()) {
        if (*form == Form::kDependencies && child.value.is_array()) continue;
        visit(child.value, {.keyword = member.key, .key = child.key});
      }
    }
  }
}

SchemaDocument::SchemaDocument(const Json& schema, Dialect dialect) : dialect_(dialect) {
  resources_.push_back({&schema, ""});
  Index(schema, resources_.front());
}

bool SchemaDocument::IsOnlyReference(const Json& schema) const {
  return dialect_ == Dialect::kDraft07 && schema.FindString("$ref").has_value();
}

bool SchemaDocument::ChangesDialect(const Json& schema) const {
  return DialectOf(schema, dialect_) != dialect_;
}

void SchemaDocument::Index(const Json& schema, const SchemaResource& around) {
  if (!schema.is_object() || ChangesDialect(schema)) return;
  const SchemaResource* resource = &around;
  if (const auto id = schema.FindString("$id"); id && !IsOnlyReference(schema)) {
    const std::string uri = ResolveUri(around.uri, *id);
    if (&schema == resources_.front().root) {
      resources_.front().uri = uri;
    } else if (!id->starts_with('#')) {
      resource = &resources_.emplace_back(SchemaResource{&schema, uri});
    }
    const std::string name = FragmentOf(*id);
    if (dialect_ == Dialect::kDraft07 && !name.empty()) {
      anchors_.push_back({resource, name, &schema, false});
    }
  }
  if (dialect_ == Dialect::k2020) {
    for (const bool dynamic : {false, true}) {
      const auto name = schema.FindString(dynamic ? "$dynamicAnchor" : "$anchor");
      if (name) anchors_.push_back({resource, *name, &schema, dynamic});
    }
  }
  ForEachSubschema(schema, dialect_,
                   [&](const Json& child, const SubschemaPlace&) { Index(child, *resource); });
}

const SchemaResource& SchemaDocument::ResourceOf(const Json& schema,
                                                 const SchemaResource& around) const {
  if (resources_.size() == 1) return around;
  const auto found =
      std::find_if(resources_.begin(), resources_.end(),
                   [&](const SchemaResource& resource) { return resource.root == &schema; });
  return found == resources_.end() ? around : *found;
}

SchemaTarget SchemaDocument::Resolve(std::string_view reference, const SchemaResource& from) const {
  const SchemaResource* resource = &from;
  if (!reference.starts_with('#')) {
    const std::string uri = ResolveUri(from.uri, reference);
    const auto found = std::find_if(resources_.begin(), resources_.end(),
                                    [&](const SchemaResource& one) { return one.uri == uri; });
    if (found == resources_.end()) return {};
    resource = &*found;
  }
  const std::string fragment = FragmentOf(reference);
  if (fragment.empty() || fragment.front() == '/') return Locate(fragment, *resource);
  const auto anchor = std::find_if(anchors_.begin(), anchors_.end(), [&](const Anchor& one) {
    return one.resource == resource && one.name == fragment;
  });
  if (anchor == anchors_.end()) return {SchemaTarget::Kind::kNowhere, nullptr, resource, ""};
  return {SchemaTarget::Kind::kFound, anchor->schema, resource, anchor->dynamic ? fragment : ""};
}

SchemaTarget SchemaDocument::Locate(std::string_view pointer, const SchemaResource& from) const {
  const SchemaResource* resource = &from;
  const Json* here = from.root;
  while (!pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    here = At(*here, pointer.substr(0, end));
    if (here == nullptr) return {SchemaTarget::Kind::kNowhere, nullptr, resource, ""};
    resource = &ResourceOf(*here, *resource);
    pointer.remove_prefix(end);
  }
  return {SchemaTarget::Kind::kFound, here, resource, ""};
}

const Json* SchemaDocument::FindDynamic(const SchemaResource& resource,
                                        std::string_view anchor) const {
  const auto found = std::find_if(anchors_.begin(), anchors_.end(), [&](const Anchor& one) {
    return one.dynamic && one.resource == &resource && one.name == anchor;
  });
  return found == anchors_.end() ? nullptr : found->schema;
}

}  // namespace assay::oracle
