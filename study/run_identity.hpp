#pragma once
// What a run of a sweep is, as one checksum: two runs with one identity give the same
// results, byte for byte, on the same build.

#include <string>

#include "study/policy_run.hpp"
#include "study/policy_set.hpp"
#include "study/scenario.hpp"

namespace berth::study {

// What a policy is, whatever it runs on: its parameters, the checksums of its text and
// of the libraries it loaded.  REQUIRES: it is loaded.
[[nodiscard]] std::string policy_identity(const LoadedPolicy& policy);

// SHA-256 over: the format of results, the sources of this program, every setting (the
// seed among them), the policy, the input files (as text: their checksums) and whether
// the run is audited.  Nothing of the machine, of the time or of the build is in it.
[[nodiscard]] std::string run_identity(const Scenario& point, const std::string& policy,
                                       const std::string& inputs, Audit audit);

}  // namespace berth::study
