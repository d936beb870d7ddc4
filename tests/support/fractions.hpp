#pragma once
// Machines whose hosts are shared by fractions, for tests.

#include "engine/machines/fractional/fractional_settings.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

// Hosts of 1 GiB.  Every task can use `cpu` of a host, and has the memory of its job.
[[nodiscard]] inline TestMachine a_fractional_machine(std::int32_t hosts,
                                                      double cpu = 1) {
  FractionalSettings settings;
  settings.memory = 1;
  settings.cpu = cpu;
  auto machine = default_machine("fractional", hosts);
  machine.model_settings = settings;
  return machine;
}

[[nodiscard]] inline FractionalSettings& fractions_of(TestMachine& machine) {
  return std::any_cast<FractionalSettings&>(machine.model_settings);
}

// A job whose tasks need this part of such a host's memory.
[[nodiscard]] inline Job with_memory(Job job, double part) {
  constexpr std::int64_t kBits = (std::int64_t{1} << 62) - 1;  // of the field
  job.memory_kib = static_cast<std::int64_t>(part * 1024 * 1024) & kBits;
  return job;
}

}  // namespace berth::test
