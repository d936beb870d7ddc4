#pragma once
// Files of cases, found and run on all cores.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/sandbox/guard.hpp"
#include "study/policies/policy_library.hpp"

namespace berth::study {

inline constexpr std::string_view kPolicyEnd = ".lua";  // of names of files
inline constexpr std::string_view kCasesEnd = ".test.lua";

struct TestOptions {
  bindings::Limits limits{};
  std::string filter{};  // only cases whose name has this text; empty: all
  std::size_t workers = 1;
  bool coverage = false;
  // Lines that policies print, as "CASE: line"; null: dropped.  One worker only.
  std::function<void(std::string_view)> print{};
};

// A case or a property, or a file that does not load.
struct TestOutcome {
  std::string file;
  std::string name;       // empty: of the whole file
  int code = 0;           // 0: as expected
  std::string says{};     // else what is not, in lines
  std::string paste{};    // of a property: a case with the smallest workload found
  std::int64_t runs = 0;  // of the policy
  double seconds = 0;     // of all cores; for reports alone
};

struct CoveredFile {
  std::string file;
  std::string text;
  std::set<int> code;  // its lines with code
  std::set<int> ran;
};

struct TestReport {
  std::vector<TestOutcome> tests;  // by file, then as in the file
  std::vector<CoveredFile> covered{};
  // 1 if one fails, or the worst of what kept files from working.
  [[nodiscard]] int code() const;
};

// Of each path: itself if it is NAME.test.lua, that of the policy NAME.lua, or all of
// them in a folder and below, by name.  None: those of the present folder.  Throws
// Error{kUsage} where there is none.
[[nodiscard]] std::vector<std::string> test_files(
    const std::vector<std::string>& paths);

// Runs every case.  A policy stands beside its cases as NAME.lua, or is the built-in
// one of this name.  The report does not depend on the number of workers, but for
// seconds. Throws Interrupted.
[[nodiscard]] TestReport run_tests(const std::vector<std::string>& files,
                                   const PolicyLibrary& library,
                                   const TestOptions& options);

// "FAIL mine.test.lua: ..." and so on, and how many; with the lines that never ran.
[[nodiscard]] std::string test_text(const TestReport& report);
// TAP, version 13.
[[nodiscard]] std::string test_tap(const TestReport& report);
// JUnit XML, as readers of test results take it.
[[nodiscard]] std::string test_junit(const TestReport& report);

}  // namespace berth::study
