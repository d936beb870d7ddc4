#include "engine/machines/exclusive/kind_measure.hpp"

#include <fmt/format.h>

#include <utility>

namespace berth {

KindMeasure::KindMeasure(std::vector<ResourceKind> kinds,
                         std::shared_ptr<const Needs> needs, const Window& window)
    : kinds_(std::move(kinds)), needs_(std::move(needs)), window_(window) {
  levels_.reserve(kinds_.size() - 1);
  for (std::size_t kind = 1; kind < kinds_.size(); ++kind) {
    auto& level = levels_.emplace_back(Level{LevelIntegrals(window)});
    level.levels.capacity = kinds_[kind].capacity;
    names_.push_back("used_" + kinds_[kind].name);
    needs_of_jobs_.push_back("need_" + kinds_[kind].name);
  }
  columns_.assign(needs_of_jobs_.begin(), needs_of_jobs_.end());
}

void KindMeasure::finish(Time at) {
  move_to(at);
  if (window_.end) keep_totals();
}

std::vector<Metric> KindMeasure::values() const {
  std::vector<Metric> all;
  all.reserve(levels_.size());
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto& totals = levels_[i].totals;
    std::optional<double> value;
    if (totals.capacity > 0) {
      value = static_cast<double>(totals.held) / static_cast<double>(totals.capacity);
    }
    all.push_back({fmt::format("utilisation_of_{}", kinds_[i + 1].name), value,
                   "fraction", started_});
  }
  return all;
}

void KindMeasure::tell_job(const sim::Subject& job, FieldWriter& to) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    to.whole(columns_[i], need_in_all(*needs_, job.id, kinds_, i + 1));
  }
}

void KindMeasure::on(const sim::StartRecord& record) {
  add(record.who.id, record.at, 1);
  started_ += record.resumed || record.who.entry->was_hit ? 0 : 1;
}

// A job that fails has an end besides.
void KindMeasure::on(const sim::HitRecord& record) {
  if (record.returns) add(record.who.id, record.at, -1);
}

void KindMeasure::on(const sim::SuspendRecord& record) {
  add(record.who.id, record.at, -1);
}

// As for processors: up to the last end unless the window has one.
void KindMeasure::on(const sim::EndRecord& record) {
  add(record.who.id, record.at, -1);
  if (!window_.end) keep_totals();
}

void KindMeasure::move_to(Time at) {
  for (auto& level : levels_) level.integrals.advance(at, level.levels);
}

void KindMeasure::add(JobId job, Time at, int sign) {
  move_to(at);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    levels_[i].levels.held += sign * need_in_all(*needs_, job, kinds_, i + 1);
  }
}

void KindMeasure::keep_totals() {
  for (auto& level : levels_) level.totals = level.integrals.totals();
}

}  // namespace berth
