#include "study/sweep_range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace berth::study {

namespace {

using Values = Result<std::vector<std::string>, std::string>;

constexpr double kNear = 1e-9;  // of a step

bool is_whole(const SettingValue& value) {
  return std::holds_alternative<std::int64_t>(value);
}

double rounded(double value) {
  const auto text = fmt::format("{:.12g}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

std::string not_reached(const SweepRange& range) {
  return fmt::format(
      "{} is not reached from {} in steps of {}; a range includes both "
      "ends",
      text_of(range.to), text_of(range.from), text_of(range.step));
}

std::string too_many() { return fmt::format("more than {} values", kMostPoints); }

Values whole_values(const SweepRange& range) {
  const auto from = std::get<std::int64_t>(range.from);
  const auto to = std::get<std::int64_t>(range.to);
  const auto step = static_cast<std::uint64_t>(std::get<std::int64_t>(range.step));
  const auto span = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (span % step != 0) return not_reached(range);
  if (span / step >= kMostPoints) return too_many();
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i <= span / step; ++i) {
    values.push_back(fmt::format("{}", from + static_cast<std::int64_t>(i * step)));
  }
  return values;
}

Values real_values(const SweepRange& range) {
  const double from = real_of(range.from);
  const double step = real_of(range.step);
  const double steps = (real_of(range.to) - from) / step;
  const double whole_steps = std::round(steps);
  if (whole_steps >= static_cast<double>(kMostPoints)) return too_many();
  if (std::abs(steps - whole_steps) > kNear * std::max(1.0, steps)) {
    return not_reached(range);
  }
  std::vector<std::string> values;
  for (double i = 0; i <= whole_steps; i += 1) {
    values.push_back(text_of(SettingValue(rounded(from + i * step))));
  }
  return values;
}

}  // namespace

Values values_of(const SweepRange& range) {
  if (!(real_of(range.step) > 0)) return std::string("the step must be above 0");
  if (real_of(range.from) > real_of(range.to)) {
    return fmt::format("the range is empty: {} is above {}", text_of(range.from),
                       text_of(range.to));
  }
  if (is_whole(range.from) && is_whole(range.to) && is_whole(range.step)) {
    return whole_values(range);
  }
  return real_values(range);
}

}  // namespace berth::study
