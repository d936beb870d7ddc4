#include "engine/workload/swf_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/narrow.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"

// Bounded in this file: a line is at most LineReader::kLongestLine bytes, for which
// the reader of lines charges.

namespace berth {

namespace {

constexpr std::size_t kFields = 18;

// clang-format off
constexpr std::array<std::string_view, kFields> kFieldNames{
    "job number", "submit time", "wait time", "run time", "allocated processors",
    "average CPU time", "used memory", "requested processors", "requested time",
    "requested memory", "status", "user", "group", "executable", "queue", "partition",
    "preceding job", "think time"};
// clang-format on

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_plain(char c) { return c > ' ' && c < '\x7f'; }

// The fields of a job line, numbered from 1 as in the SWF specification, with their
// errors.
class Fields {
 public:
  Fields(std::string_view text, const SwfPlace& place) : text_(text), place_(place) {
    split();
  }

  // The byte at which the field starts, from 1.
  [[nodiscard]] std::uint16_t column(std::size_t field) const {
    return static_cast<std::uint16_t>(token(field).data() - text_.data() + 1);
  }

  [[nodiscard]] std::int64_t whole(std::size_t field) const {
    return checked(field, parse_whole(token(field)));
  }

  [[nodiscard]] Duration time(std::size_t field) const {
    return checked(field, parse_seconds(token(field)));
  }

  [[nodiscard]] double real(std::size_t field) const {
    return checked(field, parse_real(token(field)));
  }

  [[nodiscard]] std::int64_t job_number(std::size_t field) const {
    const std::int64_t value = not_negative(field, whole(field));
    if (value > kLargestId) out_of_range(field);
    return value;
  }

  // A count; kUnknown for a negative value.
  [[nodiscard]] std::int32_t number(std::size_t field) const {
    const std::int64_t value = whole(field);
    if (value > std::numeric_limits<std::int32_t>::max()) out_of_range(field);
    return value < 0 ? kUnknown : static_cast<std::int32_t>(value);
  }

  // kUnknown for a negative value.
  [[nodiscard]] double amount(std::size_t field) const {
    const double value = real(field);
    return value < 0 ? kUnknown : value;
  }

  // The code of a label; kUnknown for a negative value.
  [[nodiscard]] std::int32_t label(std::size_t field) const {
    const std::int64_t value = whole(field);
    if (value > kLargestLabel) out_of_range(field);
    return label_code(value);
  }

  // KiB, rounded down (docs/model.md#amounts); kUnknown for a negative value.
  [[nodiscard]] std::int64_t memory(std::size_t field) const {
    constexpr double kMost = 0x1.0p53;
    const double value = real(field);
    if (value > kMost) out_of_range(field);
    return value < 0 ? kUnknown : static_cast<std::int64_t>(value);
  }

  template <class T>
  [[nodiscard]] T not_negative(std::size_t field, T value) const {
    if (value < 0) {
      fail(field, fmt::format("{} is negative", printable(token(field))));
    }
    return value;
  }

 private:
  void split() {
    std::size_t count = 0;
    const char* at = text_.data();
    const char* const end = at + text_.size();
    while (true) {
      while (at != end && is_blank(*at)) ++at;
      if (at == end) break;
      const char* const begin = at;
      while (at != end && !is_blank(*at)) ++at;
      if (count < kFields) {
        tokens_[count] = {begin, static_cast<std::size_t>(at - begin)};
      }
      ++count;
    }
    if (count != kFields) wrong_count(count);
  }

  [[nodiscard]] std::string_view token(std::size_t field) const {
    return tokens_[field - 1];
  }

  template <class T>
  [[nodiscard]] T checked(std::size_t field, const ParsedNumber<T>& number) const {
    switch (number.fault) {
      case NumberFault::kNone: break;
      case NumberFault::kOutOfRange: out_of_range(field);
      case NumberFault::kNotANumber: not_a_number(field);
      case NumberFault::kNotWhole:
        fail(field, fmt::format("{} is not a whole number", printable(token(field))));
    }
    return number.value;
  }

  [[noreturn]] void fail(std::size_t field, const std::string& what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}{}: {}", place_text(place_, column(field)),
                            kFieldNames[field - 1], what));
  }

  [[noreturn]] void out_of_range(std::size_t field) const {
    fail(field, fmt::format("{} is out of range", printable(token(field))));
  }

  // An invisible byte is reported by its value and column.
  [[noreturn]] void not_a_number(std::size_t field) const {
    const std::string_view text = token(field);
    const auto* odd = std::find_if_not(text.begin(), text.end(), is_plain);
    if (odd == text.end()) {
      fail(field, fmt::format("'{}' is not a number", printable(text)));
    }
    const int at = column(field) + static_cast<int>(odd - text.begin());
    throw Error(ErrorCode::kInput,
                fmt::format("{}byte 0x{:02x} in a number ({})", place_text(place_, at),
                            static_cast<unsigned char>(*odd), kFieldNames[field - 1]));
  }

  [[noreturn]] void wrong_count(std::size_t count) const {
    const bool cut = place_.cut_short && count < kFields;
    throw Error(ErrorCode::kInput,
                fmt::format("{}{} field{} where {} are needed{}", place_text(place_, 0),
                            count, count == 1 ? "" : "s", kFields,
                            cut ? " (the file ends inside this line)" : ""));
  }

  std::string_view text_;
  const SwfPlace& place_;
  std::array<std::string_view, kFields> tokens_{};
};

