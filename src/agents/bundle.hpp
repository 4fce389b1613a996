#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bars/features.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::agents {

/// A selected policy with all that it takes to run it on other bars (FORMATS, `best/`).
struct Bundle {
    sim::Policy policy;
    bars::Scaling scaling;                   ///< of the training window
    std::vector<std::string> feature_names;  ///< in the order of the policy's inputs
    int price_decimals = 0;
    int volume_decimals = 0;
    std::string symbol;
    std::string data_sha256;               ///< of the bars it was selected on
    std::vector<std::int64_t> levels_ppm;  ///< exposure of each output
    std::map<std::string, std::string>
        job;  ///< resolved, "section.key" -> text; account.* are its rules
    std::map<std::string, double> metrics;  ///< finite ones
    std::string program;                    ///< version that wrote it
};

/// Writes policy.bin (for `read_bundle`), policy.pt (TorchScript; where the program has no LibTorch
/// a line in the log instead) and bundle.json into `folder`, each whole or not at all, bundle.json
/// with the others' SHA-256 last.
void write_bundle(const std::filesystem::path& folder, const Bundle& bundle);

/// Throws UserError for a folder that holds no bundle, or a damaged one. Doesn't need LibTorch.
Bundle read_bundle(const std::filesystem::path& folder);

/// What bars are fed to a policy.
struct BarsOffered {
    std::string where;  ///< the store, for sentences
    std::vector<std::string> feature_names;
    int price_decimals = 0;
    int volume_decimals = 0;
};

/// Throws UserError where the bars' features or decimals aren't those that the policy learned on.
void check_bars(const Bundle& bundle, const BarsOffered& bars);

}  // namespace barsweep::agents
