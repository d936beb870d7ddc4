#include "study/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

namespace {

std::string place_text(const Place& place) {
  if (place.line == 0) return {};
  if (place.column == 0) return fmt::format("{}:", place.line);
  return fmt::format("{}:{}:", place.line, place.column);
}

}  // namespace

void Problems::add(Place place, std::string what) {
  all_.push_back({place, std::move(what)});
}

void Problems::throw_if_any() const {
  if (all_.empty()) return;
  auto sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.place < b.place; });
  std::string text;
  for (const auto& problem : sorted) {
    text += fmt::format("{}{}:{} {}", text.empty() ? "" : "\n", printable_name(file_),
                        place_text(problem.place), problem.what);
  }
  throw Error(ErrorCode::kInput, text);
}

}  // namespace berth::study
