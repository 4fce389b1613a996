#include "bars/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace barsweep::bars {

Sha256::Sha256() : context_{EVP_MD_CTX_new(), EVP_MD_CTX_free}
{
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("OpenSSL has no SHA-256");
}

void Sha256::add(std::string_view bytes)
{
    if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1)
        throw std::runtime_error("SHA-256 failed");
}

std::string Sha256::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context_.get(), sum.data(), &size) != 1)
        throw std::runtime_error("SHA-256 failed");
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", sum[i]);
    return text;
}

}  // namespace barsweep::bars
