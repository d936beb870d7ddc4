#pragma once
// One run of the C interface: its policy, its simulation, and the last failure.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/numbered_calls.hpp"
#include "capi/berth.h"
#include "capi/scenario.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/single_run.hpp"

namespace berth::capi {

// Jobs that came and ended since the last open pass.
class News final : public sim::RecordVisitor<News, sim::SubmitRecord, sim::EndRecord> {
 public:
  void on(const sim::SubmitRecord& record) { submitted.push_back(record.who.id); }
  void on(const sim::EndRecord& record) { ended.push_back(record.who.id); }
  void finish(Time) override {}
  void clear() {
    submitted.clear();
    ended.clear();
  }

  std::vector<JobId> submitted;
  std::vector<JobId> ended;
};

class Run {
 public:
  // Throws Error.
  Run(std::shared_ptr<const OpenScenario> opened, const berth_options& options);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // As the functions of berth.h of these names.  They throw Error; after one that ends
  // the run, refuse_dead() throws it again.
  [[nodiscard]] std::int32_t next();
  [[nodiscard]] std::int32_t advance(double until);
  void delegate(const char* policy);
  [[nodiscard]] std::span<const bindings::PlainValue> call(
      std::int32_t primitive, std::span<const berth_value> arguments);
  [[nodiscard]] std::span<const bindings::PlainValue> walk(std::uint64_t selection);
  // The jobs of a berth_set, until the next call.
  [[nodiscard]] std::span<const JobId> jobs(std::int32_t set);
  void read_fields(std::span<const JobId> jobs, std::span<const std::int32_t> fields,
                   double* out, std::size_t stride);
  [[nodiscard]] std::string result();
  [[nodiscard]] std::vector<double> column(std::string_view name);
  [[nodiscard]] std::uint64_t hash() const;

  void refuse_dead() const;
  // Keeps the failure; one of a limit, a defect or the audit ends the run.
  void keep(const berth_error& error);
  [[nodiscard]] const std::optional<berth_error>& failure() const { return failure_; }

 private:
  [[nodiscard]] bindings::NumberedCalls& calls();
  [[nodiscard]] bool is_open();
  void require_open();
  void close_pass();
  void find_running();
  [[nodiscard]] std::int32_t end();
  void check_audit();
  // Calls what goes on with the simulation; what it throws outside a pass ends the run.
  [[nodiscard]] bool go_on(const std::function<bool()>& step);
  [[nodiscard]] sim::Policy& other_policy(const char* name);

  std::shared_ptr<const OpenScenario> opened_;
  study::PreparedPoint prepared_;
  study::LoadingOptions loading_;
  study::StudyOptions options_;
  std::unique_ptr<study::LoadedPolicy> policy_;
  std::map<std::string, std::unique_ptr<study::LoadedPolicy>> others_;
  News news_;
  std::unique_ptr<study::SteppedRun> stepped_;
  std::optional<study::PolicyResult> ended_;  // the run is over
  std::optional<study::Failure> unjudged_;    // why it has no result
  bool keeps_jobs_;
  std::vector<bindings::PlainValue> arguments_;  // of the call at hand
  std::vector<JobId> jobs_;
  std::optional<berth_error> failure_;
  std::optional<study::Failure> dead_;
};

}  // namespace berth::capi

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of berth.h
struct berth_run {
  berth::capi::Run run;
};
