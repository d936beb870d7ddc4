#pragma once
// log.jsonl: every record of a run as one line of JSON.
//
// Each line has "at" in seconds and "record", the kind; jobs are the trace's own
// numbers; null stands for never.  A reason given by the policy is "because"; it is
// left out where there is none.
//
// In one decision at most kMostRepeated suspensions, resumes, plans, reservations and
// wake-ups are kept; a line "cut" stands where the first one is left out.
//
// Where limits are watched, "limit" lines stand behind the others of their instant.
//
// Memory       8 bytes for each job submitted, because plans name jobs by JobId.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/output/buffered_text.hpp"
#include "engine/output/limit_watch.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class LogJsonl : public sim::Observer {
 public:
  static constexpr std::int64_t kMostRepeated = std::int64_t{1} << 18U;

  // The sink outlives this object.  `watched`: a line for each job that limits bar,
  // and no longer bar; null: none.
  explicit LogJsonl(Sink& sink, std::shared_ptr<const LimitSettings> watched = nullptr);

  [[nodiscard]] sim::RecordKinds wants() const override { return sim::kAllKinds; }
  void note(const sim::Record& record) override;
  void finish(Time at) override;

 private:
  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::UnfreezeRecord& record);
  void on(const sim::RateRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::LeftRecord& record);
  void on(const sim::PlanRecord& record);
  void on(const sim::ReservationRecord& record);
  void on(const sim::WakeRecord& record);
  void on(const sim::CapacityRecord& record);
  void on(const sim::EstimateRecord& record);
  void on(const sim::RekeyRecord& record);
  void on(const sim::PassRecord& record);
  void on(const sim::SparePassRecord&) {}
  void on(const sim::KeyRecord&) {}
  void on(const sim::MachineRecord& record);
  void on(const sim::HostRecord& record);
  void on(const sim::HitRecord& record);
  void on(const sim::WindowRecord& record);
  void on(const sim::ReturnRecord& record);

  void write(Time at, const Job& job, const LimitBar* bar);
  void begin(Time at, std::string_view kind);
  void begin(Time at, std::string_view kind, const sim::Subject& who);
  void begin(Time at, std::string_view kind, JobId job);
  void columns(const Placement& placement);
  void fields(const MachineFact& fact);
  void because(std::string_view reason);

  BufferedText text_;
  std::vector<std::int64_t> numbers_;  // by JobId
  std::int64_t repeated_ = 0;          // in this decision
  std::optional<LimitWatch> limits_{};
};

}  // namespace berth
