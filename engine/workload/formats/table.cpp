// Tables with a header: the job table that convert writes, and any other by a map of
// its columns.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/csv_reader.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/formats/column_map.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth {

namespace {

struct NamedFactor {
  std::string_view name;
  double factor;
};

// To seconds; iso, epoch, epoch_ms and hms are read as such.
constexpr std::array<NamedFactor, 11> kTimeUnits{{{"s", 1},
                                                  {"ms", 1e-3},
                                                  {"us", 1e-6},
                                                  {"ns", 1e-9},
                                                  {"min", 60},
                                                  {"h", 3600},
                                                  {"d", 86400},
                                                  {"hms", 1},
                                                  {"iso", 1},
                                                  {"epoch", 1},
                                                  {"epoch_ms", 1e-3}}};
// To bytes.
constexpr std::array<NamedFactor, 8> kMemoryUnits{{{"KiB", 1024},
                                                   {"B", 1},
                                                   {"MiB", 1024.0 * 1024},
                                                   {"GiB", 1024.0 * 1024 * 1024},
                                                   {"kB", 1e3},
                                                   {"MB", 1e6},
                                                   {"GB", 1e9},
                                                   {"auto", 1}}};

const NamedFactor* unit_named(std::span<const NamedFactor> units,
                              std::string_view name) {
  if (name.empty()) return units.data();
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const auto& each) { return each.name == name; });
  return found == units.end() ? nullptr : &*found;
}

constexpr std::string_view kKindPrefix = "resource.";

bool is_instant(std::string_view field) {
  return field == "submit" || field == "start" || field == "end";
}
bool is_span(std::string_view field) {
  return field == "length" || field == "wait" || field == "walltime";
}

// The columns of the job table (log_writer.hpp).
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kJobTable{{
    {"id", "job_id"},
    {"submit", "submit"},
    {"size", "size"},
    {"length", "length"},
    {"walltime", "walltime"},
    {"memory", "memory"},
    {"user", "user"},
    {"group", "group"},
    {"executable", "executable"},
    {"queue", "queue"},
    {"partition", "partition"},
    {"status", "status"},
    {"wait", "wait"},
    {"nodes", "nodes"},
    {"source_id", "source_id"},
}};

bool is_column_of_table(std::string_view name) {
  return std::any_of(kJobTable.begin(), kJobTable.end(),
                     [&](const auto& each) { return each.second == name; });
}

// As column_of_kind() wrote it.
std::string_view kind_of_column(std::string_view column) {
  if (column.starts_with(kKindPrefix)) column.remove_prefix(kKindPrefix.size());
  return column;
}

std::vector<std::string_view> names_in(std::string_view line, char delimiter) {
  std::vector<std::string_view> names;
  // Bounded: one line.
  while (!line.empty()) names.push_back(cut_off(line, delimiter));
  return names;
}

bool is_job_table(std::string_view head) {
  const auto names = names_in(first_line_of(head), ',');
  // Bounded: the columns that are needed.
  for (const std::string_view needed : {"job_id", "submit", "size", "length"}) {
    if (std::find(names.begin(), names.end(), needed) == names.end()) return false;
  }
  return true;
}

class TableLogReader {
 public:
  // `header`: the line that was read.  REQUIRES: all outlive this.
  TableLogReader(LineReader& lines, const std::string& header,
                 const LogOptions& options, const ColumnMap& map, Budget& budget)
      : options_(options),
        map_(map),
        zone_(map.zone ? *map.zone : options.zone),
        lines_(lines),
        header_(header),
        builder_(options, clock_of(map), budget) {
    builder_.refuse_repeated_ids();
  }

