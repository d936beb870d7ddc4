#pragma once
// Hyper-Erlang law of common order: with probability `p` the sum of `order` exponential
// stages of one rate, else of as many of another.
//
// Source  Jann et al. 1997; spec: workload-models 3.

#include "engine/base/random_stream.hpp"

namespace berth {

struct HyperErlang {
  int order;
  double p;
  double rate_1;  // with probability p
  double rate_2;

  [[nodiscard]] double mean() const { return order * (p / rate_1 + (1 - p) / rate_2); }
  // Draws order + 1 numbers.
  [[nodiscard]] double draw(RandomEngine& engine) const;
};

}  // namespace berth
