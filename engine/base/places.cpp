#include "engine/base/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/base/printable.hpp"

namespace berth {

namespace {

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [at, fault] = std::from_chars(text.data(), end, number);
  if (fault != std::errc() || at != end || number < 0) return std::nullopt;
  return number;
}

// Reads "3" or "0-3"; returns what is wrong.
std::string read_part(std::string_view text, std::int64_t below, Interval& part) {
  const auto dash = text.find('-');
  const auto first = whole(text.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : whole(text.substr(dash + 1));
  if (!first || !last || *last < *first) {
    return fmt::format("'{}' is no range of processors", printable(text));
  }
  if (*last >= below) {
    return fmt::format("processor {} is off the machine of {}", *last, below);
  }
  part = {static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last)};
  return {};
}

}  // namespace

std::string read_places(std::string_view text, PlaceForm form,
                        std::optional<std::int32_t> below, std::vector<Interval>& to) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  const auto before = static_cast<std::ptrdiff_t>(to.size());
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    Interval part{};
    auto wrong = end == 0 ? std::string()
                          : read_part(text.substr(0, end), below.value_or(kMost), part);
    if (!wrong.empty()) return wrong;
    if (end > 0) to.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(to.begin() + before, to.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  if (form == PlaceForm::kNumbers) return {};
  const auto twice = std::adjacent_find(
      to.begin() + before, to.end(),
      [](const auto& a, const auto& b) { return b.first <= a.last; });
  if (twice == to.end()) return {};
  return fmt::format("processor {} is named twice", std::next(twice)->first);
}

}  // namespace berth
