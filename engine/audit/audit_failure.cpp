#include "engine/audit/audit_failure.hpp"

#include <fmt/format.h>


namespace berth::audit {

namespace {

std::string title(const Rule& rule) {
  if (rule.code.empty()) return std::string(rule.name);
  std::string anchor(rule.code);
  for (char& letter : anchor) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return fmt::format("{} broken ({}, docs/model.md#{})", rule.name, rule.code, anchor);
}

}  // namespace

std::string Violation::text() const {
  const auto head = fmt::format("{} at t={}", title(rule), seconds_text(at));
  if (jobs.empty()) return fmt::format("{}: {}", head, what);
  return fmt::format("{}, job{} {}: {}", head, jobs.size() == 1 ? "" : "s",
                     fmt::join(jobs, " "), what);
}

}  // namespace berth::audit
