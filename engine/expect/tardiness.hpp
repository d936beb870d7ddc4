#pragma once
// How late jobs end against what their users could expect (docs/model.md#tardiness).
//
// A finished job is violated if it ends after its expected end time; its tardiness is
// the time between.  Violations are also laid out by minutes: tardiness T of a job
// marks ceil(T / 60) minutes from the latest start on with which it would have been in
// time.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// Minutes from the first submit of the workload, from <= minute < to, each with so many
// violations.
struct ViolatedMinutes {
  friend bool operator==(const ViolatedMinutes&, const ViolatedMinutes&) = default;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t violations = 0;  // > 0
};

// The judged jobs of one user.
struct UserTardiness {
  std::int32_t user = kUnknown;
  std::int64_t jobs = 0;
  std::int64_t violated = 0;
  Int128 tardiness = 0;           // ticks
  Int128 weighted_tardiness = 0;  // processor ticks
  Int128 area = 0;                // size times length, processor ticks
  // Maximal runs of equal value, by time.
  std::vector<ViolatedMinutes> minutes;

  // Violated jobs, in percent; nullopt if no job was judged.
  [[nodiscard]] std::optional<double> veet() const;
  // Most consecutive minutes with a violation.
  [[nodiscard]] std::int64_t longest_line() const;
};

// Cost         O(log v) a job, v = violated jobs of its user
class TardinessOfUsers {
 public:
  // REQUIRES: jobs by (submit, id) and their expected end times outlive this object.
  TardinessOfUsers(std::span<const Job> jobs, std::span<const Time> expected,
                   Time ignore_before)
      : jobs_(jobs), expected_(expected), ignore_before_(ignore_before) {}

  [[nodiscard]] Duration tardiness(JobId job, Time end) const;
  // REQUIRES: once a job.
  void finished(JobId job, Time end);
  // By first submission of any job, then by number; those without a judged job, too.
  [[nodiscard]] std::vector<UserTardiness> users() const;

 private:
  struct User {
    UserTardiness sums;
    std::map<std::int64_t, std::int64_t> changes;  // of the violations, by minute
  };
  [[nodiscard]] static std::vector<ViolatedMinutes> minutes_of(const User& user);

  std::span<const Job> jobs_;
  std::span<const Time> expected_;
  Time ignore_before_;
  std::map<std::int32_t, User> users_;
};

}  // namespace berth
