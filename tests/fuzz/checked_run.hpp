#pragma once
// A run of one Lua policy whose state is checked after every decision and every hook.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::fuzz {

struct Setup {
  sim::Machine machine;
  sim::Settings settings;
  std::vector<Job> jobs;  // by (submit, id)
  bindings::Limits limits;
};

// How a run ended: a fingerprint of everything the watchers were told, and the error.
struct Ending {
  int code = 0;  // as the command line would give it
  std::string message;
  std::uint64_t records = 0;
  friend bool operator==(const Ending&, const Ending&) = default;
};

class CheckedRun {
 public:
  // Loads the policy; one that does not load has ended.
  // REQUIRES: the setup outlives the run.
  CheckedRun(const Setup& setup, std::string policy);
  ~CheckedRun();
  CheckedRun(const CheckedRun&) = delete;
  CheckedRun& operator=(const CheckedRun&) = delete;

  // Everything up to and including `until`; whether there is more to come.  Ends the
  // process on any error but those of policies: wrong calls, limits and, where the
  // policy declares one, a promise that it did not keep.
  bool advance(Time until);
  [[nodiscard]] const Ending& ending() const { return ending_; }

 private:
  class Watched;
  class Fingerprint;

  void load(const Setup& setup, std::string policy);
  template <class Work>
  void attempt(const Work& work);

  Ending ending_;
  bool over_ = false;
  std::unique_ptr<bindings::LuaPolicy> policy_;
  std::unique_ptr<Watched> watched_;
  std::unique_ptr<Fingerprint> fingerprint_;
  std::optional<audit::Auditor> auditor_;
  std::optional<sim::Simulation> simulation_;
};

// From the beginning to the end at once.
[[nodiscard]] Ending run_alone(const Setup& setup, const std::string& policy);

}  // namespace berth::fuzz
