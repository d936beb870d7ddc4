#include "engine/metrics/job_class.hpp"

#include <algorithm>
#include <array>

namespace berth {

void JobClasses::add(Named one) {
  for (auto& known : named_) {
    if (known.name != one.name) continue;
    known = std::move(one);
    return;
  }
  named_.push_back(std::move(one));
}

bool JobClasses::split_by(std::string_view field) {
  constexpr std::array<std::string_view, 4> kSplits{"user", "group", "queue", "size"};
  if (std::find(kSplits.begin(), kSplits.end(), field) == kSplits.end()) return false;
  fields_.emplace_back(field);
  return true;
}

bool JobClasses::knows(std::string_view name) const {
  const auto field = name.substr(0, name.find('='));
  if (field.size() < name.size()) {
    return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
  }
  return std::any_of(named_.begin(), named_.end(),
                     [&](const auto& one) { return one.name == name; });
}

}  // namespace berth
