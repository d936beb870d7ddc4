#include "engine/workload/formats/log_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/log_classes.hpp"
#include "engine/workload/formats/log_limits.hpp"
#include "engine/workload/formats/log_names.hpp"

namespace berth {

namespace {

constexpr Time kNoTime = std::numeric_limits<Time>::min();
constexpr auto kNoJob = std::numeric_limits<std::uint32_t>::max();

enum RecordFlag : std::uint8_t {
  kStarted = 1,
  kEnded = 2,
  kQueuedAgain = 4,
  kTimeout = 8,
  kFromOther = 16,
  kStateUnknown = 32,
};

}  // namespace

class LogBuilder::Joining {
 public:
  Joining(const LogOptions& options, Clock clock, Budget& budget)
      : options_(options), clock_(clock), budget_(budget), findings_(options) {}

  void add(const LogRecord& record);
  JobLog finish();

  LogFindings& findings() { return findings_; }
  std::vector<std::string>& said() { return said_; }
  void refuse_repeated_ids() { has_runs_ = false; }
  void keep_free(std::int64_t number) { largest_ = std::max(largest_, number); }

 private:
  // What a Job does not hold of a record.  While records are read, the job's length is
  // kUnknown where nothing was measured, and its memory is in bytes of the whole job.
  struct RecordSide {
    Time start = kNoTime;
    Time eligible = kNoTime;
    std::int64_t line = 0;
    std::int32_t nodes = kUnknown;
    std::uint16_t column = 1;
    std::int16_t status = kUnknown;
    std::uint8_t flags = 0;
  };

  struct RecordKind {
    std::uint32_t record;
    std::uint32_t kind;
    std::int64_t amount;
  };

  struct RecordPart {
    std::uint32_t record;
    std::int64_t whole;
    std::int64_t part;
  };

  using Records = std::vector<std::uint32_t>;

  void add_kinds(const LogRecord& record);
  void add_text(const LogRecord& record);
  void join_runs();
  void join_group(const std::uint32_t* first, const std::uint32_t* last);
  Records without_repeated(const std::uint32_t* first, const std::uint32_t* last);
  bool repeats(std::uint32_t a, std::uint32_t b) const;
  void keep_each(const Records& runs);
  void keep_last(const Records& runs);
  void join_parts();
  void join_whole(const RecordPart* first, const RecordPart* last);
  void keep_jobs();
  bool is_job(std::uint32_t at);
  void settle(std::uint32_t at);
  void number_texts();
  void compact(JobLog& log);
  void order(JobLog& log, std::size_t records);
  void fill_names(JobLog& log);
  void fill_kinds(JobLog& log, const std::vector<std::uint32_t>& place_of);

  bool has(std::uint32_t at, RecordFlag flag) const {
    return (sides_[at].flags & flag) != 0;
  }
  LogPlace place(std::uint32_t at) const {
    return {sides_[at].line, sides_[at].column};
  }
  std::string id_of(std::uint32_t at) const {
    const auto found = texts_.find(at);
    return found != texts_.end() ? found->second : fmt::format("{}", jobs_[at].id);
  }
  void note(std::string_view of_class, std::uint32_t at, std::string_view text = {}) {
    findings_.note(of_class, place(at), id_of(at), text);
  }

