#include "cli/checkpoints.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/number.hpp"

namespace barsweep::cli {
namespace {

constexpr std::string_view prefix = "trial-";

/// Also of a half-written file, whose name goes on after the number.
std::optional<std::int64_t> trial_of(const std::string& name)
{
    std::int64_t trial = 0;
    if (!name.starts_with(prefix)) return {};
    const auto* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, trial);
    const std::string_view after{rest, end};
    if (error != std::errc{} || !(after.starts_with(".") || after.starts_with("-"))) return {};
    return trial;
}

bool needed(const search::Study& study, std::int64_t trial)
{
    const auto& trials = study.trials();
    if (trial < 0 || trial >= static_cast<std::int64_t>(trials.size())) return true;
    const auto& record = trials[static_cast<std::size_t>(trial)];
    return record.state == search::TrialState::running || &record == study.best();
}

}  // namespace

std::filesystem::path Checkpoints::of(std::int64_t trial, int replicate) const
{
    if (folder.empty()) return {};
    const auto which = replicate == 0 ? std::string{} : fmt::format("-{}", replicate);
    return folder / fmt::format("{}{:06}{}.ckpt", prefix, trial, which);
}

void Checkpoints::drop_finished(const search::Study& study) const
{
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator{folder, ignored})
        if (const auto trial = trial_of(file.path().filename().string());
            trial && !needed(study, *trial))
            std::filesystem::remove(file.path(), ignored);
}

double checkpoint_seconds()
{
    const char* const wish = std::getenv("BARSWEEP_CHECKPOINT_SECONDS");
    if (wish == nullptr || *wish == '\0') return 60;
    const std::string_view text{wish};
    const auto seconds = parse_number<double>(text);
    if (!seconds || !(*seconds >= 0))
        throw UserError({"BARSWEEP_CHECKPOINT_SECONDS", "seconds, 0 or more",
                         fmt::format("'{}'", text), "write for example 60, or unset it"});
    return *seconds;
}

}  // namespace barsweep::cli
