#include "search/enqueue.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

using Cells = std::vector<std::string>;
using nlohmann::json;

constexpr const char* fix = "correct the file that search.enqueue names";

const Distribution& distribution_of(const Space& space, const std::string& name,
                                    const std::string& where)
{
    const auto found = std::ranges::find(space.parameters, name, &Parameter::name);
    if (found != space.parameters.end()) return found->distribution;
    std::string names;
    for (const auto& parameter : space.parameters)
        names += (names.empty() ? "" : ", ") + parameter.name;
    throw UserError({where, "a parameter of [space]: " + names, "'" + name + "'", fix});
}

/// A text as the parameter's own kind of value.
Value value_of(const Space& space, const std::string& name, const std::string& text,
               const std::string& where)
{
    const auto& distribution = distribution_of(space, name, where);
    std::optional<Value> value;
    if (std::holds_alternative<Choice>(distribution))
        value = text;
    else if (const auto number = parse_number<double>(text);
             number && std::holds_alternative<FloatRange>(distribution))
        value = *number;
    else if (const auto whole = parse_number<std::int64_t>(text))
        value = *whole;
    if (!value || !contains(distribution, *value))
        throw UserError({where, name + " as a value that [space] can draw", "'" + text + "'", fix});
    return *value;
}

/// What is active when all is drawn that the point leaves open can't be said of every point; what a
/// given value denies can.
void check_conditions(const Space& space, const Params& point, const std::string& where)
{
    for (const auto& [name, value] : point) {
        const auto found = space.conditions.find(name);
        if (found == space.conditions.end()) continue;
        const auto on = point.find(found->second.name);
        if (on == point.end())
            throw UserError({where, found->second.name + " beside " + name + ", which stands on it",
                             "a point without it", fix});
        if (!is_active(space, name, point))
            throw UserError(
                {where, "no " + name + " where " + found->second.name + " = " + to_text(on->second),
                 "'" + to_text(value) + "'", fix});
    }
}

std::vector<Params> from_json(const std::string& text, const Space& space, const std::string& file)
{
    json list;
    try {
        list = json::parse(text);
    } catch (const json::parse_error& error) {
        const auto at = std::min(error.byte, text.size());
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw UserError({file + ":" + std::to_string(line), "a JSON list of objects",
                         "text that isn't JSON", fix});
    }
    if (!list.is_array())
        throw UserError({file, "a JSON list of objects", std::string(list.type_name()), fix});
    std::vector<Params> points;
    for (const auto& object : list) {
        const auto where = file + ", point " + std::to_string(points.size() + 1);
        if (!object.is_object()) throw UserError({where, "a JSON object", object.dump(), fix});
        Params point;
        for (const auto& [name, value] : object.items()) {
            if (!value.is_string() && !value.is_number() && !value.is_boolean())
                throw UserError({where, name + " as a number or text", value.dump(), fix});
            point[name] = value_of(
                space, name, value.is_string() ? value.get<std::string>() : value.dump(), where);
        }
        check_conditions(space, point, where);
        points.push_back(std::move(point));
    }
    return points;
}

/// Takes a row off the front of `rest` (RFC 4180); counts its line ends.
Cells take_row(std::string_view& rest, std::size_t& line)
{
    Cells cells(1);
    bool quoted = false;
    std::size_t i = 0;
    for (; i < rest.size(); ++i) {
        const char c = rest[i];
        if (c == '\n') ++line;
        if (quoted) {
            if (c != '"')
                cells.back() += c;
            else if (i + 1 < rest.size() && rest[i + 1] == '"')
                cells.back() += rest[++i];
            else
                quoted = false;
        } else if (c == '"' && cells.back().empty())
            quoted = true;
        else if (c == ',')
            cells.emplace_back();
        else if (c == '\n') {
            ++i;
            break;
        } else if (c != '\r')
            cells.back() += c;
    }
    rest.remove_prefix(i);
    return cells;
}

std::vector<Params> from_csv(std::string_view rest, const Space& space, const std::string& file)
{
    std::size_t line = 1;
    const auto header = take_row(rest, line);
    for (const auto& name : header) {
        distribution_of(space, name, file + ":1");
        if (std::ranges::count(header, name) > 1)
            throw UserError({file + ":1", name + " once", "it twice", fix});
    }
    std::vector<Params> points;
    while (!rest.empty()) {
        const auto where = file + ":" + std::to_string(line);
        const auto cells = take_row(rest, line);
        if (cells.size() == 1 && cells[0].empty() && header.size() > 1) continue;
        if (cells.size() != header.size())
            throw UserError({where, std::to_string(header.size()) + " cells, as in the header",
                             std::to_string(cells.size()), fix});
        Params point;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!cells[i].empty()) point[header[i]] = value_of(space, header[i], cells[i], where);
        check_conditions(space, point, where);
        points.push_back(std::move(point));
    }
    return points;
}

}  // namespace

std::vector<Params> read_enqueued(const std::filesystem::path& file, const Space& space)
{
    std::ifstream stream{file, std::ios::binary};
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown) || !stream)
        throw UserError({file.string(), "a file of points to try first", "none that can be read",
                         "name one as search.enqueue, or take the key out"});
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) throw UserError({file.string(), "points to try first", "nothing", fix});
    const bool is_json = text[first] == '[' || text[first] == '{';
    return is_json ? from_json(text, space, file.string()) : from_csv(text, space, file.string());
}

}  // namespace barsweep::search
