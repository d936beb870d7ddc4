#include "tests/support/builders.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

#include "engine/machines/network/slots_settings.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"

namespace berth::test {

namespace {

using sim::Selection;
using sim::Simulation;

void start_all(Simulation& simulation, Selection selection) {
  while (const auto job = selection.next(simulation))
    (void)simulation.actions().start(*job);
}

void conservative_pass(Simulation& simulation, Compress compress) {
  sim::Book(simulation).update(0, compress);
  start_all(simulation, Selection::due(0));
  simulation.actions().wake_at(
      simulation.parts().world.book().next(simulation.world().now()));
}

}  // namespace

Job a_job(std::int64_t id, std::int64_t submit, std::int32_t size, std::int64_t length,
          std::optional<std::int64_t> walltime) {
  Job job;
  job.id = id;
  job.submit = seconds(submit);
  job.size = size;
  job.length = seconds(length);
  job.walltime = seconds(walltime.value_or(length));
  return job;
}

sim::Machine a_machine(std::int32_t processors) {
  sim::Machine machine;
  machine.processors = processors;
  return machine;
}

TestMachine a_network_machine(std::int32_t processors) {
  SlotsSettings settings;
  settings.topology = NetworkShape::kStar;
  settings.servers = processors / 2;
  settings.slots = 2;
  settings.link_rate = 100;
  settings.rule = BandwidthRule::kGiven;
  settings.bandwidth = 10;
  auto machine = default_machine("slots", processors);
  machine.model_settings = settings;
  machine.processors = processors;
  return machine;
}

TestMachine a_two_tier_machine(std::int32_t processors, CpuGivenTable given) {
  TestMachine machine(default_machine("two_tier", processors));
  TwoTierSettings settings;
  settings.fg_loss = {0, 0};
  machine.model_settings = settings;
  machine.given = std::move(given);
  return machine;
}

ModelSpec spec_of(const TestMachine& machine, std::span<const Job> jobs) {
  using Values = std::map<std::int64_t, std::vector<double>>;
  Values use;
  Values declared;
  Values loss;
  Values efficiency;
  for (const auto& [job, given] : machine.given) {
    if (!given.use.empty()) use[job] = given.use;
    if (!given.declared.empty()) declared[job] = given.declared;
    if (given.loss) loss[job] = {*given.loss};
    if (given.efficiency) efficiency[job] = {*given.efficiency};
  }
  auto columns = std::make_shared<JobColumns>(jobs);
  columns->add("cpu_use", use);
  columns->add("cpu_declared", declared);
  columns->add("fg_loss", loss);
  columns->add("bg_eff", efficiency);
  return {machine, jobs, columns, machine.seed};
}

void fcfs(Simulation& simulation) { start_all(simulation, Selection::startable(0)); }

void easy(Simulation& simulation) {
  fcfs(simulation);
  const auto head = simulation.queue(0).head();
  if (!head) return;
  const auto plan = simulation.actions().reserve(head->job);
  if (!plan) return;
  start_all(simulation,
            Selection::backfillable(simulation, 0, std::array{plan.value()}));
}

void conservative(Simulation& simulation) {
  conservative_pass(simulation, Compress::kEarlyEnds);
}

void conservative_every_pass(Simulation& simulation) {
  conservative_pass(simulation, Compress::kEveryPass);
}

void Remembering::note(const sim::Record& record) {
  ++records;
  std::visit(
      [this](const auto& it) {
        using Kind = std::decay_t<decltype(it)>;
        if constexpr (std::is_same_v<Kind, sim::StartRecord>) {
          if (!it.resumed) starts[it.who.job->id] = it.at;
        } else if constexpr (std::is_same_v<Kind, sim::EndRecord>) {
          spans[it.who.job->id] = {to_seconds(it.who.entry->first_start),
                                   to_seconds(it.at)};
        } else if constexpr (std::is_same_v<Kind, sim::PlanRecord>) {
          plans.push_back(it);
        } else if constexpr (std::is_same_v<Kind, sim::ReservationRecord>) {
          reservations.push_back(it);
        } else if constexpr (std::is_same_v<Kind, sim::PassRecord>) {
          passes.push_back(it);
        } else if constexpr (std::is_same_v<Kind, sim::RejectRecord>) {
          rejected.push_back(it.who.job->id);
        } else if constexpr (std::is_same_v<Kind, sim::LeftRecord>) {
          left.push_back(it.who.job->id);
        } else if constexpr (std::is_same_v<Kind, sim::RateRecord>) {
          rates.emplace_back(it.who.job->id, it.rate);
        }
      },
      record);
}

Outcome run(std::vector<Job> jobs, const sim::Machine& machine, sim::Policy& policy,
            const sim::Settings& settings) {
  std::sort(jobs.begin(), jobs.end(), comes_first);
  Outcome outcome;
  Simulation simulation(machine, settings, jobs, policy, make_model(machine, jobs));
  simulation.audience().observe(outcome.watched);
  simulation.advance(kNever);
  simulation.finish();
  double waited = 0;
  double responded = 0;
  double last = 0;
  for (const auto& job : jobs) {
    const double submit = to_seconds(job.submit);
    if (const auto at = outcome.watched.starts.find(job.id);
        at != outcome.watched.starts.end()) {
      waited += to_seconds(at->second) - submit;
    }
    if (const auto at = outcome.watched.spans.find(job.id);
        at != outcome.watched.spans.end()) {
      responded += at->second.end - submit;
      last = std::max(last, at->second.end);
    }
  }
  const auto mean = [](double sum, std::size_t n) {
    return n == 0 ? 0.0 : sum / static_cast<double>(n);
  };
  outcome.mean_wait = mean(waited, outcome.watched.starts.size());
  outcome.mean_response = mean(responded, outcome.watched.spans.size());
  outcome.makespan = jobs.empty() ? 0.0 : last - to_seconds(jobs.front().submit);
  return outcome;
}

Outcome run(std::vector<Job> jobs, const sim::Machine& machine,
            ScriptedPolicy::Schedule schedule, const sim::Settings& settings) {
  ScriptedPolicy policy(std::move(schedule));
  return run(std::move(jobs), machine, policy, settings);
}

}  // namespace berth::test
