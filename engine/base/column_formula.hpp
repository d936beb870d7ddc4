#pragma once
// What a value is in the columns of a table: "cpu", "cpu_milli / 1000", "gb * 1024",
// "end - start", "gpus * parts", "gpus * parts / 1000".

#include <string>
#include <string_view>

namespace berth {

struct ColumnFormula {
  std::string column;
  std::string minus{};    // the column that is subtracted; empty: none
  std::string product{};  // the column that it is multiplied by; empty: none
  double times = 1;
  double over = 1;

  [[nodiscard]] double of(double value) const { return value * times / over; }
  // Whether the value is that of the column as it stands.
  [[nodiscard]] bool is_column() const {
    return minus.empty() && product.empty() && times == 1 && over == 1;
  }
};

// Throws Error{kInput} for a text that is none of the six.
[[nodiscard]] ColumnFormula formula_from(std::string_view text);

}  // namespace berth
