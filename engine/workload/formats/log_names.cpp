#include "engine/workload/formats/log_names.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/jobs/label.hpp"
#include "engine/workload/formats/log_text.hpp"

namespace berth {

// Bounded in this file: the names of records, for which their readers charge.

namespace {

bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

// The run of digits at the beginning without its leading zeros, taken off.
std::string_view take_digits(std::string_view& text) {
  const auto* end = std::find_if_not(text.begin(), text.end(), is_digit_of_name);
  auto run = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(run.size());
  run.remove_prefix(std::min(run.find_first_not_of('0'), run.size()));
  return run;
}

// The number that the name is, written as numbers are, below 2^31.
std::optional<std::int32_t> number_of(std::string_view name) {
  std::int32_t value = 0;
  const auto* end = name.data() + name.size();
  const auto [at, code] = std::from_chars(name.data(), end, value);
  const bool has_zeros = name.size() > 1 && name.front() == '0';
  if (code != std::errc() || at != end || value < 0 || has_zeros) return std::nullopt;
  return value;
}

// The names of one kind and their numbers; where all of them are whole numbers each
// has its own, and there are none to tell.
template <class OfKind>
std::vector<LogName> legend_of(OfKind& of_kind) {
  std::vector<const std::string*> names(of_kind.codes.size());
  for (const auto& [name, code] : of_kind.codes) {
    names[static_cast<std::size_t>(code)] = &name;
  }
  const auto name_of = [&](std::int32_t code) -> const std::string& {
    return *names[static_cast<std::size_t>(code)];
  };
  const bool are_numbers =
      std::all_of(of_kind.seen.begin(), of_kind.seen.end(),
                  [&](std::int32_t code) { return !!number_of(name_of(code)); });
  std::vector<LogName> legend;
  for (const auto code : of_kind.seen) {
    auto& number = of_kind.numbers[static_cast<std::size_t>(code)];
    if (are_numbers) {
      number = *number_of(name_of(code));
    } else {
      legend.push_back({number, name_of(code)});
    }
  }
  return legend;
}

}  // namespace

bool comes_naturally_before(std::string_view a, std::string_view b) {
  auto left = a;
  auto right = b;
  while (!left.empty() && !right.empty()) {
    if (is_digit_of_name(left.front()) && is_digit_of_name(right.front())) {
      const auto of_left = take_digits(left);
      const auto of_right = take_digits(right);
      if (of_left.size() != of_right.size()) return of_left.size() < of_right.size();
      if (of_left != of_right) return of_left < of_right;
      continue;
    }
    if (left.front() != right.front()) {
      return static_cast<unsigned char>(left.front()) <
             static_cast<unsigned char>(right.front());
    }
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

std::int32_t LogNames::code(std::size_t kind, std::string_view name) {
  if (is_no_value(name)) return kUnknown;
  auto& of_kind = kinds_[kind];
  const auto next = static_cast<std::int32_t>(of_kind.codes.size());
  return of_kind.codes.try_emplace(std::string(name), next).first->second;
}

void LogNames::see(std::size_t kind, std::int32_t code) {
  if (code < 0) return;
  auto& of_kind = kinds_[kind];
  if (of_kind.numbers.empty()) of_kind.numbers.resize(of_kind.codes.size());
  auto& number = of_kind.numbers[static_cast<std::size_t>(code)];
  if (number != 0) return;
  of_kind.seen.push_back(code);
  number = static_cast<std::int32_t>(of_kind.seen.size());
}

std::array<std::vector<LogName>, kNameKinds.size()> LogNames::legend() {
  std::array<std::vector<LogName>, kNameKinds.size()> all;
  std::transform(kinds_.begin(), kinds_.end(), all.begin(),
                 [](auto& of_kind) { return legend_of(of_kind); });
  return all;
}

std::int32_t LogNames::label(std::size_t kind, std::int32_t code) const {
  if (code < 0) return kUnknown;
  return label_code(kinds_[kind].numbers[static_cast<std::size_t>(code)]);
}

}  // namespace berth
