#include "agents/sealed.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "bars/sha256.hpp"
#include "base/error.hpp"

namespace barsweep::agents {
namespace {

std::string_view take_line(std::string_view& bytes)
{
    const auto end = std::min(bytes.find('\n'), bytes.size());
    const auto line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    return line;
}

}  // namespace

std::string digest(std::string_view bytes)
{
    bars::Sha256 sum;
    sum.add(bytes);
    return sum.hex();
}

std::string seal(std::string_view kind, std::string_view identity, std::string_view payload)
{
    std::string bytes;
    bytes.append(kind).append("\n").append(identity).append("\n");
    bytes.append(digest(payload)).append("\n").append(payload);
    return bytes;
}

Unsealed unseal(std::string_view bytes, std::string_view kind, const std::string& where)
{
    if (take_line(bytes) != kind) {
        throw UserError({where, "a file that begins '" + std::string{kind} + "'", "something else",
                         "name another file, or let this program write it again"});
    }
    const auto identity = take_line(bytes);
    const auto sum = take_line(bytes);
    if (digest(bytes) != sum) {
        throw UserError({where, "bytes that give the SHA-256 written in it", "other bytes",
                         "remove it (it is damaged), and let this program write it again"});
    }
    return {identity, bytes};
}

std::string read_whole(const std::string& path)
{
    std::ifstream file{path, std::ios::binary};
    std::ostringstream bytes;
    if (file) bytes << file.rdbuf();
    if (!file || bytes.str().empty()) {
        throw UserError({path, "a file that can be read",
                         file.is_open() ? "nothing in it" : std::strerror(errno),
                         "name another one"});
    }
    return std::move(bytes).str();
}

}  // namespace barsweep::agents
