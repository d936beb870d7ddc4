#pragma once
// What a scenario file says, key by key, before anything is read or made from it.
//
// Initial values are the defaults; settings_table.hpp has the key, range and
// help of each member.  An empty optional means that the scenario leaves it open.

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/time.hpp"
#include "engine/expect/expected_end_times.hpp"
#include "engine/hosts/pick.hpp"
#include "engine/jobs/job_links.hpp"
#include "engine/jobs/limits.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/share/share_settings.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/settings.hpp"
#include "engine/workload/chosen_fields.hpp"
#include "engine/workload/feitelson.hpp"
#include "engine/workload/fill.hpp"
#include "engine/workload/formats/log_rules.hpp"
#include "engine/workload/lublin.hpp"
#include "engine/workload/tenants.hpp"
#include "study/scenario/policy_choice.hpp"

namespace berth::study {

enum class Estimates : std::uint8_t { kExact, kFactor, kTsafrir };

enum class MissingWalltime : std::uint8_t { kLength };

enum class ArrivalTimes : std::uint8_t { kTrace, kFill };

enum class Resample : std::uint8_t { kNone, kUsers };

enum class ExitOf : std::uint8_t { kTrace, kOk };

enum class MissingParent : std::uint8_t { kEnded, kError };

enum class Feedback : std::uint8_t { kNone, kSessions };

// What jobs wait for (docs/model.md#dependencies).
struct LinkKeys {
  std::string dependencies = "ignore";  // "swf", or a file
  std::string arrays{};                 // a file; empty: there are none
  ExitOf exit = ExitOf::kTrace;         // what tells whether a job ended well
  NeverSatisfied never_satisfied = NeverSatisfied::kReject;
  MissingParent missing_parent = MissingParent::kEnded;
  Feedback feedback = Feedback::kNone;
  Duration session_gap = 1200 * kSecond;

  [[nodiscard]] bool has_links() const { return dependencies != "ignore"; }
  [[nodiscard]] bool are_of_swf() const { return dependencies == "swf"; }
  // Whether submits depend on the schedule.
  [[nodiscard]] bool moves() const {
    return has_links() || feedback != Feedback::kNone;
  }
};

// A time on the clock of the trace, or a date: then Unix time, for traces that have a
// start time.
struct Instant {
  Time at = 0;
  bool is_date = false;

  Instant() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a time is an instant
  Instant(Time time, bool date = false) : at(time), is_date(date) {}
  friend bool operator==(const Instant&, const Instant&) = default;
};

// A trace of a mix, and its part of the load.
struct MixPart {
  std::string trace;
  double share = 0;
};

// How a log is read.
struct LogKeys {
  std::string format;     // empty: by its first bytes
  std::string time_zone;  // of local times; empty: UTC
  std::string map;        // of the columns of a table; empty: none
  LogRules rules;
};

struct WorkloadKeys {
  std::string trace;         // a file, "-" for standard input; empty: a model
  std::vector<MixPart> mix;  // several traces merged, the first is `trace`; empty: one
  std::string model;         // empty: a trace
  LublinVariant variant = LublinVariant::kWhole;
  std::optional<std::int64_t> jobs;          // of a model; open: its default
  std::optional<double> umed;                // of the model's sizes
  std::int32_t most_repeats = kMostRepeats;  // of a job of feitelson
  TenantSettings tenants;                    // of tenants
  std::optional<Estimates> estimates;        // open: those of the trace or the model
  std::optional<Duration> longest_estimate;  // of tsafrir; open: that of the model
  MissingWalltime missing_walltime = MissingWalltime::kLength;
  std::optional<std::int64_t> first;
  std::optional<Duration> longest;  // length of a job
  std::optional<Instant> from;
  std::optional<Instant> to;
  std::int64_t repeat = 1;
  std::optional<double> load;        // of these three at most one
  std::optional<double> load_scale;  // times the load of the jobs
  std::optional<double> interarrival_factor;
  std::int64_t shake = 0;  // most seconds
  Resample resample = Resample::kNone;
  ChosenFields fields;  // of a trace
  LogKeys log;
  ArrivalTimes arrivals = ArrivalTimes::kTrace;
  std::optional<double> fill;  // of arrivals = fill
  FillOrder fill_order = FillOrder::kTraceFirst;
  bool departures = true;
  LinkKeys links;
  // What the fields of a CSV trace are in its columns, by field.
  std::map<std::string, std::string> columns;
};

// Which hosts of a list count: all, or those whose state says that they take jobs.
enum class HostStates : std::uint8_t { kAll, kUp };

// Hosts from a file.  Once they are read they are those of the machine, which has none
// of its own.
struct HostKeys {
  std::string file;  // empty: the scenario says what the machine is
  HostStates states = HostStates::kAll;
  bool are_read = false;
  // Names of partitions by their number, from 1; empty: their numbers are their names.
  std::vector<std::string> partitions{};
};

// A metric of the user's own: a file of Lua (study/metrics/own_metrics.hpp).
struct OwnMetric {
  std::string file;
  std::string place{};  // "file:line:column: "; empty: named on the command line
  // The name is that of [metrics]; until the file is loaded, empty where a list of
  // metrics names the file itself, and all else is open.
  MetricRecord record{};
  std::vector<bindings::LoadedSource> sources{};  // its text first
  bool is_of_claims = false;  // it is one of those that a file of claims has

