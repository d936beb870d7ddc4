#pragma once
// A sweep as tools see it: its points, and the numbers of its runs.
//
// In Lua: a table with `axes` ({ key, values }), `points` ({ settings, text }),
// `policies`, `classes`, `seeds`; points are numbered from 1 in the order of the grid;
// and
//
//   :values(metric, point, policy)         a number for each seed, false without one;
//                                          and what each is computed from
//   :batches(metric, point, policy, seed)  the values of the batches, or nil
//   :failure(point, policy)                why a run has no result, or nil
//   :is_full(point, policy)                whether the queue holds jobs for most of the
//                                          time under some seed
//   :is_one_run(point, policy)             whether all seeds gave the same

#include <cstddef>
#include <lua.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  struct Value {
    std::optional<double> value;
    double n = 0;  // jobs or cases behind it
  };

  virtual ~SweepSource() = default;
  [[nodiscard]] virtual const SweepShape& shape() const = 0;
  // REQUIRES, of these: the point is one of the shape; the seed is below shape().seeds.
  // A policy or a metric that is not there has no value.
  [[nodiscard]] virtual Value value(std::string_view metric, const Place& place,
                                    std::size_t seed) const = 0;
  [[nodiscard]] virtual std::span<const double> batches(std::string_view metric,
                                                        const Place& place,
                                                        std::size_t seed) const = 0;
  [[nodiscard]] virtual std::string_view failure(const Place& place) const = 0;
  [[nodiscard]] virtual bool is_full(const Place& place) const = 0;
  [[nodiscard]] virtual bool is_one_run(const Place& place) const = 0;
};

// Pushes the table.  May raise.  REQUIRES: the source outlives the sandbox.
void push_sweep(lua_State* lua, const SweepSource& source);

// Pushes a list of texts.  May raise.
void push_texts(lua_State* lua, const std::vector<std::string>& texts);

}  // namespace berth::bindings
