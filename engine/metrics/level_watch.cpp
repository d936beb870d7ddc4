#include "engine/metrics/level_watch.hpp"

namespace berth {

sim::RecordKinds LevelWatch::wants() const {
  const auto all = RecordVisitor::wants();
  return further_.empty() ? all & ~sim::kinds<sim::MachineRecord>() : all;
}

void LevelWatch::on(const sim::SubmitRecord& record) {
  held_until(record.at);
  ++queue_;
  read_further();
}

void LevelWatch::on(const sim::RejectRecord& record) {
  held_until(record.at);
  --queue_;
}

void LevelWatch::on(const sim::StartRecord& record) {
  held_until(record.at);
  --queue_;
  held_.take(record.who.id, *record.placement);
  read_further();
}

void LevelWatch::on(const sim::ChangeRecord& record) {
  const bool stays = record.effect == sim::ChangeRecord::Effect::kShares;
  if (stays && further_.empty()) return;
  held_until(record.at);
  read_further();
  if (stays) return;
  held_.release(record.who.id);
  held_.take(record.who.id, *record.placement);
}

void LevelWatch::on(const sim::SuspendRecord& record) {
  held_until(record.at);
  ++queue_;
  held_.release(record.who.id);
  read_further();
}

void LevelWatch::on(const sim::EndRecord& record) {
  held_until(record.at);
  held_.release(record.who.id);
  read_further();
}

void LevelWatch::on(const sim::CapacityRecord& record) {
  held_until(record.at);
  capacity_ = record.processors;
}

void LevelWatch::on(const sim::MachineRecord& record) {
  held_until(record.at);
  read_further();
}

// A job that fails has an end besides.
void LevelWatch::on(const sim::HitRecord& record) {
  if (!record.returns) return;
  held_until(record.at);
  held_.release(record.who.id);
  read_further();
}

void LevelWatch::on(const sim::ReturnRecord& record) {
  held_until(record.at);
  ++queue_;
  read_further();
}

void LevelWatch::read_further() {
  for (std::size_t i = 0; i < further_.size(); ++i) further_[i] = measure_->level(i);
}

}  // namespace berth
