#include "engine/audit/audit_failure.hpp"

#include <fmt/format.h>

namespace berth::audit {

std::string Violation::text() const {
  if (jobs.empty()) return fmt::format("{} at t={}: {}", rule, seconds_text(at), what);
  return fmt::format("{} at t={}, job{} {}: {}", rule, seconds_text(at),
                     jobs.size() == 1 ? "" : "s", fmt::join(jobs, " "), what);
}

}  // namespace berth::audit
