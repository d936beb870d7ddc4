#include "engine/machines/two_tier/tier_measure.hpp"

#include "engine/machines/two_tier/tier_slots.hpp"
#include "engine/metrics/ratio.hpp"

namespace berth {

MetricGroup tier_metrics() {
  return {
      "throughput",
      "useful_utilisation",
      {
          {"cpu_utilisation", "fraction", "integral of sum(use * rate) / (P W)",
           "Part of the processors' cycles that processes used; with two tiers only.",
           Better::kHigher},
          {"foreground_utilisation", "fraction",
           "integral of foreground slots held / (P W)",
           "Part of the foreground slots that jobs held; with two tiers only.",
           Better::kHigher},
          {"background_utilisation", "fraction",
           "integral of background slots held / (P W)",
           "Part of the background slots that jobs held; with two tiers only.",
           Better::kNeither},
      }};
}

std::vector<Metric> TierMeasure::values() const {
  const auto capacity = static_cast<double>(totals_.capacity);
  const std::array values{ratio(totals_.busy, capacity),
                          ratio(totals_.slots[0], totals_.capacity),
                          ratio(totals_.slots[1], totals_.capacity)};
  std::vector<Metric> all;
  for (const auto& record : tier_metrics().records) {
    all.push_back({record.name, values.at(all.size()), record.unit, started_});
  }
  return all;
}

void TierMeasure::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  active_.open(record.who.id);
}

void TierMeasure::on(const sim::RejectRecord& record) {
  move_to(record.at);
  active_.close(record.who.id);
}

void TierMeasure::on(const sim::StartRecord& record) {
  move_to(record.at);
  if (!record.resumed) ++started_;
  hold(record.who.id, *record.placement);
  run_at(record.who.id, record.frozen_until > record.at ? 0.0 : record.rate);
}

void TierMeasure::on(const sim::ChangeRecord& record) {
  move_to(record.at);
  release(record.who.id);
  hold(record.who.id, *record.placement);
  run_at(record.who.id, record.rate);
}

void TierMeasure::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  release(record.who.id);
}

void TierMeasure::on(const sim::UnfreezeRecord& record) {
  move_to(record.at);
  run_at(record.who.id, record.who.entry->rate);
}

void TierMeasure::on(const sim::RateRecord& record) {
  move_to(record.at);
  run_at(record.who.id, record.rate);
}

void TierMeasure::on(const sim::EndRecord& record) {
  move_to(record.at);
  release(record.who.id);
  active_.close(record.who.id);
  if (!window_.end) totals_ = sums_;
}

void TierMeasure::on(const sim::LeftRecord& record) {
  move_to(record.at);
  active_.close(record.who.id);
}

void TierMeasure::on(const sim::CapacityRecord& record) {
  move_to(record.at);
  capacity_ = record.processors;
}

void TierMeasure::finish(Time at) {
  move_to(at);
  if (window_.end) totals_ = sums_;
}

void TierMeasure::move_to(Time at) {
  const Duration span = time_.come_to(at);
  if (span == 0) return;
  sums_.capacity += Int128{capacity_} * span;
  for (std::size_t tier = 0; tier < slots_.size(); ++tier) {
    sums_.slots[tier] += Int128{slots_[tier]} * span;
  }
  sums_.busy += busy_now_ * static_cast<double>(span);
}

void TierMeasure::run_at(JobId job, double rate) {
  auto& active = active_[job];
  busy_now_ += active.use * (rate - active.rate);
  active.rate = rate;
}

void TierMeasure::hold(JobId job, const Placement& placement) {
  auto& active = active_[job];
  if (active.use == 0.0) active.use = busy_(job);
  active.tier = placement.form_if<TierSlots>()->tier;
  active.slots = placement.processors().count();
  slots_[static_cast<std::size_t>(*active.tier)] += active.slots;
}

void TierMeasure::release(JobId job) {
  run_at(job, 0.0);
  auto& active = active_[job];
  slots_[static_cast<std::size_t>(*active.tier)] -= active.slots;
  active.tier.reset();
}

}  // namespace berth
