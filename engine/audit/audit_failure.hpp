#pragma once
// A rule that does not hold, and the error that ends the run.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/audit/rules.hpp"
#include "engine/base/error.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

struct Violation {
  Rule rule;  // code and name outlive the violation; without a code: the name alone
  Time at;
  std::vector<std::int64_t> jobs;  // numbers of the trace; empty: of no one job
  std::string what;

  // "capacity broken (C1, docs/model.md#c1) at t=3600, jobs 4 7: both have 3-5".
  [[nodiscard]] std::string text() const;
};

// Ends a run with exit 1.
class AuditFailure : public Error {
 public:
  explicit AuditFailure(const Violation& violation)
      : Error(ErrorCode::kAudit, "audit: " + violation.text()), violation_(violation) {}
  [[nodiscard]] const Violation& violation() const { return violation_; }

 private:
  Violation violation_;
};

}  // namespace berth::audit
