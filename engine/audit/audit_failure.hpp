#pragma once
// A law of the model that does not hold.

#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/time.hpp"

namespace berth::audit {

struct Violation {
  std::string rule;  // "C1", "W3", "R1": the names of spec README 2
  Time at;
  std::vector<std::int64_t> jobs;  // the trace's numbers
  std::string what;

  // "C1 at t=3600, jobs 4 7: processors 3-5 are given to both".
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
