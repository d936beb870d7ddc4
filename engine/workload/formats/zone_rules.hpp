#pragma once
// What clocks on the wall showed: the offsets of a time zone from UTC, and when they
// changed.  The engine reads no zone file; the caller of a reader passes the rules.

#include <cstdint>
#include <vector>

namespace berth {

// A local time as an instant.
struct LocalInstant {
  enum class Kind : std::uint8_t {
    kOnce,
    kTwice,    // the clock was set back over it: the instant is the first of the two
    kMissing,  // the clock was set forward over it: by the offset before that
  };
  std::int64_t unix_seconds = 0;
  Kind kind = Kind::kOnce;
};

class ZoneRules {
 public:
  struct Change {
    std::int64_t at = 0;      // Unix seconds from which on the offset holds
    std::int32_t offset = 0;  // seconds east of UTC, of magnitude below one day
  };

  // An offset that never changes; UTC by default.
  explicit ZoneRules(std::int32_t offset = 0) : first_(offset) {}
  // REQUIRES: the changes ascend.
  ZoneRules(std::int32_t first, std::vector<Change> changes)
      : first_(first), changes_(std::move(changes)) {}

  // `local`: the seconds from 1970-01-01T00:00:00 that the clock on the wall shows.
  // O(log changes).
  [[nodiscard]] LocalInstant instant_of(std::int64_t local) const;

 private:
  std::int32_t first_;  // before the first change
  std::vector<Change> changes_;
};

}  // namespace berth
