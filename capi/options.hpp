#pragma once
// What a caller asks of a run, read and checked.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bindings/lua_policy.hpp"
#include "capi/berth.h"
#include "capi/scenario.hpp"

namespace berth::capi {

// Windows of consecutive jobs: an episode each.
struct JobWindows {
  std::size_t jobs = 0;  // 0: the run has all jobs
  std::size_t warm = 0;
  std::string warm_policy{};
  std::size_t first = 0;
  std::size_t stride = 1;
  std::size_t count = 1;  // of windows
  bool in_turn = false;

  // The window of this seed.  REQUIRES: there are windows.
  [[nodiscard]] study::JobWindow at(std::uint64_t seed) const;
};

struct RunOptions {
  std::optional<std::string> policy{};  // nullopt: the caller decides
  std::optional<std::string> traits{};  // then
  std::uint64_t seed = 0;
  bool is_audited = false;
  bool keeps_jobs = false;
  bindings::Limits limits{};
  JobWindows windows{};
};

// Throws Error{kUsage}.
[[nodiscard]] RunOptions read_options(const berth_options* given,
                                      const OpenScenario& opened);

// The first bytes of a struct that the caller has in a version of so many bytes; what
// it lacks is 0.  Throws Error{kUsage} if it has no size, or fields of a later version
// that are set.  REQUIRES: `given` is null or begins with its size, as uint32_t.
void read_struct(const void* given, void* out, std::size_t size, const char* name);

}  // namespace berth::capi
