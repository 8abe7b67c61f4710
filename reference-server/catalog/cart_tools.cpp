#include "catalog/cart_tools.h"

#include <boost/json.hpp>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cart/durable_file.h"
#include "cart/goods.h"
#include "catalog/carts.h"
#include "catalog/catalog.h"
#include "catalog/tool_definition.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kCartParameter =
    R"("cart_id": {"type": "string", "description": "From cart_create; in a session of the )"
    R"(handshake era it may be left out, and the session's last cart is meant"})";

constexpr std::string_view kCartSchema = R"({
  "type": "object",
  "properties": {
    "cart_id": {"type": "string"},
    "version": {"type": "integer"},
    "items": {"type": "array", "items": {
      "type": "object",
      "properties": {"sku": {"type": "string"}, "name": {"type": "string"},
                     "quantity": {"type": "integer"}, "price_cents": {"type": "integer"},
                     "total_cents": {"type": "integer"}},
      "required": ["sku", "name", "quantity", "price_cents", "total_cents"]}},
    "total_cents": {"type": "integer"},
    "order_id": {"type": "string"}
  },
  "required": ["cart_id", "version", "items", "total_cents"]
})";

json::object Shown(const CartView& view) {
  json::object shown = json::value_from(view).as_object();
  if (!view.order_id) shown.stable_erase("order_id");
  return shown;
}

std::string Money(std::int64_t cents) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%02lld", static_cast<long long>(cents / 100),
                static_cast<long long>(cents % 100));
  return text;
}

using Run = void (*)(const json::object& arguments, ToolCall& call);

/// Whatever happens to the store, the caller gets an answer, and no path of the server's disk.
Tool CartTool(const std::string& definition, Run run) {
  return Define(definition, [run](const json::object& arguments, ToolCall& call) {
    try {
      run(arguments, call);
    } catch (const StoreError& error) {
      std::cerr << error.what() << '\n';
      call.Refuse({ErrorCode::kInternalError, "The carts cannot be reached"});
    }
  });
}

CartStore& StoreFor(ToolCall& call) { return call.catalog().carts().For(call.caller()); }

void FinishWith(ToolCall& call, const CartResult<CartView>& result) {
  if (const auto* error = std::get_if<CartError>(&result)) {
    return call.Finish(Failure(Describe(*error)));
  }
  call.Finish(Structured(Shown(std::get<CartView>(result))));
}

/// The cart that the call means; nothing if it names none and there is none, which is answered.
std::optional<std::string> CartId(const json::object& arguments, ToolCall& call) {
  if (const json::value* id = arguments.if_contains("cart_id")) {
    return std::string(id->as_string());
  }
  const std::string& session = call.caller().session;
  std::string current = session.empty() ? "" : call.catalog().carts().Current(session);
  if (!current.empty()) return current;
  call.Finish(Failure("cart_id is missing: cart_create returns one"));
  return std::nullopt;
}

void ListGoods(const json::object&, ToolCall& call) {
  json::array goods;
  for (const Good& good : Goods()) goods.push_back(json::value_from(good));
  call.Finish(Structured(json::object{{"goods", std::move(goods)}}));
}

void Create(const json::object&, ToolCall& call) {
  const CartResult<CartView> result = StoreFor(call).Create();
  const auto* view = std::get_if<CartView>(&result);
  const std::string& session = call.caller().session;
  if (view != nullptr && !session.empty()) call.catalog().carts().Current(session) = view->cart_id;
  FinishWith(call, result);
}

void AddToCart(const json::object& arguments, ToolCall& call) {
  const std::optional<std::string> cart_id = CartId(arguments, call);
  if (!cart_id) return;
  NewItem item{std::string(arguments.at("sku").as_string()), 1, std::nullopt};
  if (const json::value* quantity = arguments.if_contains("quantity")) {
    item.quantity = quantity->to_number<std::int64_t>();
  }
  if (const json::value* key = arguments.if_contains("idempotency_key")) {
    item.idempotency_key = key->as_string();
  }
  FinishWith(call, StoreFor(call).AddItem(*cart_id, item));
}

