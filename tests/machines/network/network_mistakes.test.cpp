// On a network the audit of a whole run finds each planted mistake, by its rule: it is
// told another story than what happened.

#include <doctest/doctest.h>

#include <functional>

#include "engine/audit/auditor.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/network/slots_settings.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Passes the records on, changed.
class Telling final : public sim::Observer {
 public:
  using Lie = std::function<std::optional<sim::Record>(const sim::Record&)>;

  Telling(audit::Auditor& to, Lie lie) : to_(to), lie_(std::move(lie)) {}
  [[nodiscard]] sim::RecordKinds wants() const override { return to_.wants(); }
  void note(const sim::Record& record) override {
    if (const auto told = lie_(record)) to_.note(*told);
  }
  void finish(Time at) override { to_.finish(at); }

 private:
  audit::Auditor& to_;
  Lie lie_;
};

struct Asked {
  std::int64_t submit;
  std::int32_t size;
  double bandwidth;
  std::int64_t length;
};

struct Run {
  std::vector<Asked> asked;
  std::int32_t servers;
  std::int32_t slots;
  std::string policy{};  // its text; empty: bgmbf
  bool own = false;      // it brings an embedding
  // The audit's copy of the machine.
  std::function<void(SlotsSettings&)> of_audit = [](SlotsSettings&) {};
};

sim::Machine machine_of(const Run& run,
                        const std::function<void(SlotsSettings&)>& change) {
  auto machine = default_machine("slots", 1);
  SlotsSettings settings;
  settings.topology = NetworkShape::kStar;
  settings.servers = run.servers;
  settings.slots = run.slots;
  settings.link_rate = 100;
  if (run.own) settings.embedding = kOwnEmbedding;
  change(settings);
  machine.model_settings = settings;
  machine.processors = run.servers * run.slots;
  machine.migration_cost = seconds(2);
  return machine;
}

std::unique_ptr<bindings::LuaPolicy> policy_for(const Run& run) {
  if (run.policy.empty()) return lua_policy("bgmbf");
  bindings::PolicyOptions options;
  options.of_machine =
      bindings::Parameter{"embedding", "", std::string("adaba"), {}, {}, {"adaba"}};
  return std::make_unique<bindings::LuaPolicy>(
      bindings::PolicyFile{"policy", "policy.lua", run.policy}, options);
}

// "C6 at t=1, job 2": the rule that does not hold of the story; "" if all do.
std::string found(const Run& run, const Telling::Lie& lie) {
  std::vector<Job> jobs;
  std::map<std::int64_t, std::vector<double>> bandwidths;
  for (const auto& each : run.asked) {
    const auto id = static_cast<std::int64_t>(jobs.size()) + 1;
    jobs.push_back(a_job(id, each.submit, each.size, each.length));
    bandwidths[id] = {each.bandwidth};
  }
  const auto columns = std::make_shared<JobColumns>(jobs);
  columns->add("bandwidth", bandwidths);
  const auto machine = machine_of(run, [](SlotsSettings&) {});
  const auto audited = machine_of(run, run.of_audit);
  const auto& model = model_of(machine);
  const auto policy = policy_for(run);
  sim::Simulation simulation(machine, {}, jobs, *policy,
                             model.make({machine, jobs, columns, 1}));
  audit::Auditor auditor({audited, {}, jobs, policy->traits()},
                         model.law({audited, jobs, columns, 1}));
  Telling telling(auditor, lie);
  simulation.audience().observe(telling);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    const auto text = in_short(failure.violation());
    return text.substr(0, text.find(':'));
  }
  return "";
}

std::optional<sim::Record> truth(const sim::Record& record) { return record; }

struct Told {
  IntervalSet slots;
  VirtualCluster cluster;
};

// A lie about the start of the job of this number.
Telling::Lie about_start(std::int64_t job,
                         std::function<void(sim::StartRecord&, Told&)> change,
                         bool resumed = false) {
  return [=, kept = std::make_shared<Placement>()](const sim::Record& record) {
    const auto* start = std::get_if<sim::StartRecord>(&record);
    if (start == nullptr || start->who.job->id != job || start->resumed != resumed) {
      return truth(record);
    }
    auto told = *start;
    const Placement* placement = start->placement;
    Told there{placement->processors(), cluster_of(*placement)};
    change(told, there);
    *kept = placement_of(there.slots, there.cluster);
    told.placement = kept.get();
    return truth(told);
  };
}

// Jobs 1 and 2 have four VMs on a server each and two on the server between, whose link
// carries 50 Mb/s for either; job 3 waits.
const Run& two_halves() {
  static const Run kRun{{{0, 6, 25, 10}, {1, 6, 25, 9}, {2, 4, 10, 9}}, 3, 4};
  return kRun;
}

// The schedule of tests/machines/network/embed/schedules.test.cpp: jobs 3 and 4 make
// way at 10 and resume.
const Run& with_resumes() {
  static const Run kRun{
      {{0, 4, 50, 10}, {1, 8, 20, 5}, {2, 2, 10, 20}, {3, 2, 30, 9}, {3, 2, 30, 4}},
      2,
      4};
  return kRun;
}

}  // namespace

