#pragma once
#include <charconv>
#include <optional>
#include <string_view>

namespace barsweep {

/// The number that is the whole of `text`, whatever the locale; none: something else, or out of
/// Number's range.
template <class Number>
std::optional<Number> parse_number(std::string_view text)
{
    Number number{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || rest != text.data() + text.size()) return {};
    return number;
}

}  // namespace barsweep
