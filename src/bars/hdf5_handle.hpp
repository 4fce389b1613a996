#pragma once
#include <hdf5.h>

#include <cstdint>
#include <utility>

namespace barsweep::bars {

/// An HDF5 identifier and the one call that gives it back. Owns it; invalid where the call that
/// made it failed.
class Handle {
public:
    Handle(hid_t id, herr_t (*closing)(hid_t)) : id_(id), close_(closing) {}
    Handle(Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_)
    {
    }
    Handle& operator=(Handle&&) = delete;
    ~Handle()
    {
        if (id_ >= 0) close_(id_);
    }

    explicit operator bool() const noexcept { return id_ >= 0; }
    hid_t get() const noexcept { return id_; }

    /// Closes now, for callers who must know whether that went well.
    bool close() { return id_ >= 0 && close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// To be called before anything else of HDF5. Our own messages name file and dataset, so it shall
/// print none; and it shall not tidy up at exit: after a write that failed (full disk) HDF5 1.10
/// keeps the half-closed file and crashes on it there. Every handle here is closed by its owner.
inline void quiet_hdf5()
{
    H5dont_atexit();  // fails, without harm, when HDF5 is already at work
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

inline constexpr const char* store_format = "barsweep bars";
inline constexpr std::int64_t store_version = 1;

}  // namespace barsweep::bars
