#pragma once
// A file of claims in its sandbox, and the tool that judges it (tools/claims.lua).
//
// The file declares and runs nothing; then, in this order, each once: declared() tells
// which sweeps it needs, check() whether they have what it names, judge() what was
// found.  Problems with what is declared are one Error{kInput}, a line for each, with
// file and line; a script that fails or exceeds a limit is reported as a policy is.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/page.hpp"
#include "bindings/tools/sweep.hpp"
#include "bindings/tools/tool_script.hpp"

namespace berth::bindings {

// A metric that claims may name.
struct ClaimedMetric {
  std::string name;
  std::string unit;
  bool is_more_better = false;
};

struct ClaimsAnswer {
  Page page;
  Json json;
  std::vector<std::string> unexpected;  // rows with another verdict than they expect
};

class ClaimsScript {
 public:
  using Sweeps = std::map<std::string, const SweepSource*>;

  // Loads the file; `library` is for what it requires.  Throws Error.
  ClaimsScript(LoadedSource file, ToolLibrary library, const Limits& limits);
  ~ClaimsScript();

  struct DeclaredNames {
    std::vector<std::string> sweeps;   // the scenarios that are needed, each once
    std::vector<std::string> metrics;  // names of those that the file itself has
  };
  // Only the claims `only`; all if there are none.  Throws Error{kInput} for problems,
  // Error{kUsage} for an id that no claim has.
  [[nodiscard]] DeclaredNames declared(const std::vector<std::string>& only);
  // REQUIRES: each sweep that is needed, by its name; it outlives this object.
  void check(const Sweeps& sweeps, std::span<const ClaimedMetric> metrics);
  [[nodiscard]] ClaimsAnswer judge(const Sweeps& sweeps);

 private:
  struct Call;

  void throw_problems(const std::vector<std::string>& problems) const;

  std::string file_;
  std::unique_ptr<Sandbox> sandbox_;
};

// The keys of `claim` and of `paper`, for the reference.
[[nodiscard]] std::span<const Family> claim_families();

}  // namespace berth::bindings
