#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "agents/bundle.hpp"
#include "agents/bundle_files.hpp"
#include "agents/bundle_policy.hpp"
#include "agents/sealed.hpp"
#include "agents/torch_script.hpp"
#include "base/log.hpp"
#include "base/whole_file.hpp"

namespace barsweep::agents {
namespace {

using Json = nlohmann::ordered_json;

/// `description`: digest of what bundle.json tells, so that neither file goes with another's.
std::string policy_bytes(const sim::Policy& policy, const std::string& description)
{
    std::string bytes;
    put_policy(bytes, policy);
    return seal(policy_kind, description, bytes);
}

const char* name_of(kernels::Activation activation)
{
    const char* const names[] = {"relu", "tanh", "silu"};
    return names[static_cast<int>(activation)];
}

const char* name_of(kernels::Distribution distribution)
{
    const char* const names[] = {"none", "c51", "quantile"};
    return names[static_cast<int>(distribution)];
}

/// What policy.bin holds, for a reader's eye; `read_bundle` takes it from there.
Json network_of(const sim::Policy& policy)
{
    const auto& shape = policy.shape;
    const auto& head = policy.head;
    return {{"sizes", std::vector<int>(shape.sizes, shape.sizes + shape.layers + 1)},
            {"activation", name_of(shape.activation)},
            {"layer_norm", shape.layer_norm},
            {"dueling", head.dueling},
            {"distribution", name_of(head.distribution)},
            {"atoms", head.atoms},
            {"value_lowest", head.lowest},
            {"value_highest", head.highest}};
}

Json features_of(const Bundle& bundle)
{
    auto features = Json::array();
    for (std::size_t i = 0; i < bundle.feature_names.size(); ++i) {
        features.push_back({{"name", bundle.feature_names[i]},
                            {"first", bundle.scaling.first.at(i)},
                            {"mean", bundle.scaling.mean.at(i)},
                            {"deviation", bundle.scaling.deviation.at(i)}});
    }
    return features;
}

}  // namespace

void write_bundle(const std::filesystem::path& folder, const Bundle& bundle)
{
    std::error_code failed;  // the first file that can't be written says why
    std::filesystem::create_directories(folder, failed);
    Json json{{"format", bundle_format},
              {"version", bundle_version},
              {"program", bundle.program},
              {"symbol", bundle.symbol},
              {"data_sha256", bundle.data_sha256},
              {"price_decimals", bundle.price_decimals},
              {"volume_decimals", bundle.volume_decimals},
              {"levels_ppm", bundle.levels_ppm},
              {"network", network_of(bundle.policy)},
              {"features", features_of(bundle)},
              {"job", bundle.job},
              {"metrics", bundle.metrics}};
    const auto bin = policy_bytes(bundle.policy, digest(json.dump()));
    const auto script = torch_script(bundle.policy, bundle.scaling);
    json["files"]["policy.bin"] = digest(bin);
    write_whole(folder / "policy.bin", bin);
    if (script) {
        json["files"]["policy.pt"] = digest(*script);
        write_whole(folder / "policy.pt", *script);
    } else {
        log_line((folder / "policy.pt").string() +
                 ": not written: TorchScript needs LibTorch, and "
                 "this program was built without it.");
    }
    write_whole(folder / "bundle.json", json.dump(2) + "\n");
}

}  // namespace barsweep::agents
