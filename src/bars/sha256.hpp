#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace barsweep::bars {

/// SHA-256 of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    void add(std::string_view bytes);
    std::string hex();  ///< ends the sum; nothing may be added after

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace barsweep::bars