  JobLog read() {
    const auto delimiter = map_.delimiter.value_or(delimiter_of(header_));
    bool is_first = true;
    CsvReader rows(
        options_.name,
        [&]() -> std::optional<std::string_view> {
          if (is_first) {
            is_first = false;
            return header_;
          }
          return lines_.next();
        },
        delimiter);
    if (const auto names = rows.next()) read_header(*names);
    // Bounded: the rows, for whose lines their reader charges.
    while (const auto row = rows.next()) {
      line_ = rows.line();
      fields_ = *row;
      if (fields_.size() != names_.size()) {
        refuse_log(options_.name, {line_, 1},
                   fmt::format("{} fields where the first line has {}; quotes keep a "
                               "delimiter within a field",
                               fields_.size(), names_.size()));
      }
      read_row();
    }
    return builder_.finish();
  }

 private:
  static constexpr auto kNoColumn = static_cast<std::size_t>(-1);

  struct ColumnReading {
    const ColumnField* field;
    std::size_t column;
    std::size_t minus = kNoColumn;
    std::size_t share = kNoColumn;
    double factor = 1;
  };

  static LogBuilder::Clock clock_of(const ColumnMap& map) {
    const bool is_calendar =
        std::any_of(map.fields.begin(), map.fields.end(), [](const auto& each) {
          return is_instant(each.field) &&
                 (each.unit == "iso" || each.unit.starts_with("epoch"));
        });
    return is_calendar ? LogBuilder::Clock::kCalendar : LogBuilder::Clock::kOwn;
  }

