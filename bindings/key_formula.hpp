#pragma once
// The key of an order as a formula: "-(waited / max(walltime, 1)) ^ 3 * size".
//
// Grammar      That of arithmetic in Lua, with its precedences: decimal numbers,
//              + - * / ^, a minus in front, parentheses, params.NAME for a parameter
//              that is a number, and what kFacts and kFunctions name.  All numbers are
//              doubles; log, max and min give what those of Lua's math give.
// Structure    Steps on a stack of rows, each for some jobs at once.
//
//   operation   time
//   parse       O(bytes)
//   values      O(jobs * steps), and that of Shares::factor where it reads a factor

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"

namespace berth::sim {
class World;
}

namespace berth::bindings {

class KeyFormula {
 public:
  static constexpr std::size_t kLongest = 1024;  // bytes of a text
  static constexpr std::size_t kDeepest = 32;    // values that wait on the stack

  // Throws Error{kPolicy}, beginning "column 7: ", for a text that is no formula.
  [[nodiscard]] static KeyFormula parse(
      std::string_view text, const std::map<std::string, ParameterValue>& parameters);

  // Whether it reads what changes while a job waits.
  [[nodiscard]] bool ages() const;
  // Whether it reads the factor of the job's user.
  [[nodiscard]] bool reads_users() const;
  // The value of each of these jobs; it may be infinite, or no number.
  // REQUIRES: as many of one as of the other; the jobs were submitted; if it reads
  // users, there are some.
  void values(const sim::World& world, std::span<const JobId> jobs,
              std::span<double> out, Budget& budget) const;

 private:
  friend class KeyFormulaParser;
  enum class Act : std::uint8_t {
    kNumber,
    // facts
    kSize,
    kWalltime,
    kSubmit,
    kWaited,
    kFactor,
    kMachine,
    // of one value
    kNegate,
    kAbs,
    kExp,
    kLog,
    kSqrt,
    // of two
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kLogTo,
    kMax,
    kMin,
  };
  struct FormulaStep {
    Act act;
    double number = 0;  // kNumber: the value
  };

  static constexpr std::size_t kAtOnce = 64;  // jobs
  using Row = std::array<double, kAtOnce>;
  using Stack = std::array<Row, kDeepest>;

  [[nodiscard]] bool reads(Act fact) const;
  static std::size_t take(const FormulaStep& step, const sim::World& world,
                          std::span<const JobId> jobs, Stack& stack,
                          std::size_t height);
  static void read(Act fact, const sim::World& world, std::span<const JobId> jobs,
                   Row& row);
  static void apply_to_one(Act act, Row& row, std::size_t count);
  static void apply_to_two(Act act, Row& left, const Row& right, std::size_t count);

  std::vector<FormulaStep> steps_;
};

}  // namespace berth::bindings
