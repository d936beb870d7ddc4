#include "engine/explain/reason.hpp"

#include <algorithm>
#include <array>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr std::array<WhyRecord, 15> kRecords{{
    {Why::kSuspended, "suspended", "suspended", "",
     "The policy has suspended it and has not resumed it."},
    {Why::kNoRoom, "no_room", "no room", "Resources",
     "It asks for more processors than are idle at the end of the pass."},
    {Why::kForegroundBusy, "foreground_busy", "foreground busy", "Resources",
     "Too few of the foreground slots are idle."},
    {Why::kNoBackgroundRoom, "no_background_room", "no background room", "Resources",
     "Too few of the background slots can be used."},
    {Why::kNoEmbedding, "no_embedding", "no embedding", "Resources",
     "The network has no room for its virtual machines and their bandwidth."},
    {Why::kNoPacking, "no_packing", "no packing", "Resources",
     "The hosts have no room for its tasks."},
    {Why::kOverBudget, "over_budget", "over budget", "Resources",
     "It would move more memory than the budget allows."},
    {Why::kTooBig, "too_big", "too big", "BadConstraints",
     "It can never start on this machine."},
    {Why::kWouldDelay, "would_delay", "would delay", "Priority",
     "It fits, and would end behind the start that is reserved for another job, on "
     "processors which that job needs."},
    {Why::kLaterReservation, "later_reservation", "reserved later", "Priority",
     "It fits, and the policy's book has its start at a later time."},
    {Why::kRefused, "refused", "refused", "",
     "The policy tried to start it, and was refused."},
    {Why::kDeclined, "declined", "declined", "",
     "A selection showed it to the policy, which did not start it."},
    {Why::kDepth, "depth", "beyond the depth", "",
     "It stands behind the last job that the policy looks at."},
    {Why::kOrder, "order", "behind", "Priority",
     "The policy stopped at a job before it."},
    {Why::kNotAsked, "not_asked", "not asked", "None",
     "It fits, nothing forbids it, and the policy did not look at it."},
}};

}  // namespace

std::span<const WhyRecord> why_records() { return kRecords; }

const WhyRecord& record_of(Why why) {
  const auto& record = kRecords.at(static_cast<std::size_t>(why));
  BERTH_ASSERT(record.why == why);
  return record;
}

Why why_of(Refusal unfit) {
  const auto at = std::find_if(
      kRecords.begin(), kRecords.end(),
      [&](const auto& record) { return record.words == unfit.word().words; });
  BERTH_ASSERT(at != kRecords.end());
  return at->why;
}

}  // namespace berth
