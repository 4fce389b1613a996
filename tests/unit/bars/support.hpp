#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bars/csv_import.hpp"
#include "base/error.hpp"

namespace barsweep::bars {

/// A folder of one test, gone with it.
class Folder {
public:
    Folder()
    {
        std::string name = std::filesystem::temp_directory_path() / "barsweep-test-XXXXXX";
        path_ = ::mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    bool empty() const { return std::filesystem::is_empty(path_); }

    std::filesystem::path write(const std::string& name, std::string_view bytes) const
    {
        std::ofstream{path_ / name, std::ios::binary} << bytes;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline Import import_text(std::string_view text, const ImportOptions& options = {})
{
    const Folder folder;
    return import_csv({folder.write("bars.csv", text)}, options);
}

/// The sentence of the UserError that `work` throws, or "" where it throws none.
template <class Work>
std::string refusal(Work work)
{
    try {
        work();
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

/// BARSWEEP_SHARED, or the folder beside the repository: real files that are in no repository.
inline std::filesystem::path shared(const std::string& name)
{
    const char* given = std::getenv("BARSWEEP_SHARED");
    const std::filesystem::path folder = given ? given : BARSWEEP_SOURCE_DIR "/../shared";
    return folder / name;
}

}  // namespace barsweep::bars
