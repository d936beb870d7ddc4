#pragma once
// The rules of a time zone: UTC, a fixed offset, or one of the system's zone files
// (TZif, RFC 8536), whose rule for the years to come is applied as well.

#include <string>
#include <string_view>

#include "engine/workload/formats/zone_rules.hpp"

namespace berth::study {

// "UTC", "+HH:MM", "-HH:MM", or a name such as Europe/Vienna.  Throws Error{kInput} for
// a name of no zone and for a file that is none.
[[nodiscard]] ZoneRules time_zone(const std::string& name);

// The rules that the bytes of a zone file give.  Throws Error{kInput}; `name` is told.
[[nodiscard]] ZoneRules zone_of_file(std::string_view bytes, std::string_view name);

}  // namespace berth::study
