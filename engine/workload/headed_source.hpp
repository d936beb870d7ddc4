#pragma once
// A source whose beginning is looked at before it is read.

#include <string>
#include <string_view>

#include "engine/workload/byte_source.hpp"

namespace berth {

inline constexpr std::size_t kHeadOfLog = std::size_t{64} << 10U;

class HeadedSource final : public ByteSource {
 public:
  // Reads the head.  REQUIRES: `rest` outlives this.
  explicit HeadedSource(ByteSource& rest) : rest_(rest) {
    head_.resize(kHeadOfLog);
    std::size_t got = 0;
    // Bounded: the size of the head.
    while (got < head_.size()) {
      const auto count = rest.read(head_.data() + got, head_.size() - got);
      if (count == 0) break;
      got += count;
    }
    head_.resize(got);
  }

  // The first kHeadOfLog bytes, or all that there are.
  [[nodiscard]] std::string_view head() const { return head_; }

  // From the first byte on.
  std::size_t read(char* to, std::size_t capacity) override {
    if (given_ == head_.size()) return rest_.read(to, capacity);
    const auto count = head_.copy(to, capacity, given_);
    given_ += count;
    return count;
  }

 private:
  ByteSource& rest_;
  std::string head_;
  std::size_t given_ = 0;
};

}  // namespace berth