  [[nodiscard]] const std::string& name() const { return record.name; }
};
// What tables know of them.
[[nodiscard]] inline std::vector<MetricRecord> records_of(
    const std::vector<OwnMetric>& metrics) {
  std::vector<MetricRecord> all;
  all.reserve(metrics.size());
  for (const auto& own : metrics) all.push_back(own.record);
  return all;
}

struct RunKeys {
  sim::PassMode pass = sim::PassMode::kInstant;
  Ties ties = Ties::kEndsFirst;
  std::optional<Duration> cycle;  // open: passes when something happened
  MetricOptions metrics;          // without the classes, which need the jobs
  JobClasses classes{};           // as they are said
  Measure measure = Measure::kAll;
  double warmup_fraction = 0.1;
  std::optional<std::int64_t> batches;  // for intervals of one run
  std::string metrics_shown;            // "mean_wait,load"; empty: the usual ones
  std::string primary;                  // the metric that decides; empty: none
  bool expectations = false;            // judged by what users could expect
  std::vector<OwnMetric> own_metrics{};
};

// One key of [sweep] and the values it takes, as text that --set would take.
struct SweepAxis {
  std::string key;  // of the settings table, or "policies.NAME.PARAMETER"
  std::vector<std::string> values;  // at least one, no two equal
};

// Parts of a trace as replications: [sweep] windows.
struct Windows {
  Duration length = 0;
  Duration step = 0;
  std::string place;  // "file:line:column: "
};

// [machine] checkpoint, checkpoint_cost, restart_cost; open: as CheckpointRule has it.
struct CheckpointKeys {
  std::optional<Duration> every;
  std::optional<Duration> cost;
  std::optional<Duration> restart;
};

// [machine.failures] and [machine.hosts.NAME.failures]; without mtbf no host fails.
struct FailureKeys {
  std::optional<Duration> mtbf;
  std::optional<Duration> repair;  // open: an hour
  std::optional<double> shape;     // open: 1
  std::optional<double> repair_shape;
  std::optional<std::int32_t> unit;  // open: 1
};

struct Scenario {
  std::string file;  // as the user typed it; empty: made on the command line
  // Of the keys that the file gives and nothing has changed since: "file:line:column:
  // ".
  std::map<std::string, std::string, std::less<>> places;
  std::string title;
  std::int64_t seed = 0;
  std::string study;                       // "packing", of cases; empty: of jobs
  std::optional<std::int32_t> processors;  // open: what the trace says
  // Open: the default of the sharing model.
  std::optional<Pick> pick;
  std::optional<Duration> migration_cost;
  sim::Machine machine;  // all but those three, events, windows and checkpoints
  HostKeys hosts;
  std::string machine_events;   // a file; empty: every host is always up
  std::string machine_windows;  // likewise: the machine has none
  FailureKeys failures;         // of a pool, and of hosts that have none of their own
  std::map<std::string, FailureKeys, std::less<>> host_failures;  // by group of hosts
  CheckpointKeys checkpoints;
  WorkloadKeys workload;
  // By name of the model, or of the study of cases; one that is not here has its
  // defaults.
  std::map<std::string, std::any, std::less<>> model_settings;
  ShareSettings shares;
  LimitSettings limits;
  ExpectationSettings expectations;
  RunKeys run;
  std::vector<PolicyChoice> policies;
  // Parameters from [policies.NAME], for every policy of that name.
  std::map<std::string, std::map<std::string, std::string>> policy_parameters;
  std::vector<SweepAxis>
      sweep;  // in the order of the file, seed last; empty: one point
  // Not yet an axis: the trace says which windows there are (study/inputs/windows.hpp).
  std::optional<Windows> windows;

  // Cases that policies answer instead of jobs on a machine.
  [[nodiscard]] bool is_of_cases() const { return !study.empty(); }
};

}  // namespace berth::study
