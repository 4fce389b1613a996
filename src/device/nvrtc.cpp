#include "device/nvrtc.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/error.hpp"

namespace barsweep::device {
namespace {

// NVRTC's C interface as its manual has it, declared here so that building needs no CUDA toolkit.
struct Nvrtc {
    using Program = void*;
    int (*create)(Program*, const char* text, const char* name, int headers,
                  const char* const* texts, const char* const* names) = nullptr;
    int (*compile)(Program, int options, const char* const* option) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    const char* (*explain)(int) = nullptr;
};

struct CloseLibrary {
    void operator()(void* library) const noexcept { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

/// NVRTC stays in the process: unloaded, it leaves 140 KiB behind each time.
constexpr int open_flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

/// Libraries in `folder`/`below` for each folder that starts with `prefix`, newest name first.
void add_matching(std::vector<std::string>& paths, const std::filesystem::path& parent,
                  const std::string& prefix, const std::filesystem::path& below)
{
    std::error_code ignored;
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator{parent, ignored}) {
        if (!entry.path().filename().string().starts_with(prefix)) continue;
        for (const auto& file :
             std::filesystem::directory_iterator{entry.path() / below, ignored}) {
            const auto name = file.path().filename().string();
            if (name.starts_with("libnvrtc.so")) found.push_back(file.path().string());
        }
    }
    paths.insert(paths.end(), found.rbegin(), found.rend());
}

std::vector<std::string> candidates()
{
    if (const char* given = std::getenv("BARSWEEP_NVRTC")) return {given};
    std::vector<std::string> paths{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
    add_matching(paths, "/usr/local", "cuda", "lib64");

    const char* venv = std::getenv("BARSWEEP_VENV");
    const std::filesystem::path lib =
        std::filesystem::path{venv != nullptr ? venv : BARSWEEP_SOURCE_DIR "/.venv"} / "lib";
    add_matching(paths, lib, "python", "site-packages/nvidia/cu13/lib");
    add_matching(paths, lib, "python", "site-packages/nvidia/cuda_nvrtc/lib");
    return paths;
}

/// NVRTC loads its built-ins by bare name at the first compile, which finds them only where the
/// system's linker looks: not beside a library that a PyPI wheel brought. Once loaded from there,
/// that name is taken for them. Null where there are none beside it.
Library builtins_beside(const std::filesystem::path& nvrtc)
{
    if (!nvrtc.has_parent_path()) return nullptr;
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator{nvrtc.parent_path(), ignored}) {
        if (file.path().filename().string().starts_with("libnvrtc-builtins.so"))
            return Library{dlopen(file.path().c_str(), open_flags)};
    }
    return nullptr;
}

struct Opened {
    Library builtins;
    Library library;
    std::string path;
};

std::optional<Opened> open_nvrtc()
{
    if (!BARSWEEP_CUDA) return std::nullopt;  // the GPU side is built off
    for (const auto& path : candidates()) {
        if (Library library{dlopen(path.c_str(), open_flags)}) {
            return Opened{builtins_beside(path), std::move(library), path};
        }
    }
    return std::nullopt;
}

template <class Function>
void look_up(void* library, const char* name, Function& function)
{
    void* symbol = dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error(std::string{"NVRTC has no "} + name);
    function = reinterpret_cast<Function>(symbol);
}

Nvrtc bind(void* library)
{
    Nvrtc nvrtc;
    look_up(library, "nvrtcCreateProgram", nvrtc.create);
    look_up(library, "nvrtcCompileProgram", nvrtc.compile);
    look_up(library, "nvrtcGetCUBINSize", nvrtc.cubin_size);
    look_up(library, "nvrtcGetCUBIN", nvrtc.cubin);
    look_up(library, "nvrtcGetProgramLogSize", nvrtc.log_size);
    look_up(library, "nvrtcGetProgramLog", nvrtc.log);
    look_up(library, "nvrtcDestroyProgram", nvrtc.destroy);
    look_up(library, "nvrtcGetErrorString", nvrtc.explain);
    return nvrtc;
}

/// A program of NVRTC, destroyed with it.
class Compilation {
public:
    Compilation(const Nvrtc& nvrtc, const SourceFile& entry) : nvrtc_{nvrtc}
    {
        std::vector<const char*> names, texts;
        for (const auto& header : kernel_sources()) {
            names.push_back(header.name.c_str());
            texts.push_back(header.text.c_str());
        }
        check(nvrtc_.create(&program_, entry.text.c_str(), entry.name.c_str(),
                            static_cast<int>(names.size()), texts.data(), names.data()),
              "nvrtcCreateProgram");
    }
    ~Compilation() { nvrtc_.destroy(&program_); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    bool compile(const std::vector<const char*>& options)
    {
        return nvrtc_.compile(program_, static_cast<int>(options.size()), options.data()) == 0;
    }

    std::string log() const
    {
        std::size_t size = 0;
        check(nvrtc_.log_size(program_, &size), "nvrtcGetProgramLogSize");
        std::string text(size, '\0');
        check(nvrtc_.log(program_, text.data()), "nvrtcGetProgramLog");
        return text.c_str();  // without the terminating zero that NVRTC counts
    }

    std::vector<char> cubin() const
    {
        std::size_t size = 0;
        check(nvrtc_.cubin_size(program_, &size), "nvrtcGetCUBINSize");
        std::vector<char> bytes(size);
        check(nvrtc_.cubin(program_, bytes.data()), "nvrtcGetCUBIN");
        return bytes;
    }

private:
    void check(int result, const char* call) const
    {
        if (result != 0)
            throw std::runtime_error(std::string{call} + ": " + nvrtc_.explain(result));
    }

    const Nvrtc& nvrtc_;
    Nvrtc::Program program_ = nullptr;
};

}  // namespace

std::optional<std::string> find_nvrtc()
{
    if (auto opened = open_nvrtc()) return opened->path;
    return std::nullopt;
}

std::vector<char> compile_cubin(const SourceFile& entry, const std::string& architecture)
{
    const auto opened = open_nvrtc();
    if (!opened) {
        throw UserError{
            {"kernel " + entry.name, "NVIDIA's run-time compiler (libnvrtc.so)", "none that loads",
             "set BARSWEEP_NVRTC to its path, or install PyPI's nvidia-cuda-nvrtc"},
            Exit::machine};
    }
    const Nvrtc nvrtc = bind(opened->library.get());
    Compilation compilation{nvrtc, entry};
    // No fused multiply-add: g++ is told the same (-ffp-contract=off), so floats round alike.
    const std::string target = "--gpu-architecture=" + architecture;
    if (!compilation.compile({"--std=c++20", "--fmad=false", "--device-int128", target.c_str()})) {
        throw std::logic_error("kernel " + entry.name + " does not compile for " + architecture +
                               ":\n" + compilation.log());
    }
    return compilation.cubin();
}

}  // namespace barsweep::device
