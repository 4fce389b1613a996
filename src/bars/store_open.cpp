#include "bars/store_open.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bars/hdf5_read.hpp"
#include "base/error.hpp"

namespace barsweep::bars {

namespace fs = std::filesystem;

Handle open_store(const fs::path& path)
{
    quiet_hdf5();
    const auto refuse = [&](const std::string& found) {
        return UserError({path.string(), "a bar store", found,
                          "make one with `barsweep ingest FILE.csv --out STORE.h5`"});
    };
    std::error_code ignored;
    if (!fs::exists(path, ignored)) throw refuse("no file");
    if (!fs::is_regular_file(path, ignored)) throw refuse("something that is no file");
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access.get(), false, true);  // NFS and Lustre often refuse locks
#endif
    Handle file{H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
    if (!file)
        throw refuse(H5Fis_hdf5(path.c_str()) > 0
                         ? "an HDF5 file that is damaged, cut off or unreadable"
                         : "a file that is not HDF5, or that can't be read");
    if (read_text(file.get(), "format") != store_format)
        throw refuse("an HDF5 file of another kind (no attribute format = \"barsweep bars\")");
    if (const auto version = read_number(file.get(), "version"); version != store_version)
        throw refuse(version ? fmt::format("version {} of the format; this program reads {}",
                                           *version, store_version)
                             : "no version of the format");
    return file;
}

std::vector<std::string> symbols_in(hid_t file)
{
    std::vector<std::string> names;
    const auto add = [](hid_t group, const char* name, const H5L_info_t*, void* to) -> herr_t {
        const Handle object{H5Oopen(group, name, H5P_DEFAULT), H5Oclose};
        if (object && H5Iget_type(object.get()) == H5I_GROUP)
            static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    std::ranges::sort(names);
    return names;
}

Symbol open_symbol(hid_t file, const fs::path& path, std::string name)
{
    const auto names = symbols_in(file);
    const auto listed = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty())
        throw UserError({path.string(), "the bars of a symbol", "none", ingest_again});
    if (name.empty() && names.size() > 1)
        throw UserError({path.string(), "one symbol", listed, "choose one with --symbol"});
    if (name.empty()) name = names.front();
    if (std::ranges::find(names, name) == names.end())
        throw UserError({path.string(), fmt::format("the symbol '{}'", name), listed,
                         "choose one of them with --symbol"});
    return {name, fmt::format("{}:/{}", path.string(), name),
            Handle{H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose}};
}

}  // namespace barsweep::bars
