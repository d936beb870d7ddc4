#pragma once
// A guess at what the fields of jobs are in the columns of a table.

#include <string>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

// A map of columns (map_reader.hpp) as TOML, with the reason of each line as a comment:
// fields go by the names of columns, units by the values of the first 1,000 rows.
// Throws Error{kInput} where no column may be the size, the submit or the length, with
// the columns that there are.  `name` is the file as the user typed it.
[[nodiscard]] std::string guessed_map(ByteSource& source, const std::string& name,
                                      Budget& budget);

}  // namespace berth::study
