// The twenty popular values of the estimate model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/workload/tsafrir.hpp"

// Bounded in this file: twenty popular values, each with a rank.

namespace berth {

namespace {

constexpr std::size_t kPopular = 20;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;

constexpr std::array kUsual{5 * kMinute,  10 * kMinute, 15 * kMinute, 20 * kMinute,
                            30 * kMinute, 1 * kHour,    2 * kHour,    3 * kHour,
                            4 * kHour,    5 * kHour,    6 * kHour,    8 * kHour,
                            10 * kHour,   12 * kHour,   18 * kHour};

constexpr std::array kFillSteps{200 * kHour,  100 * kHour, 50 * kHour, 10 * kHour,
                                5 * kHour,    2 * kHour,   1 * kHour,  20 * kMinute,
                                10 * kMinute, 5 * kMinute};

// Popularity ranks by ascending value in four logs: SDSC-SP2, CTC, KTH, SDSC-BLUE.
constexpr std::array<std::array<int, 4>, kPopular> kRanks{{
    {3, 1, 1, 1},     {1, 3, 4, 6},     {4, 4, 10, 5},    {17, 2, 14, 3},
    {13, 12, 20, 7},  {7, 9, 2, 2},     {8, 8, 3, 18},    {18, 18, 7, 19},
    {2, 6, 12, 4},    {6, 7, 6, 11},    {16, 11, 19, 20}, {10, 20, 5, 9},
    {5, 16, 18, 10},  {15, 5, 16, 14},  {14, 14, 9, 13},  {19, 13, 17, 16},
    {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8},    {20, 19, 11, 12},
}};

struct Popular {
  std::int64_t value = 0;
  bool is_filler = false;
  int rank = 0;      // 0: not yet drawn
  double share = 0;  // > 0: given in the settings
};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInput, "tsafrir estimates: " + what);
}

class Head {
 public:
  explicit Head(std::int64_t longest) {
    popular_.push_back({longest, false, 1, 0});
    for (const std::int64_t value : kUsual) {
      if (value < longest) popular_.push_back({value});
    }
    for (const std::int64_t step : kFillSteps) fill(step);
    if (popular_.size() < kPopular) {
      refuse(
          fmt::format("the longest estimate, {} s, leaves no room for twenty popular "
                      "values; it must exceed 5700 s",
                      longest));
    }
  }

  [[nodiscard]] bool has(std::int64_t value) const {
    return std::any_of(popular_.begin(), popular_.end(),
                       [&](const Popular& popular) { return popular.value == value; });
  }

  // The longest value keeps rank 1; other known values get the nearest free rank.
  void replace(const EstimateShare& known) {
    Popular& popular = place_for(known.value);
    popular.value = known.value;
    popular.share = known.share;
    if (popular.rank == 0) popular.rank = nearest_free_rank(known.share);
  }

  void draw_ranks(RandomEngine& engine) {
    std::sort(popular_.begin() + 1, popular_.end(), by_value);
    std::vector<int> pool;
    std::size_t joined = 0;
    for (std::size_t row = 1; row < kPopular; ++row) {
      if (joined < row) join(pool, joined = row);
      if (popular_[row].rank != 0) continue;
      drop_taken(pool);
      while (pool.empty()) join(pool, ++joined);
      popular_[row].rank = pick(pool, row, engine);
    }
  }

  [[nodiscard]] std::vector<EstimateShare> shares() const {
    double known = 0;
    double others = 0;
    for (const Popular& popular : popular_) {
      (popular.share > 0 ? known : others) +=
          popular.share > 0 ? popular.share : default_share(popular.rank);
    }
    const double scale = (kHeadShare - known) / others;
    std::vector<EstimateShare> shares;
    for (const Popular& popular : popular_) {
      shares.push_back({popular.value, popular.share > 0
                                           ? popular.share
                                           : scale * default_share(popular.rank)});
    }
    std::sort(shares.begin(), shares.end(),
              [](const EstimateShare& a, const EstimateShare& b) {
                return a.value < b.value;
              });
    return shares;
  }

 private:
  static bool by_value(const Popular& a, const Popular& b) { return a.value < b.value; }

  static double later_share(int rank) {
    return 14.0491 * std::exp(-0.177531 * rank) + 0.462513;
  }

