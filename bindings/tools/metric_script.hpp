#pragma once
// A metric of the user's own: a file of Lua that returns
//
//   metric {
//     name = "long_small_waits", unit = "fraction", better = "less",
//     says = "share of the finished jobs of up to 8 processors that wait above an
//     hour", of = function(run)
//       local small = run.finished:where(run.finished.size:le(8))
//       return small.wait:gt(3600):mean(), #small   -- value or nil; jobs behind it
//     end,
//   }
//
// A mean over jobs has `each = function(run) return column[, mask] end` instead of
// `of`: a value for each row of run.finished, those for which the mask holds.  With
// `needs = { "levels" }` run.levels is whole, with `needs = { "reasons" }` run.waits
// and run.blocks are there.
//
// Errors       Error{kPolicy} for a file that does not load or is no metric, and for a
//              wrong answer; Error{kUsage} for the name of a built-in metric;
//              Error{kTime, kMemory} at a limit.  Each begins "file:line: ".
// Determinism  Same text and same run: same value.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/lua_policy.hpp"
#include "bindings/tools/run.hpp"
#include "engine/metrics/metric_record.hpp"

namespace berth::bindings {

struct MetricAnswer {
  std::optional<double> value;  // nullopt: undefined
  std::int64_t n = 0;           // jobs behind it
  // Of `each`: the value of each row of run.finished; NaN: none.  Else empty.
  std::vector<double> each{};
};

// One thread at a time.
class MetricScript {
 public:
  // `library`: the file for `require "name"`; null: none.
  using Library = std::function<std::optional<LoadedSource>(std::string_view)>;
  enum class Of : std::uint8_t {
    kFile,    // it returns the metric
    kClaims,  // of its metrics the one that is called file.stem; `paper` and `claim` of
              // the file do nothing
  };
  MetricScript(const PolicyFile& file, const Limits& limits, Library library,
               Of of = Of::kFile);
  ~MetricScript();
  MetricScript(const MetricScript&) = delete;
  MetricScript& operator=(const MetricScript&) = delete;

  // The formula is the file.
  [[nodiscard]] const MetricRecord& record() const;
  [[nodiscard]] bool is_each() const;
  // What the run has to keep for it.
  struct NeedsOfMetric {
    bool levels = false;
    bool reasons = false;
  };
  [[nodiscard]] const NeedsOfMetric& needs() const;
  // The file and everything it required, in the order of loading.
  [[nodiscard]] const std::vector<LoadedSource>& sources() const;

  // Under the limits of one decision.  REQUIRES: the run outlives this object.
  [[nodiscard]] MetricAnswer ask(const ToolRun& run, const JobClass* of_class);

 private:
  struct Desk;
  std::unique_ptr<Desk> desk_;
};

// The fields of the table, for the reference.
[[nodiscard]] const Family& metric_family();

}  // namespace berth::bindings
