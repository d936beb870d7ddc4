#pragma once
// For how long windows lacked processors while they lasted (docs/model.md#windows):
// others held what was theirs, because they ran on into a window or were there when it
// was announced.
//
// A window of a pool lacks what its users do not hold of it and is neither idle nor in
// another window; one of hosts lacks some while a job of others has a part of a host.
//
// Cost         O(windows that have begun) a record; O(running jobs) where one begins
// Memory       what each running job has

#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class WindowDelay
    : public sim::RecordVisitor<WindowDelay, sim::StartRecord, sim::SuspendRecord,
                                sim::EndRecord, sim::HitRecord, sim::WindowRecord,
                                sim::CapacityRecord> {
 public:
  // `hosts`: the processors of each; empty: a pool.
  WindowDelay(std::int64_t processors, std::vector<Interval> hosts)
      : capacity_(processors), hosts_(std::move(hosts)) {}

  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record) { release(record.who.id, record.at); }
  void on(const sim::EndRecord& record) { release(record.who.id, record.at); }
  // One that fails is told to end, too.
  void on(const sim::HitRecord& record) {
    if (record.returns) release(record.who.id, record.at);
  }
  void on(const sim::WindowRecord& record);
  void on(const sim::CapacityRecord& record);
  void finish(Time at) override { move_to(at); }

  // Of all windows together, up to the last record.
  [[nodiscard]] Duration sum() const { return sum_; }

 private:
  struct HeldPart {
    std::int32_t user;
    std::int64_t size;
    IntervalSet processors;  // where windows have hosts
  };
  struct BegunWindow {
    const MachineWindow* window;
    IntervalSet processors;  // of its hosts
    std::int64_t inside;     // held by its users
    std::int64_t outside;    // jobs of others on its hosts
  };

  void move_to(Time at);
  void release(JobId job, Time at);
  void count(const HeldPart& part, int sign);
  static void count_in(BegunWindow& begun, const HeldPart& part, int sign);
  [[nodiscard]] bool lacks(const BegunWindow& begun) const;

  std::int64_t capacity_;
  std::vector<Interval> hosts_;
  std::int64_t used_ = 0;
  std::map<JobId, HeldPart> held_;
  std::vector<BegunWindow> begun_;
  Time now_ = 0;
  Duration sum_ = 0;
};

}  // namespace berth
