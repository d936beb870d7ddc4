// Bytes as two policies on two machines, run side by side in one process.
//
// Promises: after each decision every job is in one state, idle = capacity - held, time
// does not go back, and the audit holds; the only errors are those of policies; neither
// run sees the other: each ends as it does alone.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/machines/fractional/fractional_settings.hpp"
#include "tests/fuzz/checked_run.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/fuzz/policy_text.hpp"

using namespace berth;
using fuzz::Bytes;
using fuzz::CheckedRun;
using fuzz::Ending;
using fuzz::expect;
using fuzz::Setup;

namespace {

constexpr Duration kQuarter = kSecond / 4;

// Hosts of 1 GiB; each task can use 0.4 of a CPU.
void share_by_fractions(sim::Machine& machine) {
  FractionalSettings settings;
  settings.memory = 1;
  settings.cpu = 0.4;
  settings.migration_budget = 2;
  machine.sharing = "fractional";
  machine.model_settings = settings;
  machine.overrun = sim::Overrun::kRunOn;
}

sim::Machine machine_from(Bytes& bytes) {
  const int flags = bytes.byte();
  sim::Machine machine;
  machine.processors = 1 + bytes.below(8);
  machine.preemption = (flags & 1) != 0;
  machine.migration_cost = (flags & 2) != 0 ? kQuarter * bytes.below(20) : 0;
  machine.overrun = (flags & 4) != 0 ? sim::Overrun::kKill : sim::Overrun::kRunOn;
  machine.shadow_ties =
      (flags & 8) != 0 ? ShadowTies::kLiteral : ShadowTies::kInclusive;
  machine.overrun_grace = kQuarter * (1 + (flags >> 4));
  if ((flags >> 4) % 3 == 2) share_by_fractions(machine);
  return machine;
}

sim::Settings settings_from(Bytes& bytes) {
  const int flags = bytes.byte();
  sim::Settings settings;
  settings.pass = (flags & 1) != 0 ? sim::PassMode::kEvent : sim::PassMode::kInstant;
  settings.ties = (flags & 2) != 0 ? Ties::kSubmitsFirst : Ties::kEndsFirst;
  settings.seed = static_cast<std::uint64_t>(flags >> 2);
  settings.idle_passes_in_a_row = 200;
  return settings;
}

std::vector<Job> jobs_from(Bytes& bytes, std::int32_t processors) {
  std::vector<Job> jobs;
  Time submit = 0;
  for (int i = 0, count = 1 + bytes.below(14); i < count; ++i) {
    Job job;
    submit += kQuarter * std::max(0, bytes.below(16) - 6);
    job.id = 1 + i * 7 % 16;
    job.submit = submit;
    job.size = 1 + bytes.below(processors + 1);
    job.length = kQuarter * bytes.below(50);
    job.walltime = kQuarter * bytes.below(60);
    job.user = bytes.below(4) - 1;
    job.memory_kib = (job.id * 50'000) & 0xfffff;
    jobs.push_back(job);
  }
  std::sort(jobs.begin(), jobs.end(), comes_first);
  return jobs;
}

Setup setup_from(Bytes& bytes) {
  Setup setup;
  setup.machine = machine_from(bytes);
  setup.settings = settings_from(bytes);
  setup.jobs = jobs_from(bytes, setup.machine.processors);
  setup.limits.time_seconds = 0;
  setup.limits.work_units = 30'000;
  setup.limits.run_work_units = 60'000;
  setup.limits.memory_mib = 32;
  return setup;
}

void check_alone(const Ending& together, const Ending& alone, const std::string& text) {
  constexpr int kMemory = static_cast<int>(ErrorCode::kMemory);
  if (together.code == kMemory && alone.code == kMemory) return;
  expect(together == alone, "a run beside another ends as it does alone",
         fmt::format("{} {}\n{} {}\n{}", together.code, together.message, alone.code,
                     alone.message, text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const Setup setups[] = {setup_from(bytes), setup_from(bytes)};
  const std::string texts[] = {fuzz::policy_text(bytes), fuzz::policy_text(bytes)};
  CheckedRun first(setups[0], texts[0]);
  CheckedRun second(setups[1], texts[1]);
  constexpr Time kFineUntil = seconds(40);
  for (Time now = 0; now <= kFineUntil; now += kQuarter) {
    first.advance(now);
    second.advance(now);
  }
  first.advance(kNever);
  second.advance(kNever);
  check_alone(first.ending(), fuzz::run_alone(setups[0], texts[0]), texts[0]);
  check_alone(second.ending(), fuzz::run_alone(setups[1], texts[1]), texts[1]);
  return 0;
}
