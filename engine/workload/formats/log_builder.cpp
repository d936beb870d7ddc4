#include "engine/workload/formats/log_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/log_limits.hpp"

namespace berth {

namespace {

constexpr auto kNoJob = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void LogRecord::choose_size(std::int64_t given, std::int64_t asked,
                            const LogOptions& options) {
  const bool takes_given =
      options.size.value_or(SizeField::kAllocated) == SizeField::kAllocated;
  size = takes_given ? given : asked;
  if (size > 0) return;
  size = takes_given ? asked : given;
  size_from_other = size > 0;
}

TextTime LogBuilder::time(std::string_view text, const ZoneRules& zone,
                          const LogPlace& at, std::string_view id) {
  const auto found = time_from_log(text, zone);
  has_local_times_ = has_local_times_ || (found.is_local && !options_.names_zone);
  if (found.kind != LocalInstant::Kind::kOnce) {
    findings_.note(found.kind == LocalInstant::Kind::kTwice ? "local_time_twice"
                                                            : "local_time_missing",
                   at, id, text);
  }
  return found;
}

std::uint8_t LogBuilder::flags_of(const LogRecord& record, bool counts_nodes) {
  const auto flag = [](bool is_set, RecordFlag which) {
    return is_set ? std::uint8_t{which} : std::uint8_t{0};
  };
  return flag(record.started, kStarted) | flag(record.ended, kEnded) |
         flag(record.queued_again, kQueuedAgain) | flag(record.is_timeout, kTimeout) |
         flag(record.size_from_other && !counts_nodes, kFromOther) |
         flag(record.unknown_state, kStateUnknown);
}

void LogBuilder::say_unread(const std::vector<std::string>& columns) {
  if (columns.empty()) return;
  say("columns that are not read: " +
      shortened(fmt::format("{}", fmt::join(columns, ", ")), 300));
}

void LogBuilder::leave_out(std::uint32_t record, std::string_view of_class,
                           std::string_view text) {
  sides_[record].flags |= kLeftOut;
  note(of_class, record, text);
}

void LogBuilder::refuse(std::uint32_t record, std::string_view what) const {
  refuse_log(options_.name, place(record),
             fmt::format("job {}: {}", printable(id_of(record)), what));
}

std::uint32_t LogBuilder::add(const LogRecord& record) {
  const auto refuse = [&](std::string_view what) {
    refuse_log(options_.name, record.place, what);
  };
  require_in_range(record, clock_, options_.name);
  if (jobs_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    refuse("more than 4294967295 records; split the log");
  }
  Job job;
  job.submit = record.submit.value_or(kNoTime);
  job.length = record.length.value_or(kUnknown);
  // In no format does a limit of 0 end a job at once: it stands for none.
  job.walltime = std::max<Duration>(record.walltime.value_or(0), 0);
  job.walltime_given = job.walltime > 0;
  const bool counts_nodes = options_.rules.size_unit == SizeUnit::kNodes;
  job.size =
      counts_nodes ? std::max(record.nodes, 0) : static_cast<std::int32_t>(record.size);
  job.set_memory(record.memory > 0 ? std::llround(record.memory) : kUnknown);
  job.id = record.number.value_or(kUnknown);
  const auto labels = labels_of(job);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    *labels[i] = names_.code(i, record.names[i]);
  }
  const auto at = static_cast<std::uint32_t>(jobs_.size());
  RecordSide side;
  side.start = record.start.value_or(kNoTime);
  side.eligible = record.eligible.value_or(kNoTime);
  side.set_place(record.place);
  constexpr std::uint8_t kAllFlags = 127;
  side.flags = flags_of(record, counts_nodes) & kAllFlags;
  side.nodes = record.nodes;
  side.status = static_cast<std::int16_t>(record.status);
  sides_.push_back(side);
  jobs_.push_back(job);
  add_kinds(record);
  if (record.whole) parts_.push_back({at, *record.whole, record.part});
  add_text(record);
  return at;
}

bool LogBuilder::complete(std::uint32_t record, Duration length, std::int32_t status) {
  auto& job = jobs_[record];
  auto& side = sides_[record];
  job.length = length;
  if (side.status == kUnknown) side.status = static_cast<std::int16_t>(status);
  return job.walltime_given && length > job.walltime;
}

void LogBuilder::add_kinds(const LogRecord& record) {
  const auto at = static_cast<std::uint32_t>(jobs_.size() - 1);
  for (const auto& [kind, amount] : record.kinds) {
    if (amount <= 0) continue;
    auto known = std::find(kind_names_.begin(), kind_names_.end(), kind);
    if (known == kind_names_.end()) {
      known = kind_names_.insert(kind_names_.end(), std::string(kind));
    }
    kinds_.push_back(
        {at, static_cast<std::uint32_t>(known - kind_names_.begin()), amount});
  }
}

void LogBuilder::add_text(const LogRecord& record) {
  const auto at = static_cast<std::uint32_t>(jobs_.size() - 1);
  auto& id = jobs_.back().id;
  has_ids_ = has_ids_ || !record.id.empty();
  if (record.number) {
    largest_ = std::max(largest_, id);
    std::array<char, 24> digits{};
    const auto* end = fmt::format_to(digits.data(), "{}", id);
    const std::string_view plain(digits.data(),
                                 static_cast<std::size_t>(end - digits.data()));
    if (record.id != plain) texts_.emplace(at, record.id);
    return;
  }
  if (record.id.empty()) {
    id = -2 - static_cast<std::int64_t>(at);
    return;
  }
  const auto next = -2 - static_cast<std::int64_t>(codes_.size());
  id = codes_.try_emplace(std::string(record.id), next).first->second;
  texts_.emplace(at, record.id);
}

// Records of one id in the order (submit, start, line); with one record, in most logs.
void LogBuilder::join_runs() {
  Records order(jobs_.size());
  std::iota(order.begin(), order.end(), 0U);
  budget_.charge_sort(order.size());
  const auto key = [&](std::uint32_t at) {
    return std::tuple(jobs_[at].id, jobs_[at].submit, sides_[at].start,
                      std::int64_t{sides_[at].line});
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto* at = order.data();
  const auto* const end = at + order.size();
  // Bounded: each record once, for which the sort was charged.
  while (at != end) {
    const auto* behind = std::find_if(
        at, end, [&](std::uint32_t other) { return jobs_[other].id != jobs_[*at].id; });
    join_group(at, behind);
    at = behind;
  }
}

void LogBuilder::join_group(const std::uint32_t* first, const std::uint32_t* last) {
  if (last - first == 1 && !has(*first, kQueuedAgain)) {
    kept_.push_back(*first);
    return;
  }
  if (!has_runs_) {
    refuse_log(options_.name, place(last[-1]),
               fmt::format("the id {} is already used at line {}",
                           printable(id_of(*first)), place(last[-2]).line));
  }
  const auto runs = without_repeated(first, last);
  options_.rules.requeue == Requeue::kEach ? keep_each(runs) : keep_last(runs);
}

bool LogBuilder::repeats(std::uint32_t a, std::uint32_t b) const {
  const auto of = [&](std::uint32_t record) {
    const auto is_before = [](const RecordKind& kind, std::uint32_t wanted) {
      return kind.record < wanted;
    };
    const auto begin =
        std::lower_bound(kinds_.begin(), kinds_.end(), record, is_before);
    return std::pair(begin, std::find_if(begin, kinds_.end(), [&](const auto& kind) {
                       return kind.record != record;
                     }));
  };
  const auto is_same = [](const RecordKind& left, const RecordKind& right) {
    return left.kind == right.kind && left.amount == right.amount;
  };
  const auto [left, left_end] = of(a);
  const auto [right, right_end] = of(b);
  const auto key = [&](std::uint32_t at) {
    const auto& job = jobs_[at];
    const auto& side = sides_[at];
    return std::tuple(job.submit, job.length, job.walltime, job.walltime_given,
                      std::int64_t{job.memory_kib}, job.size, job.user, job.group,
                      job.executable, job.queue_class, job.partition, side.start,
                      side.eligible, side.nodes, side.status,
                      std::uint64_t{side.flags});
  };
  return key(a) == key(b) && std::equal(left, left_end, right, right_end, is_same);
}

LogBuilder::Records LogBuilder::without_repeated(const std::uint32_t* first,
                                                 const std::uint32_t* last) {
  Records runs;
  const auto is_open = [&](std::uint32_t at) { return !has(at, kEnded); };
  for (const auto* at = first; at != last; ++at) {
    budget_.charge();
    const bool is_run = runs.empty() || jobs_[runs.back()].submit != jobs_[*at].submit;
    if (!is_run &&
        (repeats(runs.back(), *at) || (is_open(*at) && !is_open(runs.back())))) {
      note("repeated", *at);
    } else if (!is_run && is_open(runs.back())) {
      note("repeated", runs.back());
      runs.back() = *at;
    } else if (!is_run && sides_[runs.back()].start == sides_[*at].start) {
      const auto before =
          std::min<std::int64_t>(sides_[runs.back()].line, sides_[*at].line);
      const auto later = sides_[runs.back()].line == before ? *at : runs.back();
      refuse_log(options_.name, place(later),
                 fmt::format("job {} has another record of the same submit and start "
                             "at line {}; leave one of the two out",
                             printable(id_of(*at)), before));
    } else {
      runs.push_back(*at);
    }
  }
  return runs;
}

void LogBuilder::keep_each(const Records& runs) {
  std::int64_t number = 0;
  for (const auto at : runs) {
    const bool ran = has(at, kStarted) && has(at, kEnded);
    if (!ran || number++ == 0) {
      kept_.push_back(at);
      continue;
    }
    const auto text = fmt::format("{}#{}", id_of(at), number);
    const auto next = -2 - static_cast<std::int64_t>(codes_.size());
    jobs_[at].id = codes_.try_emplace(text, next).first->second;
    texts_[at] = text;
    kept_.push_back(at);
  }
}

void LogBuilder::keep_last(const Records& runs) {
  const auto last = runs.back();
  if (has(last, kQueuedAgain)) {
    sides_[last].flags = 0;
    kept_.push_back(last);
    return;
  }
  const auto started = std::find_if(
      runs.rbegin(), runs.rend(), [&](std::uint32_t at) { return has(at, kStarted); });
  const auto chosen = has(last, kEnded) && started != runs.rend() ? *started : last;
  kept_.push_back(chosen);
  if (runs.size() == 1) return;
  double lost = 0;
  for (const auto at : runs) {
    if (at == chosen || !has(at, kStarted)) continue;
    lost += to_seconds(std::max<Duration>(jobs_[at].length, 0)) * jobs_[at].size;
  }
  jobs_[chosen].submit = jobs_[runs.front()].submit;
  sides_[chosen].eligible = sides_[runs.front()].eligible;
  if (!has(chosen, kEnded)) return note("requeued", chosen);
  note("requeued", chosen, fmt::format("{:.6g} processor seconds left out", lost));
}

void LogBuilder::join_parts() {
  if (parts_.empty() || options_.rules.heterogeneous == Heterogeneous::kParts) return;
  budget_.charge_sort(kept_.size() + parts_.size());
  std::sort(kept_.begin(), kept_.end());
  const auto is_kept = [&](const RecordPart& part) {
    return std::binary_search(kept_.begin(), kept_.end(), part.record);
  };
  std::erase_if(parts_, [&](const RecordPart& part) {
    return !is_kept(part) || !has(part.record, kStarted) || !has(part.record, kEnded);
  });
  std::sort(parts_.begin(), parts_.end(), [&](const auto& a, const auto& b) {
    return std::tie(a.whole, jobs_[a.record].submit, a.part) <
           std::tie(b.whole, jobs_[b.record].submit, b.part);
  });
  const auto* at = parts_.data();
  const auto* const end = at + parts_.size();
  // Bounded: each part once, for which the sort was charged.
  while (at != end) {
    const auto* behind = std::find_if(
        at, end, [&](const RecordPart& part) { return part.whole != at->whole; });
    join_whole(at, behind);
    at = behind;
  }
  std::erase_if(kept_, [&](std::uint32_t record) { return sides_[record].line < 0; });
}

// The first part becomes the whole; the others are marked by a line below 0.
void LogBuilder::join_whole(const RecordPart* first, const RecordPart* last) {
  const auto whole = first->record;
  auto& job = jobs_[whole];
  auto& side = sides_[whole];
  if (job.id < 0) job.id = first->whole;
  largest_ = std::max(largest_, job.id);
  texts_.erase(whole);
  if (first->whole != job.id) texts_.emplace(whole, fmt::format("{}", first->whole));
  if (last - first == 1) return;
  std::int64_t size = job.size;
  std::int64_t memory = job.memory_kib;
  for (const auto* part = first + 1; part != last; ++part) {
    const auto& other = jobs_[part->record];
    auto& other_side = sides_[part->record];
    size += other.size;
    memory = memory < 0 || other.memory_kib < 0 ? kUnknown : memory + other.memory_kib;
    job.walltime_given = job.walltime_given && other.walltime_given;
    job.walltime = std::max(job.walltime, other.walltime);
    job.length = std::max(job.length, other.length);
    job.submit = std::min(job.submit, other.submit);
    side.start = std::min(side.start, other_side.start);
    side.eligible = std::min(side.eligible, other_side.eligible);
    if (side.nodes >= 0) {
      side.nodes = other_side.nodes < 0 ? kUnknown : side.nodes + other_side.nodes;
    }
    for (auto& kind : kinds_) {
      if (kind.record == part->record) kind.record = whole;
    }
    other_side.line = -1;
  }
  if (size > std::numeric_limits<std::int32_t>::max()) {
    refuse_log(options_.name, place(whole), "the parts have more than 2^31 processors");
  }
  if (static_cast<double>(memory) > kMostMemory) {
    refuse_log(options_.name, place(whole), "the parts have more than 2^53 bytes");
  }
  job.size = static_cast<std::int32_t>(size);
  job.set_memory(memory);
  note("parts_joined", whole);
}

bool LogBuilder::is_job(std::uint32_t at) {
  if (has(at, kLeftOut)) return false;
  const auto& job = jobs_[at];
  const bool runs_on = has(at, kStarted) && !has(at, kEnded);
  const bool keeps_running = options_.rules.running == StillRunning::kElapsed;
  const auto why = [&]() -> std::string_view {
    if (!has(at, kStarted)) {
      return has(at, kEnded) ? "cancelled_before_start" : "still_waiting";
    }
    if (runs_on && !(keeps_running && job.length >= 0)) return "still_running";
    if (job.submit == kNoTime) return "no_submit_time";
    if (job.size <= 0) return "no_processor_count";
    if (job.length < 0) return "no_run_time";
    return {};
  }();
  if (!why.empty()) note(why, at);
  return why.empty();
}

// Brings a record that is a job into the form of the table.
void LogBuilder::settle(std::uint32_t at) {
  auto& job = jobs_[at];
  auto& side = sides_[at];
  if (options_.rules.submit_time == SubmitTime::kEligible && side.eligible != kNoTime) {
    job.submit = side.eligible;
    if (side.start != kNoTime && side.eligible > side.start) {
      note("eligible_after_start", at);
      job.submit = side.start;
    }
  }
  if (side.start != kNoTime && side.start < job.submit) {
    note("start_before_submit", at,
         fmt::format("{} s", seconds_text(job.submit - side.start)));
    side.start = job.submit;
  }
  if (has(at, kStateUnknown)) note("unknown_state", at);
  if (has(at, kFromOther)) note("size_from_other", at);
  if (!job.walltime_given) note("no_walltime", at);
  const bool cuts = options_.rules.timeouts == Timeouts::kAtLimit && has(at, kTimeout);
  if (cuts && job.walltime_given) job.length = std::min(job.length, job.walltime);
  if (!job.walltime_given) job.walltime = job.length;
  if (job.memory_kib < 0) return;
  const auto unit = std::int64_t{1024} * job.size;
  const auto each = (job.memory_kib + unit - 1) / unit;
  // Rounded up it may be more than before.
  if (static_cast<double>(each) * static_cast<double>(unit) > kMostMemory) {
    refuse_log(options_.name, place(at), "memory: more than 2^53 bytes");
  }
  job.set_memory(each);
}

void LogBuilder::keep_jobs() {
  std::erase_if(kept_, [&](std::uint32_t at) { return !is_job(at); });
  for (const auto at : kept_) settle(at);
}

void LogBuilder::number_texts() {
  Records texts;
  std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(texts),
               [&](std::uint32_t at) { return jobs_[at].id < 0; });
  budget_.charge_sort(texts.size());
  std::sort(texts.begin(), texts.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (jobs_[a].submit != jobs_[b].submit) return jobs_[a].submit < jobs_[b].submit;
    if (!has_ids_) return sides_[a].line < sides_[b].line;
    return comes_naturally_before(texts_.at(a), texts_.at(b));
  });
  auto next = largest_;
  for (const auto at : texts) {
    if (next == kLargestId) {
      refuse_log(options_.name, place(at),
                 "an id that is no number gets one behind the largest, which is 2^53");
    }
    jobs_[at].id = ++next;
  }
}

