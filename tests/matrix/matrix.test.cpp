// Every built-in policy, and some that act at random, on every machine, under every
// rule for overruns, passes and ties, on three tiny workloads: a run under the full
// audit breaks no rule or is refused in words, and its result files pass the laws of
// the machine, as `berth verify` has them.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/jobs_csv.hpp"
#include "engine/output/stretches_csv.hpp"
#include "study/common/for_each_index.hpp"
#include "study/inputs/schedule_judge.hpp"
#include "study/results/result_files.hpp"
#include "study/runs/policy_run.hpp"
#include "study/runs/single_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct MachineCase {
  const char* name;
  const char* machine;
  const char* workload = "";  // keys of it besides the trace
};

// Each has eight processors, slots or hosts.
constexpr std::array kMachines{
    MachineCase{"pool", "[machine]\nprocessors = 8\n"},
    MachineCase{"preempting pool",
                "[machine]\nprocessors = 8\npreemption = true\nmigration_cost = 2\n"},
    MachineCase{"pool with memory",
                "[machine]\nprocessors = 8\nmemory = 8\n[machine.resources]\n"
                "licence = 2\n",
                "needs = \"pool.csv\"\n"},
    MachineCase{"hosts",
                "[machine]\npreemption = true\n[machine.hosts.thin]\ncount = 2\n"
                "processors = 3\nmemory = 4\n[machine.hosts.gpu]\ncount = 1\n"
                "processors = 2\nmemory = 8\nresources = { gpu = 1 }\n",
                "needs = \"hosts.csv\"\n"},
    MachineCase{"two tiers", "[machine]\nprocessors = 8\nsharing = \"two_tier\"\n"},
    MachineCase{"two tiers, always slowed",
                "[machine]\nprocessors = 8\nsharing = \"two_tier\"\n"
                "migration_cost = 3\n[machine.two_tier]\nfg_loss_when = \"always\"\n"},
    MachineCase{"star",
                "[machine]\nsharing = \"slots\"\nmigration_cost = 2\n"
                "[machine.network]\ntopology = \"star\"\nservers = 4\nslots = 2\n"
                "link_rate = 100\n"},
    MachineCase{"fractions",
                "[machine]\nprocessors = 8\nsharing = \"fractional\"\n"
                "[machine.fractional]\nmemory = 1\n"},
    MachineCase{"small tasks",
                "[machine]\nprocessors = 8\nsharing = \"fractional\"\n"
                "migration_cost = 1\n[machine.fractional]\nmemory = 1\n",
                "needs = 0.4\n"},
    MachineCase{"fractions with caps",
                "[machine]\nprocessors = 8\nsharing = \"fractional\"\n"
                "migration_cost = 1\n[machine.fractional]\nmemory = 1\n"
                "cap_overhead = 0.1\ncap_error = 0.05\ncap_delay = 2\n",
                "needs = \"dfrs\"\n"},
    MachineCase{"devices",
                "[machine]\nsharing = \"devices\"\npreemption = true\n"
                "migration_cost = 1\n[machine.hosts.t4]\ncount = 3\ncpu = 4\n"
                "memory = 2\ndevices = { type = \"T4\", count = 2 }\n"
                "[machine.hosts.a100]\ncount = 1\ncpu = 6\nmemory = 4\n"
                "devices = { type = \"A100\", count = 1, slices = [250, 500, 1000] }\n",
                "needs = \"devices.csv\"\n"},
    MachineCase{"devices of two speeds",
                "[machine]\nsharing = \"devices\"\npreemption = true\n"
                "speeds = \"speeds.csv\"\n[machine.hosts.t4]\ncount = 3\ncpu = 4\n"
                "devices = { type = \"T4\", count = 2 }\n"
                "[machine.hosts.a100]\ncount = 1\ncpu = 6\n"
                "devices = { type = \"A100\", count = 2 }\n",
                "needs = \"devices.csv\"\n"},
    MachineCase{"devices of two speeds, by the clock",
                "[machine]\nsharing = \"devices\"\npreemption = true\n"
                "speeds = \"speeds.csv\"\nwalltime_is = \"wall_clock\"\n"
                "device_rule = \"worst\"\n[machine.hosts.t4]\ncount = 3\ncpu = 4\n"
                "devices = { type = \"T4\", count = 2 }\n"
                "[machine.hosts.a100]\ncount = 1\ncpu = 6\n"
                "devices = { type = \"A100\", count = 2 }\n",
                "needs = \"devices.csv\"\n"},
};
constexpr auto kPoolNeeds = "job_id,licence\n1,1\n3,2\n8,1\n";
constexpr auto kHostNeeds =
    "job_id,chunks,processors,memory,gpu\n2,2,3,1,\n7,1,1,2,1\n";
