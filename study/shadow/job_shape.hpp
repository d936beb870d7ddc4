#pragma once
// What a job of Slurm asks for, in the units of a snapshot.

#include <cstdint>

#include "study/slurm/slurm_state.hpp"
#include "study/slurm/slurm_words.hpp"

namespace berth::study {

enum class ShadowUnit : std::uint8_t { kProcessors, kNodes };

struct JobShape {
  std::int64_t size = 1;
  std::int64_t chunks = 1;
  std::int64_t memory = 0;  // MiB of a chunk
  Amounts kinds{};          // of a chunk
};

// The parts of an amount that is cut into so many, each of them as large.
[[nodiscard]] constexpr std::int64_t share_of(std::int64_t amount, std::int64_t parts) {
  return (amount + parts - 1) / parts;
}

// As many equal chunks as nodes where the job says how many, or asks for memory of a
// node or further kinds; else one a task.
[[nodiscard]] JobShape asked_by(const SlurmJob& job, ShadowUnit unit);

}  // namespace berth::study
