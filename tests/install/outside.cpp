// A program outside berth: three jobs on four processors, first come, first served.
// Exit 0 if they start when they should.

#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/selection.hpp"
#include "engine/sim/settings.hpp"
#include "engine/sim/simulation.hpp"

namespace {

class FirstComeFirstServed : public berth::sim::Policy {
 public:
  [[nodiscard]] const berth::sim::PolicyTraits& traits() const override {
    return traits_;
  }
  [[nodiscard]] berth::Budget& budget() override { return budget_; }
  void schedule(berth::sim::Simulation& simulation) override {
    auto startable = berth::sim::Selection::startable(0);
    while (const auto job = startable.next(simulation))
      (void)simulation.actions().start(*job);
  }

 private:
  berth::Budget budget_;
  berth::sim::PolicyTraits traits_{"fcfs", {}, 0, berth::sim::Passes::kEvery, {}};
};

class Starts : public berth::sim::Observer {
 public:
  [[nodiscard]] berth::sim::RecordKinds wants() const override {
    return berth::sim::kinds<berth::sim::StartRecord>();
  }
  void note(const berth::sim::Record& record) override {
    const auto& start = std::get<berth::sim::StartRecord>(record);
    at[start.who.job->id] = start.at;
  }
  void finish(berth::Time) override {}

  std::map<std::int64_t, berth::Time> at;
};

berth::Job a_job(std::int64_t id, std::int64_t submit, std::int32_t size,
                 std::int64_t length) {
  berth::Job job;
  job.id = id;
  job.submit = berth::seconds(submit);
  job.size = size;
  job.length = job.walltime = berth::seconds(length);
  return job;
}

}  // namespace

int main() {
  // Job 1 leaves one processor idle; job 2 needs two and holds up job 3.
  const std::vector<berth::Job> jobs{a_job(1, 0, 3, 10), a_job(2, 1, 2, 5),
                                     a_job(3, 2, 1, 4)};
  berth::sim::Machine machine;
  machine.processors = 4;
  FirstComeFirstServed policy;
  Starts starts;
  berth::sim::Simulation simulation(machine, {}, jobs, policy,
                                    berth::make_model(machine, jobs));
  simulation.audience().observe(starts);
  simulation.advance(berth::kNever);
  simulation.finish();
  for (const auto& [job, at] : starts.at) {
    std::printf("job %d starts at %s\n", static_cast<int>(job),
                berth::seconds_text(at).c_str());
  }
  const std::map<std::int64_t, berth::Time> expected{
      {1, 0}, {2, berth::seconds(10)}, {3, berth::seconds(10)}};
  return starts.at == expected ? 0 : 1;
}
