#include "search/json_text.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

constexpr std::array<std::string_view, 3> numbers_by_name = {"NaN", "Infinity", "-Infinity"};
constexpr int deepest = 64;  ///< nesting; a bound on the scanner's recursion

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Python reads a ledger as UTF-8, and none of it where a byte isn't (Unicode 15, table 3-7).
bool is_utf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto at = [&](std::size_t k) {
            return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
        };
        const auto first = at(0);
        if (first < 0x80) {
            ++i;
            continue;
        }
        const std::size_t more = first < 0xC2   ? 0
                                 : first < 0xE0 ? 1
                                 : first < 0xF0 ? 2
                                 : first < 0xF5 ? 3
                                                : 0;
        const auto lowest = first == 0xE0 ? 0xA0u : first == 0xF0 ? 0x90u : 0x80u;
        const auto highest = first == 0xED ? 0x9Fu : first == 0xF4 ? 0x8Fu : 0xBFu;
        if (more == 0 || at(1) < lowest || at(1) > highest) return false;
        for (std::size_t k = 2; k <= more; ++k)
            if (at(k) < 0x80 || at(k) > 0xBF) return false;
        i += more + 1;
    }
    return true;
}

/// Reads one JSON text from the front of `rest`; each function answers whether its part was there.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool object_alone()
    {
        if (!rest_.starts_with('{') || !value(0)) return false;
        space();
        return rest_.empty();
    }

private:
    bool take(std::string_view word)
    {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    void space()
    {
        const auto end = rest_.find_first_not_of(" \t\r");
        rest_.remove_prefix(end == rest_.npos ? rest_.size() : end);
    }

    bool value(int depth)
    {
        if (depth > deepest) return false;
        space();
        if (rest_.empty()) return false;
        switch (rest_.front()) {
            case '{':
                return members(depth);
            case '[':
                return elements(depth);
            case '"':
                return string();
            case 't':
                return take("true");
            case 'f':
                return take("false");
            case 'n':
                return take("null");
            default:
                break;
        }
        for (const auto name : numbers_by_name)
            if (take(name)) return true;
        return number();
    }

    bool members(int depth)
    {
        take("{");
        space();
        if (take("}")) return true;
        do {
            space();
            if (!string()) return false;
            space();
            if (!take(":") || !value(depth + 1)) return false;
            space();
        } while (take(","));
        return take("}");
    }

    bool elements(int depth)
    {
        take("[");
        space();
        if (take("]")) return true;
        do {
            if (!value(depth + 1)) return false;
            space();
        } while (take(","));
        return take("]");
    }

    bool string()
    {
        if (!take("\"")) return false;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (rest_[i] == '"') {
                rest_.remove_prefix(i + 1);
                return true;
            }
            if (static_cast<unsigned char>(rest_[i]) < 0x20) return false;
            if (rest_[i] == '\\' && !escape(++i)) return false;
        }
        return false;
    }

    /// What stands behind a backslash; `i` is left on its last byte.
    bool escape(std::size_t& i) const
    {
        if (i >= rest_.size()) return false;
        if (rest_[i] != 'u') return std::string_view("\"\\/bfnrt").find(rest_[i]) != rest_.npos;
        const auto digits = rest_.substr(i + 1, 4);
        i += 4;
        return digits.size() == 4 &&
               digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
    }

    bool digits()
    {
        std::size_t count = 0;
        while (count < rest_.size() && is_digit(rest_[count])) ++count;
        rest_.remove_prefix(count);
        return count > 0;
    }

    bool number()
    {
        take("-");
        if (!take("0") && !digits()) return false;
        if (take(".") && !digits()) return false;
        if (!take("e") && !take("E")) return true;
        if (!take("+")) take("-");
        return digits();
    }

    std::string_view rest_;
};

}  // namespace

bool is_json_object(std::string_view line)
{
    return Scanner(line).object_alone() && is_utf8(line);
}

std::string strict_json(std::string_view line)
{
    std::string strict;
    strict.reserve(line.size() + 8);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && (line[i] == 'N' || line[i] == 'I')) {
            const bool minus = strict.ends_with('-');
            const std::string_view name = line[i] == 'N' ? numbers_by_name[0] : numbers_by_name[1];
            if (minus) strict.pop_back();
            strict += (minus ? "\"-" : "\"") + std::string(name) + '"';
            i += name.size() - 1;
            continue;
        }
        if (quoted && line[i] == '\\')
            strict += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        strict += line[i];
    }
    return strict;
}

std::string json_number(double value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    std::string text = shortest(value);
    if (text.find_first_of(".e") == text.npos) text += ".0";
    return text;
}

std::string json_string(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace barsweep::search