constexpr auto kDeviceNeeds =
    "job_id,chunks,cpu,gpus,share,types,class\n1,2,1,1,600,,a\n2,1,2,2,,,b\n"
    "3,1,1,1,300,A100,a\n4,3,1,1,,,b\n6,1,3,1,400,,a\n7,,1,1,,T4,b\n"
    "9,1,0.5,1,200,,b\n";
constexpr auto kDeviceSpeeds = "class,type,rate\na,T4,0.3\na,A100,2.5\nb,T4,0.75\n";

// Fields of SWF: submit, length, size, walltime, memory of a processor in KiB, user.
// Job 3 is longer than its walltime, job 5 is wider than any machine, job 6 is long.
struct TraceJob {
  std::int64_t submit;
  std::int64_t length;
  std::int64_t size;
  std::int64_t walltime;
  std::int64_t memory;
  std::int64_t user;
};
constexpr std::array<TraceJob, 9> kJobs{{{0, 10, 3, 10, 100'000, 1},
                                         {0, 7, 6, 20, 200'000, 2},
                                         {1, 30, 2, 12, 50'000, 1},
                                         {2, 5, 8, 5, 10'000, 3},
                                         {2, 9, 9, 9, 0, 1},
                                         {3, 40, 4, 60, 300'000, 2},
                                         {7, 4, 1, 4, 900'000, 3},
                                         {7, 12, 2, 6, 0, 2},
                                         {90, 3, 5, 3, 0, 1}}};

enum class Kind : std::uint8_t { kLate, kAtOneInstant, kZeroLengths };
constexpr std::array kKinds{Kind::kLate, Kind::kAtOneInstant, Kind::kZeroLengths};
constexpr std::array kKindNames{"late", "at one instant", "zero lengths"};

std::string trace_of(Kind kind) {
  std::string text;
  std::int64_t id = 0;
  for (auto job : kJobs) {
    ++id;
    if (kind == Kind::kLate) job.submit += 80'000'000'000;
    if (kind == Kind::kAtOneInstant) job.submit = 5;
    // Every second one has no length, and every fourth no walltime either.
    if (kind == Kind::kZeroLengths && id % 2 == 0) {
      job.length = 0;
      if (id % 4 == 0) job.walltime = 0;
    }
    text += fmt::format("{} {} -1 {} {} -1 -1 {} {} {} 1 {} 1 -1 1 -1 -1 -1\n", id,
                        job.submit, job.length, job.size, job.size, job.walltime,
                        job.memory, job.user);
  }
  return text;
}

// A machine with a workload, from a scenario file.
struct Ground {
  std::size_t machine;
  std::size_t kind;
  study::PreparedPoint prepared;
};

std::vector<std::unique_ptr<Ground>> all_grounds(const ScratchFolder& folder) {
  std::vector<std::unique_ptr<Ground>> all;
  static_cast<void>(folder.file("pool.csv", kPoolNeeds));
  static_cast<void>(folder.file("hosts.csv", kHostNeeds));
  static_cast<void>(folder.file("devices.csv", kDeviceNeeds));
  static_cast<void>(folder.file("speeds.csv", kDeviceSpeeds));
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const auto trace = folder.file(fmt::format("{}.swf", kind), trace_of(kKinds[kind]));
    for (std::size_t machine = 0; machine < kMachines.size(); ++machine) {
      const auto file = folder.file(
          fmt::format("{}-{}.toml", machine, kind),
          fmt::format("{}[workload]\ntrace = \"{}\"\n{}", kMachines[machine].machine,
                      trace, kMachines[machine].workload));
      auto scenario = study::load_scenario(file);
      auto workload = study::prepare_workload(scenario, {}, unlimited());
      all.push_back(std::make_unique<Ground>(
          Ground{machine, kind, study::PreparedPoint(scenario, std::move(workload))}));
    }
  }
  return all;
}

// Whatever the machine allows, at random: what no built-in policy does there, as to
// suspend jobs on two tiers.  A job is suspended at most three times.
constexpr auto kAtRandom = R"(
local left = {}
local function promote(cluster)
  local calls = { cluster.tiers.swap, cluster.tiers.restart, cluster.tiers.migrate }
  local below = {}
  for job in cluster.tiers:candidates():all() do below[#below + 1] = job end
  for _, job in ipairs(below) do
    if job.tier == "background" then
      local call = calls[cluster:random(6)]
      if call then pcall(call, cluster.tiers, job) end
    end
  end
end
return { schedule = function(queue, cluster)
  while skip > 0 do skip = skip - cluster:random(1, 1) end
  local running = {}
  for job in cluster:running() do running[#running + 1] = job end
  for _, job in ipairs(running) do
    local dice = cluster:random(6)
    left[job.id] = left[job.id] or 3
    if dice == 1 and left[job.id] > 0 then
      left[job.id] = left[job.id] - 1
      pcall(cluster.suspend, cluster, job)
    elseif dice == 2 and cluster:has("packing") then
      pcall(cluster.share, cluster, job, cluster:random(4) / 4)
    end
  end
  if cluster:has("tiers") then promote(cluster) end
  local waiting = {}
  for job in queue:all() do waiting[#waiting + 1] = job end
  for _, job in ipairs(waiting) do
    local dice = cluster:random(4)
    if dice == 1 and cluster:has("tiers") then
      pcall(cluster.tiers.start_background, cluster.tiers, job)
    elseif dice > 1 then
      pcall(cluster.start, cluster, job)
    end
  end
  cluster:wake_at(cluster:now() + 1)
end })";
constexpr int kSeeds = 6;

// NAME.lua, or one that acts at random.
std::unique_ptr<bindings::LuaPolicy> policy_named(const std::string& name) {
  if (!name.starts_with("random ")) return lua_policy(name);
  return policy_of("local skip = " + name.substr(name.find(' ')) + kAtRandom);
}

struct Cell {
  const Ground* ground;
  std::string policy;
  sim::Overrun overrun;
  sim::PassMode pass;
  Ties ties;
};

std::string text_of(const Cell& cell) {
  return fmt::format("{} on {}, {}, {}, pass = {}, ties = {}", cell.policy,
                     kMachines[cell.ground->machine].name,
                     kKindNames[cell.ground->kind],
                     cell.overrun == sim::Overrun::kKill ? "kill" : "run_on",
                     cell.pass == sim::PassMode::kEvent ? "event" : "instant",
                     cell.ties == Ties::kEndsFirst ? "ends_first" : "submits_first");
}

std::vector<Cell> all_cells(const std::vector<std::unique_ptr<Ground>>& grounds) {
  std::vector<Cell> cells;
  auto policies = policy_names();
  for (int seed = 0; seed < kSeeds; ++seed) {
    policies.push_back(fmt::format("random {}", seed));
  }
  constexpr unsigned kRules = 8;  // a bit each: overruns, passes, ties
  for (const auto& ground : grounds) {
    for (std::size_t i = 0; i < policies.size() * kRules; ++i) {
      const auto rule = i % kRules;
      cells.push_back(
          {ground.get(), policies[i / kRules],
           (rule & 1U) != 0 ? sim::Overrun::kKill : sim::Overrun::kRunOn,
           (rule & 2U) != 0 ? sim::PassMode::kEvent : sim::PassMode::kInstant,
           (rule & 4U) != 0 ? Ties::kSubmitsFirst : Ties::kEndsFirst});
    }
  }
  return cells;
}

struct Outcome {
  std::string refusal;   // of the run
  std::string unjudged;  // why the laws were not asked
  std::string wrong;
};

// The result files of a run, as text.
struct Files {
  StringSink jobs;
  StringSink stretches;
  bool has_stretches = false;
};

void run(const study::Point& point, sim::Policy& policy, Files& files) {
  const auto measure = study::measure_of(point);
  JobsCsv jobs(files.jobs, "w", {}, measure.get());
  std::vector<std::string_view> columns;
  for (const auto& column : model_of(point.machine).place_columns) {
    columns.push_back(column.name);
  }
  StretchesCsv stretches(files.stretches, columns);
  std::vector<sim::Observer*> watchers{&jobs};
  files.has_stretches = study::has_stretches(point.machine);
  if (files.has_stretches) watchers.push_back(&stretches);
  const auto result = study::run_policy(point, policy, study::Audit::kFull,
                                        {watchers, measure.get()}, {});
  if (result.audit_failure) throw *result.audit_failure;
}

void verify(const study::Point& point, const Files& files, Outcome& outcome) {
  const auto read = [&](const std::string& text, const char* name) {
    MemorySource source(text);
    return study::read_schedule(source, name, point.jobs, unlimited(),
                                study::form_of(point.machine));
  };
  study::GivenSchedule given;
  given.jobs = read(files.jobs.text(), "jobs.csv");
  if (files.has_stretches) {
    given.stretches = read(files.stretches.text(), "stretches.csv");
  }
  study::JudgeRules rules;
  rules.names_machine = true;
  const auto found = study::judge_schedule(point, given, rules);
  if (!found.violations.empty()) {
    outcome.wrong = "verify: " + found.violations.front().text();
  } else if (found.checked.empty()) {
    outcome.wrong = "verify: no rule was checked";
  }
}

Outcome play(const Cell& cell) {
  Outcome outcome;
  auto point = cell.ground->prepared.point;
  point.machine.overrun = cell.overrun;
  point.settings.pass = point.run.pass = cell.pass;
  point.settings.ties = point.run.ties = cell.ties;
  study::LoadedPolicy policy;
  policy.label = cell.policy;
  policy.policy = policy_named(cell.policy);
  point = study::point_for(point, policy);
  Files files;
  try {
    run(point, *policy.policy, files);
  } catch (const audit::AuditFailure& failure) {
    outcome.wrong = failure.what();
    return outcome;
  } catch (const Error& error) {
    outcome.refusal = error.what();
    return outcome;
  }
  try {
    verify(point, files, outcome);
  } catch (const Error& error) {
    outcome.unjudged = error.what();
  }
  return outcome;
}

// A policy that needs more than the machine has is told what that is.
bool names_machine(const std::string& refusal) {
  return refusal.find("this machine") != std::string::npos;
}

// The first line without the place in the script.
std::string why(const std::string& refusal) {
  const auto line = refusal.substr(0, refusal.find('\n'));
  const auto place = line.find(".lua:");
  if (place == std::string::npos) return line;
  const auto end = line.find(": ", place);
  return end == std::string::npos ? line : line.substr(end + 2);
}

// Instrumented builds try one cell of so many.
constexpr std::size_t step() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 17;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return 17;
#else
  return 1;
#endif
#else
  return 1;
#endif
}

}  // namespace

TEST_SUITE("matrix/matrix") {
  TEST_CASE("every policy on every machine obeys the audit, and its files the laws") {
    const auto began = std::chrono::steady_clock::now();
    const ScratchFolder folder;
    const auto grounds = all_grounds(folder);
    const auto cells = all_cells(grounds);
    std::vector<Outcome> outcomes(cells.size());
    const auto played = (cells.size() + step() - 1) / step();
    study::for_each_index(
        played, std::max(1U, std::thread::hardware_concurrency()),
        [&](std::size_t i) { outcomes[i * step()] = play(cells[i * step()]); });
    std::size_t refused = 0;
    std::size_t unjudged = 0;
    std::map<std::string, std::map<std::string, std::set<std::string>>> refusals;
    for (std::size_t i = 0; i < cells.size(); i += step()) {
      const auto& outcome = outcomes[i];
      CAPTURE(text_of(cells[i]));
      CHECK_MESSAGE(outcome.wrong.empty(), outcome.wrong);
      if (!outcome.refusal.empty()) {
        ++refused;
        CHECK_FALSE(cells[i].policy.starts_with("random "));
        CHECK_MESSAGE(names_machine(outcome.refusal), outcome.refusal);
        refusals[why(outcome.refusal)][kMachines[cells[i].ground->machine].name].insert(
            cells[i].policy);
      }
      if (!outcome.unjudged.empty()) {
        ++unjudged;
        const auto name = fmt::format("sharing = \"{}\"",
                                      cells[i].ground->prepared.point.machine.sharing);
        CHECK_MESSAGE(outcome.unjudged.find(name) != std::string::npos,
                      outcome.unjudged);
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print(
        "matrix: {} of {} cells, {} refused, {} judged, {} not judged, {:.1f} s\n",
        played, cells.size(), refused, played - refused - unjudged, unjudged,
        took.count());
    CHECK(refused + unjudged < played);
    for (const auto& [text, machines] : refusals) {
      fmt::print("  {}\n", text);
      for (const auto& [machine, policies] : machines) {
        fmt::print("    {}: {}\n", machine, fmt::join(policies, " "));
      }
    }
  }
}
