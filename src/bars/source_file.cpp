#include "bars/source_file.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "bars/sha256.hpp"
#include "base/error.hpp"

namespace barsweep::bars {
namespace {

struct Inflater {
    z_stream stream{};

    Inflater()
    {
        if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream); }
};

/// All members of a gzip file, one after the other (`cat a.gz b.gz`).
std::string unpack(const std::string& name, std::string packed)
{
    Inflater inflater;
    auto& stream = inflater.stream;
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    auto left = packed.size();
    std::string text, piece(1 << 20, '\0');
    int status = Z_OK;
    while (status != Z_STREAM_END || left + stream.avail_in > 0) {
        if (status == Z_STREAM_END && inflateReset(&stream) != Z_OK) break;
        if (stream.avail_in == 0) {  // avail_in is 32 bits wide
            const auto next = std::min<std::size_t>(left, 1 << 30);
            stream.avail_in = static_cast<uInt>(next);
            left -= next;
        }
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(piece, 0, piece.size() - stream.avail_out);
        if (status != Z_OK && status != Z_STREAM_END)
            throw UserError({name, "a whole gzip file",
                             status == Z_BUF_ERROR ? "one that is cut off" : "a damaged one",
                             "get the file again and check it with `gzip -t`"});
    }
    return text;
}

}  // namespace

SourceFile read_source(const std::filesystem::path& path)
{
    const auto refuse = [&](const std::string& found) -> UserError {
        return UserError({path.string(), "a readable file of bars", found, "check the path"});
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw refuse("a folder");
    std::ifstream file{path, std::ios::binary};
    if (!file) throw refuse(std::strerror(errno));
    std::string bytes;
    if (const auto size = std::filesystem::file_size(path, ignored); !ignored) bytes.reserve(size);
    std::string piece(1 << 20, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
        bytes.append(piece, 0, static_cast<std::size_t>(file.gcount()));
    if (file.bad()) throw refuse(std::strerror(errno));

    Sha256 sum;
    sum.add(bytes);
    SourceFile source{path.string(), {}, sum.hex()};
    const bool gzip = bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
    source.text = gzip ? unpack(source.name, std::move(bytes)) : std::move(bytes);
    return source;
}

}  // namespace barsweep::bars
