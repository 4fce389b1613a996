#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "search/trial.hpp"

namespace barsweep::cli {

enum class Source { fallback, file, command_line, trial };

struct JobText {
    std::string text;
    Source source = Source::fallback;
    int line = 0;  ///< of the job file, from 1; 0: not from there
};

/// A job as text: every known key (FORMATS, "Job file") and the [space] lines as "space.KEY".
/// Defaults are overridden by the file, the file by the command line, all by a trial's parameters.
struct JobTexts {
    std::string file;  ///< as the person named it
    std::map<std::string, JobText> values;

    const std::string& operator[](const std::string& key) const { return values.at(key).text; }
    /// For a person: "jobs/demo.ini:12", "command line", "trial", or the file for a default.
    std::string where(const std::string& key) const;
};

/// Key -> text, from the command line.
using Overrides = std::map<std::string, std::string>;

/// Reads the job file and lays `overrides` (known keys) over it. Throws UserError for a file that
/// can't be read or isn't INI, a misspelt key (naming line and nearest known key), a key given
/// twice, and a [space] line that is neither of [agent] nor of [account].
JobTexts read_job(const std::filesystem::path& file, const Overrides& overrides);

/// Gives every known key that has no text its default, which may depend on agent.kind.
void take_fallbacks(JobTexts& job);

/// The same job with a trial's parameters in place of what they search over.
JobTexts overlay(JobTexts job, const search::Params& params);

}  // namespace barsweep::cli