  std::size_t column_named(const ColumnField& field, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) {
      return static_cast<std::size_t>(found - names_.begin());
    }
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    const auto colon = std::min(name.rfind(':'), name.size());
    if (std::find(known.begin(), known.end(), name.substr(0, colon)) != known.end()) {
      refuse_log(options_.name, {1, 1},
                 fmt::format("{}{}: '{}' is no unit of it", field.place, field.field,
                             printable(name.substr(colon + 1))));
    }
    refuse_log(options_.name, {1, 1},
               fmt::format("{}{}: there is no column '{}'{}", field.place, field.field,
                           printable(name), did_you_mean(name, known)));
  }

  void read_header(std::span<const CsvField> names) {
    // Bounded: one line.
    for (const auto& name : names) {
      const auto is_new =
          std::find(names_.begin(), names_.end(), name.text) == names_.end();
      if (!is_new) {
        refuse_log(options_.name, {1, name.column},
                   fmt::format("the column {} is there twice", printable(name.text)));
      }
      names_.emplace_back(name.text);
    }
    // Bounded: the fields of a map.
    for (const auto& field : map_.fields) {
      ColumnReading bound{&field, column_named(field, field.column)};
      if (!field.minus.empty()) bound.minus = column_named(field, field.minus);
      if (!field.share.empty()) bound.share = column_named(field, field.share);
      const bool is_memory = field.field == "memory";
      const auto* unit = is_memory ? unit_named(kMemoryUnits, field.unit)
                                   : unit_named(kTimeUnits, field.unit);
      const bool has_unit =
          is_memory || is_instant(field.field) || is_span(field.field);
      if (has_unit && unit != nullptr) bound.factor = unit->factor;
      bounds_.push_back(bound);
    }
    for (const auto& [column, values] : map_.keep) {
      ColumnField field;
      field.field = "keep";
      kept_.emplace_back(column_named(field, column), &values);
    }
    name_unread();
  }

  // Columns of no field, which are kinds of resource in the job table.
  void name_unread() {
    std::vector<bool> is_read(names_.size());
    // Bounded: the fields of a map.
    for (const auto& bound : bounds_) {
      for (const auto column : {bound.column, bound.minus, bound.share}) {
        if (column != kNoColumn) is_read[column] = true;
      }
    }
    for (const auto& [column, values] : kept_) is_read[column] = true;
    std::vector<std::string> unread;
    // Bounded: the columns.
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_read[i]) continue;
      if (map_.takes_kinds) {
        kinds_.push_back(i);
      } else {
        unread.push_back(printable(names_[i]));
      }
    }
    builder_.say_unread(unread);
  }

  [[noreturn]] void wrong(std::size_t column, std::string_view kind) const {
    const auto& cell = fields_[column];
    refuse_log(options_.name, {line_, cell.column},
               fmt::format("{}: '{}' is no {}", printable(names_[column]),
                           printable(cell.text), kind));
  }

  std::string_view text(std::size_t column) const { return fields_[column].text; }

  // In the unit of the field; nullopt: the cell is empty.
  std::optional<double> number(const ColumnReading& bound) const {
    const auto of = [&](std::size_t column) -> std::optional<double> {
      if (is_no_value(text(column))) return std::nullopt;
      const auto [value, fault] = parse_real(text(column));
      if (fault != NumberFault::kNone) wrong(column, "number");
      return value;
    };
    auto value = of(bound.column);
    if (!value) return std::nullopt;
    if (bound.minus != kNoColumn) {
      const auto less = of(bound.minus);
      if (!less) return std::nullopt;
      *value -= *less;
    }
    *value *= bound.field->times;
    if (bound.field->round == ColumnField::Round::kUp) *value = std::ceil(*value);
    if (bound.field->round == ColumnField::Round::kDown) *value = std::floor(*value);
    return value;
  }

  std::optional<std::int64_t> whole(
      const ColumnReading& bound,
      std::int64_t most = std::numeric_limits<std::int32_t>::max()) const {
    const auto value = number(bound);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value)) wrong(bound.column, "whole number");
    if (*value < 0 || *value > static_cast<double>(most)) {
      wrong(bound.column, fmt::format("number from 0 to {}", most));
    }
    return static_cast<std::int64_t>(*value);
  }

  // A cell as ticks, without its unit where that is a factor; nullopt: it is empty.
  std::optional<Time> ticks_of_cell(const ColumnReading& bound, std::size_t column,
                                    LogRecord& record) {
    const auto& unit = bound.field->unit;
    const auto cell = text(column);
    if (is_no_value(cell)) return std::nullopt;
    if (unit == "iso" || unit == "hms") {
      const auto found =
          unit == "iso"
              ? builder_.time(cell, zone_, {line_, fields_[column].column}, record.id)
              : duration_from_log(cell);
      if (!found.has_value()) wrong(column, unit == "iso" ? "time" : "duration");
      return found.time;
    }
    if (bound.factor == 1) {
      const auto [ticks, fault] = parse_seconds(cell);
      if (fault != NumberFault::kNone) wrong(column, "time of at most 10^11 s");
      return ticks;
    }
    const auto [value, fault] = parse_real(cell);
    const auto ticks = ticks_from_seconds(value * bound.factor);
    if (fault != NumberFault::kNone || !ticks) wrong(column, "time of at most 10^11 s");
    return ticks;
  }

  std::optional<Time> ticks(const ColumnReading& bound, LogRecord& record) {
    auto value = ticks_of_cell(bound, bound.column, record);
    if (!value) return std::nullopt;
    if (bound.minus != kNoColumn) {
      const auto less = ticks_of_cell(bound, bound.minus, record);
      if (!less) return std::nullopt;
      *value -= *less;
    }
    if (bound.field->times == 1) return value;
    value = ticks_from_seconds(to_seconds(*value) * bound.field->times);
    if (!value) wrong(bound.column, "time of at most 10^11 s");
    return value;
  }

  double memory_of(const ColumnReading& bound, const LogRecord& record) const {
    if (bound.field->unit == "auto") {
      const auto memory = memory_from_log(text(bound.column), 1);
      if (memory.is_wrong) wrong(bound.column, "amount of memory");
      return per_job(bound, record, memory.bytes * bound.field->times);
    }
    const auto value = number(bound).value_or(0);
    if (value < 0) wrong(bound.column, "amount of memory");
    return per_job(bound, record, value * bound.factor);
  }

  static double per_job(const ColumnReading& bound, const LogRecord& record,
                        double bytes) {
    switch (bound.field->of) {
      case ColumnField::MemoryOf::kJob: return bytes;
      case ColumnField::MemoryOf::kNode: return bytes * std::max(record.nodes, 1);
      case ColumnField::MemoryOf::kProcessor: break;
    }
    return bytes * static_cast<double>(record.size);
  }

  bool is_kept() const {
    // Bounded: the columns that a map keeps rows by.
    for (const auto& [column, values] : kept_) {
      if (std::find(values->begin(), values->end(), text(column)) == values->end()) {
        return false;
      }
    }
    return true;
  }

  void read_row() {
    LogRecord record;
    record.place = {line_, 1};
    if (!is_kept()) return builder_.note("filtered", record.place, {}, {});
    std::optional<Time> end;
    std::optional<Duration> wait;
    // Bounded: the fields of a map.  The id is first, for messages.
    for (const auto& bound : bounds_) read_id(bound, record);
    for (const auto& bound : bounds_) {
      const auto& field = bound.field->field;
      if (field == "submit") record.submit = ticks(bound, record);
      if (field == "start") record.start = ticks(bound, record);
      if (field == "end") end = ticks(bound, record);
      if (field == "wait") wait = ticks(bound, record);
      if (field == "length") record.length = ticks(bound, record);
      if (field == "walltime") read_walltime(bound, record);
      if (field == "size") record.size = whole(bound).value_or(0);
      if (field == "nodes") read_nodes(bound, record);
      read_label(bound, record);
    }
    if (record.size > 0) record.size = std::max(record.size, map_.least_size);
    if (record.size == 0 && map_.least_size > 0) record.size = map_.least_size;
    if (!record.submit) record.submit = record.start;
    if (!record.start && record.submit && wait && *wait >= 0) {
      record.start = *record.submit + *wait;
    }
    if (!record.length && end && record.start) record.length = *end - *record.start;
    read_amounts(record);
    builder_.add(record);
  }

  void read_id(const ColumnReading& bound, LogRecord& record) {
    if (bound.field->field == "source_id") {
      source_id_ = text(bound.column);
      if (!source_id_.empty()) record.id = source_id_;
    }
    if (bound.field->field != "id") return;
    record.place.column = fields_[bound.column].column;
    const auto cell = text(bound.column);
    if (cell.empty()) wrong(bound.column, "id");
    if (record.id.empty()) record.id = cell;
    const bool is_number = cell.find_first_not_of("0123456789") == cell.npos;
    if (!is_number) return;
    const auto [number, fault] = parse_whole(cell);
    if (fault != NumberFault::kNone || number > kLargestId) {
      wrong(bound.column, "id of at most 2^53");
    }
    record.number = number;
  }

  void read_walltime(const ColumnReading& bound, LogRecord& record) {
    const auto found = ticks(bound, record);
    if (found && *found > 0) record.walltime = found;
  }

  void read_nodes(const ColumnReading& bound, LogRecord& record) const {
    const auto found = whole(bound);
    if (found) record.nodes = static_cast<std::int32_t>(*found);
  }

  void read_label(const ColumnReading& bound, LogRecord& record) const {
    const auto cell = text(bound.column);
    const auto& field = bound.field->field;
    // Bounded: the kinds of names.
    for (std::size_t i = 0; i < kNameKinds.size(); ++i) {
      if (field == kNameKinds[i]) record.names[i] = cell;
    }
    if (field != "status") return;
    const auto& words = bound.field->words;
    if (const auto word = words.find(cell); word != words.end()) {
      record.status = word->second;
    } else if (words.empty() && !cell.empty()) {
      record.status = static_cast<std::int32_t>(whole(bound).value_or(0));
    }
  }

  void read_amounts(LogRecord& record) {
    // Bounded: the fields of a map.
    for (const auto& bound : bounds_) {
      const std::string_view field = bound.field->field;
      if (field == "memory") record.memory = memory_of(bound, record);
      if (!field.starts_with(kKindPrefix)) continue;
      const auto amount = whole(bound, kMostOfKind).value_or(0);
      record.kinds.push_back({field.substr(kKindPrefix.size()), amount});
      if (bound.share == kNoColumn || amount == 0) continue;
      const auto [share, fault] = parse_real(text(bound.share));
      if (fault != NumberFault::kNone) wrong(bound.share, "number");
      if (share < bound.field->whole) {
        builder_.note("share_rounded", record.place, record.id, text(bound.share));
      }
    }
    // Bounded: the columns.
    for (const auto column : kinds_) {
      ColumnField plain;
      const auto amount = whole({&plain, column}, kMostOfKind).value_or(0);
      record.kinds.push_back({kind_of_column(names_[column]), amount});
    }
  }

  const LogOptions& options_;
  const ColumnMap& map_;
  ZoneRules zone_;
  LineReader& lines_;
  const std::string& header_;
  LogBuilder builder_;
  std::vector<std::string> names_;
  std::vector<ColumnReading> bounds_;
  std::vector<std::pair<std::size_t, const std::vector<std::string>*>> kept_;
  std::vector<std::size_t> kinds_;  // columns
  std::span<const CsvField> fields_;
  std::string_view source_id_;
  std::int64_t line_ = 0;
};

