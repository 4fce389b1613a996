/// `bench_samplers SAMPLER PROBLEM SEEDS TRIALS[,TRIALS...] [TABLE.csv]`: the best value that a
/// sampler finds in so many trials, asked and told one by one. CSV on stdout: a line a seed and
/// budget. scripts/bench_peers/search.py has the same problems for Optuna.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "search/cmaes.hpp"
#include "search/gp.hpp"
#include "search/numbers.hpp"
#include "search/sobol.hpp"
#include "search/tpe.hpp"

using namespace barsweep;
using namespace barsweep::search;

namespace {

struct Problem {
    std::vector<std::pair<std::string, std::string>> space;
    std::function<std::optional<double>(const Params&)> loss;  ///< empty: the trial fails
};

double number(const Params& params, const std::string& name)
{
    const auto& value = params.at(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}

std::string coordinate_name(int i)
{
    return std::string(1, 'x').append(shortest(i));
}

std::vector<double> point(const Params& params, int dimensions)
{
    std::vector<double> x;
    for (int i = 0; i < dimensions; ++i) x.push_back(number(params, coordinate_name(i)));
    return x;
}

Problem box(int dimensions, const std::string& range,
            std::function<double(const std::vector<double>&)> loss)
{
    Problem problem;
    for (int i = 0; i < dimensions; ++i) problem.space.emplace_back(coordinate_name(i), range);
    problem.loss = [=](const Params& params) { return loss(point(params, dimensions)); };
    return problem;
}

/// Least 0.397887.
Problem branin()
{
    Problem problem{{{"x0", "float -5 10"}, {"x1", "float 0 15"}}, {}};
    problem.loss = [](const Params& params) {
        constexpr double pi = std::numbers::pi;
        const double x = number(params, "x0"), y = number(params, "x1");
        const double bend = y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6;
        return bend * bend + 10 * (1 - 1 / (8 * pi)) * std::cos(x) + 10;
    };
    return problem;
}

/// Least -3.322368.
double hartmann6(const std::vector<double>& x)
{
    constexpr double height[4] = {1, 1.2, 3, 3.2};
    constexpr double a[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                {0.05, 10, 17, 0.1, 8, 14},
                                {3, 3.5, 1.7, 10, 17, 8},
                                {17, 8, 0.05, 10, 0.1, 14}};
    constexpr double p[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double distance = 0;
        for (std::size_t i = 0; i < 6; ++i)
            distance += a[k][i] * (x[i] - p[k][i]) * (x[i] - p[k][i]);
        sum -= height[k] * std::exp(-distance);
    }
    return sum;
}

/// Least 0 where all are 1.
double rosenbrock(const std::vector<double>& x)
{
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const double curve = x[i + 1] - x[i] * x[i];
        sum += 100 * curve * curve + (1 - x[i]) * (1 - x[i]);
    }
    return sum;
}

/// Least 0, off the middle: at 10 cos(1.7 k + 0.5) in dimension k.
double ackley(const std::vector<double>& x)
{
    const auto n = static_cast<double>(x.size());
    double squares = 0, waves = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double off = x[k] - 10 * std::cos(1.7 * static_cast<double>(k) + 0.5);
        squares += off * off;
        waves += std::cos(2 * std::numbers::pi * off);
    }
    return 20 - 20 * std::exp(-0.2 * std::sqrt(squares / n)) + std::numbers::e -
           std::exp(waves / n);
}

/// The hyperparameters of a network, as one would write them down. Least 0 at learning rate 0.003,
/// 181 wide, 3 layers, gelu, dropout 0.15, batch 256, gamma 0.98.
Problem mixed()
{
    Problem problem{{{"learning_rate", "log 1e-5 1e-1"},
                     {"hidden", "intlog 16 512"},
                     {"layers", "int 1 6"},
                     {"activation", "choice relu tanh gelu elu"},
                     {"dropout", "float 0 0.5"},
                     {"batch", "choice 16 32 64 128 256 512"},
                     {"one_minus_gamma", "log 1e-3 0.2"}},
                    {}};
    problem.loss = [](const Params& params) {
        static const std::map<std::string, double> worse = {
            {"relu", 0.3}, {"tanh", 0.8}, {"gelu", 0}, {"elu", 0.5}};
        const double rate = std::log10(number(params, "learning_rate") / 3e-3);
        const double hidden = std::log2(number(params, "hidden")) - 7.5;
        const double layers = number(params, "layers") - 3;
        const double dropout = number(params, "dropout") - 0.15;
        const double batch = std::log2(std::stod(std::get<std::string>(params.at("batch")))) - 8;
        const double gamma = 0.7 * std::log10(number(params, "one_minus_gamma") / 0.02);
        return rate * rate + 0.3 * hidden * hidden + 0.2 * layers * layers +
               worse.at(std::get<std::string>(params.at("activation"))) *
                   (1 + 0.5 * std::abs(rate)) +
               6 * dropout * dropout + 0.15 * batch * batch + 0.1 * rate * batch + gamma * gamma;
    };
    return problem;
}

