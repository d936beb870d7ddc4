#pragma once
// What a Slurm says of its jobs and nodes: the output of `squeue --json` and of
// `sinfo --json`, in the forms of Slurm 22.05 and of later releases; and of the use of
// the cluster by its users, that of `sshare --all --json`, which came later.
//
// Reads only what the shadow of a policy needs: no job's name, comment, command or
// path is kept, so what is written again has none of them.
//
// Units        Times in seconds from 1970, memory in MiB.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/output/sink.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/formats/log_builder.hpp"

namespace berth::study {

// What a running job has on one node.
struct NodeShare {
  std::string node;
  std::int64_t processors = 0;
  std::int64_t memory = 0;
};

// A record of squeue: a job, or the tasks of an array that wait.
struct SlurmJob {
  std::int64_t number = 0;
  std::optional<std::int64_t> array{};  // the array that it is a task of
  std::optional<std::int64_t> index{};  // its index there
  std::string indices{};                // those that wait: "1-3", "3-5%2"
  std::int64_t most_at_once = 0;        // that may run at once; 0: any number
  std::optional<std::int64_t> group{};  // the heterogeneous job it is a part of
  std::int64_t part = 0;                // which one
  std::string state{};                  // "PENDING"
  std::string reason{};                 // "Priority"
  std::string partition{};              // perhaps several: "a,b"
  std::string user{};
  std::string account{};
  std::string dependency{};
  std::string reservation{};
  std::int64_t processors = 0;
  std::int64_t nodes = 0;                // at least
  std::int64_t most_nodes = 0;           // 0: any number
  std::int64_t processors_together = 0;  // 0: one
  std::int64_t memory_of_processor = 0;
  std::int64_t memory_of_node = 0;
  std::string wanted{};                   // "cpu=4,mem=400M,node=2,gres/gpu=2"
  std::optional<std::int64_t> minutes{};  // its limit; nullopt: none
  std::int64_t submit = 0;
  std::int64_t eligible = 0;  // 0: not known
  std::int64_t start = 0;     // likewise
  std::int64_t end = 0;       // likewise
  std::int64_t priority = 0;
  std::string node_list{};          // "n[1-3]"
  std::vector<NodeShare> shares{};  // of one that runs, where Slurm tells
};

struct SlurmNode {
  std::string name;
  LogPlace place{};  // of its record
  std::int64_t processors = 0;
  std::int64_t memory = 0;
  std::int64_t used_processors = 0;
  std::int64_t used_memory = 0;
  std::string resources{};            // "gpu:a100:4"
  std::vector<std::string> states{};  // "IDLE", "DRAIN"
  std::vector<std::string> partitions{};
};

struct ClusterState {
  std::string version{};  // "22.05.8"; empty: not told
  std::int64_t at = 0;    // when it was asked; 0: not told
  std::vector<SlurmJob> jobs{};
  std::vector<SlurmNode> nodes{};
  // By user, what Slurm has charged, decayed up to now: by its default processor
  // seconds.  nullopt: it has not said so.
  std::optional<std::map<std::string, double>> usage{};

  // When it was asked, or the latest instant before that of which its jobs tell.
  [[nodiscard]] std::int64_t instant() const;
};

// Add to the state.  Throw Error{kInput} "file:line:column: what", or with what Slurm
// reported instead of an answer.
void read_squeue(ByteSource& source, const std::string& file, ClusterState& state,
                 Budget& budget);
void read_sinfo(ByteSource& source, const std::string& file, ClusterState& state,
                Budget& budget);
// A user of several accounts has the sum of what is charged to them.
void read_sshare(ByteSource& source, const std::string& file, ClusterState& state,
                 Budget& budget);

// As Slurm 22.05 has it, with the time; what is read again is the same state.
void write_squeue(const ClusterState& state, Sink& to);
void write_sinfo(const ClusterState& state, Sink& to);
// REQUIRES: there is usage.
void write_sshare(const ClusterState& state, Sink& to);

// The names that "n[1-3,07],m2" stands for, in its order.  Empty: it is no such list,
// or one of more than 100,000 names.
[[nodiscard]] std::vector<std::string> expand_nodes(std::string_view list);
// The indices that "1-3,7,10-20:5%2" names, without what follows the '%'.  Empty:
// likewise.
[[nodiscard]] std::vector<std::int64_t> expand_indices(std::string_view list);

}  // namespace berth::study
