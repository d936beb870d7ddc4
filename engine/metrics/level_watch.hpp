#pragma once
// Watches the queue, the processors and what only the machine measures, as they change.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class LevelWatch
    : public sim::RecordVisitor<LevelWatch, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::ChangeRecord, sim::SuspendRecord,
                                sim::EndRecord, sim::CapacityRecord, sim::MachineRecord,
                                sim::HitRecord, sim::ReturnRecord> {
 public:
  // The observer of `measure`, which may be null, is told each record before.
  explicit LevelWatch(const MachineMeasure* measure)
      : measure_(measure),
        further_(measure == nullptr ? 0 : measure->levels().size()) {}

  [[nodiscard]] sim::RecordKinds wants() const override;

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::CapacityRecord& record);
  void on(const sim::MachineRecord& record);
  void on(const sim::HitRecord& record);
  void on(const sim::ReturnRecord& record);
  void finish(Time at) override { held_until(at); }

 protected:
  // The present levels held from the last call until `to`; the first call says when the
  // run began.  Instants do not go back.
  virtual void held_until(Time to) = 0;

  [[nodiscard]] std::int64_t queue() const { return queue_; }
  [[nodiscard]] std::int64_t used() const { return held_.used(); }
  [[nodiscard]] std::int64_t idle() const { return capacity_ - held_.used(); }
  // What only the machine measures: the names and, in their order, the amounts.
  [[nodiscard]] std::span<const std::string> names() const {
    return measure_ == nullptr ? std::span<const std::string>() : measure_->levels();
  }
  [[nodiscard]] std::span<const std::int64_t> further() const { return further_; }
  // What an amount is divided by where it is shown.  REQUIRES: names() has this number.
  [[nodiscard]] double unit(std::size_t number) const {
    return measure_->level_unit(number);
  }

 private:
  void read_further();

  const MachineMeasure* measure_;
  std::vector<std::int64_t> further_;
  HeldProcessors held_;
  std::int64_t queue_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace berth
