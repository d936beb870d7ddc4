// The keys of [workload] that say what jobs need, and which of them count.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/base/error.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/jobs/label.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

std::vector<MixPart> mix_of(std::string_view text) {
  std::vector<MixPart> all;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    auto part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    MixPart made;
    const auto [at, code] =
        real_from_chars(part.data(), part.data() + part.size(), made.share);
    const bool has_share = code == std::errc() && made.share > 0 && made.share <= 1;
    part.remove_prefix(static_cast<std::size_t>(at - part.data()));
    if (!has_share || part.size() < 2 || part.front() != ' ') {
      throw Error(ErrorCode::kInput,
                  "each part is a trace and its share of the load, above "
                  "0 and at most 1: { trace = \"a.swf\", share = 0.5 }");
    }
    made.trace = part.substr(1);
    all.push_back(std::move(made));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string mix_text(const std::vector<MixPart>& mix) {
  std::string text;
  for (const auto& [trace, share] : mix) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", share, trace);
  }
  return text;
}

}  // namespace

std::vector<std::int32_t> numbers_of(std::string_view text) {
  std::vector<std::int32_t> all;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    std::int64_t number = 0;
    const auto* end = text.data() + comma;
    const auto [at, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || at != end || number > kLargestLabel) {
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}' is no number of the trace", text.substr(0, comma)));
    }
    all.push_back(label_code(number));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return all;
}

std::string numbers_text(std::span<const std::int32_t> labels) {
  std::string text;
  for (const auto label : labels) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", label_number(label));
  }
  return text;
}

namespace {

// How the records of a log become jobs.
void add_logs(SettingList<Scenario>& to) {
  to.text(
      "format",
      "format of the trace, such as swf or sacct; open: told by its first bytes",
      [](auto& s) -> auto& { return s.workload.log.format; });
  to.text(
      "time_zone",
      "zone of times without an offset: UTC, +01:00, Europe/Vienna; open: UTC",
      [](auto& s) -> auto& { return s.workload.log.time_zone; });
  to.text(
      "map",
      "what the fields are in the columns of a table: field=column[:unit],..., a TOML "
      "file, or a map that comes with berth, such as philly",
      [](auto& s) -> auto& { return s.workload.log.map; });
  to.whole(
      "origin", {0, 1e11},
      "Unix time that is time 0 of a log with calendar times, 0: times stay; open: "
      "the first submit",
      [](auto& s) -> auto& { return s.workload.log.rules.origin; });
  to.choice(
      "submit_time", {"submit", "eligible"},
      "when jobs of a log count as submitted: as recorded, or from when they could "
      "start, which also stands for dependencies and begin times",
      [](auto& s) -> auto& { return s.workload.log.rules.submit_time; });
  to.choice(
      "requeue", {"last", "each"},
      "a job of a log that was queued again: its last run, from its first submit, or "
      "each run as a job",
      [](auto& s) -> auto& { return s.workload.log.rules.requeue; });
  to.choice(
      "heterogeneous", {"whole", "parts"},
      "a heterogeneous job of a log: one job, or one for each part",
      [](auto& s) -> auto& { return s.workload.log.rules.heterogeneous; });
  to.choice(
      "running", {"leave_out", "elapsed"},
      "jobs that a log shows running: left out, or of the length that they reached",
      [](auto& s) -> auto& { return s.workload.log.rules.running; });
  to.choice(
      "timeouts", {"as_recorded", "at_limit"},
      "length of jobs that a log says were stopped at their walltime",
      [](auto& s) -> auto& { return s.workload.log.rules.timeouts; });
  to.choice(
      "size_unit", {"processors", "nodes"}, "what the size of a job of a log counts",
      [](auto& s) -> auto& { return s.workload.log.rules.size_unit; });
}

// How many jobs come, and whether they leave.
void add_arrivals(SettingList<Scenario>& to) {
  to.choice(
      "arrivals", {"trace", "fill"},
      "fill: jobs are drawn from those of the trace until they ask for so much of the "
      "machine as fill says; job k arrives at second k",
      [](auto& s) -> auto& { return s.workload.arrivals; });
  to.real(
      "fill", {0, 1000, true},
      "demand of all jobs over what the machine has: 1.3 is 130 %",
      [](auto& s) -> auto& { return s.workload.fill; });
  to.choice(
      "fill_order", {"trace_first", "shuffled"},
      "where further jobs come: behind those of the trace, or in one order with them",
      [](auto& s) -> auto& { return s.workload.fill_order; });
  to.flag(
      "departures",
      "whether jobs leave; false: the run ends with the last arrival, and no length is "
      "needed",
      [](auto& s) -> auto& { return s.workload.departures; });
}

// What jobs wait for.
void add_links(SettingList<Scenario>& to) {
  to.add(
      {{"workload",
        "dependencies",
        SettingKind::kJobValues,
        {},
        {"ignore", "swf"},
        "which jobs wait for others: none, those with a preceding job (fields 17 and "
        "18), or those of a CSV file: job_id, kind, parent, delay"},
       [](Scenario& s, const SettingValue& v) {
         s.workload.links.dependencies = text_of(v);
       },
       [](const Scenario& s) {
         return std::optional<SettingValue>(s.workload.links.dependencies);
       }});
  to.text(
        "arrays",
        "a CSV file of jobs that are members of arrays, of each of which at most "
        "`limit` run at once: array, job_id, limit; plain or gzip",
        [](auto& s) -> auto& { return s.workload.links.arrays; })
      .kind = SettingKind::kInputFile;
  to.choice(
      "exit", {"trace", "ok"},
      "which jobs end well for those that wait: all that finish but those that the "
      "trace says failed or were cancelled (field 11), or all that finish",
      [](auto& s) -> auto& { return s.workload.links.exit; });
  to.choice(
      "never_satisfied", {"reject", "keep"},
      "what becomes of a job whose dependencies can never be satisfied",
      [](auto& s) -> auto& { return s.workload.links.never_satisfied; });
  to.choice(
      "missing_parent", {"ended", "error"},
      "what a job is that others wait for, and that is not there",
      [](auto& s) -> auto& { return s.workload.links.missing_parent; });
  to.choice(
      "feedback", {"none", "sessions"},
      "sessions: a user submits the next job after what the recorded ones waited for, "
      "so that the load follows the schedule",
      [](auto& s) -> auto& { return s.workload.links.feedback; });
  to.time(
      "session_gap", {0, 1e9},
      "longest time between jobs of one session of a user, in seconds",
      [](auto& s) -> auto& { return s.workload.links.session_gap; });
}

}  // namespace

