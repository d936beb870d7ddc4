#include "engine/workload/tsafrir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

constexpr double kTailExponent = -2.267;
constexpr std::int64_t kRoundedTo = 60;  // seconds

struct Knot {
  double jobs;
  double values;
};

constexpr std::array<Knot, 8> kKnots{{{0, 0},
                                      {20, 10},
                                      {200, 20},
                                      {1'000, 35},
                                      {10'000, 90},
                                      {70'000, 340},
                                      {250'000, 565},
                                      {1e300, 565}}};

using UniformInt = boost::random::uniform_int_distribution<std::size_t>;

template <class T>
void shuffle(std::vector<T>& items, RandomEngine& engine, Budget& budget) {
  budget.charge_each(items.size());
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[UniformInt(0, i - 1)(engine)]);
  }
}

// The rare values, denser at the short end.
class Tail {
 public:
  Tail(std::int64_t longest, std::int64_t distinct,
       const std::vector<EstimateShare>& head, Budget& budget)
      : longest_(longest) {
    // Bounded: the popular values, twenty of them.
    for (const EstimateShare& popular : head) used_.insert(popular.value);
    const auto wanted = distinct - static_cast<std::int64_t>(head.size());
    const double a = 1 + 12.1039 * std::pow(static_cast<double>(distinct), -0.6026);
    for (std::int64_t i = 1; i <= wanted; ++i) {
      budget.charge();
      const double x = static_cast<double>(i) / static_cast<double>(wanted);
      const double value = static_cast<double>(longest) * (a - 1) * x / (a - x);
      add(std::llround(value / kRoundedTo) * kRoundedTo);
    }
  }

  [[nodiscard]] std::vector<EstimateShare> shares(RandomEngine& engine,
                                                  Budget& budget) const {
    budget.charge_each(2 * values_.size());
    std::vector<double> weights;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      weights.push_back(std::pow(static_cast<double>(21 + i), kTailExponent));
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    shuffle(weights, engine, budget);
    std::vector<EstimateShare> shares;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      shares.push_back({values_[i], (100 - kHeadShare) * weights[i] / total});
    }
    return shares;
  }

 private:
  void add(std::int64_t value) {
    if (value == 0) return;
    // Bounded: seven places for one value.
    for (const std::int64_t offset : {0, 30, -30, 20, -20, 10, -10}) {
      const std::int64_t moved = value + offset;
      const bool is_used = used_.count(moved) > 0;
      if (!is_used && moved > 0 && moved < longest_) {
        used_.insert(moved);
        values_.push_back(moved);
        return;
      }
    }
  }

  std::int64_t longest_;
  std::set<std::int64_t> used_;
  std::vector<std::int64_t> values_;
};

std::int64_t total_jobs(const std::vector<EstimateCount>& counts) {
  return std::accumulate(
      counts.begin(), counts.end(), std::int64_t{0},
      [](std::int64_t sum, const EstimateCount& count) { return sum + count.jobs; });
}

// Corrects the rounding error in proportion to the counts, largest first, until they
// sum to `jobs`; every count stays above 0.
void balance(std::vector<EstimateCount>& counts, std::int64_t jobs, Budget& budget) {
  std::stable_sort(
      counts.begin(), counts.end(),
      [](const EstimateCount& a, const EstimateCount& b) { return a.jobs > b.jobs; });
  std::int64_t missing = jobs - total_jobs(counts);
  const double ratio =
      static_cast<double>(std::abs(missing)) / static_cast<double>(jobs);
  while (missing != 0) {
    budget.charge_each(counts.size());
    for (EstimateCount& count : counts) {
      const auto fair = std::ceil(ratio * static_cast<double>(count.jobs));
      auto change = std::min(static_cast<std::int64_t>(fair), std::abs(missing));
      if (missing < 0) change = -std::min(change, count.jobs - 1);
      count.jobs += change;
      missing -= change;
    }
  }
}

std::vector<EstimateCount> histogram(const TsafrirSettings& settings, std::int64_t jobs,
                                     RandomEngine& engine, Budget& budget) {
  std::vector<EstimateShare> shares = popular_estimates(settings, engine);
  const auto distinct = distinct_estimates(jobs, settings.distinct);
  const auto rare =
      Tail(settings.longest, distinct, shares, budget).shares(engine, budget);
  shares.insert(shares.end(), rare.begin(), rare.end());
  if (jobs < static_cast<std::int64_t>(shares.size())) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("tsafrir estimates: {} jobs cannot have {} distinct values; "
                    "take more jobs or a simpler estimate model",
                    jobs, shares.size()));
  }
  std::vector<EstimateCount> counts;
  budget.charge_each(shares.size());
  for (const EstimateShare& share : shares) {
    const double exact = share.share / 100 * static_cast<double>(jobs);
    counts.push_back({share.value, std::max<std::int64_t>(std::llround(exact), 1)});
  }
  balance(counts, jobs, budget);
  std::sort(
      counts.begin(), counts.end(),
      [](const EstimateCount& a, const EstimateCount& b) { return a.value < b.value; });
  return counts;
}

