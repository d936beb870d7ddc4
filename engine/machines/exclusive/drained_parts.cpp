#include "engine/machines/exclusive/drained_parts.hpp"

#include <utility>

#include "engine/hosts/room_outlook.hpp"

namespace berth {

std::vector<std::int32_t> DrainedParts::of(JobId job) const {
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

std::unique_ptr<Outlook> DrainedParts::outlook(const SharingModel& model, JobId job,
                                               const Demand& demand,
                                               LeftBy left_by) const {
  if (model.kinds() != nullptr)
    return std::make_unique<KindsOutlook>(*this, model, job);
  return std::make_unique<CountedOutlook>(model, demand, std::move(left_by));
}

}  // namespace berth
