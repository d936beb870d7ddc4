// The cost of a weight in Lua: fragmentation gradient descent as policies/fgd.lua, and
// the same search with the same weight in C++.
//
// bench_devices SCENARIO [REPEATS] : the scenario has a machine with devices and tasks
// that stay, and names no policy; medians of that many turns, 3 unless given.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "bench/interleaved.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/devices/best_host.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/simulation.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_set.hpp"
#include "study/scenario/scenario_reader.hpp"

using namespace berth;

namespace {

// As policies/fgd.lua with when_full=reject.
class FragmentationDescent final : public sim::Policy {
 public:
  FragmentationDescent() { traits_.label = "fgd in C++"; }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return budget_; }

  void schedule(sim::Simulation& simulation) override {
    const auto& machine = *capability<Devices>(simulation.world().hosts());
    while (const auto head = simulation.queue(0).head()) {
      place(simulation, machine, head->job);
    }
  }

 private:
  void place(sim::Simulation& simulation, const Devices& machine, JobId job) {
    auto& kept =
        of_need_
            .try_emplace(machine.needs().number(job), machine.hosts().hosts().size())
            .first->second;
    const auto& need = machine.needs().of(job);
    kept.look(machine, job,
              [&](std::int32_t host) { return weight(machine, need, host); });
    const auto host = kept.best();
    if (host == BestHost::kNoHost) return simulation.actions().reject(job);
    const auto device = kept.of(host).device;
    const HostChunks at{host, 1};
    const auto best = pick_by(DeviceRule::kBest);
    const auto placement =
        machine.place(job, {&at, 1}, [&](std::int32_t on, auto left, std::int64_t ask) {
          return device == BestHost::kByRule ? best(on, left, ask) : device;
        });
    sim::StartOptions options;
    options.where = &placement;
    const auto done = simulation.actions().start(job, options);
    if (!done) throw Error(ErrorCode::kPolicy, "bench: a chosen host has no room");
  }

  static double score(const Devices& machine, const DeviceNeed& need, std::int32_t host,
                      std::optional<std::int32_t> device) {
    const auto with =
        *machine.fragmentation().with(machine.devices(), host, need, device);
    const auto less = machine.fragmentation_on(host) - with;
    const auto parts = static_cast<double>(machine.hosts().parts());
    return std::floor(1 / (1 + std::exp(-less / parts)) * 100);
  }

  static BestHost::Remembered weight(const Devices& machine, const DeviceNeed& need,
                                     std::int32_t host) {
    BestHost::Remembered made;
    if (need.share == 0) {
      made.weight = score(machine, need, host, {});
      return made;
    }
    const auto ask = machine.devices().ask(need, host);
    const auto left = machine.devices().left(host);
    for (std::int32_t device = 0; device < std::ssize(left); ++device) {
      if (left[static_cast<std::size_t>(device)] < ask) continue;
      const auto value = score(machine, need, host, device);
      if (made.device != BestHost::kByRule && value <= made.weight) continue;
      made.weight = value;
      made.device = device;
    }
    return made;
  }

  sim::PolicyTraits traits_;
  Budget budget_;
  std::map<std::size_t, BestHost> of_need_;
};

// Where each job started, by the order of starts.
class Seats final : public sim::RecordVisitor<Seats, sim::StartRecord> {
 public:
  void on(const sim::StartRecord& record) {
    const Placement& placement = *record.placement;
    const auto text = placement.form_if<DevicePlaces>()->devices_text();
    for (const char each : fmt::format("{} {}\n", record.who.job->id, text)) {
      hash_ = (hash_ ^ static_cast<unsigned char>(each)) * 0x100000001b3ULL;
    }
  }
  void finish(Time) override {}
  [[nodiscard]] bench::Hash hash() const { return hash_; }

 private:
  bench::Hash hash_ = 0xcbf29ce484222325ULL;
};

using MakePolicy = std::function<std::unique_ptr<sim::Policy>()>;

void simulate(const study::Point& point, sim::Policy& policy, sim::Observer* observer) {
  const ModelSpec spec{point.machine, point.jobs, point.attributes, point.settings.seed,
                       point.settings.departures};
  sim::Simulation simulation(point.machine, point.settings, point.jobs, policy,
                             model_of(point.machine).make(spec));
  if (observer != nullptr) simulation.audience().observe(*observer);
  (void)simulation.advance(point.jobs.back().submit);
}

bench::Runner runner(const study::Point& point, const MakePolicy& make) {
  return {[&point, make] {
            const auto policy = make();
            const auto begin = bench::cpu_seconds();
            simulate(point, *policy, nullptr);
            return bench::cpu_seconds() - begin;
          },
          [&point, make] {
            Seats seats;
            simulate(point, *make(), &seats);
            return seats.hash();
          }};
}

int compare(const std::string& path, int repeats) {
  auto scenario = study::load_scenario(path);
  scenario.policies = {study::parse_policy_choice("fgd:when_full=reject").value()};
  const auto library = study::PolicyLibrary::standard();
  Budget budget;
  const study::PreparedPoint prepared(scenario,
                                      study::prepare_workload(scenario, {}, budget));
  const auto in_lua = [&]() -> std::unique_ptr<sim::Policy> {
    auto loaded = study::load_policies(scenario, library, {});
    if (loaded.front()->failure.code != study::kDone) {
      throw Error(ErrorCode::kPolicy, loaded.front()->failure.text);
    }
    return std::move(loaded.front()->policy);
  };
  const auto in_cpp = [] { return std::make_unique<FragmentationDescent>(); };
  bench::print_heading("Lua", "C++");
  const bool same = bench::compare({"fgd, its weight in Lua / in C++", 4.0},
                                   runner(prepared.point, in_lua),
                                   runner(prepared.point, in_cpp), repeats);
  return same ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 2 ? std::atoi(arguments[2]) : 3;
  if (count < 2 || repeats < 1) {
    fmt::print(stderr, "bench_devices SCENARIO [REPEATS]: at least 1\n");
    return 2;
  }
  try {
    return compare(arguments[1], repeats);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_devices: {}\n", error.what());
    return 1;
  }
}
