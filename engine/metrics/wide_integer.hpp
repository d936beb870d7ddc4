#pragma once
// Whole numbers of 128 bits, for exact sums of amount times time.
//
// 10^6 processors over 10^11 s are 10^23 processor ticks: more than 64 bits hold.

namespace berth {

__extension__ using Int128 = __int128;

}  // namespace berth