void LogBuilder::fill_names(JobLog& log) {
  for (auto& job : log.workload.jobs) {
    const auto labels = labels_of(job);
    for (std::size_t i = 0; i < labels.size(); ++i) names_.see(i, *labels[i]);
  }
  log.names = names_.legend();
  for (auto& job : log.workload.jobs) {
    const auto labels = labels_of(job);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      *labels[i] = names_.label(i, *labels[i]);
    }
  }
}

// `place_of`: the index of the job by number of the record, or kNoJob.
void LogBuilder::fill_kinds(JobLog& log, const std::vector<std::uint32_t>& place_of) {
  std::map<std::string_view, std::vector<std::int64_t>> amounts;
  for (const auto& [record, kind, amount] : kinds_) {
    const auto place = place_of[record];
    if (place == kNoJob) continue;
    auto& of_kind = amounts[kind_names_[kind]];
    of_kind.resize(log.workload.jobs.size());
    if (amount > kMostOfKind - of_kind[place]) {
      refuse_log(options_.name, {log.workload.lines[place], 1},
                 fmt::format("{}: a job has more than 2^40", kind_names_[kind]));
    }
    of_kind[place] += amount;
  }
  for (auto& [name, of_jobs] : amounts) {
    log.kinds.emplace_back(name);
    log.amounts.push_back(std::move(of_jobs));
  }
}

