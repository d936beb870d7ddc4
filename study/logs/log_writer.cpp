#include "study/logs/log_writer.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "engine/base/csv_text.hpp"
#include "engine/base/json.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/column_map.hpp"
#include "engine/workload/formats/log_names.hpp"
#include "engine/workload/swf_writer.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kPieceOfLog = std::size_t{64} << 10U;
constexpr std::int64_t kUnitsOfRow = 16;

// The ids of the source, job by job.
class SourceIds {
 public:
  explicit SourceIds(const JobLog& log) : ids_(log.source_ids) {}

  // REQUIRES: calls by ascending index.
  std::string of(std::uint32_t index, std::int64_t number) {
    if (at_ < ids_.size() && ids_[at_].first == index) return ids_[at_++].second;
    return fmt::format("{}", number);
  }

 private:
  const std::vector<std::pair<std::uint32_t, std::string>>& ids_;
  std::size_t at_ = 0;
};

using Text = std::back_insert_iterator<std::string>;

void add_known(Text to, std::int64_t value) {
  if (value >= 0) fmt::format_to(to, "{}", value);
  fmt::format_to(to, ",");
}

void add_row(std::string& text, const JobLog& log, std::uint32_t index,
             SourceIds& ids) {
  const auto& job = log.workload.jobs[index];
  const auto& recorded = log.workload.recorded[index];
  const Text to(text);
  fmt::format_to(to, "{},{},{},{},", job.id, seconds_text(job.submit), job.size,
                 seconds_text(job.length));
  if (job.walltime_given) text += seconds_text(job.walltime);
  text += ',';
  add_known(to, job.memory_kib);
  for (const auto label :
       {job.user, job.group, job.executable, job.queue_class, job.partition}) {
    add_known(to, label_number(label));
  }
  add_known(to, recorded.status);
  if (recorded.wait >= 0) text += seconds_text(recorded.wait);
  text += ',';
  add_known(to, log.nodes.empty() ? kUnknown : log.nodes[index]);
  text += csv_text(ids.of(index, job.id));
  for (const auto& of_kind : log.amounts) fmt::format_to(to, ",{}", of_kind[index]);
  text += '\n';
}

void write_as_swf(const JobLog& log, Sink& sink, Budget& budget) {
  write_swf(
      log.workload, {}, [&](std::string_view text) { sink.write(text); }, budget);
}

std::int64_t jobs_with(const JobLog& log,
                       const std::function<bool(std::uint32_t)>& has) {
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < log.workload.jobs.size(); ++i) count += has(i) ? 1 : 0;
  return count;
}

std::vector<NotHeld> not_in_swf(const JobLog& log) {
  const auto& jobs = log.workload.jobs;
  std::vector<NotHeld> all;
  for (std::size_t kind = 0; kind < log.kinds.size(); ++kind) {
    all.push_back({fmt::format("{} of jobs", log.kinds[kind]),
                   jobs_with(log, [&](auto i) { return log.amounts[kind][i] > 0; })});
  }
  all.push_back({"nodes of jobs", jobs_with(log, [&](auto i) {
                   return !log.nodes.empty() && log.nodes[i] >= 0;
                 })});
  all.push_back({"ids that are no numbers", std::ssize(log.source_ids)});
  all.push_back({"times with parts of a second, which other readers may not take",
                 jobs_with(log, [&](auto i) {
                   return jobs[i].submit % kSecond != 0 ||
                          jobs[i].length % kSecond != 0;
                 })});
  return all;
}

enum class BatsimRelease : std::uint8_t { kFour, kFive };

// What the format has no members for, as members of extra_data.
std::string extra_members(const JobLog& log, std::uint32_t index, SourceIds& ids) {
  const auto& job = log.workload.jobs[index];
  const auto& recorded = log.workload.recorded[index];
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : ", ", Json(key).compact(), value);
  };
  const auto add_number = [&](std::string_view key, std::int64_t value) {
    if (value >= 0) add(key, fmt::format("{}", value));
  };
  add_number("memory", job.memory_kib);
  std::size_t kind = 0;
  for (const auto label :
       {job.user, job.group, job.executable, job.queue_class, job.partition}) {
    add_number(kNameKinds[kind++], label_number(label));
  }
  add_number("status", recorded.status);
  if (recorded.wait >= 0) add("wait", seconds_text(recorded.wait));
  if (!log.nodes.empty()) add_number("nodes", log.nodes[index]);
  const auto id = ids.of(index, job.id);
  if (id != fmt::format("{}", job.id)) add("source_id", Json(id).compact());
  for (std::size_t i = 0; i < log.kinds.size(); ++i) {
    if (log.amounts[i][index] == 0) continue;
    add("resource." + log.kinds[i], fmt::format("{}", log.amounts[i][index]));
  }
  return text;
}

void add_batsim_job(std::string& text, const JobLog& log, std::uint32_t index,
                    BatsimRelease release, SourceIds& ids) {
  const auto& job = log.workload.jobs[index];
  const bool is_five = release == BatsimRelease::kFive;
  const auto* quote = is_five ? "\"" : "";
  text +=
      fmt::format("{}\n  {{\"id\": {}{}{}, \"subtime\": {}, ", index == 0 ? "" : ",",
                  quote, job.id, quote, seconds_text(job.submit));
  if (job.walltime_given) {
    text += fmt::format("\"walltime\": {}, ", seconds_text(job.walltime));
  }
  text += fmt::format("\"res\": {}, \"profile\": \"d{}\"", job.size,
                      seconds_text(job.length));
  const auto extra = extra_members(log, index, ids);
  if (!extra.empty()) {
    const auto object = "{" + extra + "}";
    text += ", \"extra_data\": " + (is_five ? Json(object).compact() : object);
  }
  text += '}';
}

