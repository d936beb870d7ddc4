#include "bench/schedules.hpp"

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "bench/cpu_seconds.hpp"
#include "bench/list_easy.hpp"
#include "bench/refit_conservative.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/models/sharing_models.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/audit/laws/exclusive_law.hpp"
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

// Notes when each job starts first.
class Starts final : public sim::Observer {
 public:
  explicit Starts(std::size_t jobs) : starts_(jobs, -1) {}
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
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
  options.library = [](std::string_view library) {
    const auto path = "policies/lib/" + std::string(library) + ".lua";
    return std::optional(bindings::LoadedSource{path, contents(path)});
  };
  const bool is_built_in = name.find('/') == std::string::npos;
  const auto path = is_built_in ? "policies/" + name + ".lua" : name;
  const bindings::PolicyFile file{name, path, contents(path)};
  return std::make_unique<bindings::LuaPolicy>(file, options);
}

// policies/easy.lua, line by line.
class NativeEasy final : public sim::Policy {
 public:
  NativeEasy() {
    traits_.label = "native_easy";
    traits_.passes = sim::Passes::kWhenAJobFits;
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  void schedule(sim::Simulation& simulation) override {
    (void)sim::backfill(simulation, 0);
  }

 private:
  sim::PolicyTraits traits_;
};

sim::Machine machine_of(const Work& work) {
  sim::Machine machine;
  machine.processors = work.processors;
  return machine;
}

// policies/conservative.lua, line by line.
class NativeConservative final : public sim::Policy {
 public:
  NativeConservative() { traits_.label = "native_conservative"; }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  void schedule(sim::Simulation& simulation) override {
    (void)sim::Book(simulation).update(0, Compress::kEarlyEnds);
    auto due = sim::Selection::due(0);
    while (const auto job = due.next(simulation)) (void)simulation.start(*job);
    simulation.wake_at(simulation.book().next(simulation.now()));
  }

 private:
  sim::PolicyTraits traits_;
};

using MakePolicy = std::function<std::unique_ptr<sim::Policy>()>;

// How a policy fares on a work, up to `until`; the work outlives the runner.
Runner on_engine(const Work& work, Time until, const MakePolicy& make) {
  const auto seconds = [&work, until, make] {
    const auto policy = make();
    sim::Simulation simulation(machine_of(work), {}, work.jobs, *policy, make_model(machine_of(work), work.jobs));
    const double before = cpu_seconds();
    simulation.advance(until);
    return cpu_seconds() - before;
  };
  const auto starts = [&work, until, make] {
    const auto policy = make();
    sim::Simulation simulation(machine_of(work), {}, work.jobs, *policy, make_model(machine_of(work), work.jobs));
    Starts noted(work.jobs.size());
    simulation.observe(noted);
    simulation.advance(until);
    return noted.hash();
  };
  return {seconds, starts};
}

Time last_submit(const Work& work) { return work.jobs.back().submit; }

}  // namespace

Runner lua(const Work& work, const std::string& policy,
           const bindings::Limits& limits) {
  const Time until = policy == "conservative" ? last_submit(work) : kNever;
  return on_engine(work, until, [policy, limits] { return load(policy, limits); });
}

Runner two_tier_lua(const Work& work, const std::string& policy) {
  const auto run = [&work, policy](sim::Observer* watcher) {
    const auto script = load(policy, {});
    const auto machine = default_machine("two_tier", work.processors);
    sim::Simulation simulation(machine, {}, work.jobs, *script, make_model(machine, work.jobs));
    if (watcher != nullptr) simulation.observe(*watcher);
    const double before = cpu_seconds();
    simulation.advance(kNever);
    return cpu_seconds() - before;
  };
  const auto starts = [&work, run] {
    Starts noted(work.jobs.size());
    (void)run(&noted);
    return noted.hash();
  };
  return {[run] { return run(nullptr); }, starts};
}

Runner audited_lua(const Work& work, const std::string& policy) {
  const auto seconds = [&work, policy] {
    const auto script = load(policy, {});
    const auto machine = machine_of(work);
    sim::Simulation simulation(machine, {}, work.jobs, *script, make_model(machine, work.jobs));
    audit::Auditor auditor({machine, {}, work.jobs, script->traits(}, std::make_unique<audit::ExclusiveLaw>(machine, work.jobs)),
                           audit::Thoroughness::kLight);
    simulation.observe(auditor);
    const double before = cpu_seconds();
    simulation.advance(kNever);
    simulation.finish();
    return cpu_seconds() - before;
  };
  return {seconds, lua(work, policy).starts};
}

Effort effort(const Work& work, const std::string& policy) {
  const auto script = load(policy, {});
  sim::Simulation simulation(machine_of(work), {}, work.jobs, *script, make_model(machine_of(work), work.jobs));
  simulation.advance(work.jobs.front().submit);
  const auto decisions = simulation.decision();
  const auto crossings = script->crossings();
  const double before = cpu_seconds();
  simulation.advance(last_submit(work));
  const double seconds = cpu_seconds() - before;
  const auto after = simulation.decision() - decisions;
  return {
      seconds / static_cast<double>(after),
      static_cast<double>(script->crossings() - crossings) / static_cast<double>(after),
      script->usage().memory_bytes};
}

Runner native_easy(const Work& work) {
  return on_engine(work, kNever, [] { return std::make_unique<NativeEasy>(); });
}

Runner native_conservative(const Work& work) {
  return on_engine(work, last_submit(work),
                   [] { return std::make_unique<NativeConservative>(); });
}

Runner refit_conservative(const Work& work) {
  return on_engine(work, last_submit(work), [&work] {
    return std::make_unique<RefitConservative>(work.processors, work.jobs.size());
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
