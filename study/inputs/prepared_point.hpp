#pragma once
// What every policy of a point meets, ready to run: the machine and the jobs.

#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/tools/run.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/releases.hpp"
#include "engine/sim/settings.hpp"
#include "study/hosts/host_list.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

struct Point {
  sim::Machine machine;
  sim::Settings settings;
  RunKeys run;
  std::span<const Job> jobs;  // by (submit, id)
  std::shared_ptr<const JobAttributes> attributes{};
  std::shared_ptr<const JobLinks> links{};  // null: no job waits for another
  // hold_back() makes it for one run, whose jobs are its own.
  std::shared_ptr<sim::JobReleases> releases{};
};

// Limits what runs of the arrays of the workload.
void take_arrays(const SizedWorkload& loaded, Point& point);

// Gives the point of one run jobs of its own where jobs wait for others.
void hold_back(Point& point);

// The machine that the scenario describes, of this size.
// REQUIRES: hosts that a file has are read.
[[nodiscard]] Point make_point(const Scenario& scenario, std::int32_t processors,
                               std::span<const Job> jobs);

// The scenario with what the machine of the point has decided.
[[nodiscard]] Scenario resolved_scenario(const Scenario& scenario, const Point& point);

// Jobs, and what is to be said about them.  Points with equal workloads share one.
struct PreparedWorkload {
  HostMachine hosts{};  // of machine.hosts_file
  SizedWorkload loaded;
  std::vector<std::string> messages;         // files as typed
  std::vector<std::string> result_warnings;  // files by base name
  std::optional<std::string> checksum;       // of a generated workload
  std::vector<JobClass> classes{};           // of [classes], of its jobs
  // Of the machine; null: every host is always up.
  std::shared_ptr<const std::vector<HostEvent>> events{};
  // Likewise; null: it has none.
  std::shared_ptr<const std::vector<MachineWindow>> windows{};
};

enum class Naming : std::uint8_t { kAsTyped, kBaseName };

// What reading and making the workload did, one line each, ready to print.  Results
// name the trace by its base name, messages as the user typed it.
[[nodiscard]] std::vector<std::string> workload_warnings(SizedWorkload& loaded,
                                                         Naming naming, Budget& budget);

// What side files say that jobs need of the kinds of this machine.
[[nodiscard]] bindings::NeedColumns needs_of_kinds(const sim::Machine& machine,
                                                   const JobAttributes* attributes);

// What is to be said of jobs that the empty machine cannot hold, as its model says, and
// that are rejected; those wider than the machine aside.  Empty: there are none, or the
// machine has several kinds of resource, whose own line it is.  Asks the model once for
// each job.
[[nodiscard]] std::string never_fits(const Scenario& scenario,
                                     const SizedWorkload& loaded, Budget& budget);

// Throws what load_workload() throws.
[[nodiscard]] std::shared_ptr<const PreparedWorkload> prepare_workload(
    const Scenario& scenario, const ReadingOptions& options, Budget& budget);

struct PreparedPoint {
  // REQUIRES: the workload is that of the scenario, or of one whose workload is equal.
  PreparedPoint(Scenario of, std::shared_ptr<const PreparedWorkload> with);

  Scenario scenario;
  std::shared_ptr<const PreparedWorkload> workload;
  Point point;  // its jobs are those of the workload, or of a window of it
  // With run.expectations: the expected end time of each job.
  std::shared_ptr<const std::vector<Time>> expected{};
  // Of keep_window(): of each job its index in the workload.
  std::vector<std::uint32_t> kept{};
};

// Consecutive jobs of a workload, of which the first `warm` are not measured.
struct JobWindow {
  std::size_t first = 0;
  std::size_t jobs = 0;
  std::size_t warm = 0;
};

// Why the jobs of this workload cannot be cut into windows; empty: they can.  What is
// told of jobs by their number in the whole workload has no meaning in a part of it.
[[nodiscard]] std::string_view why_no_windows(const Scenario& scenario,
                                              const PreparedWorkload& workload);

// From now on the point has the jobs of this window alone, at the times that they have.
// REQUIRES: no run of the point is alive; the window lies within the workload, which
// can be cut.
void keep_window(PreparedPoint& prepared, const JobWindow& window);

// What results call the scenario: its title, else the stem of its file, else the trace.
[[nodiscard]] std::string scenario_name(const Scenario& scenario,
                                        const Workload& workload);

// Whether anything about the jobs is drawn, so that another seed gives other jobs.
[[nodiscard]] bool draws(const Scenario& scenario);

// Equal for scenarios with equal workloads (jobs, walltimes, size of the machine).
[[nodiscard]] std::string workload_key(const Scenario& scenario);

// The workloads of a study while it runs: each is made once, by the first run that
// needs it, and dropped after the last.
//
// Threads  Any; a run waits for a workload that another one is making.
class SharedWorkloads {
 public:
  // `seconds` for reading or making one of them; 0: no limit.
  SharedWorkloads(const ReadingOptions& options, double seconds)
      : options_(options), seconds_(seconds) {}

  // So many more runs will take this workload.
  void announce(const std::string& key, std::size_t runs) { shelf_[key].uses += runs; }

  // Throws what prepare_workload() throws, and Error{kTime}, for every run that takes
  // it.  REQUIRES: announced once for each call; the key is that of the scenario.
  [[nodiscard]] std::shared_ptr<const PreparedWorkload> take(const std::string& key,
                                                             const Scenario& scenario);

 private:
  using Made = std::shared_ptr<const PreparedWorkload>;
  struct Entry {
    std::size_t uses = 0;  // still to come
    std::shared_future<Made> made;
  };

  [[nodiscard]] Made make(const Scenario& scenario) const;

  ReadingOptions options_;
  double seconds_;
  std::mutex mutex_;
  std::map<std::string, Entry> shelf_;
};

}  // namespace berth::study
