#pragma once
// One job line of an SWF file (version 2.2): eighteen numbers with a meaning.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Where a line stands, for messages.
struct SwfPlace {
  std::string_view file;  // as the user typed it
  std::int64_t line = 0;
  bool cut_short = false;  // the file ends without an end of line
};

// What the line says, before anything is repaired.  Negative means "not known"; any
// negative user, group, executable, queue or partition is kUnknown.
struct SwfLine {
  std::int64_t id = 0;                  // field 1
  Time submit = 0;                      // 2
  Duration length = 0;                  // 4
  Recorded recorded;                    // 3, 5, 6, 7, 11
  std::int32_t requested = kUnknown;    // 8
  Duration walltime = kUnknown;         // 9
  std::int64_t memory_kib = kUnknown;   // 10, rounded up
  std::int32_t user = kUnknown;         // 12
  std::int32_t group = kUnknown;        // 13
  std::int32_t executable = kUnknown;   // 14
  std::int32_t queue_class = kUnknown;  // 15
  std::int32_t partition = kUnknown;    // 16
  bool follows_another = false;         // 17 or 18 is above 0

  // Bytes, from 1, where fields 1, 4 and 8 start.
  std::uint16_t id_column = 0;
  std::uint16_t length_column = 0;
  std::uint16_t requested_column = 0;
};

// Reads one line.  Throws Error{kInput} with file, line and column for a line that has
// not eighteen fields, a field that is not a number of the right kind or out of range,
// and a negative job number or submit time. REQUIRES: text is at most 65,535 bytes.
[[nodiscard]] SwfLine parse_swf_line(std::string_view text, const SwfPlace& place);

// "file:line: ", or with a column above 0 "file:line:column: ".
[[nodiscard]] std::string place_text(const SwfPlace& place, int column);

}  // namespace berth
