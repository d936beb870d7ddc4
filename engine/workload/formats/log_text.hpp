#pragma once
// The forms in which logs of resource managers write times, durations, amounts of
// memory and lists of resources.
//
// Answers      a value; "none" where the text says that there is none; "wrong" where it
//              is no text of this form
// Determinism  independent of the locale and of the zone of the process

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/workload/formats/zone_rules.hpp"

namespace berth {

struct TextTime {
  enum class TimeState : std::uint8_t { kValue, kNone, kWrong };
  TimeState outcome = TimeState::kNone;
  Time time = 0;  // ticks from 1970-01-01T00:00:00Z
  LocalInstant::Kind kind = LocalInstant::Kind::kOnce;
  bool is_local = false;  // a date without an offset

  [[nodiscard]] bool has_value() const { return outcome == TimeState::kValue; }
  [[nodiscard]] bool is_wrong() const { return outcome == TimeState::kWrong; }
};

// Whether the text stands for no value: "", Unknown, None, N/A, NONE, (null).
[[nodiscard]] bool is_no_value(std::string_view text);

// Unix seconds, of which 0 is no time, or YYYY-MM-DD[T ]HH:MM:SS[.f][Z|+HH:MM], which
// without an offset is local time of the zone.
[[nodiscard]] TextTime time_from_log(std::string_view text, const ZoneRules& zone);

// Whole seconds from 1970-01-01 to a date and a time of day; kWrong for a 30 February.
[[nodiscard]] TextTime calendar_time(int year, unsigned month, unsigned day,
                                     std::int64_t second_of_day);

// [D-]HH:MM:SS[.f], MM:SS, seconds, and DD:HH:MM:SS.
[[nodiscard]] TextTime duration_from_log(std::string_view text);

struct LogMemory {
  double bytes = 0;
  char of = '\0';  // 'c': of a processor, 'n': of a node; '\0': it does not say
  bool is_wrong = false;
};
// A number with K, M, G, T or P (1024 each), B, b or iB behind it or not; then c or n.
// `bare`: bytes in one of a number alone.
[[nodiscard]] LogMemory memory_from_log(std::string_view text, double bare);

inline constexpr std::int64_t kMostOfKind = std::int64_t{1} << 40U;

// An amount of a kind of resource, of a whole job: at most kMostOfKind.
struct KindAmount {
  std::string_view kind;
  std::int64_t amount = 0;
};

// "cpu=4,mem=400M,node=1,gres/gpu:a100=2,license/matlab=2"; a typed kind counts where
// the same kind has no amount without a type.  0 and an empty list: not given.
struct TresList {
  std::int64_t cpu = 0;
  double mem = 0;  // bytes
  std::int64_t node = 0;
  std::vector<KindAmount> kinds{};
  bool is_wrong = false;
};
[[nodiscard]] TresList tres_from_log(std::string_view text);

// How many numbers "3-9,12,20-30:5" names, with what follows a '%' ignored; 0: it is no
// such list.
[[nodiscard]] std::int64_t count_of_list(std::string_view text);

// `text` up to the first `end`, which is taken off both; the rest may be empty.
[[nodiscard]] std::string_view cut_off(std::string_view& text, char end);

}  // namespace berth