TEST_SUITE("machines/network/network_mistakes") {
  TEST_CASE("the truth passes") {
    CHECK(found(two_halves(), truth).empty());
    CHECK(found(with_resumes(), truth).empty());
  }

  TEST_CASE("a link over capacity by 1 kbit/s") {
    auto run = two_halves();
    run.of_audit = [](SlotsSettings& settings) { settings.link_rate = 99.999; };
    CHECK(found(run, truth) == "C6 at t=1, job 2");
  }

  TEST_CASE("a reservation that is off by 1 kbit/s") {
    for (const std::int64_t off : {-1, 1}) {
      CHECK(found(two_halves(), about_start(1, [off](auto&, auto& told) {
                    told.cluster.reserved += off;
                  })) == "C6 at t=0, job 1");
    }
  }

  TEST_CASE("a slot that is used twice") {
    CHECK(found(two_halves(), about_start(2, [](auto&, auto& told) {
                  told.slots = IntervalSet(4, 5);  // job 1 has them
                  told.slots.insert(Interval{8, 11});
                })) == "C4 at t=1, job 2");
  }

  TEST_CASE("a reservation that is not released keeps the oldest waiting") {
    // Job 1 holds 100 Mb/s of two links; the audit is told nothing of it, as if it had
    // left, so job 2 would fit.
    const Run run{{{0, 5, 100, 50}, {1, 6, 16, 5}}, 3, 4};
    CHECK(found(run, truth).empty());
    const auto is_of_first = [](const auto& record) {
      if constexpr (requires { record.who.job; }) return record.who.job->id == 1;
      return false;
    };
    CHECK(found(run, [&](const sim::Record& record) -> std::optional<sim::Record> {
            if (!std::holds_alternative<sim::SubmitRecord>(record) &&
                std::visit(is_of_first, record)) {
              // It is rejected instead, so that it does not wait either.
              const auto* start = std::get_if<sim::StartRecord>(&record);
              if (start == nullptr) return std::nullopt;
              return sim::RejectRecord{start->at, start->who, false, {}};
            }
            return record;
          }) == "R3 at t=1, job 2");
  }

  TEST_CASE("a job that makes way, and one that resumes without its freeze") {
    CHECK(found(with_resumes(), about_start(
                                    3,
                                    [](auto& record, auto&) {
                                      record.frozen_until = record.at;
                                      record.rate = 1;
                                    },
                                    true)) == "W4 at t=15, job 3");
    // The audit is not told that jobs 3 and 4 made way.
    CHECK(found(with_resumes(), [](const sim::Record& record) {
            const bool is_suspension =
                std::holds_alternative<sim::SuspendRecord>(record);
            return is_suspension ? std::nullopt : truth(record);
          }) == "C4 at t=10, job 2");
  }

  TEST_CASE("the oldest kept waiting though it fits") {
    auto run = with_resumes();
    run.policy =
        "return { promises = 'top_first', schedule = function(queue, cluster)"
        " if cluster:now() ~= 10 then cluster:start_all(queue) end end }";
    CHECK(found(run, truth) == "R3 at t=10, job 2");
  }

  TEST_CASE("the oldest kept waiting though it would fit without who overtook it") {
    auto run = with_resumes();
    run.policy =
        "return { promises = 'top_first', schedule = function(queue, cluster)"
        " for job in queue:fitting() do cluster:start(job) end end }";
    CHECK(found(run, truth) == "R3 at t=10, job 2");
  }

  TEST_CASE("the oldest overtaken by one job that never makes way") {
    // Of those that overtook job 2 it suspends all but job 3.
    auto run = with_resumes();
    run.policy =
        "return { promises = 'top_first', schedule = function(queue, cluster)"
        " for job in queue:fitting() do cluster:start(job) end"
        " if cluster:now() ~= 10 then return end"
        " local gone = {}"
        " for job in cluster:running() do"
        "   if job.size == 2 and job.walltime < 20 then gone[#gone + 1] = job end end"
        " for _, job in ipairs(gone) do cluster:suspend(job) end end }";
    CHECK(found(run, truth) == "R3 at t=10, job 2");
  }

  TEST_CASE("a weight by idle slots in Lua is judged by the weights in the refusals") {
    const std::string weighs =
        "return { promises = 'top_first', embedding = { weight ="
        " function(slots) return -slots end }, schedule = function(queue, cluster) ";
    auto run = with_resumes();
    run.policy = weighs + "for job in queue:fitting() do cluster:start(job) end end }";
    run.own = true;
    CHECK(found(run, truth) == "R3 at t=10, job 2");
    run.policy = weighs + "cluster:start_all(queue) end }";
    CHECK(found(run, truth).empty());
    // Weights by server are not told: nothing is judged.
    run.policy =
        "return { promises = 'top_first', embedding = { server_weight ="
        " function(server) return -server end }, schedule = function(queue, cluster)"
        " for job in queue:fitting() do cluster:start(job) end end }";
    CHECK(found(run, truth).empty());
  }
}
