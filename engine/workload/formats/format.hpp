#pragma once
// The formats of logs that can be read: one list for every command.
//
// A format is one file here that defines its record, and one entry in format.cpp.

#include <span>
#include <string_view>

#include "engine/workload/byte_source.hpp"
#include "engine/workload/formats/log.hpp"
#include "engine/workload/headed_source.hpp"

namespace berth {

struct FormatRecord {
  std::string_view name;
  std::string_view what;  // who writes it
  // Whether a log that begins so is one: its first kHeadOfLog bytes or all of it,
  // unpacked and without a byte order mark.
  bool (*matches)(std::string_view head);
  // Throws Error{kInput} "file:line:column: what".
  JobLog (*read)(ByteSource& source, const LogOptions& options, Budget& budget);
  // A file that calls itself so, or so and .gz, is read in it where no beginning
  // matches: its reader tells what is wrong.  Empty: there is no such ending.
  std::string_view ending{};
  // Its reader says what it read, refuses equal numbers and takes a log without jobs.
  bool is_whole = false;
};

// All that there are, in the order in which they are tried.
[[nodiscard]] std::span<const FormatRecord* const> formats();

// Reads a log in the format of this name; "": in the first that matches its beginning.
// Throws Error{kUsage} for a name that no format has, and Error{kInput} with what was
// seen where none matches.
[[nodiscard]] JobLog read_log(ByteSource& source, std::string_view format,
                              const LogOptions& options, Budget& budget,
                              std::span<const FormatRecord* const> known = formats());

// What a file that begins so is, where no reader takes it: "a Parquet file: export it
// as CSV".  Empty: nothing that is known.
[[nodiscard]] std::string_view unread_kind(std::string_view head);

// The first line of a text, without its end.
[[nodiscard]] std::string_view first_line_of(std::string_view text);

}  // namespace berth
