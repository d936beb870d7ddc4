#pragma once
// Conditions on a row: Lua expressions such as "job.size > 8 and job.state ~= 'left'".
//
// Comparisons of fields with literals or with each other, joined by and, or, not, are
// found by masks; every other expression is one of Lua that runs row by row.  Both
// give the same answers; where Lua would raise because a field is none, an order
// (`<`) with none is false in the masks.
//
// Literals     Numbers and their + - * /, texts without escapes, nil.
// Cost         parse: O(text).  mask: that of a pass over two columns a comparison.

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/tools/column_math.hpp"
#include "engine/base/budget.hpp"

namespace berth::bindings {

class Condition {
 public:
  static constexpr std::size_t kLongest = 4096;  // bytes of a text
  static constexpr int kDeepest = 16;  // nested parentheses: two masks each at one time

  // Never fails: what is no such expression runs row by row, and Lua tells what is
  // wrong with it.  `names`: of fields; another one makes it run so, too.
  static Condition parse(std::string_view text, std::span<const std::string> names);

  // False: it has to run row by row.
  [[nodiscard]] bool has_masks() const { return !steps_.empty(); }
  // The fields that its masks read, each once.
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  // Over columns in the order of fields(); null: it has to run row by row, since values
  // of these kinds do not compare.  REQUIRES: has_masks().
  [[nodiscard]] ColumnPtr mask(std::span<const Column* const> columns,
                               Budget& budget) const;
  // The chunk that answers for the row which is its argument.
  [[nodiscard]] static std::string chunk(std::string_view text);

 private:
  friend class ConditionParser;
  struct Field {
    std::size_t number;  // of fields()
  };
  // nil, a field, a literal.
  using Term = std::variant<std::monostate, Field, std::int64_t, double, std::string>;
  struct Comparison {
    Term left;
    Compare how;
    Term right;
  };
  struct Not {};
  using Step = std::variant<Comparison, Join, Not>;

  static ColumnPtr compared(const Comparison& each,
                            std::span<const Column* const> columns, Budget& budget);

  std::vector<std::string> fields_;
  std::vector<Step> steps_;  // each follows what it joins
};

}  // namespace berth::bindings
