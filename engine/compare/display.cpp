#include "engine/compare/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace berth {

namespace {

constexpr int kMostDecimals = 12;

}  // namespace

int decimals_for(std::span<const Comparison::Cell> cells) {
  double largest = 0.0;
  bool whole = true;
  for (const auto& cell : cells) {
    if (!cell.value) continue;
    largest = std::max(largest, std::abs(*cell.value));
    whole = whole && *cell.value == std::floor(*cell.value);
  }
  if (whole) return 0;
  if (largest >= 1000.0) return 1;
  if (largest >= 100.0) return 2;
  if (largest >= 1.0) return 3;
  const int leading = static_cast<int>(-std::floor(std::log10(largest)));
  return std::min(kMostDecimals, leading + 3);
}

std::string display(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string display_n(std::span<const Comparison::Cell> cells) {
  const bool same = std::all_of(cells.begin(), cells.end(), [&](const auto& cell) {
    return cell.n == cells.front().n;
  });
  std::string text;
  for (const auto& cell :
       cells.first(same ? std::min<std::size_t>(1, cells.size()) : cells.size())) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", cell.n);
  }
  return text;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

}  // namespace berth
