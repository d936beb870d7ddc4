#pragma once
// The key of an order as a formula: "-(waited / max(walltime, 1)) ^ 3 * size".
//
// Grammar      That of arithmetic in Lua, with its precedences: decimal numbers,
//              + - * / ^, a minus in front, parentheses, the names of facts, functions
//              (abs, exp, log, max, min, sqrt) and params.NAME.  All numbers are
//              doubles; functions and powers give what Lua's give.
// Structure    Steps on a stack of lanes, each for some jobs at once.
//
//   operation   time
//   parse       O(bytes)
//   values      O(jobs * steps), and what reading the facts takes

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"

namespace berth::sim {
class World;
}

namespace berth::bindings {

// What a formula reads of a job.
enum class KeyFact : std::uint8_t {
  kSize,      // "size": processors
  kWalltime,  // "walltime", of these three: seconds
  kSubmit,    // "submit"
  kWaited,    // "waited": since the submit
  kFactor,    // "factor" of its user, Shares::factor
  kMachine,   // "machine": processors of the cluster
};

class KeyFormula {
 public:
  static constexpr std::size_t kLongest = 1024;  // bytes of a text
  static constexpr std::size_t kDeepest = 32;    // lanes on the stack

  // `numbers`: the parameters that are numbers.  Throws Error{kPolicy}, beginning
  // "column 7: ", for a text that is no formula.
  [[nodiscard]] static KeyFormula parse(std::string_view text,
                                        const std::map<std::string, double>& numbers);

  [[nodiscard]] bool reads(KeyFact fact) const;
  // Whether it reads what changes while a job waits.
  [[nodiscard]] bool ages() const {
    return reads(KeyFact::kWaited) || reads(KeyFact::kFactor);
  }

  // Fills the lane with a fact of some jobs, from the `first` on.
  using Reader =
      std::function<void(KeyFact fact, std::size_t first, std::span<double> lane)>;
  // The values of as many jobs as `out` has room for; they may be infinite, or NaN.
  void values(const Reader& read, std::span<double> out, Budget& budget) const;

 private:
  friend class KeyFormulaParser;
  enum class Act : std::uint8_t {
    kNumber,
    kFact,
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
    KeyFact fact{};     // of kFact
    double number = 0;  // of kNumber
  };
  static constexpr std::size_t kAtOnce = 64;  // jobs
  using Lane = std::array<double, kAtOnce>;
  using Stack = std::array<Lane, kDeepest + 1>;  // there is a lane above each

  void run(const Reader& read, std::size_t first, std::size_t count,
           Stack& stack) const;
  static void apply(const FormulaStep& step, std::span<double> lane, const Lane& above);
  static void apply_to_one(Act act, std::span<double> lane);
  static void apply_to_two(Act act, std::span<double> left, const Lane& right);

  std::vector<FormulaStep> steps_;
};

// Fills the lane with a fact of these jobs.  Defined beside the fields of jobs.
// REQUIRES: as many jobs as numbers; they were submitted; of kFactor: there are users.
void read_key_fact(const sim::World& world, KeyFact fact, std::span<const JobId> jobs,
                   std::span<double> lane);

}  // namespace berth::bindings
