#include "engine/base/placement.hpp"

#include <algorithm>

namespace berth {

std::string Placement::text() const {
  std::string text;
  if (form_ != nullptr) {
    form_->text(processors_, text);
  } else {
    text = processors_.text();
  }
  return text;
}

bool Placement::has_equal_forms(const Placement& a, const Placement& b) {
  if (a.form_ == b.form_) return true;
  if (a.form_ == nullptr || b.form_ == nullptr) return false;
  return a.form_->tag_ == b.form_->tag_ && a.form_->equals(*b.form_);
}

std::vector<std::int32_t> numbers_of(const IntervalSet& set) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(set.count()));
  for (const auto& part : set.intervals()) {
    for (auto number = part.first; number <= part.last; ++number) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

IntervalSet set_of_numbers(std::vector<std::int32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  IntervalSet set;
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t to = from;
    while (to + 1 < numbers.size() && numbers[to + 1] == numbers[to] + 1) ++to;
    set.insert(Interval{numbers[from], numbers[to]});
    from = to + 1;
  }
  return set;
}

}  // namespace berth
