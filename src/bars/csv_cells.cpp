#include "bars/csv_cells.hpp"

namespace barsweep::bars {
namespace {

std::string_view trimmed(std::string_view cell)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!cell.empty() && blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && blank(cell.back())) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        cell = cell.substr(1, cell.size() - 2);
    return cell;
}

}  // namespace

LineReader::LineReader(std::string_view text) : rest_(text)
{
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    end_ = rest_.find('\n') == std::string_view::npos ? '\r' : '\n';
}

bool LineReader::next(std::string_view& line)
{
    if (rest_.empty()) return false;
    const auto size = rest_.find(end_);
    line = rest_.substr(0, size);
    rest_.remove_prefix(size == std::string_view::npos ? rest_.size() : size + 1);
    if (end_ == '\n' && line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
}

void Cells::split(std::string_view line, char delimiter)
{
    count = 0;
    const char* first = line.data();
    const char* const end = first + line.size();
    for (const char* at = first;; ++at) {
        if (at != end && *at != delimiter) continue;
        if (count < most) cell[count] = trimmed({first, static_cast<std::size_t>(at - first)});
        ++count;
        if (at == end) return;
        first = at + 1;
    }
}

}  // namespace barsweep::bars
