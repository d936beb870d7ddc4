#pragma once
// Everything that is wrong with one file: a policy, a scenario or a trace.

#include <string>
#include <vector>

#include "study/common/exit_code.hpp"
#include "study/policies/policy_library.hpp"

namespace berth::study {

struct CheckReport {
  std::vector<Failure> failures;   // what keeps it from working
  std::vector<std::string> notes;  // what is worth knowing
  [[nodiscard]] int code() const;
};

// By the end of the name: .lua, .toml, .csv, .swf or .swf.gz; throws Error{kUsage} for
// others.
//   policy    is loaded, runs 200 jobs of users, groups and classes on 32 processors
//             under full audit, which it may reject but not leave waiting to the end,
//             then the cases of NAME.test.lua beside it, if there are any; the first
//             lines it prints are notes, as are the warnings of luacheck where that
//             is installed
//             a file with `pack` packs 100 instances, of which it has to solve one
//             with `scenario`, a file: runs the first 200 jobs, or packs the first 100
//             instances, of its first point, as `berth run` would
//   cases     NAME.test.lua: as its policy
//   scenario  is read; its trace and its policies are looked at, too
//   trace     is read; so are instances for packers (.csv)
[[nodiscard]] CheckReport check_file(const std::string& path,
                                     const PolicyLibrary& library,
                                     const bindings::Limits& limits,
                                     const std::string& scenario = {});

}  // namespace berth::study
