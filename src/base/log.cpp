#include "base/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

namespace barsweep {
namespace {

int log_rank = -1;

bool is_control(unsigned char character)
{
    return character < 0x20 || character == 0x7f;
}

}  // namespace

void set_log_rank(int rank)
{
    log_rank = rank;
}

void log_line(std::string_view text)
{
    std::string line = log_rank < 0 ? "barsweep: " : "barsweep[" + std::to_string(log_rank) + "]: ";
    line.append(text);
    std::ranges::replace_if(line, is_control, '?');  // what a user wrote stays on this line
    line.push_back('\n');
    // A log line that can't be written has nowhere to be reported.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace barsweep
