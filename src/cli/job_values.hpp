#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/job_texts.hpp"

namespace barsweep::cli {

/// One key of a job as a number or word. Each throws UserError with the key's place, what is
/// accepted, what was found and an example.

std::int64_t whole(const JobTexts& job, const std::string& key, std::int64_t low,
                   std::int64_t high);
std::uint64_t seed_value(const JobTexts& job, const std::string& key);

/// Index into `words`.
std::size_t one_of(const JobTexts& job, const std::string& key,
                   const std::vector<std::string>& words);

/// Seconds; 0 for "none".
double seconds_value(const JobTexts& job, const std::string& key);

/// Whole numbers above 0, divided by blanks, each larger than the one before.
std::vector<std::int64_t> increasing(const JobTexts& job, const std::string& key);

/// low <= number <= high.
double number_value(const JobTexts& job, const std::string& key, double low, double high);

/// "auto" gives `automatic`; else a finite number above 0.
double positive_or_auto(const JobTexts& job, const std::string& key, double automatic);

/// The sentence for a key whose value won't do: `expected` follows "expected KEY ".
[[noreturn]] void refuse(const JobTexts& job, const std::string& key, const std::string& expected);

}  // namespace barsweep::cli
