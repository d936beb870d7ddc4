#include "study/common/time_limit.hpp"

#include <fmt/format.h>

#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"

namespace berth::study {

Deadline::Deadline(double seconds)
    : seconds_(seconds > 0 ? seconds : std::numeric_limits<double>::infinity()) {
  (void)clock_.look();
}

Meter::Answer Deadline::account(std::int64_t) {
  if (interrupt_requested()) return Answer::kInterrupted;
  return clock_.look() > seconds_ ? Answer::kTime : Answer::kGoOn;
}

void refuse_time(std::string_view what, double seconds) {
  throw Error(ErrorCode::kTime,
              fmt::format("{}: time limit: this takes longer than {:g} s\n"
                          "  (raise it with --time-limit SECONDS; 0 switches it off)",
                          what, seconds));
}

}  // namespace berth::study