  const LogOptions& options_;
  Clock clock_;
  Budget& budget_;
  LogFindings findings_;
  std::vector<std::string> said_;
  std::vector<Job> jobs_;
  std::vector<RecordSide> sides_;
  std::vector<RecordKind> kinds_;
  std::vector<RecordPart> parts_;
  std::unordered_map<std::uint32_t, std::string> texts_;  // ids that are no numbers
  std::unordered_map<std::string, std::int64_t> codes_;   // of the texts, below -1
  LogNames names_;
  std::vector<std::string> kind_names_;
  Records kept_;
  std::int64_t largest_ = 0;
  bool has_ids_ = false;
  bool has_runs_ = true;
};

void LogBuilder::Joining::add(const LogRecord& record) {
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
  job.size = static_cast<std::int32_t>(record.size);
  job.set_memory(record.memory > 0 ? std::llround(record.memory) : kUnknown);
  job.id = record.number.value_or(kUnknown);
  const auto labels = labels_of(job);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    *labels[i] = names_.code(i, record.names[i]);
  }
  const auto at = static_cast<std::uint32_t>(jobs_.size());
  const auto flag = [](bool is_set, RecordFlag which) {
    return is_set ? static_cast<std::uint8_t>(which) : std::uint8_t{0};
  };
  sides_.push_back(
      {record.start.value_or(kNoTime), record.eligible.value_or(kNoTime),
       record.place.line, record.nodes,
       static_cast<std::uint16_t>(std::min<std::size_t>(record.place.column, 65'535)),
       static_cast<std::int16_t>(record.status),
       static_cast<std::uint8_t>(
           flag(record.started, kStarted) | flag(record.ended, kEnded) |
           flag(record.queued_again, kQueuedAgain) | flag(record.is_timeout, kTimeout) |
           flag(record.size_from_other, kFromOther) |
           flag(record.unknown_state, kStateUnknown))});
  jobs_.push_back(job);
  add_kinds(record);
  if (record.whole) parts_.push_back({at, *record.whole, record.part});
  add_text(record);
}

void LogBuilder::Joining::add_kinds(const LogRecord& record) {
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

void LogBuilder::Joining::add_text(const LogRecord& record) {
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
void LogBuilder::Joining::join_runs() {
  Records order(jobs_.size());
  std::iota(order.begin(), order.end(), 0U);
  budget_.charge_sort(order.size());
  const auto key = [&](std::uint32_t at) {
    return std::tie(jobs_[at].id, jobs_[at].submit, sides_[at].start, sides_[at].line);
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

void LogBuilder::Joining::join_group(const std::uint32_t* first,
                                     const std::uint32_t* last) {
  if (last - first == 1 && !has(*first, kQueuedAgain)) {
    kept_.push_back(*first);
    return;
  }
  if (!has_runs_) {
    refuse_log(options_.name, place(last[-1]),
               fmt::format("the id {} is already used at line {}",
                           printable(id_of(*first)), sides_[last[-2]].line));
  }
  const auto runs = without_repeated(first, last);
  options_.rules.requeue == Requeue::kEach ? keep_each(runs) : keep_last(runs);
}

bool LogBuilder::Joining::repeats(std::uint32_t a, std::uint32_t b) const {
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
                      side.eligible, side.nodes, side.status, side.flags);
  };
  return key(a) == key(b) && std::equal(left, left_end, right, right_end, is_same);
}

LogBuilder::Joining::Records LogBuilder::Joining::without_repeated(
    const std::uint32_t* first, const std::uint32_t* last) {
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
      const auto before = std::min(sides_[runs.back()].line, sides_[*at].line);
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

void LogBuilder::Joining::keep_each(const Records& runs) {
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

void LogBuilder::Joining::keep_last(const Records& runs) {
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

void LogBuilder::Joining::join_parts() {
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
void LogBuilder::Joining::join_whole(const RecordPart* first, const RecordPart* last) {
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

bool LogBuilder::Joining::is_job(std::uint32_t at) {
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
void LogBuilder::Joining::settle(std::uint32_t at) {
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

void LogBuilder::Joining::keep_jobs() {
  std::erase_if(kept_, [&](std::uint32_t at) { return !is_job(at); });
  for (const auto at : kept_) settle(at);
}

void LogBuilder::Joining::number_texts() {
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

void LogBuilder::Joining::fill_names(JobLog& log) {
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
void LogBuilder::Joining::fill_kinds(JobLog& log,
                                     const std::vector<std::uint32_t>& place_of) {
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

// Leaves the records that are jobs, in their order, and forgets the others.
void LogBuilder::Joining::compact(JobLog& log) {
  auto& workload = log.workload;
  log.nodes.reserve(kept_.size());
  const bool keeps_recorded = options_.keep_recorded || options_.needs_size;
  if (keeps_recorded) workload.recorded.reserve(kept_.size());
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    const auto& side = sides_[kept_[i]];
    auto& job = jobs_[i] = jobs_[kept_[i]];
    workload.lines.push_back(side.line);
    log.nodes.push_back(side.nodes);
    if (!keeps_recorded) continue;
    Recorded recorded;
    if (side.start != kNoTime) recorded.wait = side.start - job.submit;
    recorded.allocated = job.size;
    recorded.status = side.status;
    workload.recorded.push_back(recorded);
  }
  jobs_.resize(kept_.size());
  workload.jobs = std::move(jobs_);
  sides_ = {};
}

// Into the order of the table, with what the workload does not hold.
void LogBuilder::Joining::order(JobLog& log, std::size_t records) {
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

JobLog LogBuilder::Joining::finish() {
  const auto records = jobs_.size();
  join_runs();
  codes_ = {};
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
  workload.notes = std::move(said_);
  return log;
}

LogBuilder::LogBuilder(const LogOptions& options, Clock clock, Budget& budget)
    : joining_(std::make_unique<Joining>(options, clock, budget)) {}
LogBuilder::~LogBuilder() = default;
void LogBuilder::add(const LogRecord& record) { joining_->add(record); }
void LogBuilder::note(std::string_view of_class, const LogPlace& at,
                      std::string_view id, std::string_view text, std::int64_t count) {
  joining_->findings().note(of_class, at, id, text, count);
}
void LogBuilder::say(std::string line) { joining_->said().push_back(std::move(line)); }
void LogBuilder::refuse_repeated_ids() { joining_->refuse_repeated_ids(); }
void LogBuilder::keep_free(std::int64_t number) { joining_->keep_free(number); }
JobLog LogBuilder::finish() { return joining_->finish(); }

}  // namespace berth
