#pragma once
// What the words of squeue and sinfo mean.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "study/slurm/slurm_state.hpp"

namespace berth::study {

// By the name of a kind of resource: "gpu", whatever its type.
using Amounts = std::map<std::string, std::int64_t>;

// What the job asks for in all, besides processors and memory.
[[nodiscard]] Amounts further_kinds(const SlurmJob& job);
// What a node has of them, as "gpu:a100:4(S:0-1),fpga:2" says.
[[nodiscard]] Amounts kinds_of_node(std::string_view text);

// The id of a job as Slurm writes it: "18", "1_3" of a task, "8+0" of a part, and
// "1_[3-5%2]" of a record that stands for several tasks.  A task keeps its id when it
// gets a number of its own.
[[nodiscard]] std::string id_of(const SlurmJob& job);
// Whether the job has nodes at present.
[[nodiscard]] bool holds_nodes(const SlurmJob& job);
// Why the node takes no further jobs; empty: it does.
[[nodiscard]] std::string_view away_words(const SlurmNode& node);
// Whether its state or its flags say that it is down, drained, failing, in maintenance,
// silent or switched off.
[[nodiscard]] bool is_out_of_service(const SlurmNode& node);
// Why Slurm itself holds the job back, whatever the policy; empty: it does not.
[[nodiscard]] std::string held_words(const SlurmJob& job);

}  // namespace berth::study
