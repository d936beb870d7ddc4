#include "engine/hosts/processor_map.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::int32_t kBits = 64;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

// The n lowest of these bits.  REQUIRES: there are more than n.
std::uint64_t lowest_bits(std::uint64_t bits, std::int32_t n) {
  std::uint64_t lowest = 0;
  while (n > 0) {  // a run at a time
    const auto first = static_cast<unsigned>(std::countr_zero(bits));
    const auto run = std::min(std::countr_one(bits >> first), n);
    const auto taken = ((std::uint64_t{1} << static_cast<unsigned>(run)) - 1) << first;
    lowest |= taken;
    bits ^= taken;
    n -= run;
  }
  return lowest;
}

// Bits first..last of a word.
std::uint64_t bit_range(std::int32_t first, std::int32_t last) {
  return (kAll << static_cast<unsigned>(first)) &
         (kAll >> static_cast<unsigned>(kBits - 1 - last));
}

// The bits of a word that are in the range.  REQUIRES: there are some.
std::uint64_t bits_of(std::int32_t word, Interval range) {
  const auto base = word * kBits;
  return bit_range(std::max(range.first - base, 0),
                   std::min(range.last - base, kBits - 1));
}

void append_runs(std::uint32_t word, std::uint64_t bits, IntervalSet& out) {
  const auto base = static_cast<std::int32_t>(word) * kBits;
  while (bits != 0) {
    const auto first = std::countr_zero(bits);
    const auto last = first + std::countr_one(bits >> static_cast<unsigned>(first)) - 1;
    out.insert(Interval{base + first, base + last});
    bits &= ~bit_range(first, last);
  }
}

}  // namespace

ProcessorMap::ProcessorMap(std::int32_t processors)
    : words_((static_cast<std::size_t>(processors) + kBits - 1) / kBits, {kAll, kBits}),
      idle_(processors) {
  const auto in_last = processors % kBits;
  if (in_last != 0) words_.back() = {bit_range(0, in_last - 1), in_last};
}

void ProcessorMap::take_lowest(std::int64_t n, Share& share) {
  BERTH_ASSERT(0 <= n && n <= idle_);
  idle_ -= n;
  share.clear();
  auto wanted = static_cast<std::int32_t>(n);
  while (wanted > 0) {
    const auto [bits, count] = words_[lowest_];
    if (count > wanted) return take(lowest_, lowest_bits(bits, wanted), wanted, share);
    if (count > 0) take(lowest_, bits, count, share);
    ++lowest_;
    wanted -= count;
  }
}

void ProcessorMap::take_highest(std::int64_t n, Share& share) {
  BERTH_ASSERT(0 <= n && n <= idle_);
  idle_ -= n;
  share.clear();
  auto wanted = static_cast<std::int32_t>(n);
  for (auto word = words_.size(); wanted > 0;) {
    const auto [bits, count] = words_[--word];
    if (count > wanted) {
      return take(word, bits ^ lowest_bits(bits, count - wanted), wanted, share);
    }
    if (count > 0) take(word, bits, count, share);
    wanted -= count;
  }
}

void ProcessorMap::take_of(Interval range, std::int64_t n, Pick pick, Share& share) {
  const bool is_lowest = pick == Pick::kLowest;
  const auto first = range.first / kBits;
  const auto last = range.last / kBits;
  idle_ -= n;
  auto wanted = static_cast<std::int32_t>(n);
  for (auto word = is_lowest ? first : last; wanted > 0; word += is_lowest ? 1 : -1) {
    BERTH_ASSERT(first <= word && word <= last);
    const auto bits = words_[std::size_t(word)].idle & bits_of(word, range);
    const auto here = std::popcount(bits);
    const auto count = std::min(here, wanted);
    if (count == 0) continue;
    auto taken = bits;
    if (count < here) {
      taken =
          is_lowest ? lowest_bits(bits, count) : bits ^ lowest_bits(bits, here - count);
    }
    take(static_cast<std::size_t>(word), taken, count, share);
    wanted -= count;
  }
}

template <class Visit>
void ProcessorMap::each_word(Interval range, const Visit& visit) {
  for (auto word = range.first / kBits; word <= range.last / kBits; ++word) {
    visit(static_cast<std::size_t>(word), bits_of(word, range));
  }
}

bool ProcessorMap::has(const IntervalSet& processors) const {
  bool all = true;
  for (const auto part : processors.intervals()) {
    each_word(part, [&](std::size_t word, std::uint64_t bits) {
      all = all && word < words_.size() && (words_[word].idle & bits) == bits;
    });
  }
  return all;
}

void ProcessorMap::remove(const IntervalSet& processors, Share& share) {
  BERTH_ASSERT(has(processors));
  idle_ -= processors.count();
  share.clear();
  for (const auto part : processors.intervals()) {
    each_word(part, [&](std::size_t word, std::uint64_t bits) {
      take(word, bits, std::popcount(bits), share);
    });
  }
}

void ProcessorMap::give(const Share& share) {
  std::int64_t given = 0;
  auto lowest = lowest_;
  for (const auto& [word, count, bits] : share) {
    given += count;
    words_[word].idle |= bits;
    words_[word].count += count;
    lowest = std::min<std::size_t>(lowest, word);
  }
  idle_ += given;
  lowest_ = lowest;
}

IntervalSet ProcessorMap::idle_processors() const {
  IntervalSet out;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    append_runs(static_cast<std::uint32_t>(word), words_[word].idle, out);
  }
  return out;
}

IntervalSet ProcessorMap::idle_processors(Interval range) const {
  IntervalSet out;
  each_word(range, [&](std::size_t word, std::uint64_t bits) {
    append_runs(static_cast<std::uint32_t>(word), words_[word].idle & bits, out);
  });
  return out;
}

IntervalSet ProcessorMap::intervals(const Share& share) {
  IntervalSet out;
  for (const auto& chunk : share) append_runs(chunk.word, chunk.bits, out);
  return out;
}

}  // namespace berth
