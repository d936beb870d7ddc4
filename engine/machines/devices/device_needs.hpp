#pragma once
// What a chunk of a job needs: amounts of kinds, and whole devices or a share of one.
//
// Equal needs are one entry of a table, known by its number: jobs are many, needs few.
// Source       docs/model.md#devices.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/job_attributes.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/machines/devices/device_hosts.hpp"

namespace berth {

struct DeviceNeed {
  // By kind, as in Need; gpu: the parts of its devices, before slices are rounded up.
  std::vector<std::int64_t> amounts{};
  std::int32_t gpus = 0;        // devices of a chunk; a share is of 1
  std::int64_t share = 0;       // parts of that one; 0: whole devices, or none
  std::int32_t partition = -1;  // -1: none
  std::vector<bool> may_use{};  // by type of devices; empty: all, or it needs none
  std::string types{};          // as they are given: "V100|T4"
  std::string job_class{};      // as it is given; empty: that of the trace, or none
  std::vector<double> rates{};  // work per tick, by type; empty: 1 on all

  [[nodiscard]] Need plain(std::int32_t chunks) const {
    return {amounts.data(), chunks, partition};
  }
  // Whether a chunk may have devices of this type.
  [[nodiscard]] bool allows(std::int32_t type) const {
    return gpus == 0 ||
           (type != kUntyped && (may_use.empty() || may_use[std::size_t(type)]));
  }
  // Work per tick on devices of a type that it may use.
  [[nodiscard]] double rate_on(std::int32_t type) const {
    return gpus == 0 || rates.empty() ? 1.0 : rates[std::size_t(type)];
  }
  // On the slowest type that it may use; 1 if it may use none.
  [[nodiscard]] double slowest() const;
};

// Calls with each name of a text such as "V100|T4".
template <class Call>
void each_type(std::string_view types, const Call& call) {
  // Bounded: the text of one cell.
  while (!types.empty()) {
    const auto name = types.substr(0, types.find('|'));
    types.remove_prefix(std::min(name.size() + 1, types.size()));
    call(name);
  }
}

// The class that rates are of: its own, else the trace's queue; empty: none is known.
[[nodiscard]] std::string class_of(const DeviceNeed& need, const Job& job);

// A need, and how many jobs have it.
struct TargetNeed {
  DeviceNeed need;
  std::int64_t jobs = 0;
};

class DeviceNeeds {
 public:
  // `attributes`: of these jobs; may be null.  Throws Error{kInput} for a job that a
  // low rate would make longer than the clock can carry.
  DeviceNeeds(const DeviceHosts& hosts, std::span<const Job> jobs,
              const JobAttributes* attributes);

  // From now on job i has the needs of the job that was the order[i]-th; empty: its
  // own. REQUIRES: the order outlives this object; it has one entry for each job, or
  // none.
  void follow(std::span<const std::uint32_t> order) { order_ = order; }

  // Answers which need a job has, counted from 0.
  [[nodiscard]] std::uint32_t number(JobId job) const { return of_job(job).need; }
  [[nodiscard]] const DeviceNeed& of(JobId job) const { return all_[number(job)].need; }
  [[nodiscard]] std::int32_t chunks(JobId job) const { return of_job(job).chunks; }
  // As many as the trace gives it.
  [[nodiscard]] std::int32_t processes(JobId job) const {
    return of_job(job).processes;
  }
  [[nodiscard]] Need plain(JobId job) const { return of(job).plain(chunks(job)); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  // Those of the jobs, by number.
  [[nodiscard]] const std::vector<TargetNeed>& all() const { return all_; }
  // Those of the jobs that these were drawn from, if they were.
  [[nodiscard]] const std::vector<TargetNeed>& of_source() const {
    return of_source_.empty() ? all_ : of_source_;
  }

 private:
  struct OfJob {
    std::uint32_t need;
    std::int32_t chunks;
    std::int32_t processes;
  };
  [[nodiscard]] const OfJob& of_job(JobId job) const {
    return of_jobs_[order_.empty() ? index(job) : order_[index(job)]];
  }

  std::vector<TargetNeed> all_;
  std::vector<OfJob> of_jobs_;
  std::span<const std::uint32_t> order_{};
  std::vector<TargetNeed> of_source_;
};

// The needs of the file that machine.fragmentation_target names and that has been read:
// columns cpu, gpus, share, types as in workload.needs, and jobs, how many have the
// need. Throws Error{kInput} "file:line:column: what".
[[nodiscard]] std::vector<TargetNeed> target_from_file(const DeviceHosts& hosts,
                                                       const DeviceSettings& settings);

// The columns chunks, cpu, memory, gpus, share, types and further kinds of
// workload.needs: of a chunk, cpu in cores and memory in GiB.
[[nodiscard]] JobFileForm device_needs_form(const DeviceHosts& hosts);

}  // namespace berth