// A reader of lines, and the first of them.
struct HeadedLines {
  HeadedLines(ByteSource& source, const LogOptions& options, Budget& budget)
      : lines(source, options.name, budget), header(lines.next().value_or("")) {}

  LineReader lines;
  std::string header;
};

JobLog read_job_table(ByteSource& source, const LogOptions& options, Budget& budget) {
  HeadedLines table(source, options, budget);
  const auto names = names_in(table.header, ',');
  ColumnMap map;
  map.delimiter = ',';
  map.takes_kinds = true;
  for (const auto& [field, column] : kJobTable) {
    if (std::find(names.begin(), names.end(), column) == names.end()) continue;
    ColumnField made;
    made.field = field;
    made.column = column;
    map.fields.push_back(std::move(made));
  }
  return TableLogReader(table.lines, table.header, options, map, budget).read();
}

bool is_never_told(std::string_view) { return false; }

JobLog read_by_map(ByteSource& source, const LogOptions& options, Budget& budget) {
  HeadedLines table(source, options, budget);
  const auto map = options.columns ? options.columns(table.header) : nullptr;
  if (map == nullptr) {
    refuse_log(options.name, {1, 1},
               "what the fields are in its columns is not said: --columns "
               "submit=a,size=b,length=c, or --columns auto");
  }
  return TableLogReader(table.lines, table.header, options, *map, budget).read();
}

}  // namespace