Duration known(Duration time) { return time < 0 ? kUnknown : time; }

struct Entry {
  std::string_view key;
  std::string_view value;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<Entry> entry_of(std::string_view text) {
  const auto semicolon = text.find(';');
  const auto colon = text.find(':');
  if (semicolon == text.npos || colon == text.npos || colon < semicolon) return {};
  return Entry{trimmed(text.substr(semicolon + 1, colon - semicolon - 1)),
               trimmed(text.substr(colon + 1))};
}

// The number at the beginning, up to a blank.  Throws Error{kInput} unless it is whole
// and -1 or from `least` to `most`.
std::int64_t leading_whole(const Entry& entry, std::int64_t least, std::int64_t most,
                           const std::string& place) {
  const auto text = entry.value.substr(0, entry.value.find_first_of(" \t(,;"));
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::kInput, fmt::format("{}{}: {} is {}", place, entry.key,
                                               printable(entry.value), what));
  };
  const auto [value, fault] = parse_whole(text);
  const bool is_number = fault == NumberFault::kNone;
  if (!is_number && fault != NumberFault::kOutOfRange) {
    refuse("not a whole number; write one, or -1 where it is not known");
  }
  const bool fits = value >= least && value <= most;
  if (!is_number || (!fits && value != kUnknown)) refuse("out of range");
  return value;
}

}  // namespace

std::string place_text(const SwfPlace& place, int column) {
  const std::string file = printable_name(place.file);
  if (column == 0) return fmt::format("{}:{}: ", file, place.line);
  return fmt::format("{}:{}:{}: ", file, place.line, column);
}

SwfLine parse_swf_line(std::string_view text, const SwfPlace& place) {
  const Fields fields(text, place);
  SwfLine line;
  line.id_column = fields.column(1);
  line.submit_column = fields.column(2);
  line.length_column = fields.column(4);
  line.requested_column = fields.column(8);
  line.walltime_column = fields.column(9);
  line.status_column = fields.column(11);
  line.id = fields.job_number(1);
  line.submit = fields.time(2);
  if (line.submit == -kSecond) {
    line.submit = kUnknown;
  } else {
    (void)fields.not_negative(2, line.submit);
  }
  line.recorded.wait = known(fields.time(3));
  line.length = known(fields.time(4));
  line.recorded.allocated = fields.number(5);
  line.recorded.cpu_time = fields.amount(6);
  line.recorded.used_memory_kib = fields.memory(7);
  line.requested = fields.number(8);
  line.walltime = known(fields.time(9));
  line.memory_kib = fields.memory(10);
  line.recorded.status = fields.number(11);
  line.user = fields.label(12);
  line.group = fields.label(13);
  line.executable = fields.label(14);
  line.queue_class = fields.label(15);
  line.partition = fields.label(16);
  line.parent = fields.real(17);
  line.think = fields.real(18);
  return line;
}

void SwfHeader::read_line(std::string_view text, const SwfPlace& place) {
  const auto entry = entry_of(text);
  if (!entry) return;
  const auto keep = [&](std::optional<std::int64_t>& kept, std::int64_t least,
                        std::int64_t most) {
    const auto column = entry->value.data() - text.data() + 1;
    if (kept) return;
    kept =
        leading_whole(*entry, least, most, place_text(place, static_cast<int>(column)));
  };
  constexpr std::int64_t kMostProcessors = std::numeric_limits<std::int32_t>::max();
  constexpr auto kLatest = static_cast<std::int64_t>(kMaxSeconds);
  if (entry->key == "MaxProcs") keep(max_procs_, 1, kMostProcessors);
  if (entry->key == "MaxNodes") keep(max_nodes_, 1, kMostProcessors);
  if (entry->key == "UnixStartTime") keep(unix_start_, 0, kLatest);
}

std::optional<std::int32_t> SwfHeader::processors() const {
  for (const auto& size : {max_procs_, max_nodes_}) {
    if (size && *size != kUnknown) return narrowed<std::int32_t>(*size);
  }
  return std::nullopt;
}

}  // namespace berth
