#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace barsweep::bars {

/// Lines of a text, ended by LF, CRLF or (in a text without any LF) CR. A byte-order mark at the
/// front and the missing end of a last line are nothing special.
class LineReader {
public:
    explicit LineReader(std::string_view text);

    /// The next line without its end; false when there is none.
    bool next(std::string_view& line);
    std::int64_t number() const noexcept { return number_; }  ///< of the last line, from 1

private:
    std::string_view rest_;
    char end_;
    std::int64_t number_ = 0;
};

/// The cells of one line, views into it without surrounding blanks and double quotes. Quoted
/// delimiters are not known: no number or time has one.
struct Cells {
    static constexpr std::size_t most = 64;  ///< further cells are counted, not kept

    std::array<std::string_view, most> cell;
    std::size_t count = 0;

    void split(std::string_view line, char delimiter);
};

}  // namespace barsweep::bars
