#pragma once
// What the fields of jobs are in the columns of a table.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workload/formats/zone_rules.hpp"

namespace berth {

// A field of a job: id, submit, size, ..., or "resource.KIND".
struct ColumnField {
  enum class Round : std::uint8_t { kNone, kUp, kDown };
  enum class MemoryOf : std::uint8_t { kProcessor, kJob, kNode };

  std::string field;
  std::string column;
  std::string minus{};  // the column that is subtracted; empty: none
  double times = 1;
  Round round = Round::kNone;
  std::string unit{};  // of times, durations and memory; empty: s, or KiB
  MemoryOf of = MemoryOf::kProcessor;  // of memory
  // What words stand for, of status.
  std::map<std::string, std::int32_t, std::less<>> words{};
  // Where this column is below `whole`, the value is rounded up from a share, which is
  // counted; empty: no column says so.
  std::string share{};
  double whole = 1;
  std::string place{};  // "file:line:column: ", or "--columns: ", for messages
};

struct ColumnMap {
  std::string name{};
  std::string header{};             // of the tables that it reads; empty: it is named
  std::optional<char> delimiter{};  // open: of , ; tab | the most in the header
  std::optional<ZoneRules> zone{};  // of local times; open: that of the reading
  std::int64_t least_size = 0;      // sizes below become this
  std::vector<ColumnField> fields{};
  // By column: the values of rows that are read; rows with others are left out.
  std::map<std::string, std::vector<std::string>> keep{};
  bool takes_kinds = false;  // columns of no field are kinds of resource
};

// The fields that a column may be.
inline constexpr std::array<std::string_view, 14> kTableFields{
    "id",       "submit", "size", "length", "start",      "end",   "wait",
    "walltime", "memory", "user", "group",  "executable", "queue", "partition"};
[[nodiscard]] bool is_table_field(std::string_view name);
// The column of a kind of resource in the job table: its name, behind "resource." where
// it would read as another column.
[[nodiscard]] std::string column_of_kind(std::string_view kind);
// Whether a unit is one of the field; the empty one always is.
[[nodiscard]] bool is_unit_of(std::string_view field, std::string_view unit);

// That of , ; tab | which a line has most of; the first of these where none is there.
[[nodiscard]] char delimiter_of(std::string_view line);

}  // namespace berth
