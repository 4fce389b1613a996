#include "bars/findings_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace barsweep::bars {
namespace {

/// Offsets and widths of a row's members, in bytes.
struct Layout {
    struct Member {
        std::size_t offset = 0, size = 0;
    };
    Member kind, count, line, column, text;
    std::size_t row = 0;

    void place()
    {
        for (auto* member : {&kind, &count, &line, &column, &text}) {
            member->offset = row;
            row += member->size;
        }
    }
};

constexpr std::array<const char*, 5> member_names{"kind", "count", "line", "column", "text"};

Layout layout_for(const Findings& findings)
{
    Layout layout{{0, 1}, {0, 8}, {0, 8}, {0, 1}, {0, 1}};  // HDF5 strings have at least one byte
    for (const auto& [kind, list] : findings) {
        layout.kind.size = std::max(layout.kind.size, kind.size());
        for (const auto& finding : list.first) {
            layout.column.size = std::max(layout.column.size, finding.column.size());
            layout.text.size = std::max(layout.text.size, finding.what.size());
        }
    }
    layout.place();
    return layout;
}

Handle make_type(const Layout& layout)
{
    Handle type{H5Tcreate(H5T_COMPOUND, layout.row), H5Tclose};
    const auto add = [&](const char* name, Layout::Member member, bool text) {
        const Handle kind{H5Tcopy(text ? H5T_C_S1 : H5T_STD_I64LE), H5Tclose};
        if (text) {
            H5Tset_size(kind.get(), member.size);
            H5Tset_strpad(kind.get(), H5T_STR_NULLPAD);
            H5Tset_cset(kind.get(), H5T_CSET_UTF8);
        }
        H5Tinsert(type.get(), name, member.offset, kind.get());
    };
    add("kind", layout.kind, true);
    add("count", layout.count, false);
    add("line", layout.line, false);
    add("column", layout.column, true);
    add("text", layout.text, true);
    return type;
}

std::optional<Layout> layout_of(hid_t type)
{
    Layout layout;
    layout.row = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != int{member_names.size()})
        return {};
    const std::array<Layout::Member*, 5> members{&layout.kind, &layout.count, &layout.line,
                                                 &layout.column, &layout.text};
    for (unsigned i = 0; i < members.size(); ++i) {
        const Handle member{H5Tget_member_type(type, i), H5Tclose};
        char* const name = H5Tget_member_name(type, i);
        const bool named = name != nullptr && std::strcmp(name, member_names[i]) == 0;
        H5free_memory(name);
        const bool number = i == 1 || i == 2;
        const bool fits = number ? H5Tequal(member.get(), H5T_STD_I64LE) > 0
                                 : H5Tget_class(member.get()) == H5T_STRING &&
                                       H5Tis_variable_str(member.get()) == 0;
        if (!named || !fits) return {};
        *members[i] = {H5Tget_member_offset(type, i), H5Tget_size(member.get())};
    }
    return layout;
}

void put(char* row, Layout::Member member, const std::string& text)
{
    std::memcpy(row + member.offset, text.data(), text.size());
}

std::string get(const char* row, Layout::Member member)
{
    return {row + member.offset, strnlen(row + member.offset, member.size)};
}

}  // namespace

FindingsTable to_table(const Findings& findings)
{
    const auto layout = layout_for(findings);
    FindingsTable table{make_type(layout), {}, 0};
    const auto add = [&](const std::string& kind, std::int64_t count, const Finding& finding) {
        table.bytes.resize(table.bytes.size() + layout.row);
        char* const row = table.bytes.data() + table.bytes.size() - layout.row;
        put(row, layout.kind, kind);
        std::memcpy(row + layout.count.offset, &count, sizeof count);
        std::memcpy(row + layout.line.offset, &finding.line, sizeof finding.line);
        put(row, layout.column, finding.column);
        put(row, layout.text, finding.what);
        ++table.rows;
    };
    for (const auto& [kind, list] : findings) {
        if (list.first.empty()) add(kind, list.count, {});
        for (const auto& finding : list.first) add(kind, list.count, finding);
    }
    return table;
}

std::optional<Findings> from_table(hid_t type, const std::vector<char>& bytes)
{
    const auto layout = layout_of(type);
    if (!layout) return {};
    Findings findings;
    for (std::size_t at = 0; at < bytes.size(); at += layout->row) {
        const char* const row = bytes.data() + at;
        auto& list = findings[get(row, layout->kind)];
        Finding finding{0, get(row, layout->column), get(row, layout->text)};
        std::memcpy(&list.count, row + layout->count.offset, sizeof list.count);
        std::memcpy(&finding.line, row + layout->line.offset, sizeof finding.line);
        if (!finding.what.empty()) list.first.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace barsweep::bars
