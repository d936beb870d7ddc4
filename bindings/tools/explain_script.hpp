#pragma once
// What `berth explain` tells, by the tool tools/explain.lua.

#include <cstddef>
#include <memory>

#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/page.hpp"
#include "bindings/tools/run.hpp"

namespace berth::bindings {

struct ExplainAnswer {
  Page page;  // unless JSON was wanted
  Json json;
  Page files;  // waits.csv, if it was wanted
};

class ExplainScript {
 public:
  // Throws Error.
  explicit ExplainScript(const Limits& limits);

  struct Wanted {
    bool json = false;
    bool files = false;
  };
  // Of all jobs, or of `followed` among them.  The run has waits; it outlives this
  // object.  Throws Error.
  [[nodiscard]] ExplainAnswer all(const ToolRun& run, std::size_t followed,
                                  const Wanted& wanted);

 private:
  struct Call;
  std::unique_ptr<Sandbox> sandbox_;
};

}  // namespace berth::bindings
