#pragma once
// Columns of whole numbers as text for a page: bytes of equal weight together,
// deflated, in base64.  report/web/columns.js reads them.
//
// A value is stored in as few bytes as the largest of its column needs; values below 0
// are folded first (0, -1, 1, -2 become 0, 1, 2, 3).  All lowest bytes stand first,
// then the next ones: equal bytes stand together, which saves a fifth of the deflated
// size.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/base/time.hpp"

namespace berth::report {

// The blocks of a page, by number.  Cost: O(bytes); each keeps its text alone.
class Blocks {
 public:
  // REQUIRES: the budget outlives the blocks.
  explicit Blocks(Budget& budget) : budget_(&budget) {}
  // What making them, and what goes into them, is charged to.
  [[nodiscard]] Budget& budget() const { return *budget_; }
  // Adds the text, deflated and in base64; its number.
  std::size_t add(std::string_view bytes);
  // Adds a column; {"block", "count", "bytes", "folded"} for the page.
  // REQUIRES: |value| < 2^52.
  Json add(std::span<const std::int64_t> values);
  // The same for times: as whole seconds if all are, else as ticks; with "scale", what
  // a second is.
  Json add_times(std::vector<std::int64_t> ticks);
  // The same of a value of each row, in their order.
  template <class Rows, class Value>
  Json column(const Rows& rows, Value value) {
    return add(values_of(rows, value));
  }
  template <class Rows, class Value>
  Json times(const Rows& rows, Value value) {
    return add_times(values_of(rows, value));
  }

  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  template <class Rows, class Value>
  std::vector<std::int64_t> values_of(const Rows& rows, Value& value) {
    std::vector<std::int64_t> values;
    values.reserve(rows.size());
    budget_->charge_each(rows.size());
    for (const auto& row : rows) {
      values.push_back(static_cast<std::int64_t>(value(row)));
    }
    return values;
  }

  Budget* budget_;
  std::vector<std::string> texts_;
};

// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace berth::report
