#pragma once
// One run of the C interface: its policy, its simulation, and the last failure.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/numbered_calls.hpp"
#include "capi/berth.h"
#include "capi/environment.hpp"
#include "capi/failures.hpp"
#include "capi/options.hpp"
#include "capi/scenario.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/single_run.hpp"

namespace berth::capi {

// Jobs that came and ended since the last open pass.
class News final : public sim::RecordVisitor<News, sim::SubmitRecord, sim::EndRecord> {
 public:
  void on(const sim::SubmitRecord& record) { submitted.push_back(record.who.id); }
  void on(const sim::EndRecord& record) { ended.push_back(record.who.id); }
  void finish(Time) override {}
  void clear() {
    submitted.clear();
    ended.clear();
  }

  std::vector<JobId> submitted;
  std::vector<JobId> ended;
};

class Run {
 public:
  // Throws Error.
  Run(std::shared_ptr<const OpenScenario> opened, RunOptions options);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // As the functions of berth.h of these names.  They throw Error; after one that ends
  // the run, refuse_dead() throws it again.
  [[nodiscard]] std::int32_t next();
  [[nodiscard]] std::int32_t advance(double until);
  void delegate(const char* policy);
  [[nodiscard]] std::span<const bindings::PlainValue> call(
      std::int32_t primitive, std::span<const berth_value> arguments);
  [[nodiscard]] std::span<const bindings::PlainValue> walk(std::uint64_t selection);
  // The jobs of a berth_set, until the next call.
  [[nodiscard]] std::span<const JobId> jobs(std::int32_t set);
  void read_fields(std::span<const JobId> jobs, std::span<const std::int32_t> fields,
                   double* out, std::size_t stride);
  [[nodiscard]] std::string result();
  [[nodiscard]] std::vector<double> column(std::string_view name);
  // Of the jobs that have left so far; at the end, of all.
  [[nodiscard]] const Outcomes& outcomes() const;
  [[nodiscard]] std::uint64_t hash() const;

  // Error{kUsage} on a machine where nothing can be planned.
  void require_plans();
  // An environment decides from now on, in passes of these traits; the caller may no
  // longer.
  void hand_over(std::string traits);
  // Begins the run anew: in the window of this seed if there are windows, past the jobs
  // that warm up.  `beside` is told what happens, if it is not null.
  void begin(std::uint64_t seed, sim::Observer* beside);
  // As next(), for an environment; but the end of an episode is not judged until its
  // results are asked for, unless it is audited.
  [[nodiscard]] bool go_to_pass();
  // As Simulation has it; what `act` throws of a limit ends the run.
  template <class Act>
  auto within_pass(const Act& act) {
    std::optional<decltype(act(simulation()))> made;
    (void)go_on([&] {
      made = act(simulation());
      return true;
    });
    return *made;
  }
  [[nodiscard]] sim::Simulation& simulation() { return stepped_->run().simulation(); }
  [[nodiscard]] bool has_windows() const { return options_.windows.jobs > 0; }
  // Jobs of an episode that are measured, and those before them.
  [[nodiscard]] std::size_t measured_jobs() const;
  [[nodiscard]] std::size_t warm_jobs() const { return options_.windows.warm; }
  [[nodiscard]] const SlowdownBound& bound() const {
    return prepared_.point.run.metrics.bound;
  }

  void refuse_dead() const;
  // Keeps the failure; one of a limit, a defect or the audit ends the run.
  void keep(const berth_error& error);
  [[nodiscard]] const std::optional<berth_error>& failure() const { return failure_; }

 private:
  [[nodiscard]] bindings::NumberedCalls& calls();
  [[nodiscard]] bool is_open();
  void require_open();
  void close_pass();
  void find_running();
  void make(std::uint64_t seed, sim::Observer* beside);
  void warm_up();
  void end();
  void judge();
  void check_audit();
  // Calls what goes on with the simulation; what it throws outside a pass ends the run.
  [[nodiscard]] bool go_on(const std::function<bool()>& step);
  [[nodiscard]] sim::Policy& other_policy(const char* name);

  void refuse_bound() const;

  std::shared_ptr<const OpenScenario> opened_;
  RunOptions options_;
  study::PreparedPoint prepared_;
  study::LoadingOptions loading_;
  study::StudyOptions study_;
  std::unique_ptr<study::LoadedPolicy> policy_;
  std::map<std::string, std::unique_ptr<study::LoadedPolicy>> others_;
  News news_;
  std::unique_ptr<study::SteppedRun> stepped_;
  bool is_bound_ = false;                        // an environment decides
  bool is_over_ = false;                         // nothing can happen any more
  std::optional<study::PolicyResult> ended_;     // of a run that is over, once judged
  std::optional<study::Failure> unjudged_;       // why it has no result
  std::vector<bindings::PlainValue> arguments_;  // of the call at hand
  std::vector<JobId> jobs_;
  std::optional<berth_error> failure_;
  std::optional<study::Failure> dead_;
};

}  // namespace berth::capi

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of berth.h
struct berth_run {
  berth::capi::Run run;
  std::optional<berth::capi::Environment> environment{};
};

namespace berth::capi {

// What `work(run)` gives; a failure is kept by the run, which may be null.
template <class Work>
auto with_run(berth_run* run, const Work& work) -> decltype(work(*run)) {
  if (run == nullptr) return BERTH_USAGE;
  return caught(
      [&] {
        run->run.refuse_dead();
        return work(*run);
      },
      [&](const berth_error& error) { run->run.keep(error); });
}

}  // namespace berth::capi
