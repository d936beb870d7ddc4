#pragma once
// What a run tells of single jobs beside their outcomes.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/metrics/machine_measure.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

// Memory       48 bytes for each job that was killed, moved or suspended; 8 for each
// job
//              of the workload and each number that the machine tells
class JobDetails final : public sim::RecordVisitor<JobDetails, sim::RejectRecord,
                                                   sim::EndRecord, sim::LeftRecord> {
 public:
  // `jobs`: of the workload.  The observer of `measure`, which may be null, is told
  // each record before.
  JobDetails(std::size_t jobs, MachineMeasure* measure)
      : jobs_(jobs), measure_(measure) {}

  void on(const sim::RejectRecord& record) { keep(record.who); }
  void on(const sim::EndRecord& record) { keep(record.who); }
  void on(const sim::LeftRecord& record) { keep(record.who); }
  void finish(Time) override {}

  // As it was when the job left.
  [[nodiscard]] Account account(JobId job) const {
    const auto at = accounts_.find(job);
    return at == accounts_.end() ? Account{} : at->second;
  }
  // The numbers that only the machine tells, by name and job; NaN: none of this job.
  // Columns of words are not among them.
  [[nodiscard]] const std::map<std::string, std::vector<double>, std::less<>>& numbers()
      const {
    return numbers_;
  }

 private:
  void keep(const sim::Subject& who);

  std::size_t jobs_;
  MachineMeasure* measure_;
  std::unordered_map<JobId, Account> accounts_;  // of jobs with a count above 0
  std::map<std::string, std::vector<double>, std::less<>> numbers_;
};

}  // namespace berth
