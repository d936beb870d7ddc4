#include "tests/fuzz/checked_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <variant>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/fractions.hpp"
#include "engine/machines/sharing_models.hpp"
#include "tests/fuzz/expect.hpp"

namespace berth::fuzz {

namespace {

using sim::Simulation;

std::map<JobState, std::int64_t> count_states(const Simulation& simulation) {
  std::map<JobState, std::int64_t> counts;
  const auto& jobs = simulation.world().jobs();
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const JobId id{i};
    const auto state = jobs[id].state;
    ++counts[state];
    const auto submit = jobs.job(id).submit;
    if (state == JobState::kFuture) {
      expect(submit >= simulation.world().now(),
             "a job of the past has been submitted");
    } else {
      expect(submit <= simulation.world().now(), "a job is submitted at its time");
    }
  }
  return counts;
}

void check_machine(const Simulation& simulation, std::int64_t running) {
  const auto& jobs = simulation.world().jobs();
  std::int64_t held = 0;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    if (jobs[JobId{i}].state == JobState::kRunning) held += jobs.job(JobId{i}).size;
  }
  const bool is_shared = capability<Fractions>(simulation.world().hosts()) != nullptr;
  expect(is_shared || simulation.world().hosts().idle() ==
                          simulation.world().machine().processors - held,
         "idle = capacity - held",
         fmt::format("idle {}, capacity {}, held {}", simulation.world().hosts().idle(),
                     simulation.world().machine().processors, held));
  expect(static_cast<std::int64_t>(simulation.world().running().size()) == running,
         "running jobs are in the running set");
}

void check_queue(const Simulation& simulation, std::size_t order,
                 std::int64_t members) {
  const auto& queue = simulation.queue(order);
  expect(static_cast<std::int64_t>(queue.length()) == members,
         "every order has waiting and suspended jobs",
         fmt::format("order {}: {} of {}", order, queue.length(), members));
  std::int64_t seen = 0;
  auto before = std::optional<Place>{};
  for (auto at = queue.head(); at; at = queue.next(&*at)) {
    ++seen;
    expect(queues(simulation.world().jobs()[at->job].state),
           "members wait or are suspended");
    expect(!before || *before < *at, "members are in order");
    before = at;
  }
  expect(seen == members, "a walk meets every member",
         fmt::format("order {}: {} of {}", order, seen, members));
}

void check_state(const Simulation& simulation, std::size_t orders) {
  auto counts = count_states(simulation);
  check_machine(simulation, counts[JobState::kRunning]);
  const auto members = counts[JobState::kWaiting] + counts[JobState::kSuspended];
  for (std::size_t order = 0; order <= orders; ++order) {
    check_queue(simulation, order, members);
  }
}

}  // namespace

// Passes everything on and looks at the world behind it.
class CheckedRun::Watched final : public sim::Policy {
 public:
  explicit Watched(sim::Policy& inner) : inner_(inner) {}

  [[nodiscard]] const sim::PolicyTraits& traits() const override {
    return inner_.traits();
  }
  [[nodiscard]] Budget& budget() override { return inner_.budget(); }
  void begin(Simulation& simulation) override { inner_.begin(simulation); }
  void schedule(Simulation& simulation) override {
    inner_.schedule(simulation);
    look(simulation);
  }
  void on_submit(Simulation& simulation, JobId job) override {
    inner_.on_submit(simulation, job);
    look(simulation);
  }
  void on_end(Simulation& simulation, JobId job) override {
    inner_.on_end(simulation, job);
    look(simulation);
  }
  void on_host(Simulation& simulation, std::int32_t host, bool is_up) override {
    inner_.on_host(simulation, host, is_up);
    look(simulation);
  }
  void on_hit(Simulation& simulation, JobId job) override {
    inner_.on_hit(simulation, job);
    look(simulation);
  }
  [[nodiscard]] double key(Simulation& simulation, std::size_t order,
                           JobId job) override {
    return inner_.key(simulation, order, job);
  }
  [[nodiscard]] std::int64_t drawn() const override { return inner_.drawn(); }

 private:
  void look(const Simulation& simulation) {
    expect(simulation.world().now() >= last_, "time never goes back");
    last_ = simulation.world().now();
    check_state(simulation, traits().orders.size());
  }

