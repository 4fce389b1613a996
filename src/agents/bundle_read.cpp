#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/bundle.hpp"
#include "agents/bundle_files.hpp"
#include "agents/bundle_policy.hpp"
#include "agents/sealed.hpp"
#include "base/error.hpp"

namespace barsweep::agents {
namespace {

using Json = nlohmann::ordered_json;  // keys stay as written, so that the digest does

[[noreturn]] void refuse(const std::string& where, const std::string& expected,
                         const std::string& found)
{
    throw UserError({where, expected, found, "name the folder best/ of a finished study"});
}

/// Throws Json::exception for what is missing or of another type.
Bundle read_json(const Json& json)
{
    Bundle bundle;
    json.at("program").get_to(bundle.program);
    json.at("symbol").get_to(bundle.symbol);
    json.at("data_sha256").get_to(bundle.data_sha256);
    json.at("price_decimals").get_to(bundle.price_decimals);
    json.at("volume_decimals").get_to(bundle.volume_decimals);
    json.at("levels_ppm").get_to(bundle.levels_ppm);
    json.at("job").get_to(bundle.job);
    json.at("metrics").get_to(bundle.metrics);
    for (const auto& feature : json.at("features")) {
        bundle.feature_names.push_back(feature.at("name"));
        bundle.scaling.first.push_back(feature.at("first"));
        bundle.scaling.mean.push_back(feature.at("mean"));
        bundle.scaling.deviation.push_back(feature.at("deviation"));
    }
    return bundle;
}

}  // namespace

Bundle read_bundle(const std::filesystem::path& folder)
{
    const auto where = (folder / "bundle.json").string();
    const auto policy_file = (folder / "policy.bin").string();
    const Json json = Json::parse(read_whole(where), nullptr, false);
    if (!json.is_object() || json.value("format", Json{}) != bundle_format) {
        refuse(where, "the description of a policy", "something else");
    }
    if (json.value("version", Json{}) != bundle_version) {
        refuse(where, fmt::format("version {}", bundle_version),
               json.value("version", Json{}).dump());
    }
    const auto bytes = read_whole(policy_file);
    try {
        Bundle bundle = read_json(json);
        if (json.at("files").at("policy.bin") != digest(bytes)) {
            refuse(policy_file, "the bytes that bundle.json tells of", "others");
        }
        const auto sealed = unseal(bytes, policy_kind, policy_file);
        auto told = json;
        told.erase("files");
        if (digest(told.dump()) != sealed.identity) {
            refuse(where, "the description that policy.bin was written with", "another");
        }
        if (!read_policy(sealed.payload, bundle.policy)) {
            refuse(policy_file, "a network and its parameters", "numbers that are none");
        }
        return bundle;
    } catch (const Json::exception& error) {
        refuse(where, "every key of a bundle", error.what());
    }
}

void check_bars(const Bundle& bundle, const BarsOffered& bars)
{
    const std::string fix = "make a store of such bars with `barsweep ingest`, or sweep on these";
    const auto& wanted = bundle.feature_names;
    const auto& offered = bars.feature_names;
    const auto [ours, theirs] =
        std::mismatch(wanted.begin(), wanted.end(), offered.begin(), offered.end());
    if (ours != wanted.end() || theirs != offered.end()) {
        const auto name = [](auto at, const auto& names) {
            return at != names.end() ? "'" + *at + "'" : std::string{"none"};
        };
        throw UserError({bars.where,
                         fmt::format("feature {} as the policy learned on, {}",
                                     ours - wanted.begin() + 1, name(ours, wanted)),
                         name(theirs, offered), fix});
    }
    if (bundle.price_decimals != bars.price_decimals ||
        bundle.volume_decimals != bars.volume_decimals) {
        throw UserError(
            {bars.where,
             fmt::format("prices of {} decimals and volumes of {}, as the policy learned on",
                         bundle.price_decimals, bundle.volume_decimals),
             fmt::format("{} and {}", bars.price_decimals, bars.volume_decimals), fix});
    }
}

}  // namespace barsweep::agents
