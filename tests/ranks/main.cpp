#include <gtest/gtest.h>

#include <cstdio>

#include "base/log.hpp"
#include "tests/ranks/world.hpp"

namespace {

/// The other ranks print what went wrong, and nothing else.
class FailuresOnly : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& part) override
    {
        if (part.failed())
            std::fprintf(stderr, "rank %d: FAILED %s:%d: %s\n", barsweep::cluster::world->rank(),
                         part.file_name(), part.line_number(), part.message());
    }
};

}  // namespace

/// GoogleTest on every rank of a job. mpirun's status is that of a rank that failed, if one did.
int main(int argc, char** argv)
{
    barsweep::cluster::Comm comm{argc, argv};
    barsweep::cluster::world = &comm;
    barsweep::set_log_rank(comm.rank());
    testing::InitGoogleTest(&argc, argv);
    if (comm.rank() != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailuresOnly);
    }
    const int failed = RUN_ALL_TESTS();
    comm.leave(failed);
    return failed;
}
