#pragma once
// Properties over random workloads, and the smallest workload without one of them.

#include <cstdint>
#include <optional>
#include <string>

#include "study/tests/case_run.hpp"

namespace berth::study {

// The case with the jobs of its workload of this number, from 0: drawn from `random`
// and the number alone.
[[nodiscard]] bindings::PolicyCase drawn(const bindings::PolicyCase& property,
                                         std::int64_t run);

struct Counterexample {
  std::int64_t run = 0;  // the number of the workload
  bindings::PolicyCase jobs;
  std::string says;  // what is wrong with it
  ErrorCode code = ErrorCode::kAudit;
};

// The first of the workloads from `from` to before `to` for which the property does not
// hold, as drawn: a rule that is broken or an error of the policy counts, too.  Throws
// Interrupted.
[[nodiscard]] std::optional<Counterexample> find_failure(bindings::CaseFile& file,
                                                         std::size_t number,
                                                         const CaseSubject& subject,
                                                         std::int64_t from,
                                                         std::int64_t to);

// As few jobs and as small numbers as some thousand runs find, so that it still fails;
// a limit is left as it is.  How many runs that took is added to `runs`. Deterministic.
void shrink(Counterexample& found, bindings::CaseFile& file, std::size_t number,
            const CaseSubject& subject, std::int64_t& runs);

// A case for NAME.test.lua with the jobs of the counterexample, ready to paste.
[[nodiscard]] std::string as_case(const Counterexample& found,
                                  const bindings::PolicyCase& property);

// For the first jobs that wait in it, from when to when and why, a line each.
[[nodiscard]] std::string waits_of(const Counterexample& found,
                                   const CaseSubject& subject);

}  // namespace berth::study
