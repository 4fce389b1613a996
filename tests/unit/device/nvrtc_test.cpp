#include "device/nvrtc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace barsweep::device {
namespace {

using testing::HasSubstr;

std::vector<SourceFile> kernels()
{
    std::vector<SourceFile> entries;
    for (const auto& source : kernel_sources()) {
        if (source.name.ends_with(".cu")) entries.push_back(source);
    }
    return entries;
}

bool is_cubin(const std::vector<char>& bytes)
{
    return bytes.size() > 4 && std::string(bytes.data(), 4) == "\177ELF";
}

class EveryArchitecture : public testing::TestWithParam<const char*> {};

TEST_P(EveryArchitecture, EveryKernelCompilesToACubin)
{
    if (!find_nvrtc()) GTEST_SKIP() << "no libnvrtc on this machine";
    ASSERT_GE(kernels().size(), 2u);
    for (const auto& kernel : kernels()) {
        EXPECT_TRUE(is_cubin(compile_cubin(kernel, GetParam()))) << kernel.name;
    }
}

INSTANTIATE_TEST_SUITE_P(FromAmpereToBlackwell, EveryArchitecture,
                         testing::Values("sm_80", "sm_89", "sm_90", "sm_100"));

TEST(Nvrtc, ABrokenKernelIsReportedWithTheCompilersLog)
{
    if (!find_nvrtc()) GTEST_SKIP() << "no libnvrtc on this machine";
    try {
        compile_cubin({"broken.cu", "__global__ void broken() { undeclared = 1; }"}, "sm_89");
        FAIL() << "it compiled";
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("kernel broken.cu does not compile for sm_89"));
        EXPECT_THAT(error.what(), HasSubstr("identifier \"undeclared\" is undefined"));
    }
}

TEST(Nvrtc, WithoutACompilerTheMachineIsAtFault)
{
    setenv("BARSWEEP_NVRTC", "/nonexistent/libnvrtc.so", 1);
    try {
        compile_cubin({"any.cu", ""}, "sm_89");
        ADD_FAILURE() << "it compiled";
    } catch (const UserError& error) {
        EXPECT_EQ(error.exit(), Exit::machine);
        EXPECT_THAT(error.what(), HasSubstr("libnvrtc.so"));
    }
    unsetenv("BARSWEEP_NVRTC");
}

}  // namespace
}  // namespace barsweep::device
