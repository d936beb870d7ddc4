#include "study/drive.hpp"

#include <algorithm>

#include "study/exit_code.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kStride = 256;           // jobs between two looks
constexpr std::size_t kPiece = 256 * kStride;  // that is let go at a time

void look(const Watch& watch, std::size_t submitted, std::size_t of) {
  if (watch.interrupted && watch.interrupted()) throw Interrupted{};
  if (watch.progress) watch.progress(submitted, of);
}

}  // namespace

void drive(sim::Simulation& simulation, const SpillingView<Job>& jobs,
           const Watch& watch) {
  for (std::size_t i = kStride; i < jobs.size(); i += kStride) {
    simulation.advance(jobs[i].submit);
    if (i % kPiece == 0) jobs.drop_pages();
    look(watch, i, jobs.size());
  }
  // Behind the last submit the steps grow, so that a long silence costs little.
  Duration step = kSecond;
  Time until = jobs.empty() ? 0 : jobs.back().submit;
  while (simulation.advance(until)) {
    look(watch, jobs.size(), jobs.size());
    until = after(until, step);
    step = std::min(2 * step, seconds(86'400));
    if (until > seconds(200'000'000'000)) until = kNever;
  }
  simulation.finish();
}

}  // namespace berth::study
