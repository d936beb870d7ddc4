#pragma once
// The policies of a run, loaded and labelled.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/call_profile.hpp"
#include "bindings/lua_policy.hpp"
#include "study/common/exit_code.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/recorded.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// What a script prints, one call a line; may come from any thread.
using PrintSink = std::function<void(std::string_view label, std::string_view line)>;

struct LoadedPolicy {
  PolicyChoice choice;
  std::string label;  // "sjf(block=false)"; the stem if it did not load
  std::unique_ptr<bindings::LuaPolicy> policy;
  std::unique_ptr<Recorded> recorded{};  // instead, of the policy of this name
  Failure failure;                       // code 0: it loaded
  std::vector<std::string> printed;      // by the script, so far

  // REQUIRES: it is loaded.
  [[nodiscard]] sim::Policy& decider() const {
    return recorded ? static_cast<sim::Policy&>(*recorded) : *policy;
  }
};

struct LoadingOptions {
  bindings::Limits limits;
  PrintSink print;
  std::function<void(std::string_view file, int line)> line{};  // see PolicyOptions
  // One is added for each policy file, in their order; null: none is timed.
  std::deque<bindings::CallProfile>* profiles = nullptr;
};

// One entry for each policy of the scenario, in its order.  One that does not load has
// its failure, the others are loaded all the same.
// Throws Error{kUsage, kInput} where there is none, a name does not exist, a file
// cannot be read, or two labels are equal. Entries are kept by pointer: scripts that
// print write to theirs.
[[nodiscard]] std::vector<std::unique_ptr<LoadedPolicy>> load_policies(
    const Scenario& scenario, const PolicyLibrary& library,
    const LoadingOptions& options);

// A policy of the scenario that is no file: its text, and what it is called.  Throws
// what LuaPolicy throws.
[[nodiscard]] std::unique_ptr<LoadedPolicy> load_text(const Scenario& scenario,
                                                      const PolicyLibrary& library,
                                                      const bindings::PolicyFile& file,
                                                      const LoadingOptions& options);

}  // namespace berth::study
