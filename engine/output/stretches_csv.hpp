#pragma once
// stretches.csv: what each job did between its first start and its end, for machines on
// which jobs are suspended, frozen or slowed down (DESIGN.md 6).
//
// Columns      job_id,from,to,kind,tier,yield,resources.  kind is running, frozen or
//              suspended; tier is empty on a machine without tiers; yield is the rate
//              at which the job advances, 0 while frozen and empty while suspended.
// Order        By the end of the stretch, then of events; stretches that last no time
// are
//              left out.  What a job still does when the run is over ends there.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/job_pages.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class StretchesCsv : public sim::Observer {
 public:
  // The sink outlives the writer.
  explicit StretchesCsv(Sink& sink);

  [[nodiscard]] sim::RecordKinds wants() const override;
  void note(const sim::Record& record) override;
  void finish(Time at) override;

 private:
  enum class Kind : std::uint8_t { kRunning, kFrozen, kSuspended };
  struct Stretch {
    Time from = 0;
    Kind kind = Kind::kRunning;
    double yield = 0.0;
    std::string_view tier;  // empty without tiers, or while suspended
    std::string resources;
  };

  template <class Other>
  void on(const Other&) {}
  void on(const sim::StartRecord& record);
  void on(const sim::PromoteRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);

  template <class Record>
  void begin(const Record& record);
  void close(const sim::Subject& who, Time at);

  BufferedText text_;
  JobPages<Stretch> open_;
};

}  // namespace berth