  sim::Policy& inner_;
  Time last_ = 0;
};

class CheckedRun::Fingerprint final : public sim::Observer {
 public:
  explicit Fingerprint(std::uint64_t& value) : value_(value) {}
  [[nodiscard]] sim::RecordKinds wants() const override { return sim::kAllKinds; }
  void note(const sim::Record& record) override {
    add(record.index());
    std::visit([this](const auto& it) { on(it); }, record);
  }
  void finish(Time at) override { add(static_cast<std::uint64_t>(at)); }

 private:
  template <class Kind>
  void on(const Kind& record) {
    add(static_cast<std::uint64_t>(record.at));
    if constexpr (requires { record.who.id; }) add(index(record.who.id));
    if constexpr (requires { record.job; }) add(index(record.job));
    if constexpr (requires { record.spare; }) {
      add(static_cast<std::uint64_t>(record.start));
      add(static_cast<std::uint64_t>(record.spare));
    }
    if constexpr (requires { record.key; })
      add(std::bit_cast<std::uint64_t>(record.key));
    if constexpr (requires { record.number; }) {
      add(static_cast<std::uint64_t>(record.number));
    }
    if constexpr (requires { record.actions; }) {
      add(static_cast<std::uint64_t>(record.actions));
    }
  }
  void add(std::uint64_t number) {
    value_ = (value_ ^ number) * 0x9e3779b97f4a7c15ULL;
    value_ ^= value_ >> 32U;
  }

  std::uint64_t& value_;
};

CheckedRun::CheckedRun(const Setup& setup, std::string policy) {
  attempt([&] { load(setup, std::move(policy)); });
}

CheckedRun::~CheckedRun() = default;

void CheckedRun::load(const Setup& setup, std::string policy) {
  bindings::PolicyOptions options;
  options.limits = setup.limits;
  options.seed = setup.settings.seed;
  policy_ = std::make_unique<bindings::LuaPolicy>(
      bindings::PolicyFile{"fuzzed", "fuzzed.lua", std::move(policy)}, options);
  watched_ = std::make_unique<Watched>(*policy_);
  fingerprint_ = std::make_unique<Fingerprint>(ending_.records);
  auditor_.emplace(
      audit::AuditedRun{setup.machine, setup.settings, setup.jobs, policy_->traits()},
      make_law(setup.machine, setup.jobs));
  simulation_.emplace(setup.machine, setup.settings, setup.jobs, *watched_,
                      make_model(setup.machine, setup.jobs));
  simulation_->audience().observe(*auditor_);
  simulation_->audience().observe(*fingerprint_);
}

template <class Work>
void CheckedRun::attempt(const Work& work) {
  try {
    return work();
  } catch (const audit::AuditFailure& failure) {
    const auto& traits = policy_->traits();
    const auto& rule = failure.violation().rule;
    const bool is_promise =
        rule == audit::kConstantKey ||
        (rule.code.starts_with('R')
             ? traits.promise != sim::Promise::kNone
             : rule == audit::kPassesLeftOut && traits.passes != sim::Passes::kEvery);
    expect(is_promise, "the audit holds", failure.what());
    ending_.code = static_cast<int>(failure.code());
    ending_.message = failure.what();
  } catch (const Error& error) {
    const bool is_of_policy = error.code() == ErrorCode::kPolicy ||
                              error.code() == ErrorCode::kTime ||
                              error.code() == ErrorCode::kMemory;
    expect(is_of_policy, "a policy can only make errors of its own",
           fmt::format("code {}: {}", static_cast<int>(error.code()), error.what()));
    ending_.code = static_cast<int>(error.code());
    ending_.message = error.what();
  }
  over_ = true;
}

bool CheckedRun::advance(Time until) {
  if (over_) return false;
  attempt([&] {
    over_ = !simulation_->advance(until);
    if (over_) simulation_->finish();
  });
  return !over_;
}

Ending run_alone(const Setup& setup, const std::string& policy) {
  CheckedRun run(setup, policy);
  run.advance(kNever);
  return run.ending();
}

}  // namespace berth::fuzz
