#include "engine/base/spread.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "engine/base/real_chars.hpp"

namespace berth {

namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = real_from_chars(text.data(), end, value);
  const bool whole = code == std::errc() && at == end && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Spread> spread_from_text(std::string_view text) {
  const auto dots = text.find("..");
  const bool is_one = dots == std::string_view::npos;
  const auto least = number(is_one ? text : text.substr(0, dots));
  const auto most = is_one ? least : number(text.substr(dots + 2));
  if (!least || !most || *least > *most) return std::nullopt;
  return Spread{*least, *most};
}

std::string text_of(const Spread& spread) {
  if (spread.least == spread.most) return fmt::format("{}", spread.least);
  return fmt::format("{}..{}", spread.least, spread.most);
}

}  // namespace berth
