#pragma once
// A scenario that was opened: what runs on it share.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "capi/berth.h"
#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_library.hpp"

namespace berth::capi {

struct OpenScenario {
  study::Scenario scenario;
  study::PolicyLibrary library;
  std::shared_ptr<const study::PreparedWorkload> workload{};
  std::shared_ptr<const std::vector<Time>> expected{};  // null: nobody asks for them
};

// The limits of a call where the caller gives none: no time, so neither thread nor
// signal.
[[nodiscard]] bindings::Limits usual_limits();

// How many jobs have left so far.  O(1).
[[nodiscard]] std::size_t jobs_left(const berth_run& run);

}  // namespace berth::capi

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of berth.h
struct berth_scenario {
  std::shared_ptr<const berth::capi::OpenScenario> opened;
};
