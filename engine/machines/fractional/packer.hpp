#pragma once
// What packs one instance after the other.

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/case_set.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/compact_form.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

// How packers work, whatever the policy.
struct PackingRules {
  SearchSettings search = {};
  FirstList first_list = FirstList::kCpu;
  RelaxedSource relaxed_source = RelaxedSource::kSimplex;
};

// One instance of a packing study.
struct PackingTask {
  const Problem& problem;
  std::int64_t instance = 0;  // its number; with the seed it decides what is drawn
  std::uint64_t seed = 0;
  PackingRules rules = {};
  // relaxed_parts() of the problem, or null if there are none; may be empty.
  std::function<const std::vector<double>*(Budget&)> parts = {};
};

class Packer : public CaseHook {
 public:
  // What was not raised already is raised by kAverage.  Throws Error{kPolicy}, and
  // kTime or kMemory for limits.
  [[nodiscard]] virtual Packing pack(const PackingTask& task) = 0;
};

}  // namespace berth::pack
