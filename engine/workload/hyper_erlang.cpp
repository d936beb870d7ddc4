#include "engine/workload/hyper_erlang.hpp"

#include <cmath>

namespace berth {

double HyperErlang::draw(RandomEngine& engine) const {
  const double rate = uniform(engine) < p ? rate_1 : rate_2;
  double stages = 0;
  for (int i = 0; i < order; ++i) stages -= std::log1p(-uniform(engine));
  return stages / rate;
}

}  // namespace berth
