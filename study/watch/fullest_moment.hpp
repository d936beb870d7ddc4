#pragma once
// A machine whose hosts have parts, such as devices, at the moment of a run at which
// most of them were in use: a picture for a terminal, a host a line.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/machines/drawn_places.hpp"
#include "engine/sim/observer.hpp"

namespace berth::study {

// Memory       What the placements of all jobs of the run take.
class FullestMoment final
    : public sim::RecordVisitor<FullestMoment, sim::StartRecord, sim::ChangeRecord,
                                sim::SuspendRecord, sim::HitRecord, sim::EndRecord> {
 public:
  // REQUIRES: `hosts` are those of the machine of the run.
  explicit FullestMoment(DrawnHosts hosts) : hosts_(std::move(hosts)) {}

  void finish(Time) override {}

  // The first of the moments at which most was in use.  Shares of a part stand side by
  // side in the order in which their jobs started there, each with the number of its
  // job where that has room; hosts beyond the first ones are counted.  Empty: nothing
  // was ever in use.
  [[nodiscard]] std::string text() const;

 private:
  friend RecordVisitor;

  // A job comes to have these parts, or has them no longer.
  struct HeldParts {
    std::int64_t job;   // the trace's own number
    std::size_t first;  // in parts_
    std::size_t parts;  // 0: it has none from now on
  };
  using Jobs =
      std::map<std::int64_t, std::size_t>;  // the last step of each that has any
  struct HeldPiece {
    std::int64_t job;
    std::int64_t share;  // never 0
  };
  using Row = std::vector<std::vector<HeldPiece>>;  // by part of the host

  void on(const sim::StartRecord& record) {
    put(record.at, record.who, *record.placement);
  }
  void on(const sim::ChangeRecord& record) {
    leave(record.who);
    put(record.at, record.who, *record.placement);
  }
  void on(const sim::SuspendRecord& record) { leave(record.who); }
  void on(const sim::HitRecord& record) { leave(record.who); }
  void on(const sim::EndRecord& record) { leave(record.who); }
  void put(Time at, const sim::Subject& who, const Placement& placement);
  void leave(const sim::Subject& who);
  [[nodiscard]] std::int64_t share_of(const DrawnPart& part) const {
    return part.share > 0 ? part.share : hosts_.whole;
  }
  [[nodiscard]] std::int64_t held_by(const HeldParts& step) const;
  [[nodiscard]] std::vector<Row> rows_then() const;
  [[nodiscard]] std::string drawn(const Row& row, std::int64_t cells) const;

  DrawnHosts hosts_;
  std::vector<DrawnPart> parts_;
  std::vector<HeldParts> steps_;
  Jobs running_;
  std::int64_t held_ = 0;
  std::int64_t most_ = 0;
  std::size_t steps_then_ = 0;
  Time then_ = 0;
};

}  // namespace berth::study
