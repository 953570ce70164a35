// Ports wider than 64 bits: Verilator keeps 32-bit words, the border uses 64-bit words, both least
// significant first. Little-endian machines only, as everywhere in this crate.
#pragma once

#include <cstdint>
#include <cstring>

#include "verilated.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are copied byte by byte");

namespace mkns_sim {

template <int BITS>
constexpr int SHORT_WORDS = (BITS + 31) / 32;

template <int BITS>
inline void load_wide(VlWide<SHORT_WORDS<BITS>>& port, const std::uint64_t* words) {
    std::memcpy(port.data(), words, SHORT_WORDS<BITS> * sizeof(EData));
    if (BITS % 32 != 0) port[SHORT_WORDS<BITS> - 1] &= (std::uint32_t{1} << (BITS % 32)) - 1;
}

template <int BITS>
inline void store_wide(std::uint64_t* words, const VlWide<SHORT_WORDS<BITS>>& port) {
    if (SHORT_WORDS<BITS> % 2 != 0) words[SHORT_WORDS<BITS> / 2] = 0;
    std::memcpy(words, port.data(), SHORT_WORDS<BITS> * sizeof(EData));
}

}  // namespace mkns_sim