  static double default_share(int rank) {
    if (rank > 1) return later_share(rank);
    double later = 0;
    for (int other = 2; other <= static_cast<int>(kPopular); ++other) {
      later += later_share(other);
    }
    return kHeadShare - later;
  }

  [[nodiscard]] bool is_taken(int rank) const {
    return std::any_of(popular_.begin(), popular_.end(),
                       [&](const Popular& popular) { return popular.rank == rank; });
  }

  void fill(std::int64_t step) {
    const std::int64_t longest = popular_.front().value;
    for (std::int64_t value = longest / step * step; value > 0; value -= step) {
      if (popular_.size() == kPopular) return;
      if (!has(value)) popular_.push_back({value, true});
    }
  }

  Popular& place_for(std::int64_t value) {
    Popular* best = nullptr;
    for (Popular& popular : popular_) {
      if (popular.value == value) return popular;
      if (popular.rank != 0) continue;
      if (!best || is_nearer(popular, *best, value)) best = &popular;
    }
    BERTH_ASSERT(best != nullptr);
    return *best;
  }

  static bool is_nearer(const Popular& a, const Popular& b, std::int64_t value) {
    if (a.is_filler != b.is_filler) return a.is_filler;
    const auto distance_a = std::abs(a.value - value);
    const auto distance_b = std::abs(b.value - value);
    return distance_a != distance_b ? distance_a < distance_b : a.value < b.value;
  }

  [[nodiscard]] int nearest_free_rank(double share) const {
    int best = 0;
    for (int rank = 2; rank <= static_cast<int>(kPopular); ++rank) {
      if (is_taken(rank)) continue;
      const double distance = std::abs(default_share(rank) - share);
      if (best == 0 || distance < std::abs(default_share(best) - share)) best = rank;
    }
    return best;
  }

  void join(std::vector<int>& pool, std::size_t row) const {
    BERTH_ASSERT(row < kPopular);
    pool.insert(pool.end(), kRanks[row].begin(), kRanks[row].end());
    drop_taken(pool);
  }

  void drop_taken(std::vector<int>& pool) const {
    pool.erase(std::remove_if(pool.begin(), pool.end(),
                              [&](int rank) { return is_taken(rank); }),
               pool.end());
  }

  // A rank that no later row can get is assigned first.
  [[nodiscard]] int pick(const std::vector<int>& pool, std::size_t row,
                         RandomEngine& engine) const {
    for (int rank = 2; rank <= static_cast<int>(kPopular); ++rank) {
      if (!is_taken(rank) && last_row(rank) <= row) return rank;
    }
    boost::random::uniform_int_distribution<std::size_t> entry(0, pool.size() - 1);
    const int first = pool[entry(engine)];
    return std::min(first, pool[entry(engine)]);
  }

  static std::size_t last_row(int rank) {
    std::size_t row = kPopular - 1;
    while (std::find(kRanks[row].begin(), kRanks[row].end(), rank) ==
           kRanks[row].end()) {
      --row;
    }
    return row;
  }

  std::vector<Popular> popular_;  // the longest first
};

void check_known(const TsafrirSettings& settings) {
  double total = 0;
  std::vector<std::int64_t> values;
  for (const EstimateShare& known : settings.known) {
    if (known.value < 1 || known.value > settings.longest) {
      refuse(fmt::format("the known value {} s is outside 1..{} s", known.value,
                         settings.longest));
    }
    if (!(known.share > 0)) {
      refuse(fmt::format("the share of {} s is {}; it must be above 0", known.value,
                         known.share));
    }
    total += known.share;
    values.push_back(known.value);
  }
  if (!(total <= kHeadShare)) {
    refuse(fmt::format("the known shares add up to {} %, the popular values have {} %",
                       total, kHeadShare));
  }
  if (values.size() >= kPopular)
    refuse("at most nineteen values can be given as known");
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end())
    refuse(fmt::format("the known value {} s is given twice", *twice));
}

}  // namespace

std::vector<EstimateShare> popular_estimates(const TsafrirSettings& settings,
                                             RandomEngine& engine) {
  check_known(settings);
  Head head(settings.longest);
  std::vector<EstimateShare> known = settings.known;
  std::stable_partition(known.begin(), known.end(), [&](const EstimateShare& pair) {
    return head.has(pair.value);
  });
  for (const EstimateShare& pair : known) head.replace(pair);
  head.draw_ranks(engine);
  return head.shares();
}

}  // namespace berth
