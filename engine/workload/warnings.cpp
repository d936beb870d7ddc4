#include "engine/workload/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/base/printable.hpp"

namespace berth {

namespace {

// {0}: count, {1}: jobs read, {2}: line of the first, {3}: Finding::first_text.
struct Wording {
  std::string_view name;
  std::string_view one;
  std::string_view many;
};

constexpr std::array<Wording, 13> kWordings{{
    {"partial_execution",
     "1 line left out: by its status a part of a job that was swapped out{2}",
     "{0} lines left out: by their status parts of jobs that were swapped out{2}"},
    {"no_submit_time", "1 job left out: no submit time{2}",
     "{0} jobs left out: no submit time{2}"},
    {"no_processor_count", "1 job left out: no processor count{2}",
     "{0} jobs left out: no processor count{2}"},
    {"no_run_time", "1 job left out: no run time{2}",
     "{0} jobs left out: no run time{2}"},
    {"unsorted",
     "1 of {1} jobs is earlier than the line before{2}; jobs were put in order of "
     "submit time",
     "{0} of {1} jobs are earlier than the line before{2}; jobs were put in order of "
     "submit time"},
    {"size_from_allocated",
     "1 job has the size that was allocated, none was requested{2}",
     "{0} jobs have the size that was allocated, none was requested{2}"},
    {"no_walltime", "estimates are exact for 1 job: it has no requested time{2}",
     "estimates are exact for {0} jobs: they have no requested time{2}"},
    {"preceding_job", "1 job names a preceding job or a think time: ignored{2}",
     "{0} jobs name a preceding job or a think time: ignored{2}"},
    {"think_time_alone", "1 job has a think time and no preceding job: ignored{2}",
     "{0} jobs have a think time and no preceding job: ignored{2}"},
    {"missing_parent",
     "1 dependency names a job that is not there and counts as ended: {3}",
     "{0} dependencies name a job that is not there and count as ended, the first: "
     "{3}"},
    {"no_recorded_wait", "1 wait that the trace does not know counts as 0",
     "{0} waits that the trace does not know count as 0"},
    {"no_machine_size",
     "no MaxProcs/MaxNodes header: the machine size must come from the scenario",
     "no MaxProcs/MaxNodes header: the machine size must come from the scenario"},
    {"length_cut", "1 run time was cut to the largest estimate, {3}",
     "{0} run times were cut to the largest estimate, {3}"},
}};

std::string in_words(const std::string& name, const Finding& finding, std::int64_t of) {
  const std::string where = finding.first_line > 0
                                ? fmt::format(" (first at line {})", finding.first_line)
                                : "";
  const auto* wording =
      std::find_if(kWordings.begin(), kWordings.end(),
                   [&](const Wording& candidate) { return candidate.name == name; });
  if (wording == kWordings.end()) {
    return fmt::format("{}: {}{}", name, finding.count, where);
  }
  return fmt::format(fmt::runtime(finding.count == 1 ? wording->one : wording->many),
                     finding.count, of, where, finding.first_text);
}

std::string too_wide_text(const Workload& workload, const Job& job,
                          const Finding& finding, std::int32_t processors) {
  const std::string line =
      finding.first_line > 0 ? fmt::format(":{}", finding.first_line) : "";
  return fmt::format(
      "{}{}: job {} needs {} processors, the machine has {} ({} job{} will be "
      "rejected)",
      printable_name(workload.source), line, job.id, job.size, processors,
      finding.count, finding.count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> warnings(const Workload& workload) {
  std::vector<std::string> lines = workload.notes;
  // Bounded: two lists, each of a few classes.
  for (const auto* list : {&workload.left_out, &workload.repairs}) {
    // Bounded: the classes of findings.
    for (const auto& [name, finding] : *list) {
      lines.push_back(in_words(name, finding, workload.jobs_read));
    }
  }
  return lines;
}

std::optional<Finding> too_wide(const Workload& workload, std::int32_t processors,
                                Budget& budget) {
  budget.charge_each(workload.jobs.size());
  Finding finding;
  const Job* first = nullptr;
  std::size_t place = 0;
  for (const auto& job : workload.jobs) {
    const auto own = place++;
    if (job.size <= processors) continue;
    ++finding.count;
    if (!first) first = &job;
    if (!workload.lines.empty()) finding.lines.push_back(workload.lines[own]);
  }
  if (!first) return std::nullopt;
  if (!finding.lines.empty()) finding.first_line = finding.lines.front();
  finding.first_text = too_wide_text(workload, *first, finding, processors);
  return finding;
}

}  // namespace berth
