#include "bindings/tools/column.hpp"

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/metrics/exact_sum.hpp"
#include "engine/metrics/sample.hpp"

namespace berth::bindings {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

std::size_t bytes_of(const Dictionary& dictionary) {
  if (dictionary == nullptr) return 0;
  std::size_t bytes = dictionary->size() * sizeof(std::string);
  for (const auto& text : *dictionary) bytes += text.size();
  return bytes;
}

// What stands in a column of the kind where no row is.
template <class Value>
Value no_value(Values kind) {
  if constexpr (std::is_same_v<Value, double>) return std::nan("");
  if constexpr (std::is_same_v<Value, std::uint32_t>) return kNoText;
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    return kind == Values::kTime ? kNever : -1;
  }
  return {};
}

// By code: the place of the text among all of the dictionary.
std::vector<std::uint64_t> text_ranks(const std::vector<std::string>& dictionary,
                                      Budget& budget) {
  budget.charge_sort(dictionary.size());
  std::vector<std::uint32_t> order(dictionary.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return dictionary[a] < dictionary[b];
  });
  std::vector<std::uint64_t> ranks(dictionary.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

std::uint64_t key_of_number(double number) {
  if (std::isnan(number)) return kNoKey;
  const double plain = number + 0.0;  // -0 is 0
  std::uint64_t bits = 0;
  std::memcpy(&bits, &plain, sizeof(bits));
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// Values as they are added up and sorted: times in ticks.
double raw_number(const Column& column, std::size_t row) {
  switch (column.kind()) {
    case Values::kNumber: return column.numbers()[row];
    case Values::kMask: return column.mask()[row];
    default: return static_cast<double>(column.whole()[row]);
  }
}

// Calls work(row) for the rows whose value is there.
template <class Work>
void each_value(const Column& column, const RowList& rows, Budget& budget,
                const Work& work) {
  const auto* list = rows ? rows->data() : nullptr;
  in_pieces(rows ? rows->size() : column.rows(), sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t i = first; i < last; ++i) {
                const std::size_t row = list != nullptr ? list[i] : i;
                if (column.is_there(row)) work(row);
              }
            });
}

std::vector<double> raw_values(const Column& column, const RowList& rows,
                               Budget& budget) {
  std::vector<double> values;
  values.reserve(rows ? rows->size() : column.rows());
  each_value(column, rows, budget,
             [&](std::size_t row) { values.push_back(raw_number(column, row)); });
  return values;
}

// From ticks to seconds, where the values are times.
double scale_of(const Column& column) {
  return column.kind() == Values::kTime ? static_cast<double>(kSecond) : 1.0;
}

}  // namespace

Column::Column(Values kind, Storage storage, Dictionary dictionary)
    : kind_(kind),
      storage_(std::move(storage)),
      dictionary_(std::move(dictionary)),
      rows_(std::visit([](const auto& values) { return values.size(); }, storage_)),
      bytes_(sizeof(Column) + rows_ * width() + bytes_of(dictionary_)) {}

ColumnPtr Column::of_whole(std::vector<std::int64_t> values) {
  return std::make_shared<Column>(Values::kWhole, std::move(values));
}

ColumnPtr Column::of_times(std::vector<Time> ticks) {
  return std::make_shared<Column>(Values::kTime, std::move(ticks));
}

ColumnPtr Column::of_numbers(std::vector<double> numbers) {
  return std::make_shared<Column>(Values::kNumber, std::move(numbers));
}

ColumnPtr Column::of_texts(std::vector<std::uint32_t> codes, Dictionary dictionary) {
  return std::make_shared<Column>(Values::kText, std::move(codes),
                                  std::move(dictionary));
}

ColumnPtr Column::of_texts(std::vector<std::uint32_t> codes,
                           std::vector<std::string> dictionary) {
  return of_texts(std::move(codes), std::make_shared<const std::vector<std::string>>(
                                        std::move(dictionary)));
}

ColumnPtr Column::of_mask(std::vector<std::uint8_t> mask) {
  return std::make_shared<Column>(Values::kMask, std::move(mask));
}

std::size_t Column::width() const {
  return std::visit([](const auto& values) { return sizeof(values.front()); },
                    storage_);
}

std::span<const std::int64_t> Column::whole() const {
  return std::get<std::vector<std::int64_t>>(storage_);
}

std::span<const double> Column::numbers() const {
  return std::get<std::vector<double>>(storage_);
}

std::span<const std::uint32_t> Column::codes() const {
  return std::get<std::vector<std::uint32_t>>(storage_);
}

std::span<const std::uint8_t> Column::mask() const {
  return std::get<std::vector<std::uint8_t>>(storage_);
}

bool Column::is_there(std::size_t row) const {
  switch (kind_) {
    case Values::kTime: return whole()[row] != kNever;
    case Values::kNumber: return !std::isnan(numbers()[row]);
    case Values::kText: return codes()[row] != kNoText;
    default: return true;
  }
}