std::vector<Setting> need_settings() {
  SettingList<Scenario> to;
  to.section("workload");
  to.add({{"workload",
           "mix",
           SettingKind::kNames,
           {},
           {},
           "several traces merged, such as [{ trace = \"a.swf\", share = 0.5 }, ...]: "
           "each begins at 0 and is stretched to its share of workload.load"},
          [](Scenario& s, const SettingValue& v) {
            s.workload.mix = mix_of(text_of(v));
            s.workload.trace =
                s.workload.mix.empty() ? std::string() : s.workload.mix.front().trace;
            s.workload.model.clear();
          },
          [](const Scenario& s) -> std::optional<SettingValue> {
            if (s.workload.mix.empty()) return std::nullopt;
            return SettingValue(mix_text(s.workload.mix));
          }});
  to.choice(
      "size", {"requested", "allocated"},
      "processors of a job: those requested (field 8, else 5) or given (5, else 8); "
      "open: requested in SWF, allocated in logs of Slurm and PBS",
      [](auto& s) -> auto& { return s.workload.fields.size; });
  to.choice(
      "memory", {"requested", "used", "none"},
      "memory of each processor of a job: as requested (field 10) or used (7)",
      [](auto& s) -> auto& { return s.workload.fields.memory; });
  to.choice(
      "missing_memory", {"none", "other", "leave_out"},
      "a job without memory: needs none, what the other field says, or is left out",
      [](auto& s) -> auto& { return s.workload.fields.missing_memory; });
  to.add({{"workload",
           "partitions",
           SettingKind::kNames,
           {},
           {},
           "only jobs of these partitions, such as [1, 3]; open: all"},
          [](Scenario& s, const SettingValue& v) {
            s.workload.fields.partitions = numbers_of(text_of(v));
          },
          [](const Scenario& s) -> std::optional<SettingValue> {
            const auto& all = s.workload.fields.partitions;
            if (all.empty()) return std::nullopt;
            return SettingValue(numbers_text(all));
          }});
  add_logs(to);
  add_arrivals(to);
  add_links(to);
  return to.take();
}

}  // namespace berth::study
