#pragma once
// Which processors of a machine are idle, one bit each, and handing them out.
//
//   operation              cost, w = words of 64 processors
//   take                   O(words looked at), from the first (last) idle processor on
//   give, has, remove      O(words of the share)
//   intervals              O(w)

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/pick.hpp"

namespace berth {

class ProcessorMap {
 public:
  struct Chunk {
    std::uint32_t word;
    std::int32_t count;  // of the bits, > 0
    std::uint64_t bits;
  };
  // Some processors, each once, by words in any order.
  using Share = boost::container::small_vector<Chunk, 2>;

  // All idle.  REQUIRES: processors >= 1.
  explicit ProcessorMap(std::int32_t processors);

  [[nodiscard]] std::int64_t idle() const { return idle_; }
  // Removes the n lowest (highest) idle processors; `share` is replaced by them.
  // REQUIRES: 0 <= n <= idle().
  void take_lowest(std::int64_t n, Share& share);
  void take_highest(std::int64_t n, Share& share);
  // The same of those in the range, which are added to `share`.
  // REQUIRES: so many of them are idle.  Cost: the words of the range.
  void take_of(Interval range, std::int64_t n, Pick pick, Share& share);
  [[nodiscard]] bool has(const IntervalSet& processors) const;
  // Removes these.  REQUIRES: has(processors).
  void remove(const IntervalSet& processors, Share& share);
  // Puts them back.  REQUIRES: none of them is idle.
  void give(const Share& share);

  [[nodiscard]] IntervalSet idle_processors() const;
  // Of these alone.  REQUIRES: there are such processors.  Cost: the words of the
  // range.
  [[nodiscard]] IntervalSet idle_processors(Interval range) const;
  [[nodiscard]] static IntervalSet intervals(const Share& share);

 private:
  template <class Visit>
  static void each_word(Interval range, const Visit& visit);
  // REQUIRES: there are `count` bits, and all of them are set in this word.
  void take(std::size_t word, std::uint64_t bits, std::int32_t count, Share& share) {
    words_[word].idle ^= bits;
    words_[word].count -= count;
    const auto number = static_cast<std::uint32_t>(word);
    if (!share.empty() && share.back().word == number) {
      share.back().bits |= bits;
      share.back().count += count;
    } else {
      share.push_back({number, count, bits});
    }
  }

  struct Word {
    std::uint64_t idle;
    std::int32_t count;  // of those bits
  };
  std::vector<Word> words_;
  std::int64_t idle_;
  std::size_t lowest_ = 0;  // no idle processor in a word before
};

}  // namespace berth
