#include "cli/job_texts.hpp"

#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "cli/job_keys.hpp"
#include "cli/nearest.hpp"
#include "cluster/wire.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

constexpr std::string_view space_prefix = "space.";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors begin with it

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string{text.substr(first, text.find_last_not_of(" \t\r") - first + 1)};
}

/// What a job says is copied to JSON and to sentences: UTF-8, and nothing that isn't seen.
void check_text(const std::string& text, const std::string& where)
{
    const auto hidden = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
    if (std::ranges::any_of(text, hidden) || cluster::valid_utf8(text) != text)
        throw UserError({where, "text in UTF-8 without control characters", "other bytes",
                         "write it again in a text editor"});
}

/// Numbers of the lines that hold a key, which Boost's reader doesn't tell.
std::vector<int> key_lines(const std::string& content, const std::string& file)
{
    std::vector<int> lines;
    std::istringstream stream{content};
    std::string raw;
    for (int number = 1; std::getline(stream, raw); ++number) {
        const auto text = trimmed(raw.substr(0, raw.find('#')));
        check_text(text, file + ":" + std::to_string(number));
        if (text.empty() || (text.front() == '[' && text.back() == ']')) continue;
        if (const auto equals = text.find('='); equals == std::string::npos || equals == 0)
            throw UserError({file + ":" + std::to_string(number), "KEY = VALUE or [SECTION]",
                             "'" + text + "'",
                             "complete the line, or begin it with # as a comment"});
        lines.push_back(number);
    }
    return lines;
}

std::string read_text(const std::filesystem::path& file)
{
    std::ifstream stream{file, std::ios::binary};
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown) || !stream)
        throw UserError({file.string(), "a job file that can be read",
                         std::filesystem::exists(file, unknown) ? "something else" : "no such file",
                         "name a job file, for example jobs/demo.ini"});
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// A known key, or a [space] line of one that can be searched.
void check_name(const std::string& name, const std::string& where)
{
    const auto refuse = [&](const char* kind, const std::string& near) {
        throw UserError(
            {where, kind, "'" + name + "'", "write " + near + ", the nearest there is"});
    };
    if (name.starts_with(space_prefix)) {
        const auto searched = name.substr(space_prefix.size());
        const auto& known = searchable_keys();
        if (std::find(known.begin(), known.end(), searched) == known.end())
            refuse("a [space] key of [agent] or [account]",
                   std::string{space_prefix} + nearest(searched, known));
        return;
    }
    std::vector<std::string> known;
    for (const auto& key : job_keys()) known.push_back(key.name);
    if (!find_key(name)) refuse("a known key", nearest(name, known));
}

void take_file(JobTexts& job, const std::string& content)
{
    const auto lines = key_lines(content, job.file);
    std::istringstream stream{content};
    const auto parsed = po::parse_config_file(stream, po::options_description{}, true);

    // Boost gives one option a line, in order.
    for (std::size_t i = 0; i < parsed.options.size(); ++i) {
        const auto& option = parsed.options[i];
        const auto where = job.file + ":" + std::to_string(lines.at(i));
        check_name(option.string_key, where);
        auto& value = job.values[option.string_key];
        if (value.source == Source::file)
            throw UserError({where, option.string_key + " once",
                             "it again after line " + std::to_string(value.line),
                             "keep one of the two lines"});
        value = {option.value.at(0), Source::file, lines[i]};
    }
}

}  // namespace

std::string JobTexts::where(const std::string& key) const
{
    const auto& value = values.at(key);
    switch (value.source) {
        case Source::fallback:
            return file;
        case Source::file:
            return file + ":" + std::to_string(value.line);
        case Source::command_line:
            return "command line";
        case Source::trial:
            return "trial";
    }
    return file;
}

void take_fallbacks(JobTexts& job)
{
    const auto& kinds = agent_kinds();
    const auto kind = std::ranges::find(kinds, job["agent.kind"]);
    const auto index = kind == kinds.end() ? 0 : kind - kinds.begin();
    for (const auto& key : job_keys()) {
        auto& value = job.values[key.name];
        if (value.source == Source::fallback && value.text.empty())
            value.text = fallback_of(key, static_cast<AgentKind>(index));
    }
}

JobTexts read_job(const std::filesystem::path& file, const Overrides& overrides)
{
    JobTexts job;
    job.file = file.string();
    for (const auto& key : job_keys()) job.values[key.name];
    job.values["study.name"].text = cluster::valid_utf8(file.stem().string());

    take_file(job, read_text(file));
    for (const auto& [key, text] : overrides) {
        check_name(key, "command line");
        check_text(text, "command line");
        job.values[key] = {text, Source::command_line, 0};
    }
    take_fallbacks(job);
    if (auto& folder = job.values["output.dir"].text; folder.empty())
        folder = "results/" + job["study.name"];
    return job;
}

JobTexts overlay(JobTexts job, const search::Params& params)
{
    for (const auto& [key, value] : params)
        job.values[key] = {search::to_text(value), Source::trial, 0};
    return job;
}

}  // namespace barsweep::cli
