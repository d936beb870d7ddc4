#include "engine/metrics/level_integrals.hpp"

#include <algorithm>

namespace berth {

void LevelIntegrals::advance(Time to, const Levels& levels) {
  const Duration span = inside(last_.value_or(to), to);
  last_ = to;
  if (span == 0) return;
  totals_.span += span;
  totals_.capacity += Int128{levels.capacity} * span;
  totals_.held += Int128{levels.held} * span;
  totals_.queue += Int128{levels.queue} * span;
  totals_.lost += Int128{levels.lost} * span;
  totals_.work += levels.speed * static_cast<double>(span);
  totals_.foreground += Int128{levels.foreground} * span;
  totals_.background += Int128{levels.background} * span;
  totals_.busy += levels.busy * static_cast<double>(span);
  totals_.longest_queue = std::max(totals_.longest_queue, levels.queue);
}

Duration LevelIntegrals::inside(Time from, Time to) const {
  const Time begin = std::max(from, window_.begin);
  const Time end = window_.end ? std::min(to, *window_.end) : to;
  return std::max(Duration{0}, end - begin);
}

}  // namespace berth
