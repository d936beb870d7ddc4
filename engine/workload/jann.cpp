#include "engine/workload/jann.hpp"

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <vector>

#include "engine/workload/model_jobs.hpp"

namespace berth {

namespace {

// Per row: sizes from, to, mean; gap and run time as {order, p, rate 1, rate 2}.
// clang-format off
constexpr std::array<JannRange, 10> kRanges{{
    {1, 1, 1, {1, .930374, 2.3073e-3, 1.4783e-4}, {4, .612378, 6.4678e-3, 1.1902e-4}},
    {2, 2, 2, {1, .902853, 8.7181e-4, 3.6082e-5}, {7, .696263, 6.5935e-2, 1.5892e-4}},
    {3, 4, 3.84, {1, .869541, 1.3441e-3, 6.2116e-5}, {5, .793785, 3.2435e-2, 1.4277e-4}},
    {5, 8, 6.98, {1, .781672, 1.6624e-3, 7.1596e-5}, {2, .777703, 3.0522e-3, 9.5222e-5}},
    {9, 16, 14.06, {1, .891665, 7.1386e-4, 6.6933e-5}, {3, .686036, 2.0474e-2, 1.1385e-4}},
    {17, 32, 27.22, {1, .875674, 3.8022e-4, 3.3678e-5}, {3, .682640, 2.0821e-2, 1.0485e-4}},
    {33, 64, 53.35, {1, .549541, 1.8114e-3, 5.5242e-5}, {3, .581373, 1.1850e-2, 1.0055e-4}},
    {65, 128, 114.2, {2, .489295, 5.8829e-4, 3.2752e-5}, {5, .697651, 3.1954e-2, 1.2294e-4}},
    {129, 256, 163.0, {2, .805773, 6.3875e-4, 5.8074e-6}, {1, .621605, 1.3475e-2, 2.9251e-4}},
    {257, 322, 305.8, {1, .844341, 1.9591e-5, 1.5761e-6}, {6, .788991, 1.7567e-1, 1.4161e-4}},
}};
// clang-format on

// Uniform, mixed with one end of the range so that the mean is mean_size.
std::int32_t draw_size(const JannRange& range, RandomEngine& engine) {
  const double middle = (range.least + range.most) / 2.0;
  const auto end = range.mean_size < middle ? range.least : range.most;
  const double share = end == middle ? 0 : (range.mean_size - middle) / (end - middle);
  if (uniform(engine) < share) return end;
  return boost::random::uniform_int_distribution<std::int32_t>(range.least,
                                                               range.most)(engine);
}

}  // namespace

double HyperErlang::draw(RandomEngine& engine) const {
  const double rate = uniform(engine) < p ? rate_1 : rate_2;
  double stages = 0;
  // Bounded: the stages of a law, 7 at most.
  for (int i = 0; i < order; ++i) stages -= std::log1p(-uniform(engine));
  return stages / rate;
}

std::span<const JannRange> jann_ranges() { return kRanges; }

Workload jann_workload(std::int32_t processors, std::int64_t jobs, std::uint64_t seed,
                       Budget& budget) {
  auto workload = model_workload("jann", processors, jobs);
  auto arrivals = random_stream(seed, "workload.arrivals");
  auto sizes = random_stream(seed, "workload.size");
  auto run_times = random_stream(seed, "workload.runtime");
  std::vector<double> next;
  next.reserve(kRanges.size());
  // Bounded: the ten ranges.
  for (const auto& range : kRanges) next.push_back(range.gap.draw(arrivals));
  for (std::int64_t i = 0; i < jobs; ++i) {
    const auto first = std::min_element(next.begin(), next.end());
    const auto& range = kRanges[static_cast<std::size_t>(first - next.begin())];
    const auto size = std::min(draw_size(range, sizes), processors);
    add_model_job(workload,
                  {*first, size, whole_seconds(range.run_time.draw(run_times))},
                  budget);
    *first += range.gap.draw(arrivals);
  }
  return workload;
}

}  // namespace berth
