#pragma once
// What a policy looked at in one pass, as the inspector is told it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/sim/inspector.hpp"
#include "engine/sim/policy.hpp"

namespace berth {

class PassNotes {
 public:
  // `policy` says which line looks; it outlives the notes.  Null: no line is kept.
  explicit PassNotes(const sim::Policy* policy) : policy_(policy) {}

  void started(JobId job) { started_.push_back(job); }
  void suspended(std::int64_t processors) { freed_ += processors; }
  void shown(const sim::Simulation& simulation, std::size_t order, const Place& place);
  void ended(const sim::Simulation& simulation, std::size_t order,
             sim::SelectionEnd how, const Place* at);
  void refused(const sim::Simulation& simulation, JobId job, Refusal why);
  // The pass is over: what was said last goes to the job that was shown last.
  void close(const sim::Simulation& simulation) { keep_words(simulation); }
  void clear();

  // Where the policy stopped looking last.
  struct Stop {
    std::size_t order;
    enum class How : std::uint8_t { kNoMore, kAt, kDepth } how;
    Place at;  // the last that was looked at; not for kNoMore
  };
  [[nodiscard]] const std::optional<Stop>& stop() const { return stop_; }
  // The line of the script that looked then; empty: unknown, or not kept.
  [[nodiscard]] const std::string& line() const { return line_; }
  // What happened to the job when the policy looked at it.
  struct Look {
    JobId job;
    std::optional<Refusal> refusal;
    std::string because;
  };
  // The last look; nullptr: it was neither shown nor tried.
  [[nodiscard]] const Look* look_at(JobId job) const;
  // In the order of their starts.
  [[nodiscard]] const std::vector<JobId>& all_started() const { return started_; }
  // Processors that were freed by suspensions.
  [[nodiscard]] std::int64_t freed() const { return freed_; }

 private:
  void keep_words(const sim::Simulation& simulation);
  void keep_line() {
    if (policy_ != nullptr) line_ = policy_->where();
  }

  const sim::Policy* policy_;
  std::vector<JobId> started_;
  std::int64_t freed_ = 0;
  std::optional<Stop> stop_;
  std::string line_;
  mutable std::vector<Look> looks_;
  mutable bool is_sorted_ = false;
};

}  // namespace berth
