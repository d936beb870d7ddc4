#pragma once
// Watches a run and keeps what became of each measured job that finished.
//
// Memory  56 bytes a job.

#include <vector>

#include "engine/metrics/job_outcome.hpp"
#include "engine/metrics/window.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class OutcomeList final : public sim::Observer {
 public:
  explicit OutcomeList(const Window& window) : first_job_(window.first_job) {}

  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::EndRecord>();
  }
  void note(const sim::Record& record) override;
  void finish(Time) override {}

  // In the order in which they ended.
  [[nodiscard]] const std::vector<JobOutcome>& finished() const { return finished_; }

 private:
  std::uint32_t first_job_;
  std::vector<JobOutcome> finished_;
};

}  // namespace berth
