#include "engine/workload/formats/slurm_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"

namespace berth {

// Bounded in this file: the fields of one record, for which its reader charges.

namespace {

using enum SlurmField;

struct SlurmState {
  std::string_view word;
  std::int32_t status;  // as field 11 of SWF
  bool has_ended = true;
};

constexpr std::array<SlurmState, 23> kSlurmStates{{
    {"COMPLETED", 1},
    {"CANCELLED", 5},
    {"PREEMPTED", 5},
    {"REVOKED", 5},
    {"DEADLINE", 5},
    {"FAILED", 0},
    {"TIMEOUT", 0},
    {"OUT_OF_MEMORY", 0},
    {"NODE_FAIL", 0},
    {"BOOT_FAIL", 0},
    {"REQUEUED", 0},
    {"SPECIAL_EXIT", 0},
    {"LAUNCH_FAILED", 0},
    {"RECONFIG_FAIL", 0},
    {"PENDING", kUnknown, false},
    {"RUNNING", kUnknown, false},
    {"SUSPENDED", kUnknown, false},
    {"COMPLETING", kUnknown, false},
    {"CONFIGURING", kUnknown, false},
    {"RESIZING", kUnknown, false},
    {"REQUEUE_HOLD", kUnknown, false},
    {"STOPPED", kUnknown, false},
    {"SIGNALING", kUnknown, false},
}};

const SlurmState* find_state(std::string_view word) {
  const auto* found =
      std::find_if(kSlurmStates.begin(), kSlurmStates.end(),
                   [&](const SlurmState& each) { return each.word == word; });
  return found == kSlurmStates.end() ? nullptr : found;
}

bool is_no_limit(std::string_view text) {
  return is_no_value(text) || text == "UNLIMITED" || text == "Partition_Limit" ||
         text == "INVALID";
}

std::optional<std::int64_t> number_from(std::string_view text) {
  const auto [value, fault] = parse_whole(text);
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  if (fault != NumberFault::kNone) return std::nullopt;
  return value;
}

}  // namespace

void SlurmReader::wrong(const SlurmCells& cells, SlurmField field,
                        std::string_view kind) const {
  const auto& cell = cells[field];
  refuse_log(options_.name, {cells.line, cell.column},
             fmt::format("{}: '{}' is no {}",
                         kSlurmFieldNames[static_cast<std::size_t>(field)],
                         printable(cell.text), kind));
}

std::optional<Time> SlurmReader::time(const SlurmCells& cells, SlurmField field) {
  const auto& cell = cells[field];
  const auto& id = cells[kJobId].is_there ? cells[kJobId] : cells[kJobIdRaw];
  const auto found =
      builder_.time(cell.text, options_.zone, {cells.line, cell.column}, id.text);
  if (found.is_wrong()) wrong(cells, field, "time");
  return found.has_value() ? std::optional(found.time) : std::nullopt;
}

std::optional<Duration> SlurmReader::duration(const SlurmCells& cells,
                                              SlurmField field) const {
  const auto found = duration_from_log(cells[field].text);
  if (found.is_wrong()) wrong(cells, field, "duration");
  return found.has_value() ? std::optional(found.time) : std::nullopt;
}

std::optional<Duration> SlurmReader::limit(const SlurmCells& cells) const {
  const auto raw = cells[kTimelimitRaw].text;
  if (raw == "UNLIMITED" || raw == "Partition_Limit") return std::nullopt;
  if (!is_no_limit(raw)) {
    const auto minutes = number_from(raw);
    if (!minutes || *minutes > static_cast<std::int64_t>(kMaxSeconds) / 60) {
      wrong(cells, kTimelimitRaw, "number of minutes");
    }
    return *minutes * 60 * kSecond;
  }
  if (is_no_limit(cells[kTimelimit].text)) return std::nullopt;
  return duration(cells, kTimelimit);
}

std::int64_t SlurmReader::whole(const SlurmCells& cells, SlurmField field) const {
  const auto text = cells[field].text;
  if (is_no_value(text)) return 0;
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  const auto [value, fault] = parse_whole(text);
  const bool is_far =
      fault == NumberFault::kOutOfRange || value < 0 || value > std::int64_t{kMost};
  if (fault != NumberFault::kNone && !is_far) wrong(cells, field, "whole number");
  if (is_far) wrong(cells, field, "number from 0 to 2147483647");
  return value;
}

TresList SlurmReader::tres(const SlurmCells& cells, SlurmField field) const {
  auto list = tres_from_log(cells[field].text);
  if (list.is_wrong) wrong(cells, field, "list of resources");
  return list;
}

// False: the record is of no job.
bool SlurmReader::read_id(const SlurmCells& cells, LogRecord& record) {
  const auto& shown = cells[kJobId];
  const auto& raw = cells[kJobIdRaw];
  const auto& cell = shown.is_there ? shown : raw;
  record.place = {cells.line, cell.column};
  auto text = cell.text;
  if (text.find('.') != text.npos || raw.text.find('.') != raw.text.npos) {
    builder_.note("steps", record.place, text, {});
    return false;
  }
  if (text.empty()) refuse_log(options_.name, record.place, "JobID: it is empty");
  record.number = number_from(raw.is_there && !raw.text.empty() ? raw.text : text);
  if (raw.is_there && !raw.text.empty() && !record.number) {
    wrong(cells, kJobIdRaw, "whole number");
  }
  if (record.number && *record.number > kLargestId) {
    wrong(cells, raw.is_there ? kJobIdRaw : kJobId, "id of at most 2^53");
  }
  if (const auto bracket = text.find("_["); bracket != text.npos) {
    const auto list = text.substr(bracket + 2, text.find(']') - bracket - 2);
    if (record.number) builder_.keep_free(*record.number);
    builder_.note("still_waiting", record.place, text, {},
                  std::max<std::int64_t>(1, count_of_list(list)));
    return false;
  }
  if (const auto plus = text.find('+'); plus != text.npos) {
    record.whole = number_from(text.substr(0, plus));
    record.part = number_from(text.substr(plus + 1)).value_or(0);
    if (!record.whole) wrong(cells, kJobId, "id of a job");
  }
  record.id = text;
  return true;
}

void SlurmReader::read_times(const SlurmCells& cells, LogRecord& record) {
  record.submit = time(cells, kSubmit);
  record.eligible = time(cells, kEligible);
  record.start = time(cells, kStart);
  const auto end = time(cells, kEnd);
  record.length = duration(cells, kElapsedRaw);
  if (!record.length) record.length = duration(cells, kElapsed);
  if (!record.length && end && record.start) record.length = *end - *record.start;
  record.walltime = limit(cells);
  record.ended = end.has_value() || !cells[kEnd].is_there;
}

void SlurmReader::read_state(const SlurmCells& cells, LogRecord& record) {
  auto text = cells[kState].text;
  const auto word = cut_off(text, ' ');
  const auto* state = find_state(word);
  record.unknown_state = state == nullptr;
  record.status = state == nullptr ? kUnknown : state->status;
  record.is_timeout = word == "TIMEOUT";
  const auto nodes = cells[kNodeList].text;
  const bool ran_nowhere =
      record.length.value_or(0) == 0 && (word == "CANCELLED" || word == "DEADLINE");
  record.started =
      record.start.has_value() &&
      (cells[kNodeList].is_there ? !is_no_value(nodes) && nodes != "None assigned"
                                 : !ran_nowhere);
  if (cells.pending_is_requeued && word == "PENDING") {
    record.status = 0;
    record.queued_again = true;
    return;
  }
  if (state != nullptr && !state->has_ended) record.ended = false;
  // A job that never started has ended by its state, without a time of end.
  if (!record.started && state != nullptr) record.ended = state->has_ended;
}

double SlurmReader::memory_of(const SlurmCells& cells, const LogRecord& record,
                              const TresList& chosen, const TresList& other) const {
  constexpr double kMiB = 1024 * 1024;
  const auto size = static_cast<double>(record.size);
  for (const auto* list : {&chosen, &other}) {
    if (list->mem <= 0) continue;
    return list->cpu > 0 ? list->mem * size / static_cast<double>(list->cpu)
                         : list->mem;
  }
  const auto memory = memory_from_log(cells[kReqMem].text, kMiB);
  if (memory.is_wrong) wrong(cells, kReqMem, "amount of memory");
  if (memory.of == 'c') return memory.bytes * size;
  if (memory.of == 'n') return memory.bytes * std::max(record.nodes, 1);
  return memory.bytes;
}

void SlurmReader::read_amounts(const SlurmCells& cells, LogRecord& record) {
  auto allocated = tres(cells, kAllocTres);
  auto requested = tres(cells, kReqTres);
  auto given = whole(cells, kAllocCpus);
  if (given == 0) given = whole(cells, kNCpus);
  if (given == 0) given = allocated.cpu;
  auto asked = whole(cells, kReqCpus);
  if (asked == 0) asked = requested.cpu;
  const bool takes_given =
      options_.size.value_or(SizeField::kAllocated) == SizeField::kAllocated;
  record.choose_size(given, asked, options_);
  auto& chosen = takes_given ? allocated : requested;
  auto& other = takes_given ? requested : allocated;
  auto nodes = whole(cells, kNNodes);
  if (nodes == 0) nodes = whole(cells, kAllocNodes);
  if (nodes == 0) nodes = chosen.node > 0 ? chosen.node : other.node;
  record.nodes = nodes > 0 && nodes <= std::numeric_limits<std::int32_t>::max()
                     ? static_cast<std::int32_t>(nodes)
                     : kUnknown;
  record.memory = memory_of(cells, record, chosen, other);
  const bool has_list = chosen.cpu > 0 || chosen.mem > 0 || !chosen.kinds.empty();
  record.kinds = std::move(has_list ? chosen.kinds : other.kinds);
}

void SlurmReader::add(const SlurmCells& cells) {
  LogRecord record;
  if (!read_id(cells, record)) return;
  read_times(cells, record);
  read_state(cells, record);
  read_amounts(cells, record);
  const auto account = cells[kAccount].text;
  record.names = {cells[kUser].text,
                  is_no_value(account) ? cells[kGroup].text : account,
                  cells[kJobName].text, cells[kQos].text, cells[kPartition].text};
  constexpr Duration kNoticeable = seconds(60);
  const bool waits_to_begin = cells[kReason].text == "BeginTime";
  if (waits_to_begin && record.submit && record.eligible &&
      *record.eligible - *record.submit >= kNoticeable) {
    ++first_submits_lost_;
  }
  builder_.add(record);
}

JobLog SlurmReader::finish() {
  auto log = builder_.finish();
  if (first_submits_lost_ > 0 && !log.workload.repairs.contains("requeued")) {
    log.workload.notes.push_back(fmt::format(
        "{} of the records look like jobs that were queued again, whose first submit "
        "is lost; sacct -D shows it",
        first_submits_lost_));
  }
  return log;
}

}  // namespace berth
