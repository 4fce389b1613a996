#include "device/tiled.hpp"

namespace barsweep::device {

template <>
void Multiply<Vectors::of_128_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_128_bits>(product);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v3")
void Multiply<Vectors::of_256_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_256_bits>(product);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v4")
void Multiply<Vectors::of_512_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_512_bits>(product);
}

}  // namespace barsweep::device
