#pragma once
#include <string>
#include <vector>

/// Records as Optuna writes them, of studies of `small_plan`'s space.
namespace barsweep::search::tests {

inline std::string optuna(const std::string& op, const std::string& members)
{
    return R"({"op_code":)" + op +
           R"(,"worker_id":"35db9738-d5e5-4255-a3a2-73ef9455971c-139818243750784",)" + members +
           "}";
}

inline std::string their_study(const std::string& name = "small",
                               const std::string& directions = "[2]")
{
    return optuna("0", R"("study_name":")" + name + R"(","directions":)" + directions);
}

inline std::string parameter(int trial, const std::string& name, const std::string& value,
                             const std::string& kind, const std::string& attributes)
{
    return optuna("5", R"("trial_id":)" + std::to_string(trial) + R"(,"param_name":")" + name +
                           R"(","param_value_internal":)" + value +
                           R"(,"distribution":"{\"name\": \")" + kind +
                           R"(Distribution\", \"attributes\": {)" + attributes + R"(}}")");
}

inline std::string fast(int trial, const std::string& value = "7.0")
{
    return parameter(trial, "fast", value, "Int",
                     R"(\"log\": false, \"step\": 1, \"low\": 2, \"high\": 30)");
}

inline std::string gamma(int trial, const std::string& value = "0.95",
                         const std::string& log = "false")
{
    return parameter(trial, "gamma", value, "Float",
                     R"(\"step\": null, \"low\": 0.9, \"high\": 0.999, \"log\": )" + log);
}

inline std::string rule(int trial, const std::string& value = "1",
                        const std::string& choices = R"(\"a\", \"b\")")
{
    return parameter(trial, "rule", value, "Categorical", R"(\"choices\": [)" + choices + "]");
}

inline const std::string created =
    optuna("4", R"("study_id":0,"datetime_start":"2026-12-01T03:50:56.510206+00:00")");

inline std::string finished(int trial, int state, const std::string& values)
{
    return optuna("6", R"("trial_id":)" + std::to_string(trial) + R"(,"state":)" +
                           std::to_string(state) + R"(,"values":)" + values +
                           R"(,"datetime_complete":"2026-12-01T03:50:56.604166+00:00")");
}

inline std::string rung(int trial, int step, const std::string& value)
{
    return optuna("7", R"("trial_id":)" + std::to_string(trial) + R"(,"step":)" +
                           std::to_string(step) + R"(,"intermediate_value":)" + value);
}

/// A complete, a pruned and a failed trial, one that still runs and one that waits; numbered from
/// `first`.
inline std::vector<std::string> five_trials(int first)
{
    const int a = first, b = first + 1, c = first + 2, d = first + 3;
    return {
        created,
        created,
        fast(b),
        fast(a, "3.0"),
        gamma(a),
        rule(a, "0"),
        gamma(b),
        rule(b),
        rung(a, 100, "0.25"),
        rung(b, 100, "-Infinity"),
        optuna("8", R"("trial_id":)" + std::to_string(a) + R"(,"user_attr":{"who":"me"})"),
        finished(a, 1, "[1e9]"),
        finished(b, 2, "null"),
        created,
        fast(c),
        finished(c, 3, "null"),
        created,
        fast(d),
        optuna("4", R"("study_id":0,"datetime_start":null,"state":4,"value":null,"values":null,)"
                    R"("distributions":{},"params":{},"user_attrs":{},)"
                    R"("system_attrs":{"fixed_params":{"fast":5}},"intermediate_values":{})")};
}

}  // namespace barsweep::search::tests