// Leaves the records that are jobs, in their order, and forgets the others.  What the
// sides hold is taken first, so that they are gone when the recorded fields are made.
void LogBuilder::compact(JobLog& log) {
  auto& workload = log.workload;
  std::vector<Duration> waits;
  std::vector<std::int16_t> statuses;
  log.nodes.reserve(kept_.size());
  waits.reserve(kept_.size());
  statuses.reserve(kept_.size());
  for (const auto at : kept_) {
    const auto& side = sides_[at];
    workload.lines.push_back(side.line);
    log.nodes.push_back(side.nodes);
    waits.push_back(side.start == kNoTime ? kUnknown : side.start - jobs_[at].submit);
    statuses.push_back(side.status);
  }
  sides_ = decltype(sides_)();  // gives the memory back, as {} does not
  for (std::uint32_t i = 0; i < kept_.size(); ++i) jobs_[i] = jobs_[kept_[i]];
  jobs_.resize(kept_.size());
  workload.jobs = std::move(jobs_);
  if (!options_.keep_recorded && !options_.needs_size) return;
  workload.recorded.resize(kept_.size());
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    auto& recorded = workload.recorded[i];
    recorded.wait = waits[i];
    recorded.allocated = workload.jobs[i].size;
    recorded.status = statuses[i];
  }
}

