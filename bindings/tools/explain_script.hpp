#pragma once
// What `berth explain` tells, by the tool tools/explain.lua.

#include <cstddef>
#include <memory>
#include <optional>

#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/page.hpp"
#include "bindings/tools/run.hpp"
#include "bindings/tools/tool_script.hpp"

namespace berth::bindings {

struct ExplainAnswer {
  Page page;
  std::optional<Json> json{};  // else the page may be written as JSON
  Page files;
};

class ExplainScript {
 public:
  // `own` may have a file "explain", and others, as load_tool().  Throws Error.
  explicit ExplainScript(const Limits& limits, const ToolLibrary& own = nullptr);

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
