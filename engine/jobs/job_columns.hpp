#pragma once
// Attributes of the jobs of one workload.
//
// A column is joined with the jobs once, by their numbers, and keeps the index of each
// job from then on: when jobs are left out, repeated or numbered anew, follow() says
// where each of them was.
//
// Memory       Of a column: 8 bytes a job and 8 a value.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

class JobColumns final : public JobAttributes {
 public:
  // The jobs outlive the attributes, or the next call of follow().
  explicit JobColumns(std::span<const Job> jobs) : jobs_(jobs) {}

  // Adds or replaces a column.  `values` are those of the jobs named, by the job's own
  // number; every other job has none.  `texts`: for which the values 0, 1, ... stand.
  // REQUIRES: before follow().
  void add(const std::string& name,
           const std::map<std::int64_t, std::vector<double>>& values,
           std::vector<std::string> texts = {}) {
    Values column;
    column.texts = std::move(texts);
    for (const auto& job : jobs_) {
      const auto found = values.find(job.id);
      if (found != values.end()) {
        column.values.insert(column.values.end(), found->second.begin(),
                             found->second.end());
      }
      column.ends.push_back(column.values.size());
    }
    columns_[name] = std::move(column);
  }

  // From now on the attributes are those of these jobs: job i has the values of the
  // job that was the of_trace[i]-th.  Both outlive the attributes.
  // REQUIRES: one entry for each job.
  void follow(std::span<const Job> jobs, std::span<const std::uint32_t> of_trace) {
    BERTH_ASSERT(of_trace.size() == jobs.size());
    jobs_ = jobs;
    for (auto& [name, column] : columns_) column.of_trace = of_trace;
  }

  // The jobs were drawn from those.
  void draw_from(std::shared_ptr<const JobSource> source) {
    source_ = std::move(source);
  }

  [[nodiscard]] const JobSource* source() const override { return source_.get(); }
  [[nodiscard]] std::int64_t number(JobId job) const override {
    return jobs_[index(job)].id;
  }
  [[nodiscard]] const Column* column(std::string_view name) const override {
    const auto found = columns_.find(name);
    return found == columns_.end() ? nullptr : &found->second;
  }

 private:
  struct Values final : Column {
    std::vector<double> values;       // of the first job, the second, ...
    std::vector<std::uint64_t> ends;  // by job, where its values end
    std::vector<std::string> texts{};
    std::span<const std::uint32_t>
        of_trace{};  // by job, its index here; empty: its own
    [[nodiscard]] std::span<const double> of(JobId job) const override {
      const auto own = of_trace.empty() ? index(job) : of_trace[index(job)];
      const auto begin = own == 0 ? 0 : ends[own - 1];
      return {values.data() + begin, static_cast<std::size_t>(ends[own] - begin)};
    }
    [[nodiscard]] std::string_view text(double value) const override {
      return texts[static_cast<std::size_t>(value)];
    }
  };

  std::span<const Job> jobs_;
  std::map<std::string, Values, std::less<>> columns_;
  std::shared_ptr<const JobSource> source_{};
};

// The jobs of a workload before others are drawn from them, with their attributes.
struct JobSource {
  JobSource(std::vector<Job> all, std::vector<std::uint32_t> places,
            const JobColumns& columns)
      : jobs(std::move(all)), of_trace(std::move(places)), attributes(columns) {
    attributes.follow(jobs, of_trace);
  }
  JobSource(const JobSource&) = delete;
  JobSource& operator=(const JobSource&) = delete;

  std::vector<Job> jobs;
  std::vector<std::uint32_t> of_trace;
  JobColumns attributes;
};

// The attributes of some of the jobs, in another order.
class SelectedAttributes final : public JobAttributes {
 public:
  // Job i is the job `from[i]` of `all`, as `from` is when it is asked for.  The span
  // outlives this object.
  SelectedAttributes(std::shared_ptr<const JobAttributes> all,
                     std::span<const std::uint32_t> from)
      : all_(std::move(all)), from_(from) {}

  [[nodiscard]] std::int64_t number(JobId job) const override {
    return all_->number(JobId{from_[index(job)]});
  }
  [[nodiscard]] const Column* column(std::string_view name) const override {
    const auto* const whole = all_->column(name);
    if (whole == nullptr) return nullptr;
    const auto at = columns_.try_emplace(std::string(name), *this, *whole).first;
    return &at->second;
  }

 private:
  class Selected final : public Column {
   public:
    Selected(const SelectedAttributes& of, const Column& whole)
        : of_(of), whole_(whole) {}
    [[nodiscard]] std::span<const double> of(JobId job) const override {
      return whole_.of(JobId{of_.from_[index(job)]});
    }
    [[nodiscard]] std::string_view text(double value) const override {
      return whole_.text(value);
    }

   private:
    const SelectedAttributes& of_;
    const Column& whole_;
  };

  std::shared_ptr<const JobAttributes> all_;
  std::span<const std::uint32_t> from_;
  mutable std::map<std::string, Selected, std::less<>> columns_;  // those asked for
};

}  // namespace berth
