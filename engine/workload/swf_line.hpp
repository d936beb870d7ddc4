#pragma once
// The lines of an SWF file (version 2.2): job lines of eighteen numbers, and header
// lines about the machine ("; MaxProcs: 128").

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// The position of a line, for messages.
struct SwfPlace {
  std::string_view file;  // as the user typed it
  std::int64_t line = 0;
  bool cut_short = false;  // last line, without an end of line
};

// The fields as they are in the line, before any repair.  Negative means unknown; every
// negative user, group, executable, queue and partition is kUnknown.
struct SwfLine {
  std::int64_t id = 0;                  // field 1
  Time submit = kUnknown;               // 2; unknown only where it is -1
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
  double parent = kUnknown;             // 17
  double think = kUnknown;              // 18, in seconds

  [[nodiscard]] bool follows_another() const { return parent > 0 || think > 0; }
  // Whether the line is of a part of a job that was swapped out, between two of its
  // swaps (status 2, 3 or 4).  The whole job has a line of its own.
  [[nodiscard]] bool is_part() const {
    return recorded.status >= 2 && recorded.status <= 4;
  }

  // Columns (bytes, from 1) of fields 1, 2, 4, 8, 9 and 11.
  std::uint16_t id_column = 0;
  std::uint16_t submit_column = 0;
  std::uint16_t length_column = 0;
  std::uint16_t requested_column = 0;
  std::uint16_t walltime_column = 0;
  std::uint16_t status_column = 0;
};

// Parses a job line.  Throws Error{kInput} with file, line and column unless it has
// eighteen fields, each a number of its kind and in range, the job number not negative
// and the submit time not below -1.  REQUIRES: text is at most 65,535 bytes.
[[nodiscard]] SwfLine parse_swf_line(std::string_view text, const SwfPlace& place);

// "file:line: ", or with a column above 0 "file:line:column: ".
[[nodiscard]] std::string place_text(const SwfPlace& place, int column);

// The values of the header lines of a file.  A value is the whole number at its
// beginning ("1024 (32 of them spare)" is 1024); the first line with a key counts; -1
// stands for "not known".
class SwfHeader {
 public:
  // Reads a comment line, with its semicolon; ignores other keys.  Throws Error{kInput}
  // with file, line and column for a value that is no whole number or out of range.
  void read_line(std::string_view text, const SwfPlace& place);

  // MaxProcs, else MaxNodes; nullopt without either.
  [[nodiscard]] std::optional<std::int32_t> processors() const;

  // UnixStartTime; nullopt without it.
  [[nodiscard]] std::optional<std::int64_t> unix_start() const {
    return unix_start_ == kUnknown ? std::nullopt : unix_start_;
  }

 private:
  // As read; -1: not known.
  std::optional<std::int64_t> max_procs_;
  std::optional<std::int64_t> max_nodes_;
  std::optional<std::int64_t> unix_start_;
};

}  // namespace berth