/// The full grid of PPO settings of one environment of a table: a trial looks its setting up; loss:
/// minus the last return; a setting without one fails.
Problem table(const std::string& file, const std::string& environment)
{
    std::ifstream in(file);
    if (!in) throw std::runtime_error("no file " + file);
    std::string line, cell;
    std::vector<std::string> names;  // env, the settings, r0 ...
    std::size_t settings = 0, last = 0;
    std::vector<std::map<double, std::int64_t>> values;
    std::vector<std::pair<std::vector<double>, std::optional<double>>> rows;
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        for (std::istringstream row(line); std::getline(row, cell, ',');) cells.push_back(cell);
        if (names.empty()) {
            names = cells;
            settings = static_cast<std::size_t>(std::ranges::find(names, "r0") - names.begin()) - 1;
            last = settings;
            while (last + 1 < names.size() && names[last + 1].starts_with('r')) ++last;
            values.resize(settings);
            continue;
        }
        cells.resize(names.size());
        if (cells[0] != environment) continue;
        auto& [setting, loss] = rows.emplace_back();
        for (std::size_t i = 0; i < settings; ++i) {
            setting.push_back(std::stod(cells[i + 1]));
            values[i][setting.back()] = 0;
        }
        if (!cells[last].empty()) loss = -std::stod(cells[last]);
    }
    names = {names.begin() + 1, names.begin() + 1 + static_cast<std::ptrdiff_t>(settings)};
    Problem problem;
    for (std::size_t i = 0; i < settings; ++i) {
        std::int64_t index = 0;
        for (auto& [value, place] : values[i]) place = index++;
        problem.space.emplace_back(names.at(i), std::string("int 0 ").append(shortest(index - 1)));
    }
    std::map<std::vector<std::int64_t>, std::optional<double>> found;
    for (const auto& [setting, loss] : rows) {
        std::vector<std::int64_t> key;
        for (std::size_t i = 0; i < settings; ++i) key.push_back(values[i].at(setting[i]));
        found[key] = loss;
    }
    problem.loss = [found, names](const Params& params) {
        std::vector<std::int64_t> key;
        for (const auto& of : names) key.push_back(std::get<std::int64_t>(params.at(of)));
        const auto row = found.find(key);  // a table may not be whole yet
        return row == found.end() ? std::nullopt : row->second;
    };
    return problem;
}

Problem problem_of(const std::string& name, const std::string& file)
{
    if (name == "branin") return branin();
    if (name == "hartmann6") return box(6, "float 0 1", hartmann6);
    if (name == "rosenbrock10") return box(10, "float -5 10", rosenbrock);
    if (name == "ackley10") return box(10, "float -32.768 32.768", ackley);
    if (name == "mixed") return mixed();
    return table(file, name);
}

/// The samplers, by what they are asked.
struct AnySampler {
    AnySampler(const std::string& name, std::uint64_t seed, const Space& space)
    {
        if (name == "sobol")
            sobol.emplace(seed, space);
        else if (name == "tpe")
            tpe.emplace(TpeOptions{.seed = seed}, space);
        else if (name == "cmaes")
            cmaes.emplace(seed, space);
        else if (name == "gp")
            gp.emplace(GpOptions{.seed = seed}, space);
        else
            throw std::runtime_error("no sampler " + name);
    }
    Params draw(std::int64_t of)
    {
        if (sobol) return sobol->draw(of);
        if (tpe) return tpe->draw(of, {});
        if (cmaes) return cmaes->draw(of);
        return gp->draw(of, {});
    }
    void tell(const Tried& tried)
    {
        if (tpe) tpe->tell(tried);
        if (cmaes) cmaes->tell(tried);
        if (gp) gp->tell(tried);
    }
    std::optional<Sobol> sobol;
    std::optional<Tpe> tpe;
    std::optional<Cmaes> cmaes;
    std::optional<Gp> gp;
};

double seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void run(const std::string& sampler, const std::string& name, const Problem& problem,
         std::uint64_t seed, const std::vector<std::int64_t>& budgets)
{
    const Space space = parse_space(problem.space, "bench");
    AnySampler of(sampler, seed, space);
    const double start = seconds();
    double best = std::numeric_limits<double>::infinity();
    std::int64_t number = 0;
    for (const std::int64_t budget : budgets) {
        for (; number < budget; ++number) {
            Tried tried;
            tried.trial = {number, of.draw(number)};
            const auto loss = problem.loss(tried.trial.params);
            tried.state = loss ? TrialState::complete : TrialState::fail;
            tried.loss = loss.value_or(std::nan(""));
            if (loss) best = std::min(best, *loss);
            of.tell(tried);
        }
        std::printf("%s,%s,%lu,%ld,%.17g,%.4f\n", sampler.c_str(), name.c_str(), seed, budget, best,
                    seconds() - start);
    }
}

}  // namespace

int main(int count, char** words)
{
    if (count < 5) {
        std::fprintf(stderr,
                     "bench_samplers SAMPLER PROBLEM SEEDS TRIALS[,TRIALS...] [TABLE.csv]\n");
        return 2;
    }
    const std::string sampler = words[1], name = words[2];
    std::vector<std::int64_t> budgets;
    std::istringstream list(words[4]);
    for (std::string budget; std::getline(list, budget, ',');) budgets.push_back(std::stol(budget));
    const Problem problem = problem_of(name, count > 5 ? words[5] : "");
    std::puts("sampler,problem,seed,trials,best,cpu_seconds");
    for (std::uint64_t seed = 0; seed < std::stoull(words[3]); ++seed)
        run(sampler, name, problem, seed, budgets);
}
