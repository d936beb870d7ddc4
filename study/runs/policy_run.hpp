#pragma once
// One policy on one workload: the simulation with all of its observers.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/audit/audit_failure.hpp"
#include "engine/compare/fidelity.hpp"
#include "engine/expect/tardiness.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "study/inputs/prepared_point.hpp"

namespace berth {
class RunMetrics;
namespace sim {
class Simulation;
}  // namespace sim
}  // namespace berth

namespace berth::study {

// How a run reports, and is stopped, on its way.  Changes no result.
struct Watch {
  // Whether the user wants to stop.  Null: never.
  std::function<bool()> interrupted;
  // Called with the number of jobs submitted, of all.  May be null.
  std::function<void(std::size_t submitted, std::size_t of)> progress;
};

// Runs jobs, which come by submit, to their end, or until is_over(), which is asked
// every few jobs and may be null.  Throws Interrupted, and what the policy throws.
void drive(sim::Simulation& simulation, std::span<const Job> jobs, const Watch& watch,
           const std::function<bool()>& is_over = {});

// On: every rule, capacity by numbers.  Full: capacity by the processors themselves.
enum class Audit : std::uint8_t { kOn, kFull, kOff };

// "on", "full" or "off".
[[nodiscard]] std::string_view name(Audit audit);

struct PolicyResult {
  Summary summary;
  Outcomes outcomes;  // read the jobs of the point
  // Where jobs are released: what has the jobs of the run, which the outcomes read in
  // place of those of the point.
  std::shared_ptr<const sim::JobReleases> releases{};
  std::map<std::string, std::int64_t> checked;  // by rule of the auditor; empty: off
  // The first rule that did not hold; the run goes on without the audit.
  std::optional<audit::AuditFailure> audit_failure{};
  Time end = 0;  // of the run
  // By user, at the end of the run; empty where none is kept.
  std::map<std::int32_t, double> usage{};
  // With expectations; of run_single() alone.
  std::vector<UserTardiness> tardiness{};
  // Of the user's own metrics that are means over jobs: by name, for each job of the
  // workload; NaN: none.  Of run_single() alone.
  std::map<std::string, std::vector<double>> own_values{};
  double seconds = 0;                   // of wall clock, for timing alone
  std::vector<std::string> warnings{};  // about this run; of run_single() alone
  std::string summary_json{};           // likewise
  // Likewise, where the records of the trace are kept.
  std::optional<Fidelity> fidelity{};
};

// Who else looks on.
struct Onlookers {
  std::span<sim::Observer* const> observers{};
  // That they read, made for this run; null: none of them reads one.
  MachineMeasure* measure = nullptr;
  sim::Inspector* inspector = nullptr;  // one of the observers; null: none
};

// What the machine of this point measures besides; null: nothing.
[[nodiscard]] std::unique_ptr<MachineMeasure> measure_of(const Point& point);

// A run whose owner drives its simulation.
class DrivenRun {
 public:
  // The point, the policy and those who look on outlive it.
  DrivenRun(const Point& point, sim::Policy& policy, Audit audit,
            const Onlookers& more);
  ~DrivenRun();
  DrivenRun(const DrivenRun&) = delete;
  DrivenRun& operator=(const DrivenRun&) = delete;

  [[nodiscard]] sim::Simulation& simulation();
  [[nodiscard]] const RunMetrics& metrics() const;
  // The first rule that did not hold so far; null: all do.
  [[nodiscard]] const audit::AuditFailure* failure() const;
  // The result as the run stands, without judgement: jobs in the system are not
  // counted.
  [[nodiscard]] PolicyResult so_far() const;
  // The result of a finished simulation.  Throws Error{kPolicy} as run_policy() does.
  // REQUIRES: called once, after Simulation::finish().
  [[nodiscard]] PolicyResult conclude();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Runs to the end, whatever the audit says.  Throws
// Interrupted within some hundred jobs of the user's wish, Error{kPolicy} if jobs
// waited to the end and none was ever started, and what the policy or an observer
// throws.  Jobs that are over are let go, so that a file of them takes the memory of
// those in the system.
[[nodiscard]] PolicyResult run_policy(const Point& point, sim::Policy& policy,
                                      Audit audit, const Onlookers& more,
                                      const Watch& watch);

}  // namespace berth::study
