#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "cluster/comm.hpp"

namespace barsweep::cluster {

/// All ranks of the test program, for the length of main().
inline Comm* world = nullptr;

/// A test in which every rank takes part. At its end all meet, and what was not read is dropped, so
/// that no letter of one test reaches the next.
class Ranks : public testing::Test {
protected:
    void TearDown() override
    {
        if (world->rank() == 0) {
            say_to_all("meet");
            await("met", world->size() - 1);
            say_to_all("go");
        } else {
            await("meet", 1);
            world->send(0, "met");
            await("go", 1);
        }
    }

private:
    static void say_to_all(const char* word)
    {
        for (int rank = 1; rank < world->size(); ++rank) world->send(rank, word);
    }

    /// Until `word` has come `times` times; fails after 30 s.
    static void await(std::string_view word, int times)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (times > 0 && std::chrono::steady_clock::now() < end) {
            if (const auto letter = world->receive())
                times -= letter->text == word;
            else
                std::this_thread::sleep_for(std::chrono::microseconds{100});
        }
        EXPECT_EQ(times, 0) << "the ranks did not meet";
    }
};

}  // namespace barsweep::cluster