double Column::number(std::size_t row) const {
  if (!is_there(row)) return std::nan("");
  const double raw = raw_number(*this, row);
  return kind_ == Values::kTime ? raw / static_cast<double>(kSecond) : raw;
}

std::string_view plural(Values kind) {
  switch (kind) {
    case Values::kWhole: return "whole numbers";
    case Values::kTime: return "times";
    case Values::kNumber: return "numbers";
    case Values::kText: return "texts";
    default: return "booleans";
  }
}

ColumnPtr gather(const Column& column, std::span<const std::uint32_t> rows,
                 Budget& budget) {
  const auto taken = [&](const auto& values) -> Column::Storage {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const auto none = no_value<Value>(column.kind());
    std::vector<Value> chosen(rows.size());
    const auto take = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        chosen[i] = rows[i] == kNoRow ? none : values[rows[i]];
    };
    in_pieces(rows.size(), 2 * sizeof(Value), budget, take);
    return chosen;
  };
  return std::make_shared<Column>(column.kind(), std::visit(taken, column.storage()),
                                  column.dictionary());
}

std::vector<std::uint32_t> rows_of(const Column& mask, Budget& budget) {
  const auto holds = mask.mask();
  std::vector<std::uint32_t> rows(
      static_cast<std::size_t>(std::count(holds.begin(), holds.end(), 1)));
  std::size_t count = 0;
  in_pieces(holds.size(), sizeof(std::uint32_t), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t row = first; row < last; ++row)
                if (holds[row] != 0) rows[count++] = static_cast<std::uint32_t>(row);
            });
  return rows;
}

std::vector<std::uint64_t> ordered_keys(const Column& column, Budget& budget) {
  std::vector<std::uint64_t> ranks;
  if (column.kind() == Values::kText) ranks = text_ranks(*column.dictionary(), budget);
  const auto key_at = [&](std::size_t row) {
    switch (column.kind()) {
      case Values::kNumber: return key_of_number(column.numbers()[row]);
      case Values::kMask: return std::uint64_t{column.mask()[row]};
      case Values::kText:
        return column.is_there(row) ? ranks[column.codes()[row]] : kNoKey;
      default: return static_cast<std::uint64_t>(column.whole()[row]) ^ kSign;
    }
  };
  std::vector<std::uint64_t> keys(column.rows());
  in_pieces(keys.size(), 2 * sizeof(std::uint64_t), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t row = first; row < last; ++row) keys[row] = key_at(row);
            });
  return keys;
}

std::vector<std::uint32_t> sorted_rows(const Column& column, bool is_down,
                                       Budget& budget) {
  const auto keys = ordered_keys(column, budget);
  budget.charge_sort(keys.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(keys.size());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const bool turns = is_down && column.is_there(row);
    order[row] = {turns ? ~keys[row] : keys[row], static_cast<std::uint32_t>(row)};
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> rows(order.size());
  std::transform(order.begin(), order.end(), rows.begin(),
                 [](const auto& each) { return each.second; });
  return rows;
}

Total total_of(const Column& column, Budget& budget, RowList rows) {
  Total total;
  ExactSum sum;
  const auto kind = column.kind();
  each_value(column, rows, budget, [&](std::size_t row) {
    ++total.n;
    if (kind == Values::kNumber) return sum.add(column.numbers()[row]);
    total.whole += kind == Values::kMask ? column.mask()[row] : column.whole()[row];
  });
  total.number = sum.value();
  return total;
}

std::optional<double> mean_of(const Column& column, Budget& budget, RowList rows) {
  const auto total = total_of(column, budget, rows);
  if (total.n == 0) return std::nullopt;
  const bool is_number = column.kind() == Values::kNumber;
  const double sum = is_number ? total.number : static_cast<double>(total.whole);
  return sum / (scale_of(column) * static_cast<double>(total.n));
}

std::optional<double> quantile_of(const Column& column, double q, Budget& budget,
                                  RowList rows) {
  auto values = raw_values(column, rows, budget);
  if (values.empty()) return std::nullopt;
  budget.charge_each(values.size());
  return quantiles(values, {&q, 1}).front() / scale_of(column);
}

std::optional<std::size_t> extreme_row(const Column& column, bool is_largest,
                                       Budget& budget) {
  const auto keys = ordered_keys(column, budget);
  std::optional<std::size_t> best;
  const auto is_better = [&](std::size_t row) {
    if (!column.is_there(row)) return false;
    return !best || (is_largest ? keys[row] > keys[*best] : keys[row] < keys[*best]);
  };
  for (std::size_t row = 0; row < keys.size(); ++row)
    if (is_better(row)) best = row;
  return best;
}

}  // namespace berth::bindings