bool is_table_field(std::string_view name) {
  return name == "status" || name == "nodes" ||
         (name.starts_with(kKindPrefix) && name.size() > kKindPrefix.size()) ||
         std::find(kTableFields.begin(), kTableFields.end(), name) !=
             kTableFields.end();
}

std::string column_of_kind(std::string_view kind) {
  const bool is_plain = !is_column_of_table(kind) && !kind.starts_with(kKindPrefix);
  return fmt::format("{}{}", is_plain ? "" : kKindPrefix, kind);
}

bool is_unit_of(std::string_view field, std::string_view unit) {
  if (unit.empty()) return true;
  if (field == "memory") return unit_named(kMemoryUnits, unit) != nullptr;
  if (is_span(field)) {
    return unit_named(kTimeUnits, unit) != nullptr && unit != "iso" &&
           !unit.starts_with("epoch");
  }
  return is_instant(field) && unit_named(kTimeUnits, unit) != nullptr;
}

char delimiter_of(std::string_view line) {
  char best = ',';
  std::ptrdiff_t most = 0;
  // Bounded: the delimiters.
  for (const char each : {',', ';', '\t', '|'}) {
    const auto count = std::count(line.begin(), line.end(), each);
    if (count > most) {
      most = count;
      best = each;
    }
  }
  return best;
}

extern const FormatRecord kCsvFormat{"csv", "the job table that convert writes",
                                     is_job_table, read_job_table};
extern const FormatRecord kColumnsFormat{"columns", "any table, by --columns",
                                         is_never_told, read_by_map};

}  // namespace berth
