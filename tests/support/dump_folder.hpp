#pragma once
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/portable.hpp"

namespace barsweep::agents {

/// Rows of numbers for a script, a file each, as they lie in memory; the name's ending says of what
/// type: f32, f64, i8, i32, i64, u64.
class DumpFolder {
public:
    explicit DumpFolder(std::filesystem::path path) : path_{std::move(path)}
    {
        std::filesystem::create_directories(path_);
    }

    template <class T>
    void put(const std::string& name, const T* values, std::size_t count) const
    {
        std::ofstream file{path_ / (name + ending(T{})), std::ios::binary};
        file.write(reinterpret_cast<const char*>(values),
                   static_cast<std::streamsize>(count * sizeof(T)));
    }
    template <class T>
    void put(const std::string& name, const std::vector<T>& values) const
    {
        put(name, values.data(), values.size());
    }
    template <class T>
    void put(const std::string& name, kernels::View<T> values) const
    {
        put<std::remove_const_t<T>>(name, values.data, static_cast<std::size_t>(values.size));
    }
    void put(const nlohmann::json& facts) const
    {
        std::ofstream{path_ / "facts.json"} << facts.dump(1);
    }

    const std::filesystem::path& path() const { return path_; }

private:
    static std::string ending(float) { return ".f32"; }
    static std::string ending(double) { return ".f64"; }
    static std::string ending(std::int8_t) { return ".i8"; }
    static std::string ending(std::int32_t) { return ".i32"; }
    static std::string ending(kernels::i64) { return ".i64"; }
    static std::string ending(kernels::u64) { return ".u64"; }

    std::filesystem::path path_;
};

}  // namespace barsweep::agents
