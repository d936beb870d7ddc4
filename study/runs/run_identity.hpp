#pragma once
// What a run is: its scenario with every default filled in, as text that is a scenario
// again, and a checksum.  Runs with one identity give the same results, byte for byte,
// on the same build.

#include <string>
#include <string_view>

#include "engine/output/manifest.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/policy_run.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// "{ name = "sjf", block = false }": the policy with all its parameters.  REQUIRES: it
// is loaded.
[[nodiscard]] std::string policy_text(const LoadedPolicy& policy);

// Every key that has a value, with these policies; files stand by base name.
[[nodiscard]] std::string settings_text(Scenario scenario, std::string_view policies);

// Every key with the value in force, the one policy with all its parameters.  Files
// stand by base name.
[[nodiscard]] std::string resolved_text(const Scenario& scenario, const Point& point,
                                        const LoadedPolicy& policy);

// What a policy is, whatever it runs on: its parameters, the checksums of its text and
// of the libraries it loaded.  REQUIRES: it is loaded.
[[nodiscard]] std::string policy_identity(const LoadedPolicy& policy);

// manifest.json with what does not depend on what the run is about: this program, the
// policy, the processor.  `identity` may be empty.
[[nodiscard]] Manifest manifest_of(const LoadedPolicy& policy,
                                   const std::string& identity);

// SHA-256 over: the format of results, the sources of this program, every setting (the
// seed among them), the policy, the input files (as text: their checksums) and whether
// the run is audited.  Nothing of the machine, of the time or of the build is in it.
[[nodiscard]] std::string run_identity(const Scenario& point, const std::string& policy,
                                       const std::string& inputs, Audit audit);

}  // namespace berth::study
