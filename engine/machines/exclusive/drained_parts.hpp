#pragma once
// Processors of a pool that drain while a job runs on them: as it ends the machine has
// them, and not the next job (docs/model.md#host-events).
//
// To plans and to the book such a processor is not a part of its job but a claim of the
// machine, which ends with the job or with the return that is expected, whichever is
// expected later; so jobs are expected to have what its job leaves them, and it when it
// is back.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/outlook.hpp"
#include "engine/hosts/room_outlook.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth {

class DrainedParts {
 public:
  struct Part {
    JobId holder;
    Time until;  // planned end of the claim
  };

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  void add(std::int32_t processor, const Part& part) {
    parts_.emplace(processor, part);
  }
  void remove(std::int32_t processor) { parts_.erase(processor); }
  // Null: no job holds it, or it does not drain.
  [[nodiscard]] const Part* find(std::int32_t processor) const {
    const auto found = parts_.find(processor);
    return found == parts_.end() ? nullptr : &found->second;
  }
  // Calls see(processor, part) for each, by number.
  template <class See>
  void for_each(const See& see) {
    for (auto& [processor, part] : parts_) see(processor, part);
  }
  // Those that the job holds, by number.  It costs O(parts).
  [[nodiscard]] std::vector<std::int32_t> of(JobId job) const;

  // Processors that a running job, or one of the system, leaves to jobs.
  using LeftBy = std::function<std::int64_t(JobId running)>;
  // The outlook of a pool of processors, or of one with further kinds, for the job.
  // REQUIRES: model and parts outlive it; `model` is a pool.
  [[nodiscard]] std::unique_ptr<Outlook> outlook(const SharingModel& model, JobId job,
                                                 const Demand& demand,
                                                 LeftBy left_by) const;

 private:
  class CountedOutlook;
  class KindsOutlook;
  std::map<std::int32_t, Part> parts_;
};

inline std::vector<std::int32_t> DrainedParts::of(JobId job) const {
  std::vector<std::int32_t> all;
  for (const auto& [processor, part] : parts_) {
    if (part.holder == job) all.push_back(processor);
  }
  return all;
}

// Processors alone.
class DrainedParts::CountedOutlook final : public Outlook {
 public:
  CountedOutlook(const SharingModel& model, const Demand& demand, LeftBy left_by)
      : needed_(demand.processors()),
        free_(model.idle()),
        left_by_(std::move(left_by)) {}

  void release(JobId running) override { free_ += left_by_(running); }
  void keep(JobId running) override { free_ -= left_by_(running); }
  [[nodiscard]] bool fits() const override { return needed_ <= free_; }
  [[nodiscard]] bool fits_beside(JobId, const Demand& demand,
                                 const Placement*) override {
    return needed_ + demand.processors() <= free_;
  }

 private:
  std::int64_t needed_;
  std::int64_t free_;
  LeftBy left_by_;
};

class DrainedParts::KindsOutlook final : public RoomOutlook {
 public:
  KindsOutlook(const DrainedParts& parts, const SharingModel& model, JobId job)
      : RoomOutlook(*model.kinds(), job), parts_(parts) {}

  void release(JobId running) override {
    RoomOutlook::release(running);
    take_processors(static_cast<std::int64_t>(parts_.of(running).size()));
  }

 private:
  const DrainedParts& parts_;
};

inline std::unique_ptr<Outlook> DrainedParts::outlook(const SharingModel& model,
                                                      JobId job, const Demand& demand,
                                                      LeftBy left_by) const {
  if (model.kinds() != nullptr)
    return std::make_unique<KindsOutlook>(*this, model, job);
  return std::make_unique<CountedOutlook>(model, demand, std::move(left_by));
}

}  // namespace berth
