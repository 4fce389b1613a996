#include "bars/import_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace barsweep::bars {
namespace {

std::string seen_at(const RawBar& row, const std::vector<std::string>& names)
{
    return fmt::format("{}, {}", place_of(row, names), to_iso8601(row.time));
}

/// One kind of fault in the order of rows: how many, and the first.
struct OrderFault {
    std::int64_t count = 0;
    std::string first;

    void add(Findings& findings, const char* kind, const RawBar& row,
             const std::vector<std::string>& names, const std::string& what)
    {
        if (count++ == 0) first = seen_at(row, names);
        add_finding(findings, kind,
                    {row.line, "", names.size() > 1 ? what + " in " + names[row.source] : what});
    }

    std::string told(const char* one, const char* several) const
    {
        return fmt::format("{} {} (first: {})", count, count == 1 ? one : several, first);
    }
};

struct Repeats {
    OrderFault same, conflicting;
    std::vector<bool> dropped;  ///< [rows]
};

/// Groups rows by time, file order within a time, and marks all but one of each group.
Repeats find_repeats(const std::vector<RawBar>& rows, Duplicates policy,
                     const std::vector<std::string>& names, Findings& findings)
{
    std::vector<std::size_t> by_time(rows.size());
    std::iota(by_time.begin(), by_time.end(), std::size_t{0});
    std::ranges::stable_sort(by_time, {}, [&](std::size_t i) { return rows[i].time; });

    Repeats repeats;
    repeats.dropped.resize(rows.size());
    std::vector<std::size_t> repeated;
    for (std::size_t i = 1; i < by_time.size(); ++i) {
        const auto earlier = by_time[i - 1], later = by_time[i];
        if (rows[earlier].time != rows[later].time) continue;
        repeated.push_back(later);
        if (policy == Duplicates::last) {
            repeats.dropped[earlier] = true;
        } else {
            repeats.dropped[later] = true;
        }
        // Where a group holds three or more, each is held against the one before it.
        const bool same = rows[earlier].same_values(rows[later]);
        auto& fault = same ? repeats.same : repeats.conflicting;
        fault.add(findings, same ? "duplicate" : "conflicting_duplicate", rows[later], names,
                  fmt::format("{} is also the time of {}{}", to_iso8601(rows[later].time),
                              place_of(rows[earlier], names), same ? "" : ", with other values"));
    }
    return repeats;
}

OrderFault find_steps_back(const std::vector<RawBar>& rows, const std::vector<std::string>& names,
                           Findings& findings)
{
    OrderFault back;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i].time < rows[i - 1].time)
            back.add(findings, "backward_step", rows[i], names,
                     fmt::format("{} stands after {}", to_iso8601(rows[i].time),
                                 to_iso8601(rows[i - 1].time)));
    return back;
}

[[noreturn]] void refuse(const Repeats& repeats, bool repeats_are_faults, const OrderFault& back,
                         bool back_is_fault, const std::vector<std::string>& names)
{
    std::vector<std::string> found, fixes;
    if (repeats.same.count > 0)
        found.push_back(repeats.same.told("repeated time", "repeated times"));
    if (repeats.conflicting.count > 0)
        found.push_back(repeats.conflicting.told("repeated time with other values",
                                                 "repeated times with other values"));
    if (back.count > 0) found.push_back(back.told("step back", "steps back"));
    if (repeats_are_faults)
        fixes.push_back("keep one of each time with --duplicates first or last");
    if (back_is_fault) fixes.push_back("put the rows in order with --sort");
    if (repeats.conflicting.count > 0 && back.count > 0)
        fixes.push_back("convert local times of a zone with summer time to UTC first");
    const auto where = names.size() == 1 ? names[0] : fmt::format("{} files", names.size());
    throw UserError({where, "times that rise from row to row",
                     fmt::format("{}", fmt::join(found, "; ")),
                     fmt::format("correct the file, or {}", fmt::join(fixes, " and "))});
}

}  // namespace

std::string place_of(const RawBar& row, const std::vector<std::string>& names)
{
    if (names.size() == 1) return fmt::format("line {}", row.line);
    return fmt::format("{}:{}", names[row.source], row.line);
}

void put_in_order(std::vector<RawBar>& rows, const ImportOptions& options,
                  const std::vector<std::string>& names, Findings& findings)
{
    const auto not_rising = [](const RawBar& a, const RawBar& b) { return a.time >= b.time; };
    if (std::ranges::adjacent_find(rows, not_rising) == rows.end()) return;

    const auto repeats = find_repeats(rows, options.duplicates, names, findings);
    const auto back = find_steps_back(rows, names, findings);
    const bool repeated = repeats.same.count + repeats.conflicting.count > 0;
    const bool may_drop = options.duplicates != Duplicates::error;

    std::vector<RawBar> kept;
    kept.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!repeats.dropped[i]) kept.push_back(rows[i]);
    const bool in_order = std::ranges::is_sorted(kept, {}, &RawBar::time);

    const bool repeats_are_faults = repeated && !may_drop;
    const bool back_is_fault = !in_order && !options.sort;
    if (repeats_are_faults || back_is_fault)
        refuse(repeats, repeats_are_faults, back, back_is_fault, names);
    if (!in_order) std::ranges::sort(kept, {}, &RawBar::time);
    rows = std::move(kept);
}

}  // namespace barsweep::bars
