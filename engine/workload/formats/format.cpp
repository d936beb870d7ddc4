#include "engine/workload/formats/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/headed_source.hpp"

namespace berth {

extern const FormatRecord kSwfFormat;
extern const FormatRecord kSacctFormat;
extern const FormatRecord kSacctJsonFormat;
extern const FormatRecord kJobcompFormat;
extern const FormatRecord kPbsFormat;
extern const FormatRecord kBatsimFormat;
extern const FormatRecord kCsvFormat;
extern const FormatRecord kColumnsFormat;

namespace {

const std::array kFormats{&kSacctFormat, &kSacctJsonFormat, &kJobcompFormat,
                          &kPbsFormat,   &kBatsimFormat,    &kCsvFormat,
                          &kSwfFormat,   &kColumnsFormat};

struct KnownBeginning {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::array<KnownBeginning, 5> kBeginnings{{
    {"PAR1", "a Parquet file: export it as CSV"},
    {"\x28\xb5\x2f\xfd", "packed by zstd: unpack it, or pack it by gzip"},
    {"\xfd"
     "7zXZ",
     "packed by xz: unpack it, or pack it by gzip"},
    {"PK\x03\x04", "a zip archive: unpack it"},
    {"SQLite format 3", "a SQLite database: export it as CSV"},
}};

// sacct without -P has a line of '-' below its first; with -n it has no first line.
std::string_view hint_of(std::string_view head) {
  const auto first = first_line_of(head);
  const auto second =
      first_line_of(head.substr(std::min(first.size() + 1, head.size())));
  if (second.size() > 4 && second.find_first_not_of("- \r") == second.npos) {
    return "; a table of sacct needs -P, which parts the fields by |";
  }
  const auto bars = std::count(first.begin(), first.end(), '|');
  if (bars >= 5 && first.front() >= '0' && first.front() <= '9') {
    return "; rows of sacct need their header: leave -n (--noheader) out";
  }
  return "";
}

[[noreturn]] void refuse_unknown(std::string_view head, const LogOptions& options,
                                 std::span<const FormatRecord* const> known) {
  if (const auto what = unread_kind(head); !what.empty()) {
    refuse_log(options.name, {1, 1}, fmt::format("this is {}", what));
  }
  std::string names;
  for (const auto* each : known) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each->name);
  }
  constexpr std::size_t kShown = 40;
  refuse_log(options.name, {1, 1},
             fmt::format("a log of no known format begins with '{}'{}; known are {} "
                         "(--format names one)",
                         printable(head.substr(0, kShown)), hint_of(head), names));
}

const FormatRecord& format_named(std::string_view name,
                                 std::span<const FormatRecord* const> known) {
  std::vector<std::string_view> names;
  for (const auto* each : known) {
    if (each->name == name) return *each;
    names.push_back(each->name);
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("the format '{}' is not one of {}{}", printable(name),
                          fmt::join(names, ", "), did_you_mean(name, names)));
}

const FormatRecord& format_of(std::string_view head, const LogOptions& options,
                              std::span<const FormatRecord* const> known) {
  const auto body = head.substr(byte_order_mark(head, options.name));
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto* each) {
    return each->matches(body);
  });
  if (found != known.end()) return **found;
  if (options.columns && options.columns(first_line_of(body)) != nullptr) {
    return format_named("columns", known);
  }
  std::string_view name = options.name;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const auto named = std::find_if(known.begin(), known.end(), [&](const auto* each) {
    return !each->ending.empty() && name.ends_with(each->ending);
  });
  if (named != known.end()) return **named;
  refuse_unknown(body, options, known);
}

}  // namespace

std::span<const FormatRecord* const> formats() { return kFormats; }

std::string_view unread_kind(std::string_view head) {
  const auto* const found =
      std::find_if(kBeginnings.begin(), kBeginnings.end(),
                   [&](const auto& each) { return head.starts_with(each.bytes); });
  return found == kBeginnings.end() ? std::string_view() : found->what;
}

std::string_view first_line_of(std::string_view text) {
  auto line = cut_off(text, '\n');
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

namespace {

// A log in which no job is left, with what became of its records.
void refuse_empty(const Workload& workload, const LogOptions& options) {
  std::string classes;
  // Bounded: the classes there are.
  for (const auto& [name, finding] : workload.left_out) {
    classes +=
        fmt::format("{}{} {}", classes.empty() ? ": " : ", ", finding.count, name);
  }
  refuse_log(options.name, {1, 1},
             fmt::format("no job is left of {} records{}", workload.jobs_read,
                         shortened(std::move(classes), 300)));
}

// Ids that differ may give one number, as a job 5 and the parts 5+0 and 5+1 of another.
void refuse_equal_numbers(const Workload& workload, const LogOptions& options,
                          Budget& budget) {
  const auto& jobs = workload.jobs;
  budget.charge_sort(jobs.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> lines;  // by number
  lines.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    lines.emplace_back(jobs[i].id, workload.lines[i]);
  }
  std::sort(lines.begin(), lines.end());
  const auto same = std::adjacent_find(
      lines.begin(), lines.end(),
      [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same == lines.end()) return;
  refuse_log(
      options.name, {std::next(same)->second},
      fmt::format("the number of this job, {}, is that of the job at line {}, too",
                  same->first, same->second));
}

}  // namespace

JobLog read_log(ByteSource& source, std::string_view format, const LogOptions& options,
                Budget& budget, std::span<const FormatRecord* const> known) {
  HeadedSource headed(source);
  const auto& record = format.empty() ? format_of(headed.head(), options, known)
                                      : format_named(format, known);
  auto log = record.read(headed, options, budget);
  if (record.is_whole) return log;
  if (log.workload.jobs.empty()) refuse_empty(log.workload, options);
  refuse_equal_numbers(log.workload, options, budget);
  auto& notes = log.workload.notes;
  notes.insert(notes.begin(),
               fmt::format("read as {}: {} records, {} jobs", record.name,
                           log.workload.jobs_read, log.workload.jobs.size()));
  return log;
}

}  // namespace berth
