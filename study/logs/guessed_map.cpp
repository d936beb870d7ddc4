#include "study/logs/guessed_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/formats/column_map.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

struct GuessedField {
  std::string_view field;
  std::vector<std::string_view> names;  // of columns, the surest first
};

const std::vector<GuessedField>& guessed_fields() {
  static const std::vector<GuessedField> kFields{
      {"id", {"jobid", "id", "name"}},
      {"submit",
       {"submit", "submittime", "submissiontime", "submittedtime", "creationtime",
        "timestamp", "arrival"}},
      {"start", {"start", "starttime", "startingtime", "scheduledtime"}},
      {"end", {"end", "endtime", "finishtime", "finishedtime", "deletiontime"}},
      {"length", {"length", "duration", "runtime", "elapsed", "executiontime"}},
      {"size",
       {"size", "processors", "procs", "cpus", "cores", "ncpus", "numgpus", "numgpu",
        "gpus", "nodes", "res", "requestednumberofresources"}},
      {"walltime", {"walltime", "timelimit", "requestedtime", "limit"}},
      {"user", {"user", "userid", "username"}}};
  return kFields;
}

// Letters and digits alone, lower case.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

// What the values of a column look like.
struct SeenValues {
  std::size_t count = 0;
  bool are_dates = true;   // YYYY-MM-DD...
  bool are_clocks = true;  // with colons
  bool are_whole = true;   // numbers without a part
  double largest = 0;
  double least = 0;

  void see(std::string_view text) {
    if (is_no_value(text)) return;
    const bool is_date = text.size() > 10 && text[4] == '-' && text[7] == '-';
    are_dates = are_dates && is_date;
    are_clocks = are_clocks && text.find(':') != text.npos;
    const auto [value, fault] = parse_real(text);
    are_whole = are_whole && fault == NumberFault::kNone && value == std::floor(value);
    largest = count == 0 ? value : std::max(largest, value);
    least = count == 0 ? value : std::min(least, value);
    ++count;
  }
};

struct GuessedUnit {
  std::string_view unit;  // empty: seconds
  std::string_view why;
};

GuessedUnit unit_of_instant(const SeenValues& seen) {
  constexpr double kEpoch = 1e9;  // 2001
  if (seen.count > 0 && seen.are_dates) return {"iso", "dates"};
  if (seen.least >= 1000 * kEpoch) return {"epoch_ms", "as large as ms since 1970"};
  if (seen.least >= kEpoch) return {"epoch", "as large as seconds since 1970"};
  return {"", "taken as seconds"};
}

GuessedUnit unit_of_span(const SeenValues& seen) {
  if (seen.count > 0 && seen.are_clocks) return {"hms", "with colons"};
  return {"", "taken as seconds"};
}

std::string quoted_name(std::string_view text) { return Json(text).compact(); }

class MapGuess {
 public:
  MapGuess(ByteSource& source, const std::string& name, Budget& budget)
      : name_(name), lines_(source, name, budget), first_(lines_.next().value_or("")) {}

  std::string text() {
    read();
    choose();
    std::string text = fmt::format(
        "# Guessed from the names of the columns and the first {} rows: check each "
        "line.\n",
        rows_);
    if (const auto& size = seen_[column_of("size")]; size.count > 0 && size.least < 1) {
      text += "least_size = 1  # some sizes are below\n";
    }
    text += "[columns]\n";
    for (const auto& [field, column] : chosen_) text += line_of(field, column);
    return text;
  }

 private:
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

  void read() {
    constexpr std::size_t kMostRows = 1000;
    bool is_first = true;
    CsvReader rows(
        name_,
        [&]() -> std::optional<std::string_view> {
          if (!is_first) return lines_.next();
          is_first = false;
          return first_;
        },
        delimiter_of(first_));
    if (const auto names = rows.next()) {
      for (const auto& each : *names) names_.emplace_back(each.text);
    }
    seen_.resize(names_.size());
    while (rows_ < kMostRows) {
      const auto row = rows.next();
      if (!row) break;
      ++rows_;
      const auto width = std::min(row->size(), seen_.size());
      for (std::size_t i = 0; i < width; ++i) seen_[i].see((*row)[i].text);
    }
  }

  [[nodiscard]] std::size_t column_named(std::string_view plain) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (plain_name(names_[i]) == plain) return i;
    }
    return kNoColumn;
  }
  [[nodiscard]] std::size_t column_of(std::string_view field) const {
    const auto found =
        std::find_if(chosen_.begin(), chosen_.end(),
                     [&](const auto& each) { return each.first == field; });
    return found == chosen_.end() ? kNoColumn : found->second;
  }

  void choose() {
    for (const auto& [field, names] : guessed_fields()) {
      for (const auto name : names) {
        const auto column = column_named(name);
        if (column == kNoColumn) continue;
        chosen_.emplace_back(field, column);
        break;
      }
    }
    const auto has = [&](std::string_view field) {
      return column_of(field) != kNoColumn;
    };
    if (!has("size")) refuse("size");
    if (!has("submit") && !has("start")) refuse("submit");
    if (!has("length") && !(has("start") && has("end"))) refuse("length");
  }

  [[noreturn]] void refuse(std::string_view field) const {
    refuse_log(
        name_, {1, 1},
        fmt::format(
            "no column has a name of the {}: --columns {}=NAME,... says "
            "it; the columns are {}",
            field, field,
            shortened(printable(fmt::format("{}", fmt::join(names_, ", "))), 200)));
  }

  [[nodiscard]] std::string line_of(std::string_view field, std::size_t column) const {
    const auto& seen = seen_[column];
    const auto name = quoted_name(names_[column]);
    const auto plain = [&](std::string_view why) {
      return fmt::format("{} = {}  # {}\n", field, name, why);
    };
    if (field == "id" || field == "user") return plain("by its name");
    if (field == "size") {
      if (seen.are_whole) return plain("whole numbers");
      return fmt::format("size = {{ column = {}, round = \"up\" }}  # not all whole\n",
                         name);
    }
    const bool is_instant = field == "submit" || field == "start" || field == "end";
    const auto [unit, why] = is_instant ? unit_of_instant(seen) : unit_of_span(seen);
    if (unit.empty()) return plain(why);
    return fmt::format("{} = {{ column = {}, unit = \"{}\" }}  # {}\n", field, name,
                       unit, why);
  }

  const std::string& name_;
  LineReader lines_;
  std::string first_;
  std::vector<std::string> names_;
  std::vector<SeenValues> seen_;  // by column
  std::vector<std::pair<std::string_view, std::size_t>> chosen_;
  std::size_t rows_ = 0;
};

}  // namespace

std::string guessed_map(ByteSource& source, const std::string& name, Budget& budget) {
  return MapGuess(source, name, budget).text();
}

}  // namespace berth::study
