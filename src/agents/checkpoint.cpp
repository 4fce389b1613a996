#include "agents/checkpoint.hpp"

#include <sstream>

#include "agents/sealed.hpp"
#include "base/error.hpp"
#include "base/whole_file.hpp"

namespace barsweep::agents {

void save_checkpoint(const std::filesystem::path& path, const Learner& learner)
{
    std::ostringstream stream;
    learner.save(stream);
    write_whole(path, std::move(stream).str());
}

void load_checkpoint(const std::filesystem::path& path, Learner& learner)
{
    std::istringstream stream{read_whole(path.string())};
    try {
        learner.load(stream);
    } catch (const UserError& error) {
        auto problem = error.problem();
        problem.where = path.string();
        throw UserError(problem, error.exit());
    }
}

}  // namespace barsweep::agents
