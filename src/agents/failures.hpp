#pragma once
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace barsweep::agents {

/// Learning went astray: a loss or a weight isn't finite.
class Diverged : public std::runtime_error {
public:
    Diverged(std::int64_t steps, std::int64_t updates);
};

/// What was asked for, and how much it is.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& what) : text_{what} {}
    const char* what() const noexcept override { return text_.what(); }

private:
    std::runtime_error text_;  // its copy doesn't throw
};

}  // namespace barsweep::agents
