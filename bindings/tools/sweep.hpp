#pragma once
// A sweep as tools see it: its points, and the numbers of its runs.
//
// In Lua a table of what the sweep is, with calls of its results (tool_sweep_family()).
// Points are numbered from 1 in the order of the grid, seeds from 1.

#include <cstddef>
#include <lua.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/compare/comparison.hpp"

namespace berth::bindings {

struct SweepShape {
  struct Axis {
    std::string key;
    std::vector<std::string> values;
  };
  struct SweepCell {
    std::map<std::string, std::string> settings;  // without the seed
    std::string text;
  };
  std::vector<Axis> axes;  // but the seed
  std::vector<SweepCell> points;
  std::vector<std::string> policies;
  std::vector<std::string> classes;
  std::size_t seeds = 1;
};

class SweepSource {
 public:
  // A policy at a point.  The texts outlive the call.
  struct Place {
    std::size_t point;
    std::string_view policy;
  };
  struct Result {
    const ComparedRun* run = nullptr;  // nullptr: none, or no such policy
    std::string_view base{};           // the policy of run->common
  };

  virtual ~SweepSource() = default;
  [[nodiscard]] virtual const SweepShape& shape() const = 0;
  // REQUIRES, of these: the point is one of the shape; the seed is below shape().seeds.
  [[nodiscard]] virtual Result result(const Place& place, std::size_t seed) const = 0;
  // Why a run has no result; empty: it has one.
  [[nodiscard]] virtual std::string_view failure(const Place& place) const = 0;

 private:
  friend struct SweepCalls;

  // Holds the users of those runs of which they were asked for.
  mutable std::map<const ComparedRun*, std::shared_ptr<const FrameSource>> users_;
};

// Pushes the table.  May raise.  REQUIRES: install_frames; the source outlives the
// sandbox.
void push_sweep(lua_State* lua, const SweepSource& source);

// Pushes a list of what `push` makes of each.  May raise.
template <class Values, class Push>
void push_list(lua_State* lua, const Values& values, const Push& push) {
  lua_createtable(lua, static_cast<int>(values.size()), 0);
  lua_Integer i = 0;
  for (const auto& value : values) {
    Guard::of(lua).charge(lua, 1);
    push(value);
    lua_rawseti(lua, -2, ++i);
  }
}
// Pushes a list of texts.  May raise.
void push_texts(lua_State* lua, const std::vector<std::string>& texts);

// For the reference; examples are true of a sweep of fcfs and easy at the loads 0.6 and
// 0.9, with two seeds, without jobs; mean waits at 0.6: 20 and 30 s under fcfs, 10 and
// 24 s under easy; over the jobs that finished under both 18 and 28 s, 10 and 24 s.
[[nodiscard]] const Family& tool_sweep_family();

}  // namespace berth::bindings
