#include "bench/schedules.hpp"

#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "bench/list_easy.hpp"
#include "bench/refit_conservative.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/backfill.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"

namespace berth::bench {

namespace {

// FNV-1a over whole seconds.
class StartHash {
 public:
  void add(std::int64_t start) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(start)) * 0x100000001b3ULL;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

// The first start of each job.
class Starts final : public sim::RecordVisitor<Starts, sim::StartRecord> {
 public:
  explicit Starts(std::size_t jobs) : starts_(jobs, -1) {}
  void on(const sim::StartRecord& start) {
    if (!start.resumed) starts_[index(start.who.id)] = start.at / kSecond;
  }
  void finish(Time) override {}
  [[nodiscard]] Hash hash() const {
    StartHash hash;
    for (const auto start : starts_) hash.add(start);
    return hash.value();
  }

 private:
  std::vector<std::int64_t> starts_;
};

// Of a file of the source tree.
std::string contents(const std::string& file) {
  std::ifstream in(std::string(BERTH_SOURCE_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::unique_ptr<bindings::LuaPolicy> load(const std::string& name,
                                          const bindings::Limits& limits) {
  bindings::PolicyOptions options;
  options.limits = limits;
  // On a network every policy has it; elsewhere nothing asks for it.
  options.of_machine =
      bindings::Parameter{"embedding", "", std::string("adaba"), {}, {}, {"adaba"}};
  options.library = [](std::string_view library) {
    const auto path = "policies/lib/" + std::string(library) + ".lua";
    return std::optional(bindings::LoadedSource{path, contents(path)});
  };
  const bool is_built_in = name.find('/') == std::string::npos;
  const auto path = is_built_in ? "policies/" + name + ".lua" : name;
  const bindings::PolicyFile file{name, path, contents(path)};
  return std::make_unique<bindings::LuaPolicy>(file, options);
}

class NativeEasy final : public sim::Policy {
 public:
  NativeEasy() {
    traits_.label = "native_easy";
    traits_.passes = sim::Passes::kWhenAJobFits;
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return budget_; }
  void schedule(sim::Simulation& simulation) override {
    (void)sim::backfill(simulation, 0);
  }

 private:
  Budget budget_;
  sim::PolicyTraits traits_;
};

// policies/conservative.lua in C++.
class NativeConservative final : public sim::Policy {
 public:
  NativeConservative() { traits_.label = "native_conservative"; }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return budget_; }
  void schedule(sim::Simulation& simulation) override {
    (void)sim::Book(simulation).update(0, Compress::kEarlyEnds);
    auto due = sim::Selection::due(0);
    while (const auto job = due.next(simulation))
      (void)simulation.actions().start(*job);
    simulation.actions().wake_at(
        simulation.parts().world.book().next(simulation.world().now()));
  }

 private:
  Budget budget_;
  sim::PolicyTraits traits_;
};

using MakePolicy = std::function<std::unique_ptr<sim::Policy>()>;

// A run of a policy up to `until`, not yet begun.  The work outlives it.
struct Run {
  Run(const Work& work, const sim::Machine& machine, sim::Policy& policy)
      : simulation(machine, {.shares = work.shares}, work.jobs, policy,
                   make_model(machine, work.jobs)) {}

  double seconds(Time until) {
    const double before = cpu_seconds();
    simulation.advance(until);
    return cpu_seconds() - before;
  }
  Hash starts(const Work& work, Time until) {
    Starts noted(work.jobs.size());
    simulation.audience().observe(noted);
    simulation.advance(until);
    return noted.hash();
  }
  sim::Simulation simulation;
};

Runner on_engine(const Work& work, const sim::Machine& machine, Time until,
                 const MakePolicy& make) {
  const auto seconds = [&work, machine, until, make] {
    const auto policy = make();
    return Run(work, machine, *policy).seconds(until);
  };
  const auto starts = [&work, machine, until, make] {
    const auto policy = make();
    return Run(work, machine, *policy).starts(work, until);
  };
  return {seconds, starts};
}

Time last_submit(const Work& work) { return work.jobs.back().submit; }

}  // namespace

double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

Runner lua(const Work& work, const std::string& policy,
           const bindings::Limits& limits) {
  const Time until = policy == "conservative" ? last_submit(work) : kNever;
  return on_engine(work, work.machine, until,
                   [policy, limits] { return load(policy, limits); });
}

Runner two_tier_lua(const Work& work, const std::string& policy) {
  const auto machine = default_machine("two_tier", work.machine.processors);
  return on_engine(work, machine, kNever, [policy] { return load(policy, {}); });
}

Runner audited_lua(const Work& work, const std::string& policy) {
  const auto seconds = [&work, policy] {
    const auto script = load(policy, {});
    Run run(work, work.machine, *script);
    const sim::Settings settings;
    audit::Auditor auditor({work.machine, settings, work.jobs, script->traits()},
                           make_law(work.machine, work.jobs),
                           audit::Thoroughness::kLight);
    run.simulation.audience().observe(auditor);
    const double before = cpu_seconds();
    run.simulation.advance(kNever);
    run.simulation.finish();
    return cpu_seconds() - before;
  };
  return {seconds, lua(work, policy).starts};
}

Effort effort(const Work& work, const std::string& policy) {
  const auto script = load(policy, {});
  Run run(work, work.machine, *script);
  run.simulation.advance(work.jobs.front().submit);
  const auto decisions = run.simulation.world().decision().number;
  const auto crossings = script->crossings();
  const double seconds = run.seconds(last_submit(work));
  const auto after =
      static_cast<double>(run.simulation.world().decision().number - decisions);
  return {seconds / after, static_cast<double>(script->crossings() - crossings) / after,
          script->usage().memory_bytes};
}

Runner native_easy(const Work& work) {
  return on_engine(work, work.machine, kNever,
                   [] { return std::make_unique<NativeEasy>(); });
}

Runner native_conservative(const Work& work) {
  return on_engine(work, work.machine, last_submit(work),
                   [] { return std::make_unique<NativeConservative>(); });
}

Runner refit_conservative(const Work& work) {
  return on_engine(work, work.machine, last_submit(work), [&work] {
    return std::make_unique<RefitConservative>(work.machine.processors,
                                               work.jobs.size());
  });
}

Runner list_easy(const Work& work) {
  const auto seconds = [&work] {
    ListEasy easy(work);
    const double before = cpu_seconds();
    easy.run();
    return cpu_seconds() - before;
  };
  const auto starts = [&work] {
    ListEasy easy(work);
    easy.run();
    StartHash hash;
    for (const std::int32_t start : easy.starts()) hash.add(start);
    return hash.value();
  };
  return {seconds, starts};
}

}  // namespace berth::bench
