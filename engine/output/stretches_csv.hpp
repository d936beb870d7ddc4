#pragma once
// stretches.csv: the spans of time between a job's first start and its end, for
// machines on which jobs are suspended, frozen or slowed down.
//
// Columns      job_id,from,to,kind,tier,yield,resources.  kind is running, frozen or
//              suspended; tier is empty on a machine without tiers; yield is the rate
//              at which the job advances, 0 while frozen and empty while suspended.
//              Then those further columns of a placement that the machine has.
// Order        By the end of the stretch, then by event.  Stretches of no length are
//              left out; those of jobs that still run end with the run.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/output/csv_fields.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class StretchesCsv
    : public sim::RecordVisitor<StretchesCsv, sim::StartRecord, sim::ChangeRecord,
                                sim::SuspendRecord, sim::UnfreezeRecord,
                                sim::RateRecord, sim::EndRecord, sim::LeftRecord,
                                sim::HitRecord> {
 public:
  // The sink outlives this object.
  explicit StretchesCsv(Sink& sink, std::vector<std::string_view> further = {});

  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::HitRecord& record);
  void on(const sim::LeftRecord& record);
  void finish(Time at) override;

 private:
  enum class Kind : std::uint8_t { kRunning, kFrozen, kSuspended };
  struct Stretch {
    Time from = 0;
    Kind kind = Kind::kRunning;
    double yield = 0.0;
    std::string tier;  // empty without tiers, or while suspended
    std::string resources;
    std::string further;  // columns, each with a comma before it
  };

  template <class Record>
  void begin(const Record& record);
  void close(const sim::Subject& who, Time at);
  [[nodiscard]] std::string further(const CsvFields& told) const;

  BufferedText text_;
  std::vector<std::string_view> columns_;
  JobPages<Stretch> open_;
};

}  // namespace berth
