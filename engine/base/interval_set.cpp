#include "engine/base/interval_set.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "engine/base/error.hpp"

namespace berth {

namespace {

std::int64_t width(Interval part) { return std::int64_t{part.last} - part.first + 1; }

// The first interval that ends at or behind `number`.
template <class Parts>
auto reaching(Parts& parts, std::int32_t number) {
  return std::lower_bound(
      parts.begin(), parts.end(), number,
      [](const Interval& part, std::int32_t n) { return part.last < n; });
}

}  // namespace

IntervalSet::IntervalSet(std::int32_t first, std::int32_t last) {
  if (last >= first) insert(Interval{first, last});
}

bool IntervalSet::contains(std::int32_t number) const {
  const auto at = reaching(parts_, number);
  return at != parts_.end() && at->first <= number;
}

bool IntervalSet::contains(const IntervalSet& other) const {
  return std::all_of(
      other.parts_.begin(), other.parts_.end(), [this](const Interval& part) {
        const auto at = reaching(parts_, part.first);
        return at != parts_.end() && at->first <= part.first && part.last <= at->last;
      });
}

bool IntervalSet::overlaps(const IntervalSet& other) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Interval& part) {
    const auto at = reaching(other.parts_, part.first);
    return at != other.parts_.end() && at->first <= part.last;
  });
}

void IntervalSet::insert(Interval part) {
  auto next = reaching(parts_, part.first);
  BERTH_ASSERT(next == parts_.end() || part.last < next->first);
  count_ += width(part);
  const bool joins_next = next != parts_.end() && next->first == part.last + 1;
  const bool joins_previous =
      next != parts_.begin() && std::prev(next)->last == part.first - 1;
  if (joins_previous && joins_next) {
    std::prev(next)->last = next->last;
    parts_.erase(next);
  } else if (joins_previous) {
    std::prev(next)->last = part.last;
  } else if (joins_next) {
    next->first = part.first;
  } else {
    parts_.insert(next, part);
  }
}

void IntervalSet::insert(const IntervalSet& other) {
  for (const auto& part : other.parts_) insert(part);
}

void IntervalSet::append(std::span<const Interval> parts) {
  parts_.reserve(parts_.size() + parts.size());
  for (const Interval part : parts) {
    BERTH_ASSERT(parts_.empty() || parts_.back().last < part.first);
    count_ += width(part);
    if (!parts_.empty() && parts_.back().last + 1 == part.first) {
      parts_.back().last = part.last;
    } else {
      parts_.push_back(part);
    }
  }
}

void IntervalSet::erase(Interval part) {
  auto at = reaching(parts_, part.first);
  BERTH_ASSERT(at != parts_.end() && at->first <= part.first && part.last <= at->last);
  count_ -= width(part);
  const Interval whole = *at;
  if (whole == part) {
    parts_.erase(at);
  } else if (whole.first == part.first) {
    at->first = part.last + 1;
  } else if (whole.last == part.last) {
    at->last = part.first - 1;
  } else {
    at->last = part.first - 1;
    parts_.insert(std::next(at), Interval{part.last + 1, whole.last});
  }
}

void IntervalSet::erase(const IntervalSet& other) {
  for (const auto& part : other.parts_) erase(part);
}

IntervalSet IntervalSet::take_lowest(std::int64_t n) {
  BERTH_ASSERT(0 <= n && n <= count_);
  IntervalSet taken;
  taken.count_ = n;
  count_ -= n;
  auto at = parts_.begin();
  while (n > 0 && width(*at) <= n) {
    n -= width(*at);
    taken.parts_.push_back(*at++);
  }
  if (n > 0) {
    const auto last = static_cast<std::int32_t>(at->first + n - 1);
    taken.parts_.push_back({at->first, last});
    at->first = last + 1;
  }
  parts_.erase(parts_.begin(), at);
  return taken;
}

IntervalSet IntervalSet::take_highest(std::int64_t n) {
  BERTH_ASSERT(0 <= n && n <= count_);
  IntervalSet taken;
  taken.count_ = n;
  count_ -= n;
  while (n > 0 && width(parts_.back()) <= n) {
    n -= width(parts_.back());
    taken.parts_.push_back(parts_.back());
    parts_.pop_back();
  }
  if (n > 0) {
    const auto first = static_cast<std::int32_t>(parts_.back().last - n + 1);
    taken.parts_.push_back({first, parts_.back().last});
    parts_.back().last = first - 1;
  }
  std::reverse(taken.parts_.begin(), taken.parts_.end());
  return taken;
}

std::string IntervalSet::text() const {
  std::string out;
  std::array<char, 32> text;  // of one part
  const auto number = [&](char* to, std::int32_t value) {
    return std::to_chars(to, text.data() + text.size(), value).ptr;
  };
  for (const auto& part : parts_) {
    char* end = text.data();
    if (!out.empty()) *end++ = ' ';
    end = number(end, part.first);
    if (part.last != part.first) {
      *end++ = '-';
      end = number(end, part.last);
    }
    out.append(text.data(), end);
  }
  return out;
}

}  // namespace berth
