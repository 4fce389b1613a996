#include "agents/checkpoint.hpp"

#include "agents/sealed.hpp"
#include "base/error.hpp"
#include "base/whole_file.hpp"

namespace barsweep::agents {

void save_checkpoint(const std::filesystem::path& path, const Learner& learner)
{
    write_whole(path, learner.save());
}

void load_checkpoint(const std::filesystem::path& path, Learner& learner)
{
    const auto file = read_whole(path.string());
    try {
        learner.load(file);
    } catch (const UserError& error) {
        auto problem = error.problem();
        problem.where = path.string();
        throw UserError(problem, error.exit());
    }
}

}  // namespace barsweep::agents
