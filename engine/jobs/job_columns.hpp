#pragma once
// Attributes of the jobs of one workload, in memory or, where they are many, in files.
//
// Memory       Of a column: 8 bytes a job and 8 a value (see SpillingArray).

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/job_attributes.hpp"
#include "engine/base/spilling_array.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

class JobColumns final : public JobAttributes {
 public:
  // The jobs outlive the attributes.
  explicit JobColumns(std::span<const Job> jobs) : jobs_(jobs) {}

  // Adds or replaces a column.  `values` are those of the jobs named, by the job's own
  // number; every other job has none.
  void add(const std::string& name,
           const std::map<std::int64_t, std::vector<double>>& values) {
    auto column = std::make_unique<Values>();
    for (const auto& job : jobs_) {
      const auto found = values.find(job.id);
      if (found != values.end()) column->values.append(found->second);
      column->ends.push_back(column->values.size());
    }
    columns_[name] = std::move(column);
  }

  [[nodiscard]] std::int64_t number(JobId job) const override {
    return jobs_[index(job)].id;
  }
  [[nodiscard]] const Column* column(std::string_view name) const override {
    const auto found = columns_.find(name);
    return found == columns_.end() ? nullptr : found->second.get();
  }

 private:
  struct Values final : Column {
    SpillingArray<double> values;       // of the first job, the second, ...
    SpillingArray<std::uint64_t> ends;  // by job, where its values end
    [[nodiscard]] std::span<const double> of(JobId job) const override {
      const auto begin = index(job) == 0 ? 0 : ends[index(job) - 1];
      return {values.data() + begin,
              static_cast<std::size_t>(ends[index(job)] - begin)};
    }
  };

  std::span<const Job> jobs_;
  std::map<std::string, std::unique_ptr<Values>, std::less<>> columns_;
};

}  // namespace berth
