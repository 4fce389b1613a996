#include "cli/job_arguments.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "cli/job_keys.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

po::options_description key_options()
{
    po::options_description options{"Keys of the job file; here they win over it", 100, 60};
    for (const auto& key : job_keys()) {
        auto fallback = key.fallback;
        if (!key.ppo_fallback.empty()) fallback += "; ppo: " + key.ppo_fallback;
        const auto meaning = fallback.empty() ? key.meaning : key.meaning + " [" + fallback + "]";
        options.add_options()(key.name.c_str(), po::value<std::string>()->value_name("VALUE"),
                              meaning.c_str());
    }
    return options;
}

po::options_description space_options()
{
    po::options_description options;
    for (const auto& key : searchable_keys())
        options.add_options()(("space." + key).c_str(), po::value<std::string>(), "");
    return options;
}

po::options_description short_forms()
{
    po::options_description options{"Short forms"};
    options.add_options()("data", po::value<std::string>()->value_name("STORE.h5"),
                          "the same as --data.store")(
        "symbol", po::value<std::string>()->value_name("S"), "the same as --data.symbol")(
        "out", po::value<std::string>()->value_name("DIR"), "the same as --output.dir");
    return options;
}

void take(Overrides& overrides, const po::variables_map& given, const std::string& option,
          const std::string& key)
{
    if (!given.count(option)) return;
    if (!overrides.emplace(key, given[option].as<std::string>()).second)
        throw UserError({"command line", key + " once", "--" + option + " beside --" + key,
                         "keep one of the two"},
                        Exit::usage);
}

}  // namespace

JobArguments parse_job_arguments(const Arguments& arguments, const std::string& usage,
                                 const po::options_description& own)
{
    po::options_description options;
    options.add(own).add(short_forms()).add(key_options());
    options.add_options()("help,h", "this");
    po::options_description accepted;
    accepted.add(options).add(space_options());

    JobArguments result;
    result.options = parse_arguments(arguments, accepted, "JOB.ini");
    const auto& given = result.options;
    if (given.count("help")) {
        std::ostringstream text;
        text << "usage: " << usage << "\n"
             << options
             << "\n--space.KEY VALUE searches any key of agent and account, for example\n"
                "  --space.agent.fast \"int 5 50\"\n"
                "VALUE: float LOW HIGH [step S], log LOW HIGH, int LOW HIGH [step S], intlog LOW "
                "HIGH,\n"
                "choice A B C\n";
        std::fputs(text.str().c_str(), stdout);
        return result;
    }

    result.job = only_word(given, "JOB.ini", "one job file",
                           "see `barsweep sweep --help`; put a value of several words in quotes");

    take(result.overrides, given, "data", "data.store");
    take(result.overrides, given, "symbol", "data.symbol");
    take(result.overrides, given, "out", "output.dir");
    for (const auto& key : job_keys()) take(result.overrides, given, key.name, key.name);
    for (const auto& key : searchable_keys())
        take(result.overrides, given, "space." + key, "space." + key);
    return result;
}

}  // namespace barsweep::cli
