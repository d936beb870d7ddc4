#include "engine/audit/head_promise.hpp"

#include "engine/base/count_before.hpp"
#include "engine/base/error.hpp"

namespace berth::audit {

void HeadPromise::start(JobId job, std::int32_t size, Time planned_end) {
  idle_ -= size;
  running_.insert(first_to_end(planned_end), {planned_end, job, size});
}

void HeadPromise::stop(JobId job, std::int32_t size, Time planned_end, Time now) {
  if (now > planned_end) promise_.reset();  // it overran
  idle_ += size;
  auto at = first_to_end(planned_end);
  while (at != running_.end() && at->job != job) ++at;
  BERTH_ASSERT(at != running_.end());
  running_.erase(at);
}

// The first that ends then or later.
std::vector<HeadPromise::Holder>::iterator HeadPromise::first_to_end(Time planned_end) {
  const auto before = count_before(running_, planned_end,
                                   [](const Holder& each) { return each.planned_end; });
  return running_.begin() + static_cast<std::ptrdiff_t>(before);
}

Time HeadPromise::shadow(std::int64_t size, Time now) const {
  auto available = idle_;
  if (available >= size) return now;
  for (const auto& holder : running_) {
    available += holder.size;
    if (available >= size) return holder.planned_end;
  }
  return kNever;
}

}  // namespace berth::audit
