#pragma once
// The jobs of a workload and of a run as frames, and frames of what is there already.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/tools/frame.hpp"
#include "bindings/tools/run.hpp"

namespace berth::bindings {

// The columns that are known when a job is submitted, of consecutive jobs of a
// workload, and besides length and area, which policies do not see.
class SubmittedJobs final : public FrameSource {
 public:
  // The jobs, and what the needs point to, outlive this object.
  SubmittedJobs(std::span<const Job> jobs, NeedColumns needs);

  // `most` jobs from `first` on, or as many as there are.
  // REQUIRES: first <= rows().
  [[nodiscard]] SubmittedJobs piece(std::size_t first, std::size_t most) const;

  [[nodiscard]] Time submit(std::size_t row) const { return jobs_[row].submit; }

  [[nodiscard]] std::size_t rows() const override { return jobs_.size(); }
  [[nodiscard]] std::string_view what() const override { return "submitted jobs"; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override;

 private:
  std::span<const Job> jobs_;
  std::size_t first_ = 0;  // of the workload
  NeedColumns needs_;
  std::vector<std::string> names_;
};

// The jobs of a run that is made again: those columns, and `start` and `wait`.
class ReplayedJobs final : public FrameSource {
 public:
  // The starts, a job each, outlive this object.
  ReplayedJobs(SubmittedJobs jobs, std::span<const Time> starts);

  [[nodiscard]] std::size_t rows() const override { return jobs_.rows(); }
  [[nodiscard]] std::string_view what() const override { return "jobs"; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override;

 private:
  SubmittedJobs jobs_;
  std::span<const Time> starts_;
  std::vector<std::string> names_;
};

// The columns of run.jobs and run.finished, row for row those of `rows`.
class RunJobs final : public FrameSource {
 public:
  RunJobs(const ToolRun& run, std::shared_ptr<const OutcomesByJob> outcomes,
          std::shared_ptr<const std::vector<JobId>> rows);

  [[nodiscard]] std::size_t rows() const override { return rows_->size(); }
  [[nodiscard]] std::string_view what() const override { return "jobs"; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override;

 private:
  const ToolRun& run_;
  std::shared_ptr<const OutcomesByJob> outcomes_;
  std::shared_ptr<const std::vector<JobId>> rows_;
  std::vector<std::string> names_;
};

// Row for row the rows of `finished` of two runs with results whose jobs have one
// number, in the order of the first run; of several with one number the k-th with the
// k-th.
[[nodiscard]] std::pair<std::vector<JobId>, std::vector<JobId>> jobs_of_both(
    const RunObject& run, const RunObject& other, Budget& budget);

// A frame of columns that are made already, of equally many rows.
class MadeFrame final : public FrameSource {
 public:
  MadeFrame(std::string_view what, std::vector<std::pair<std::string, ColumnPtr>> all);

  [[nodiscard]] std::size_t rows() const override;
  [[nodiscard]] std::string_view what() const override { return what_; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override;

 private:
  std::string_view what_;
  std::vector<std::pair<std::string, ColumnPtr>> columns_;
  std::vector<std::string> names_;
};

// run.users; without the column of weights if they are null.
using UserWeights = std::map<std::int32_t, double>;
[[nodiscard]] std::shared_ptr<const FrameSource> users_of(const Summary& summary,
                                                          const UserWeights* weights);

}  // namespace berth::bindings
