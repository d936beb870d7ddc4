#pragma once
// A case of NAME.test.lua, run: what it runs on, and what is not as expected.

#include <memory>
#include <string>
#include <vector>

#include "study/policies/policy_library.hpp"
#include "study/tests/tested_run.hpp"

namespace berth::study {

// The policy under test, and where its cases find other files.
struct CaseSubject {
  PolicyChoice choice;
  bindings::PolicyFile file;
  const PolicyLibrary& library;
  bindings::Limits limits;
  std::string folder;                // of the file of cases; "": the present one
  std::vector<OwnMetric> metrics{};  // what is tested, if it is a metric
  std::function<void(std::string_view)> print{};
  std::function<void(std::string_view file, int line)> line{};
};

// The machine and the jobs of a case, and its policies.
class CaseBench {
 public:
  // Throws Error for a scenario, a trace or another policy that is not there.
  // REQUIRES: jobs are given or named, not random; both outlive it.
  CaseBench(const bindings::PolicyCase& wanted, const CaseSubject& subject);
  CaseBench(const CaseBench&) = delete;
  CaseBench& operator=(const CaseBench&) = delete;

  // The run of a policy under test, or of the other one.
  [[nodiscard]] TestedRun run(const PolicyMaker& policy) const {
    return {point_, prepared_ ? prepared_->scenario : scenario_, policy,
            subject_.limits};
  }
  [[nodiscard]] const Point& point() const { return point_; }
  [[nodiscard]] const PolicyMaker& policy() const { return policy_; }
  [[nodiscard]] const PolicyMaker& versus() const { return versus_; }  // may be null

 private:
  void take_jobs();
  void check_needs() const;
  void take_input();
  [[nodiscard]] PolicyMaker maker(const PolicyChoice& choice, bool is_subject) const;
  [[nodiscard]] PolicyMaker maker_of_input(const PolicyChoice& choice, bool is_subject);

  const bindings::PolicyCase& case_;
  const CaseSubject& subject_;
  std::vector<Job> jobs_;
  std::unique_ptr<PreparedPoint> prepared_;  // of a scenario or a trace
  Scenario scenario_;                        // else
  Point point_;
  PolicyMaker policy_;
  PolicyMaker versus_;
};

// What differs from the starts, ends, order and reasons that the case expects, a line
// each, with the reason that explains a start; empty: nothing.
[[nodiscard]] std::string differences(const bindings::PolicyCase& wanted,
                                      const TestedRun& run);

// Runs the case of this number; what is not as expected, in lines that each begin
// with its name or two blanks; empty: nothing.  Throws what the policy throws, and
// audit::AuditFailure.  REQUIRES: its jobs are not random.
[[nodiscard]] std::string run_case(bindings::CaseFile& file, std::size_t number,
                                   const CaseSubject& subject);

// What `holds` of the case of this number finds wrong with these jobs, which may be
// drawn; empty: nothing.  Throws as run_case.
[[nodiscard]] std::string judge(bindings::CaseFile& file, std::size_t number,
                                const bindings::PolicyCase& jobs,
                                const CaseSubject& subject);

}  // namespace berth::study
