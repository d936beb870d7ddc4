#pragma once
// A sweep of two policies over two loads and three seeds, 60 jobs a run.

#include <string_view>

namespace berth::test {

inline constexpr std::string_view kSmallSweep = R"(
[machine]
processors = 16
[workload]
model = "lublin"
jobs = 60
[run]
policies = ["fcfs", "easy"]
[sweep]
"workload.load" = [0.6, 0.9]
seed = { from = 1, to = 3 }
)";

}  // namespace berth::test
