#pragma once
// Which fields of a trace stand for the size and the memory of its jobs.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

enum class SizeField : std::uint8_t { kRequested, kAllocated };
enum class MemoryField : std::uint8_t { kRequested, kUsed, kNone };
enum class MissingMemory : std::uint8_t { kNone, kOther, kLeaveOut };

struct ChosenFields {
  // Of SWF field 8 else 5, or the other way; open: as usual in the format.
  std::optional<SizeField> size{};
  MemoryField memory = MemoryField::kRequested;  // field 10, 7, or neither
  MissingMemory missing_memory = MissingMemory::kNone;
  std::vector<std::int32_t> partitions{};  // only jobs of these; empty: of all

  // Whether what the trace recorded is needed to choose.
  [[nodiscard]] bool needs_recorded() const {
    return size == SizeField::kAllocated || memory == MemoryField::kUsed ||
           missing_memory == MissingMemory::kOther;
  }
};

// Sets size and memory of each job.
// REQUIRES: the workload has its recorded fields if they are needed.
void choose_fields(Workload& workload, const ChosenFields& chosen, Budget& budget);

// Keeps the jobs that the choice does not leave out: those of the partitions, and those
// with memory where it says so.
void leave_out(Workload& workload, const ChosenFields& chosen, Budget& budget);

}  // namespace berth
