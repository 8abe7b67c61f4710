#include "cart/file_cart_store.h"

#include <algorithm>
#include <boost/describe/class.hpp>
#include <boost/json.hpp>
#include <system_error>

#include "cart/durable_file.h"

namespace assay::reference {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kFormat = "assay cart store";
constexpr int kVersion = 1;
/// A cart with all its keyed adds has about 120 kB.
constexpr std::size_t kMaxFileBytes = 1 << 20;

/// What FILE holds.
struct Header {
  std::string format;
  int version = 0;
  std::string secret;
};
BOOST_DESCRIBE_STRUCT(Header, (), (format, version, secret))

template <typename T>
std::optional<T> Parse(std::string_view text) {
  json::error_code failed;
  const json::value document = json::parse(text, failed);
  if (failed) return std::nullopt;
  auto value = json::try_value_to<T>(document);
  if (!value) return std::nullopt;
  return *std::move(value);
}

std::string Print(const json::value& document) { return json::serialize(document) + '\n'; }

SecretKey SecretOf(const fs::path& file, std::string_view text) {
  const std::optional<Header> header = Parse<Header>(text);
  if (!header || header->format != kFormat) throw StoreError(file, "not a cart store");
  if (header->version != kVersion) {
    throw StoreError(file, "a cart store of version " + std::to_string(header->version) +
                               ", and this program knows version " + std::to_string(kVersion));
  }
  const std::optional<SecretKey> secret = SecretFromHex(header->secret);
  if (!secret) throw StoreError(file, "a cart store with a damaged secret");
  return *secret;
}

std::string NewHeader(const SecretKey& secret) {
  return Print(json::value_from(Header{std::string(kFormat), kVersion, ToHex(secret)}));
}

/// A path that means the same file whatever link it was given by, wherever the process goes.
fs::path Resolved(const fs::path& file) {
  std::error_code failed;
  // What is not there yet weakly_canonical would leave relative.
  fs::path resolved = fs::absolute(file, failed);
  if (!failed) resolved = fs::weakly_canonical(resolved, failed);
  if (failed) throw StoreError(file, failed.message());
  if (fs::is_symlink(resolved)) throw StoreError(file, "a link that leads nowhere");
  return resolved;
}

}  // namespace

FileCartStore::FileCartStore(const fs::path& file)
    : file_(Resolved(file)),
      folder_(fs::path(file_) += ".carts"),
      lock_(folder_ / "lock"),
      scratch_(folder_ / "new"),
      secret_(OpenOrMake()) {}

SecretKey FileCartStore::OpenOrMake() const {
  // A file of somebody else's is noticed before anything is written.
  const auto before = ReadWholeFile(file_, kMaxFileBytes);
  if (before && !before->empty()) SecretOf(file_, *before);
  MakeFolder(folder_);
  const FileLock lock(lock_);
  const auto text = ReadWholeFile(file_, kMaxFileBytes);
  if (text && !text->empty()) return SecretOf(file_, *text);
  const SecretKey secret = NewSecretKey();
  ReplaceFile(file_, scratch_, NewHeader(secret));
  return secret;
}

fs::path FileCartStore::PathOf(const std::string& cart_id) const {
  return folder_ / (cart_id + ".json");
}

std::optional<CartError> FileCartStore::Insert(const std::string& cart_id) {
  const FileLock lock(lock_);
  std::error_code failed;
  const auto carts = std::count_if(
      fs::directory_iterator(folder_, failed), fs::directory_iterator(),
      [](const fs::directory_entry& entry) { return entry.path().extension() == ".json"; });
  if (failed) throw StoreError(folder_, failed.message());
  if (static_cast<std::size_t>(carts) >= kMaxCarts) return CartError::kTooManyCarts;
  Write(cart_id, Cart());
  return std::nullopt;
}

std::optional<Cart> FileCartStore::Read(const std::string& cart_id) const {
  const fs::path file = PathOf(cart_id);
  const std::optional<std::string> text = ReadWholeFile(file, kMaxFileBytes);
  if (!text) return std::nullopt;
  std::optional<Cart> cart = Parse<Cart>(*text);
  if (!cart || !IsSound(*cart)) throw StoreError(file, "not a cart");
  return cart;
}

CartResult<Cart> FileCartStore::Update(const std::string& cart_id, const Change& change) {
  const FileLock lock(lock_);
  std::optional<Cart> cart = Read(cart_id);
  if (!cart) return CartError::kUnknownCart;
  if (const auto error = change(*cart)) return *error;
  // Written even if it is as before, by a repeated add: whoever did the first one may have been
  // killed before it was safely on the disk.
  Write(cart_id, *cart);
  return *std::move(cart);
}

void FileCartStore::Write(const std::string& cart_id, const Cart& cart) const {
  ReplaceFile(PathOf(cart_id), scratch_, Print(json::value_from(cart)));
}

}  // namespace assay::reference
