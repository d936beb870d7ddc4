#pragma once
// Step functions of time for the scripts of tools: levels of a run.
//
// The value i holds from times[i] to times[i + 1], the last one to `end`.  Whole:
// the times are those at which the level changed.  Binned: value i is the mean of a
// bin, most[i] the highest level within it.

#include <lua.hpp>
#include <memory>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::bindings {

// Memory outside Lua; shared by those who push it.
struct StepsSource {
  std::vector<Time> times;  // ascending
  std::vector<double> values;
  Time end = 0;                // at or after the last time
  std::vector<double> most{};  // empty: not binned

  [[nodiscard]] bool is_binned() const { return !most.empty(); }
  [[nodiscard]] std::size_t bytes() const;
};

// As push_column.  A script reads, weighted by time and nil where no time has passed:
//   :mean([from, to]) :max() :quantile(q) :share_above(x)
//   :at(t)     the value at an instant, nil outside; raises on bins
//   :steps()   a frame with the columns from, value and, of bins, most
void push_steps(lua_State* lua, const std::shared_ptr<const StepsSource>& steps);

}  // namespace berth::bindings
