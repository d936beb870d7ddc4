#pragma once
// The observer that measures how much of each kind of resource but processors jobs
// hold (docs/model.md#kinds).
//
// Cost         O(kinds) a start or an end

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hosts/need_in_all.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class KindMeasure final
    : public MachineMeasure,
      private sim::RecordVisitor<KindMeasure, sim::StartRecord, sim::SuspendRecord,
                                 sim::EndRecord, sim::CapacityRecord, sim::HitRecord> {
 public:
  // `kinds`: of the machine, processors first.
  KindMeasure(std::vector<ResourceKind> kinds, std::shared_ptr<const Needs> needs,
              const Window& window);

  [[nodiscard]] sim::Observer& observer() override { return *this; }
  // utilisation_of_KIND for each kind but processors, in their order.
  [[nodiscard]] std::vector<Metric> values() const override;
  // used_KIND, likewise; memory in KiB.
  [[nodiscard]] std::span<const std::string> levels() const override { return names_; }
  [[nodiscard]] std::int64_t level(std::size_t number) const override {
    return levels_[number].levels.held;
  }
  // need_KIND, likewise: what the job needs in all.
  [[nodiscard]] std::span<const std::string_view> job_columns() const override {
    return columns_;
  }
  void tell_job(const sim::Subject& job, FieldWriter& to) override;

 private:
  friend RecordVisitor;

  struct Level {
    LevelIntegrals integrals;
    Levels levels{};
    LevelTotals totals{};
  };

  void finish(Time at) override;
  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::CapacityRecord& record) { move_to(record.at); }
  void on(const sim::HitRecord& record);
  void move_to(Time at);
  void add(JobId job, Time at, int sign);
  void keep_totals();

  std::vector<ResourceKind> kinds_;
  std::shared_ptr<const Needs> needs_;
  Window window_;
  std::vector<Level> levels_;  // by kind, without processors
  std::vector<std::string> names_;
  std::vector<std::string> needs_of_jobs_;
  std::vector<std::string_view> columns_;  // the same
  std::int64_t started_ = 0;
};

}  // namespace berth
