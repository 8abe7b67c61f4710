#include "testing/certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace assay {
namespace {

constexpr long kDay = 24L * 60 * 60;

void Check(bool good) {
  if (!good) throw std::runtime_error("OpenSSL could not make a certificate");
}

template <typename Write>
std::string Pem(const Write& write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
  Check(write(memory.get()) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

Certificate MakeCertificate(const std::string& name) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509* const x509 = certificate.get();
  Check(X509_set_version(x509, X509_VERSION_3) == 1);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -kDay);
  X509_gmtime_adj(X509_getm_notAfter(x509), kDay);
  Check(X509_set_pubkey(x509, key.get()) == 1);
  X509_NAME* const subject = X509_get_subject_name(x509);
  const auto* const common_name = reinterpret_cast<const unsigned char*>("assay test");
  Check(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1);
  Check(X509_set_issuer_name(x509, subject) == 1);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> names(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, name.c_str()),
      X509_EXTENSION_free);
  Check(names != nullptr && X509_add_ext(x509, names.get(), -1) == 1);
  Check(X509_sign(x509, key.get(), EVP_sha256()) > 0);
  return {.pem = Pem([&](BIO* to) { return PEM_write_bio_X509(to, x509); }),
          .key = Pem([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

}  // namespace assay
