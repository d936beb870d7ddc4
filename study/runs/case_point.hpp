#pragma once
// One point of a study of cases, and policies on it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/machines/case_set.hpp"
#include "study/policies/policy_set.hpp"

namespace berth::study {

class CasePoint {
 public:
  // Draws or reads the cases.  Throws Error{kInput, kUsage}.
  CasePoint(const Scenario& scenario, Budget& budget);

  [[nodiscard]] const CaseStudy& study() const { return study_; }
  [[nodiscard]] const CaseSet& cases() const { return *cases_; }
  // Of the file; nullopt if they are drawn.
  [[nodiscard]] const std::optional<std::string>& sha256() const { return sha256_; }

  struct Result {
    std::unique_ptr<CaseAnswers> answers;
    double seconds = 0;      // of wall clock, for timing alone
    double cpu_seconds = 0;  // of this thread, likewise
  };
  // The policy on every case.  Throws what it throws, Error{kPolicy} if its file has no
  // field that answers, Interrupted if `interrupted` says so.  Threads  Any.
  [[nodiscard]] Result run(LoadedPolicy& policy,
                           const std::function<bool()>& interrupted);

  // The answers of one policy as CSV, and read back.  REQUIRES: the text is whole, as
  // this program wrote it.
  [[nodiscard]] std::string text_of(const CaseAnswers& answers) const;
  [[nodiscard]] std::unique_ptr<CaseAnswers> read(std::string_view text) const;

 private:
  const CaseStudy& study_;
  std::unique_ptr<CaseSet> cases_;
  std::optional<std::string> sha256_;
};

// The same within so many seconds; 0: no limit.  Throws Error{kTime}, too.
[[nodiscard]] std::unique_ptr<CasePoint> case_point(const Scenario& scenario,
                                                    double seconds);

// How many cases of this study a file has.  Throws Error{kInput}.
[[nodiscard]] std::size_t cases_in(const CaseStudy& study, const std::string& path);

// summary.json of one policy.
[[nodiscard]] std::string case_summary_json(const Scenario& scenario,
                                            const LoadedPolicy& policy,
                                            const Summary& summary);

}  // namespace berth::study
