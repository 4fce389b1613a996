#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "cluster/coordinator.hpp"
#include "cluster/serve.hpp"

namespace barsweep::cluster {

// What a worker says to rank 0, besides its reports.
struct Join {
    int capacity = 0;  ///< tasks at once
};
struct StopRequest {
    int signal = 0;  ///< that it got
};
struct Bye {
    std::string why;  ///< it can't go on
};

// What rank 0 says to a worker, besides its tasks.
/// All input is good: prepare.
struct Start {
    std::string study;  ///< what rank 0 computes on; whoever has anything else must not answer
};
struct Home {
    Ending ending = Ending::done;
};

/// A sign of life, both ways.
struct Alive {};

using Message = std::variant<Task, search::Report, Join, StopRequest, Bye, Start, Home, Alive>;

/// One line of JSON. Doubles keep their bits (shortest round trip; NaN as null, infinities as
/// text); bytes that aren't UTF-8 become U+FFFD.
std::string to_line(const Message& message);

/// Throws std::runtime_error for a line that to_line didn't make: another build on another rank.
Message from_line(std::string_view line);

/// `text` with every byte that isn't UTF-8 as U+FFFD, as it would arrive on another rank.
std::string valid_utf8(const std::string& text);

}  // namespace barsweep::cluster