std::vector<std::int64_t> estimates_descending(const std::vector<EstimateCount>& counts,
                                               Budget& budget) {
  std::vector<std::int64_t> estimates;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    budget.charge(1 + count->jobs);
    estimates.insert(estimates.end(), static_cast<std::size_t>(count->jobs),
                     count->value);
  }
  return estimates;
}

void cut_lengths(Workload& workload, std::int64_t longest, Budget& budget) {
  Finding cut;
  budget.charge_each(workload.jobs.size());
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    Job& job = workload.jobs[i];
    if (job.length <= seconds(longest)) continue;
    job.length = seconds(longest);
    if (cut.count++ == 0 && !workload.lines.empty()) cut.first_line = workload.lines[i];
  }
  if (cut.count == 0) return;
  cut.first_text = fmt::format("{} s", longest);
  workload.repairs["length_cut"] = std::move(cut);
}

std::vector<std::size_t> places_by_length(const std::vector<Job>& jobs,
                                          Budget& budget) {
  budget.charge_sort(jobs.size());
  std::vector<std::size_t> places(jobs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return jobs[a].length > jobs[b].length;
  });
  return places;
}

[[noreturn]] void refuse_too_long(const Workload& workload, Duration length,
                                  std::size_t jobs) {
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: tsafrir estimates: {} jobs run {} s or longer, but fewer "
                  "estimates are that long; raise the longest estimate or try "
                  "another seed",
                  printable_name(workload.source), jobs, seconds_text(length)));
}

// REQUIRES: as many estimates as jobs, descending.
void assign(Workload& workload, std::vector<std::int64_t> estimates,
            RandomEngine& engine, Budget& budget) {
  const std::vector<std::size_t> places = places_by_length(workload.jobs, budget);
  std::size_t end = 0;  // estimates before it are >= the length of the present job
  for (std::size_t j = 0; j < places.size(); ++j) {
    budget.charge();
    Job& job = workload.jobs[places[j]];
    // Bounded: each estimate once in all.
    while (end < estimates.size() && seconds(estimates[end]) >= job.length) ++end;
    if (end <= j) refuse_too_long(workload, job.length, j + 1);
    std::swap(estimates[j], estimates[UniformInt(j, end - 1)(engine)]);
    job.walltime = seconds(estimates[j]);
    job.walltime_given = true;
  }
}

}  // namespace

std::int64_t distinct_estimates(std::int64_t jobs, DistinctValues rule) {
  BERTH_ASSERT(jobs >= 0);
  const auto n = static_cast<double>(jobs);
  if (rule == DistinctValues::kPower)
    return std::llround(0.653566 * std::pow(n, 0.547761));
  const auto* right = std::find_if(kKnots.begin() + 1, kKnots.end(),
                                   [&](const Knot& knot) { return n <= knot.jobs; });
  const Knot& left = *(right - 1);
  const double part = (n - left.jobs) / (right->jobs - left.jobs);
  return std::llround(left.values + part * (right->values - left.values));
}

std::vector<EstimateCount> estimate_histogram(const TsafrirSettings& settings,
                                              std::int64_t jobs, std::uint64_t seed,
                                              Budget& budget) {
  RandomEngine engine = random_stream(seed, "workload.estimate");
  return histogram(settings, jobs, engine, budget);
}

void estimate_by_tsafrir(Workload& workload, const TsafrirSettings& settings,
                         std::uint64_t seed, Budget& budget) {
  if (workload.jobs.empty()) return;
  RandomEngine engine = random_stream(seed, "workload.estimate");
  const auto jobs = static_cast<std::int64_t>(workload.jobs.size());
  const auto counts = histogram(settings, jobs, engine, budget);
  cut_lengths(workload, settings.longest, budget);
  assign(workload, estimates_descending(counts, budget), engine, budget);
}

}  // namespace berth
