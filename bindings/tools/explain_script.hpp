#pragma once
// What `berth explain` tells, by the tool tools/explain.lua.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

// Where two runs of the same jobs part; nullopt: nowhere.
struct ExplainParting {
  struct OneStart {
    std::string policy;  // that starts the job
    JobId job{};
    std::string reason;  // of the other policy, why it does not
  };
  std::optional<Time> at{};
  std::vector<JobId> waiting{};    // in both, just before
  std::vector<OneStart> starts{};  // then, by one of them alone
  std::vector<JobId> others{};     // whose waits differ most
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

  // What the policies of the run and of the only one of its others do differently.
  // Both have starts and waits; they outlive this object.  Throws Error.
  [[nodiscard]] Page between(const ToolRun& run, const ExplainParting& parting);

 private:
  struct Call;
  struct BetweenCall;
  std::unique_ptr<Sandbox> sandbox_;
};

}  // namespace berth::bindings
