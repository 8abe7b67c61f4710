// A certificate for tests over TLS, made on the spot.

#pragma once

#include <string>

namespace assay {

struct Certificate {
  std::string pem;
  std::string key;  // its private key, PEM
};

// Signed by itself, valid today, for `name`: as OpenSSL writes it, "DNS:localhost" or
// "IP:127.0.0.1".
Certificate MakeCertificate(const std::string& name);

}  // namespace assay
