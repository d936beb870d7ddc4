#pragma once
// How far parts of the machine were in use, from loads.csv
// (engine/output/loads_csv.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/base/time.hpp"
#include "report/columns.hpp"

namespace berth::report {

struct LoadSpan {
  std::int64_t row = 0;  // of all groups
  Time from = 0;
  Time to = 0;
  std::int64_t share = 0;  // in thousandths
};

struct Loads {
  struct Group {
    std::string name;
    std::vector<std::string> rows;
  };
  std::vector<Group> groups;    // in the order of the file
  std::vector<LoadSpan> spans;  // by row, then time
};

// Throws Error{kInput}, "file:line:column: column: what is wrong", for a missing
// column, a value that is none, a span that ends before it begins and a share that is
// not from 0 to 1.
[[nodiscard]] Loads read_loads(const std::string& file, Budget& budget);

// {"groups": [{"name", "rows": names}], "columns": {"row", "from", "lasting",
// "share"}}.
[[nodiscard]] Json load_columns(const Loads& loads, Blocks& blocks);

}  // namespace berth::report
