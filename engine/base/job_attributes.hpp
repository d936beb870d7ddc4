#pragma once
// What is known of the jobs of a workload beyond the fixed fields of a job: named
// columns, read by job.

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/ids.hpp"

namespace berth {

struct JobSource;

class JobAttributes {
 public:
  // The values that one column has, job by job.
  class Column {
   public:
    virtual ~Column() = default;
    // In the order of the input; empty if the column says nothing about the job.
    [[nodiscard]] virtual std::span<const double> of(JobId job) const = 0;
    // In a column of texts a value stands for this text; equal texts have equal values.
    [[nodiscard]] virtual std::string_view text(double) const { return {}; }
  };

  virtual ~JobAttributes() = default;
  // The trace's own number of a job.  Every draw attached to a job is a function of it.
  [[nodiscard]] virtual std::int64_t number(JobId job) const = 0;
  // nullptr if the workload has no column of this name.  The column lives as long as
  // the attributes.
  [[nodiscard]] virtual const Column* column(std::string_view name) const = 0;
  // The jobs that these were drawn from (jobs/job_columns.hpp); null: they are no draw.
  [[nodiscard]] virtual const JobSource* source() const { return nullptr; }
};

}  // namespace berth
