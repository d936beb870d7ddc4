#pragma once
// The places of a job as result files write them: "0-3 8", processors, slots or hosts
// from 0 (IntervalSet::text, output/csv_fields.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/interval_set.hpp"

namespace berth {

// What the numbers of a row mean.
enum class PlaceForm : std::uint8_t {
  kSet,      // processors or slots that the job has to itself: each is named once
  kNumbers,  // the host of each task: a host is named as often as tasks sit on it
};

// Appends the parts of the text to `to`, ascending by their first number; of kNumbers a
// host that is named twice is there twice.  Returns what is wrong, in words, or an
// empty text.  `below`: processors of the machine; nullopt: any number will do.
[[nodiscard]] std::string read_places(std::string_view text, PlaceForm form,
                                      std::optional<std::int32_t> below,
                                      std::vector<Interval>& to);

}  // namespace berth
