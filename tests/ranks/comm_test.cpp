#include "cluster/comm.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/ranks/world.hpp"

namespace barsweep::cluster {
namespace {

using namespace std::chrono_literals;

/// The next letter; fails after 30 s.
Letter next_letter(Comm& comm)
{
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < end) {
        if (auto letter = comm.receive()) return *letter;
        std::this_thread::sleep_for(100us);
    }
    ADD_FAILURE() << "no letter came";
    return {-1, ""};
}

class Letters : public Ranks {};

TEST_F(Letters, LettersOfAnyLengthArriveWholeAndInOrder)
{
    Comm& comm = *world;
    // Short ones travel eagerly, long ones only when the other side is ready; empty ones too.
    const std::size_t lengths[] = {3, 5'000'000, 0, 100, 300'000, 7};
    if (comm.rank() != 0) {
        for (const auto length : lengths)
            comm.send(0, std::string(length, static_cast<char>('0' + comm.rank())));
        EXPECT_EQ(next_letter(comm).text, "thanks");
        return;
    }
    std::vector<std::size_t> arrived(static_cast<std::size_t>(comm.size()));
    for (int i = 0; i < 6 * (comm.size() - 1); ++i) {
        const auto letter = next_letter(comm);
        ASSERT_GT(letter.from, 0);
        auto& count = arrived[static_cast<std::size_t>(letter.from)];
        EXPECT_EQ(letter.text, std::string(lengths[count++], static_cast<char>('0' + letter.from)));
    }
    EXPECT_FALSE(comm.receive());
    for (int rank = 1; rank < comm.size(); ++rank) comm.send(rank, "thanks");
}

TEST_F(Letters, NothingIsSentToALostRankUntilItIsHeardAgain)
{
    Comm& comm = *world;
    if (comm.size() == 1) GTEST_SKIP() << "needs another rank: run with 2 or more";
    if (comm.rank() == 1) {
        comm.send(0, "ready");
        EXPECT_EQ(next_letter(comm).text, "go");
        comm.send(0, "alive");
        EXPECT_EQ(next_letter(comm).text, "heard");
    }
    if (comm.rank() != 0) return;
    EXPECT_EQ(next_letter(comm).text, "ready");
    comm.send(1, "go");
    comm.lose(1);
    EXPECT_TRUE(comm.lost(1));
    comm.send(1, "never");
    EXPECT_EQ(next_letter(comm).text, "alive");
    EXPECT_FALSE(comm.lost(1));
    comm.send(1, "heard");
}

TEST_F(Letters, FlushReturnsWhenAllIsSent)
{
    Comm& comm = *world;
    if (comm.rank() != 0) comm.send(0, std::string(1'000'000, 'x'));
    for (int i = 1; comm.rank() == 0 && i < comm.size(); ++i)
        EXPECT_EQ(next_letter(comm).text.size(), 1'000'000U);
    comm.flush(30s);
}

}  // namespace
}  // namespace barsweep::cluster