// Into the order of the table, with what the workload does not hold.
void LogBuilder::order(JobLog& log, std::size_t records) {
  auto& workload = log.workload;
  keep_places(workload, budget_);
  put_in_order(workload, budget_);
  const auto order = std::exchange(workload.of_trace, {});
  std::vector<std::int32_t> nodes;
  nodes.reserve(order.size());
  for (const auto at : order) nodes.push_back(log.nodes[at]);
  log.nodes = std::move(nodes);
  if (texts_.empty() && kinds_.empty()) return;
  std::vector<std::uint32_t> place_of(records, kNoJob);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const auto record = kept_[order[i]];
    place_of[record] = i;
    const auto text = texts_.find(record);
    if (text != texts_.end()) log.source_ids.emplace_back(i, std::move(text->second));
  }
  fill_kinds(log, place_of);
}

JobLog LogBuilder::finish() {
  const auto records = jobs_.size();
  join_runs();
  codes_ = decltype(codes_)();
  join_parts();
  keep_jobs();
  number_texts();
  budget_.charge_sort(kept_.size());
  std::sort(kept_.begin(), kept_.end());
  JobLog log;
  auto& workload = log.workload;
  workload.source = options_.name;
  workload.name = options_.name.substr(options_.name.find_last_of('/') + 1);
  workload.jobs_read = static_cast<std::int64_t>(records);
  compact(log);
  order(log, records);
  fill_names(log);
  findings_.move_to(workload);
  if (clock_ == Clock::kCalendar) move_zero(workload, options_);
  require_times_in_range(workload, options_.name);
  if (has_local_times_) {
    said_.emplace_back(
        "times without an offset are read as UTC; --time-zone names another");
  }
  workload.notes = std::move(said_);
  return log;
}

}  // namespace berth
