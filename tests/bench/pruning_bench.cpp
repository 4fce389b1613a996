/// `bench_pruning FOLDER`: prunes the learning curves that scripts/bench_peers/pruning.py wrote
/// (FOLDER/0.csv ...: a line a trial, 81 scores of which lower is better, then the true last one):
/// the steps run, as a share of all, and what the chosen trial ends above the best one, both as
/// means over the files. CSV on stdout.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "search/numbers.hpp"
#include "search/promotions.hpp"
#include "search/pruner.hpp"

using namespace barsweep::search;

namespace {

constexpr std::int64_t last_step = 81;

struct Curve {
    std::vector<double> seen;
    double last = 0;
};

std::vector<Curve> read(const std::string& file)
{
    std::vector<Curve> curves;
    std::ifstream in(file);
    for (std::string line, cell; std::getline(in, line);) {
        Curve& curve = curves.emplace_back();
        for (std::istringstream row(line); std::getline(row, cell, ',');)
            curve.seen.push_back(std::stod(cell));
        curve.last = curve.seen.back();
        curve.seen.pop_back();
    }
    return curves;
}

double rank_at(const Curve& curve, std::int64_t step)
{
    return rank_score(-curve.seen[static_cast<std::size_t>(step - 1)]);
}

struct Outcome {
    double share = 0, regret = 0;
};

Outcome outcome(const std::vector<Curve>& curves, std::int64_t used, std::vector<std::size_t> whole)
{
    const auto seen = [&](std::size_t i) { return curves[i].seen.back(); };
    const std::size_t chosen = std::ranges::min(whole, {}, seen);
    const double best = std::ranges::min(curves, {}, &Curve::last).last;
    return {static_cast<double>(used) / static_cast<double>(last_step) /
                static_cast<double>(curves.size()),
            curves[chosen].last - best};
}

/// One trial after another, each to its cut.
Outcome cut_as_they_come(const PrunerOptions& options, const std::vector<std::int64_t>& rungs,
                         const std::vector<Curve>& curves)
{
    // Trials of a Hyperband bracket are each other's rivals.
    std::vector<std::vector<Rivals>> rivals(rungs.size(), std::vector<Rivals>(rungs.size()));
    std::int64_t used = 0;
    std::vector<std::size_t> whole;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const int first = first_cut_of(options, rungs.size(), static_cast<std::int64_t>(i));
        std::vector<double> ranks;
        for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
            used += rungs[rung] - (rung ? rungs[rung - 1] : 0);
            const double rank = rank_at(curves[i], rungs[rung]);
            ranks.push_back(rank);
            if (rung + 1 == rungs.size()) {
                whole.push_back(i);
                break;
            }
            if (static_cast<int>(rung) < first) continue;
            auto& others = rivals[static_cast<std::size_t>(first)][rung];
            const auto cause = cut(options, {rungs[rung], ranks, others, -rank});
            others.insert(rank);
            if (cause) break;
        }
    }
    return outcome(curves, used, whole);
}

/// Trials that wait at a rung go on as soon as they are among the best there.
Outcome promote_from_checkpoints(const PrunerOptions& options,
                                 const std::vector<std::int64_t>& rungs,
                                 const std::vector<Curve>& curves)
{
    Promotions promotions(options.eta, rungs.size());
    std::int64_t used = 0;
    std::vector<std::size_t> whole;
    const auto live = [&](std::size_t trial, std::size_t rung) {
        for (;; ++rung) {
            used += rungs[rung] - (rung ? rungs[rung - 1] : 0);
            if (rung + 1 == rungs.size()) {
                whole.push_back(trial);
                return;
            }
            const double rank = rank_at(curves[trial], rungs[rung]);
            if (!promotions
                     .report(static_cast<std::int64_t>(trial), static_cast<int>(rung), rungs[rung],
                             rank)
                     .goes_on)
                return;
        }
    };
    for (std::size_t fresh = 0;;) {
        if (const auto next = promotions.next(rungs, fresh == curves.size() && whole.empty())) {
            promotions.promote(*next);
            live(static_cast<std::size_t>(next->trial), static_cast<std::size_t>(next->rung) + 1);
        } else if (fresh < curves.size()) {
            live(fresh++, 0);
        } else {
            return outcome(curves, used, whole);
        }
    }
}

void print(const std::string& name, const PrunerOptions& options, std::int64_t first,
           const std::vector<std::vector<Curve>>& sets)
{
    std::vector<std::int64_t> rungs;
    for (std::int64_t step = first; step < last_step; step *= options.eta) rungs.push_back(step);
    rungs.push_back(last_step);
    double share = 0, regret = 0;
    for (const auto& curves : sets) {
        const auto found = options.kind == PrunerKind::asha
                               ? promote_from_checkpoints(options, rungs, curves)
                               : cut_as_they_come(options, rungs, curves);
        share += found.share / static_cast<double>(sets.size());
        regret += found.regret / static_cast<double>(sets.size());
    }
    const std::string figure =
        "pruning " + name + " eta " + shortest(options.eta) + " first " + shortest(first);
    std::printf("%s,barsweep,%.4f,share of the steps,mean of %zu\n", figure.c_str(), share,
                sets.size());
    std::printf("%s,barsweep,%.4f,regret,mean of %zu\n", figure.c_str(), regret, sets.size());
}

}  // namespace

int main(int count, char** words)
{
    if (count != 2) {
        std::fprintf(stderr, "bench_pruning FOLDER\n");
        return 2;
    }
    std::vector<std::vector<Curve>> sets;
    for (int set = 0;; ++set) {
        auto curves = read(std::string(words[1]) + "/" + shortest(set) + ".csv");
        if (curves.empty()) break;
        sets.push_back(std::move(curves));
    }
    for (const std::int64_t first : {1, 2, 3, 4})
        for (const int eta : {3, 4}) {
            print("halving", {.kind = PrunerKind::halving, .eta = eta}, first, sets);
            print("asha", {.kind = PrunerKind::asha, .eta = eta}, first, sets);
        }
    print("hyperband", {.kind = PrunerKind::hyperband, .eta = 3}, 1, sets);
    print("median", {.kind = PrunerKind::median, .eta = 3}, 3, sets);
}