void ViewCart(const json::object& arguments, ToolCall& call) {
  const std::optional<std::string> cart_id = CartId(arguments, call);
  if (cart_id) FinishWith(call, StoreFor(call).View(*cart_id));
}

InputRequest AskToBuy(const CartView& view) {
  return AskUser("Buy " + std::to_string(view.items.size()) + " kinds of goods for " +
                     Money(view.total_cents) + "?",
                 {{"confirm", json::object{{"type", "boolean"}, {"title", "Buy"}}}}, {"confirm"});
}

void Checkout(const json::object& arguments, ToolCall& call) {
  const std::optional<std::string> cart_id = CartId(arguments, call);
  if (!cart_id) return;
  const CartResult<CartView> result = StoreFor(call).View(*cart_id);
  const auto* view = std::get_if<CartView>(&result);
  // An order that exists is told again, and needs no confirmation.
  if (view == nullptr || view->order_id) return FinishWith(call, result);
  if (view->items.empty()) return call.Finish(Failure(Describe(CartError::kEmptyCart)));

  // The question is about the cart as it stands now: when it changes, it is another question, and
  // an answer to the old one buys nothing.
  const std::string key = "buy-version-" + std::to_string(view->version);
  const json::object* answers = call.Ask({{key, AskToBuy(*view)}});
  if (answers == nullptr) return;
  const json::object* form = Accepted(answers->at(key).as_object());
  if (form == nullptr || !form->at("confirm").as_bool()) {
    json::array content = Text("Nothing was bought: the user did not confirm.").content;
    return call.Finish({std::move(content), json::value(Shown(*view))});
  }
  FinishWith(call, StoreFor(call).Checkout(*cart_id, view->version));
}

/// The definition of a tool whose result is a cart. `properties` and `rest` are JSON text.
std::string Definition(std::string_view name, std::string_view description,
                       const std::string& properties, std::string_view required,
                       std::string_view annotations) {
  return R"({"name": ")" + std::string(name) + R"(", "description": ")" + std::string(description) +
         R"(", "inputSchema": {"type": "object", "properties": {)" + properties +
         R"(}, "required": [)" + std::string(required) + R"(], "additionalProperties": false},)" +
         R"("outputSchema": )" + std::string(kCartSchema) + R"(, "annotations": {)" +
         std::string(annotations) + "}}";
}

constexpr std::string_view kReads =
    R"("readOnlyHint": true, "destructiveHint": false, "openWorldHint": false)";
constexpr std::string_view kWrites =
    R"("readOnlyHint": false, "destructiveHint": false, "openWorldHint": false)";

}  // namespace

std::vector<Tool> CartTools() {
  const std::string cart(kCartParameter);
  return {
      CartTool(R"({
        "name": "catalog_list",
        "description": "Lists the goods that can be bought, with their prices.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
        "outputSchema": {
          "type": "object",
          "properties": {"goods": {"type": "array", "items": {
            "type": "object",
            "properties": {"sku": {"type": "string"}, "name": {"type": "string"},
                           "price_cents": {"type": "integer"}},
            "required": ["sku", "name", "price_cents"]}}},
          "required": ["goods"]
        },
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}
      })",
               ListGoods),
      CartTool(Definition("cart_create", "Makes an empty cart.", "", "", kWrites), Create),
      CartTool(Definition("cart_add_item",
                          "Puts a good into the cart. With an idempotency_key it can be repeated "
                          "without adding twice.",
                          cart + R"(, "sku": {"type": "string"}, )" +
                              R"("quantity": {"type": "integer", "minimum": 1, "maximum": 1000, )" +
                              R"("default": 1}, "idempotency_key": {"type": "string"})",
                          R"("sku")", kWrites),
               AddToCart),
      CartTool(Definition("cart_view", "Shows what is in the cart.", cart, "", kReads), ViewCart),
      CartTool(Definition("cart_checkout",
                          "Buys what is in the cart, after the user has confirmed it.", cart, "",
                          R"("readOnlyHint": false, "destructiveHint": true, )"
                          R"("idempotentHint": true, "openWorldHint": false)"),
               Checkout)};
}

}  // namespace assay::reference
