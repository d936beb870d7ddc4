#pragma once
// A partition of a Slurm at one instant, as a machine of berth with its jobs: what runs
// there since when and on which nodes, what waits, and what waits outside the queue.
//
// Machine      a host a node, with its processors, memory and further resources; a node
//              that is down, drained or reserved counts with what still runs on it, or
//              not at all.  With `unit = nodes` a host has one processor.
// Jobs         in the places that they have in the session (SessionNumbers), of which
//              jobs that are no matter of this instant keep theirs; lengths are known
//              of those that have ended alone
// Past         jobs that have ended hold processors of their nodes while they ran, for
//              what a policy has of them: the usage of users, and what its hooks noted.
//              One whose nodes have no such room, now that they are smaller or hold
//              jobs that run, is left out.
// Memory       counts where the nodes say that some of it is taken; else where a job
//              asks for it

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_columns.hpp"
#include "study/shadow/job_shape.hpp"
#include "study/shadow/session_numbers.hpp"
#include "study/slurm/slurm_state.hpp"

namespace berth::study {

// A job of the snapshot, as Slurm and its users call it.
struct ShadowJob {
  std::string name;  // "18", "1_3" of an array, "8+" of a heterogeneous one
  std::string user;
  std::string reason;                   // why it waits, in Slurm's word
  std::optional<std::int64_t> minutes;  // its limit; nullopt: none
  std::optional<Time> start{};          // of one that runs or has ended
  std::optional<Time> end{};            // of one that has ended
  IntervalSet where{};                  // of both: its processors
  // It is kept back, or has left: its place alone is here, and nothing of the above.
  bool is_absent = false;

  [[nodiscard]] bool waits() const { return !start && !is_absent; }
};

// A job that waits, and that no policy may start now.
struct OutsideJob {
  std::string name;
  std::string user;
  std::string why;  // in words
};

struct AwayNode {
  std::string name;
  std::string why;  // "drained"
};

struct Snapshot {
  std::string partition;
  std::string version;
  std::int64_t at = 0;    // seconds from 1970
  Resources resources{};  // of the machine: its hosts
  std::int32_t processors = 0;
  std::vector<std::string> hosts{};           // names, by number
  std::vector<std::int32_t> first_of_host{};  // its first processor, and one more entry
  // The last is no job: it is submitted later.  One that is absent is wider than the
  // machine, which turns it away.
  std::vector<Job> jobs{};
  std::vector<ShadowJob> names{};         // of all but the last
  std::shared_ptr<JobColumns> columns{};  // what jobs need; reads `jobs`
  std::vector<OutsideJob> outside{};
  std::vector<AwayNode> away{};
  std::vector<std::string> remarks{};  // what could not be taken as Slurm says it
  // What Slurm had charged to users, by their numbers, up to some instant; nullopt: it
  // has not said so.
  struct ToldUsage {
    Time at;
    std::map<std::int32_t, double> by_user;
  };
  std::optional<ToldUsage> usage{};

  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t waiting() const;
  // "n1, n3 (2)": the hosts of these of its processors, with their number on each where
  // that is not all of the host.
  [[nodiscard]] std::string nodes_of(const IntervalSet& where) const;
  // The words of a reason, with the names of tasks that have no number yet, and with
  // dates in place of seconds from 1970.
  [[nodiscard]] std::string in_names(std::string_view words) const;

 private:
  [[nodiscard]] std::string named(std::string_view number,
                                  std::string_view before) const;
};

struct SnapshotOptions {
  std::string partition;
  ShadowUnit unit = ShadowUnit::kProcessors;
  // Jobs that have ended, with their shares of nodes; those that end behind the instant
  // of the state are no matter of it.
  std::vector<SlurmJob> past{};
  // Of the session; null: the snapshot is one by itself.
  SessionNumbers* numbers = nullptr;
  // What Slurm said of usage last, by user, and when; null: it has not.
  const std::map<std::string, double>* usage = nullptr;
  std::int64_t usage_at = 0;
};

// Throws Error{kInput} for a partition without nodes.
[[nodiscard]] std::unique_ptr<Snapshot> take_snapshot(const ClusterState& state,
                                                      const SnapshotOptions& options);

}  // namespace berth::study