void write_batsim(const JobLog& log, Sink& sink, Budget& budget,
                  BatsimRelease release) {
  std::string text =
      fmt::format("{{\n \"nb_res\": {},\n \"jobs\": [", *log.workload.processors);
  SourceIds ids(log);
  std::set<Duration> lengths;
  for (std::uint32_t i = 0; i < log.workload.jobs.size(); ++i) {
    budget.charge(kUnitsOfRow);
    add_batsim_job(text, log, i, release, ids);
    lengths.insert(log.workload.jobs[i].length);
    if (text.size() < kPieceOfLog) continue;
    sink.write(text);
    text.clear();
  }
  text += "\n ],\n \"profiles\": {";
  const auto* type = release == BatsimRelease::kFive ? "DelayProfile" : "delay";
  bool is_first = true;
  for (const auto length : lengths) {
    budget.charge();
    const auto delay = seconds_text(length);
    text += fmt::format("{}\n  \"d{}\": {{\"type\": \"{}\", \"delay\": {}}}",
                        is_first ? "" : ",", delay, type, delay);
    is_first = false;
  }
  sink.write(text + "\n }\n}\n");
}

void write_batsim4(const JobLog& log, Sink& sink, Budget& budget) {
  write_batsim(log, sink, budget, BatsimRelease::kFour);
}

void write_batsim5(const JobLog& log, Sink& sink, Budget& budget) {
  write_batsim(log, sink, budget, BatsimRelease::kFive);
}

std::vector<NotHeld> not_in_batsim4(const JobLog& log) {
  return {{"the Unix time of time 0", log.workload.unix_start ? 1 : 0}};
}

std::vector<NotHeld> not_in_batsim5(const JobLog& log) {
  auto all = not_in_batsim4(log);
  all.push_back(
      {"jobs of length 0, which it refuses; --min-length lifts them",
       jobs_with(log, [&](auto i) { return log.workload.jobs[i].length == 0; })});
  return all;
}

std::vector<NotHeld> not_in_table(const JobLog& log) {
  return {{"the size of the machine", log.workload.processors ? 1 : 0},
          {"the Unix time of time 0", log.workload.unix_start ? 1 : 0}};
}

}  // namespace

const std::vector<LogTarget>& log_targets() {
  static const std::vector<LogTarget> kTargets{
      {"csv", ".csv", "the job table", not_in_table, false, write_job_table},
      {"swf", ".swf", "the Standard Workload Format", not_in_swf, false, write_as_swf},
      {"batsim5", ".json", "Batsim 5", not_in_batsim5, true, write_batsim5},
      {"batsim4", "", "Batsim 4", not_in_batsim4, true, write_batsim4},
  };
  return kTargets;
}

void write_job_table(const JobLog& log, Sink& sink, Budget& budget) {
  std::string text(kJobTableColumns);
  for (const auto& kind : log.kinds) text += "," + csv_text(column_of_kind(kind));
  text += '\n';
  SourceIds ids(log);
  for (std::uint32_t i = 0; i < log.workload.jobs.size(); ++i) {
    budget.charge(kUnitsOfRow);
    add_row(text, log, i, ids);
    if (text.size() < kPieceOfLog) continue;
    sink.write(text);
    text.clear();
  }
  sink.write(text);
}

std::string legend_text(const JobLog& log) {
  std::string text = "kind,number,name\n";
  for (std::size_t kind = 0; kind < kNameKinds.size(); ++kind) {
    for (const auto& [number, name] : log.names[kind]) {
      text += fmt::format("{},{},{}\n", kNameKinds[kind], number, csv_text(name));
    }
  }
  std::map<std::int64_t, std::string_view> ids;
  for (const auto& [index, id] : log.source_ids) {
    ids.emplace(log.workload.jobs[index].id, id);
  }
  for (const auto& [number, id] : ids) {
    text += fmt::format("job,{},{}\n", number, csv_text(id));
  }
  return text;
}

std::string repairs_text(const Workload& workload) {
  std::string text = "class,line,column,id,text\n";
  for (const auto& each : workload.repair_list) {
    text += fmt::format("{},{},{},{},{}\n", each.of_class, each.line, each.column,
                        csv_text(each.id), csv_text(each.text));
  }
  return text;
}

void anonymise(JobLog& log, Budget& budget) {
  auto& workload = log.workload;
  budget.charge_each(workload.jobs.size());
  std::array<std::map<std::int32_t, std::int32_t>, kNameKinds.size()> numbers;
  const auto first = workload.jobs.empty() ? 0 : workload.jobs.front().submit;
  std::int64_t number = 0;
  for (auto& job : workload.jobs) {
    job.id = ++number;
    job.submit -= first;
    std::size_t kind = 0;
    for (auto* label : labels_of(job)) {
      auto& known = numbers[kind++];
      if (*label == kUnknown) continue;
      const auto next = static_cast<std::int32_t>(known.size()) + 1;
      *label = known.try_emplace(*label, next).first->second;
    }
  }
  workload.unix_start.reset();
  log.source_ids.clear();
  log.names = {};
}

}  // namespace berth::study
