#pragma once
#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace barsweep::search {

/// The shortest text that reads back to the same bits, whatever the locale.
template <class T>
requires std::integral<T> || std::floating_point<T> std::string shortest(T value)
{
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The number that is the whole of `text`; empty: something else, or out of T's range.
template <class T>
requires std::integral<T> || std::floating_point<T> std::optional<T> parse_number(
    std::string_view text)
{
    if (text.starts_with('+')) text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

}  // namespace barsweep::search
