#pragma once
#include <optional>
#include <string>
#include <utility>

namespace barsweep::cluster {

/// MPI for the length of main(), as the ranks of one job: text messages, nothing that may block on a
/// dead rank (FACTS: Isend, Iprobe, Test only). Where no launcher started the program, rank 0 of 1, and
/// MPI isn't initialised.
class Comm {
public:
    Comm(int& argc, char**& argv);
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;
    ~Comm();

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

private:
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace barsweep::cluster
