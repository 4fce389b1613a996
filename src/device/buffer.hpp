#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/portable.hpp"

namespace barsweep::device {

/// Where memory lies and kernels run.
enum class Backend { cpu };

void* allocate(Backend backend, std::size_t bytes);
void release(Backend backend, void* memory) noexcept;
void copy(Backend backend, void* to, const void* from, std::size_t bytes);

/// Owns `size` elements where `backend` computes. The one owner of device memory: kernels and
/// agents borrow it as a View.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are copied between host and device");

public:
    Buffer(Backend backend, std::size_t size)
        : memory_{static_cast<T*>(allocate(backend, size * sizeof(T))), Release{backend}},
          size_{size}
    {
    }

    Buffer(Backend backend, std::span<const T> host) : Buffer(backend, host.size())
    {
        upload(host);
    }

    std::size_t size() const noexcept { return size_; }

    kernels::View<const T> read() const noexcept
    {
        return {memory_.get(), static_cast<kernels::i64>(size_)};
    }
    kernels::View<T> write() noexcept { return {memory_.get(), static_cast<kernels::i64>(size_)}; }

    /// Copies all of `host` in; `host` must be of this buffer's size.
    void upload(std::span<const T> host)
    {
        copy(memory_.get_deleter().backend, memory_.get(), host.data(), host.size_bytes());
    }

    std::vector<T> download() const
    {
        std::vector<T> host(size_);
        copy(memory_.get_deleter().backend, host.data(), memory_.get(), size_ * sizeof(T));
        return host;
    }

private:
    struct Release {
        Backend backend;
        void operator()(T* memory) const noexcept { release(backend, memory); }
    };

    std::unique_ptr<T[], Release> memory_;
    std::size_t size_;
};

}  // namespace barsweep::device
