#include "cli/arguments.hpp"

#include <boost/program_options.hpp>

#include "cli/nearest.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {

po::variables_map parse_arguments(const Arguments& arguments,
                                  const po::options_description& options, const char* positional)
{
    namespace style = po::command_line_style;
    po::positional_options_description places;
    places.add(positional, -1);
    po::options_description all;
    all.add(options);
    all.add_options()(positional, po::value<std::vector<std::string>>(), "");

    const auto parsed = po::command_line_parser{arguments}
                            .options(all)
                            .positional(places)
                            .style(style::unix_style & ~style::allow_guessing)
                            .allow_unregistered()
                            .run();
    std::vector<std::string> known;
    for (const auto& option : options.options()) known.push_back(option->long_name());
    for (const auto& option : parsed.options)
        if (option.unregistered)
            throw UserError(
                {"command line", "a known option", "'" + option.original_tokens.at(0) + "'",
                 "write --" + nearest(option.string_key, known) + ", the nearest there is"},
                Exit::usage);
    po::variables_map given;
    po::store(parsed, given);
    if (!given.count("help")) po::notify(given);
    return given;
}

std::vector<std::string> words_of(const po::variables_map& given, const char* positional)
{
    if (!given.count(positional)) return {};
    return given[positional].as<std::vector<std::string>>();
}

std::string only_word(const po::variables_map& given, const char* positional,
                      const std::string& expected, const std::string& fix)
{
    const auto words = words_of(given, positional);
    if (words.size() == 1 && !words[0].empty()) return words[0];
    throw UserError(
        {"command line", expected,
         words.size() < 2 ? "none" : "'" + words[1] + "' after '" + words[0] + "'", fix},
        Exit::usage);
}

}  // namespace barsweep::cli
