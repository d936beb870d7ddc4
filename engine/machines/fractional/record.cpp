#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/fraction_law.hpp"
#include "engine/machines/fractional/fraction_measure.hpp"
#include "engine/machines/fractional/fractional.hpp"
#include "engine/machines/fractional/packing_cases.hpp"
#include "engine/machines/model_record.hpp"

namespace berth {

namespace {

OwnSettings settings() {
  return own_settings(FractionalSettings{}, fractional_setting_records());
}

// What one action moves is at most what all hosts have, and is summed in 64 bits.
void require_countable(std::int64_t hosts, std::int64_t host_kib) {
  if (Int128{hosts} * host_kib <= Int128{1} << 62U) return;
  throw Error(ErrorCode::kInput,
              "machine.fractional.memory: all hosts together have more than 2^62 KiB");
}

NeedsOfTasks needs_of_tasks(const ModelSpec& spec) {
  return {settings_of<FractionalSettings>(spec.machine), spec.seed, spec.attributes,
          [jobs = spec.jobs](JobId job) { return jobs[index(job)].memory_kib; }};
}

audit::PlaceReader hosts_of_tasks(const ModelSpec& spec) {
  // By a rate alone no share can be told where caps change it.
  const auto settings = settings_of<FractionalSettings>(spec.machine);
  const bool tells_shares = settings.cap_error == 0 && settings.cap_delay == 0;
  return [tells_shares, processors = spec.machine.processors](
             const audit::Stay& stay) -> std::optional<Placement> {
    if (stay.places.empty() || stay.tier || is_beyond(stay, processors)) {
      return std::nullopt;
    }
    const bool runs = stay.doing == audit::Doing::kRunning;
    return placement_of(
        TaskHosts(numbers_of(stay), runs && tells_shares ? stay.yield : 0.0));
  };
}

std::unique_ptr<audit::Law> fraction_law(const ModelSpec& spec) {
  return std::make_unique<audit::FractionLaw>(spec.machine, spec.jobs,
                                              needs_of_tasks(spec));
}

// Whether these settings ask for what only this machine has.  A file of needs is for
// other machines, too.
bool asks_for_fractions(const std::any& given) {
  auto own = std::any_cast<FractionalSettings>(given);
  if (own.rule == NeedsRule::kFile) {
    own.rule = NeedsRule::kTrace;
    own.needs_file.clear();
  }
  return is_changed(settings(), own);
}

std::string wrong_fractions(const sim::Machine& machine, const std::any* given,
                            bool is_mine) {
  if (!is_mine) {
    if (given == nullptr || !asks_for_fractions(*given)) return {};
    return fmt::format(
        "[machine.fractional], and workload.needs but for a file, are "
        "for machine.sharing = \"{}\", and it is \"{}\"",
        "fractional", machine.sharing);
  }
  if (machine.overrun != sim::Overrun::kKill) return {};
  return "machine.overrun = \"kill\": a job that gets a part of its CPU need takes "
         "longer than its walltime on a machine shared by fractions; use \"run_on\"";
}

// Jobs whose memory counts on this machine and is not in the trace.
std::vector<std::string> without_memory(const ModelSpec& spec) {
  if (settings_of<FractionalSettings>(spec.machine).rule != NeedsRule::kTrace) {
    return {};
  }
  std::int64_t unknown = 0;
  for (const auto& job : spec.jobs) unknown += job.memory_kib < 0 ? 1 : 0;
  if (unknown == 0) return {};
  return {
      fmt::format("{} job{} without memory in the trace need{} none "
                  "(workload.needs)",
                  unknown, unknown == 1 ? "" : "s", unknown == 1 ? "s" : "")};
}

constexpr std::array kRefusals{kNoPacking, kOverBudget};

}  // namespace

ModelRecord fractional_record() {
  return {
      .name = "fractional",
      .help =
          "hosts shared by fractions: tasks with CPU and memory needs, shares that a "
          "policy sets, jobs that move",
      .preempts = true,
      .promises_by_count = false,
      .shares_processors = true,
      .settings = settings,
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        auto needs = needs_of_tasks(spec);
        require_countable(spec.machine.processors, needs.host_memory());
        return std::make_unique<Fractional>(spec.machine.processors, std::move(needs));
      },
      .law = fraction_law,
      .schedules = {PlaceForm::kNumbers, hosts_of_tasks, fraction_law},
      .measure = [](const ModelSpec& spec,
                    const Window& window) -> std::unique_ptr<MachineMeasure> {
        const auto busy = [needs = needs_of_tasks(spec), jobs = spec.jobs](JobId job) {
          const auto tasks = jobs[index(job)].size;
          return tasks * needs.of(job, tasks).cpu;
        };
        return std::make_unique<FractionMeasure>(busy, window);
      },
      .metrics = fraction_metrics,
      .refusals = kRefusals,
      .counts_memory = true,
      .job_files =
          [](const sim::Machine&) {
            return std::vector<JobFile>{{"workload.needs", task_needs_form()}};
          },
      .wrong = wrong_fractions,
      .remarks = without_memory,
      .cases = packing_study,
  };
}

}  // namespace berth
