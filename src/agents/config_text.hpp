#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace barsweep::agents {

enum class Engine { fused, libtorch };  ///< kernels of our own, or LibTorch's autograd

/// A key of `[agent]`: name, default as text, and what `--help` says of it (with unit).
struct ConfigKey {
    const char* name;
    const char* fallback;
    const char* help;
};

/// The text of one key, and where its sentences begin. All throw UserError naming key and range.
struct ConfigText {
    const std::string& where;
    const ConfigKey& key;
    const std::string& value;

    [[noreturn]] void refuse(const std::string& expected) const;

    std::int64_t whole(std::int64_t low, std::int64_t high) const;
    double number(double low, double high) const;
    double positive(double high) const;                     ///< above 0, up to high
    int word(const std::vector<std::string>& words) const;  ///< its index
    bool yes() const;                                       ///< true or false
    std::vector<std::int32_t> widths() const;  ///< hidden layers, divided by blanks or commas
};

inline constexpr std::int64_t most_steps = 1'000'000'000'000;

/// Calls `read` (name, ConfigText) for each of `values` that isn't empty. Throws std::logic_error
/// for a key that `keys` doesn't have.
template <class Read>
void read_config(const std::vector<ConfigKey>& keys,
                 const std::map<std::string, std::string>& values, const std::string& where,
                 Read read)
{
    const auto key_of = [&](const std::string& name) -> const ConfigKey& {
        for (const auto& key : keys)
            if (key.name == name) return key;
        throw std::logic_error("read_config: no key " + name);
    };
    for (const auto& [name, value] : values) {
        const auto& key = key_of(name);
        if (!value.empty()) read(name, ConfigText{where, key, value});
    }
}

}  // namespace barsweep::agents
