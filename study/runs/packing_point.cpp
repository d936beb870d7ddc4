#include "study/runs/packing_point.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "engine/base/budget.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/output/sha256.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/common/time_limit.hpp"

namespace berth::study {

namespace {

std::vector<pack::Instance> drawn(const Scenario& scenario, Budget& budget) {
  const auto seed = static_cast<std::uint64_t>(scenario.seed);
  std::vector<pack::Instance> instances;
  for (std::int64_t number = 1; number <= scenario.packing.instances; ++number) {
    instances.push_back(
        {number, pack::random_instance(scenario.packing.drawn, budget, seed, number)});
  }
  return instances;
}

PackedInstance packed_of(const pack::Problem& problem, pack::Packing packing) {
  PackedInstance one;
  one.outcome = packing.outcome;
  one.effort = packing.effort;
  one.bound = pack::relaxed_bound(problem);
  if (!packing.packed()) return one;
  one.yield = packing.yield;
  one.mean_yield = packing.mean_yield();
  one.hosts = std::move(packing.hosts);
  one.yields = std::move(packing.yields);
  return one;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

std::pair<std::vector<pack::Instance>, std::string> load_instances(
    const std::string& name, Budget& budget) {
  const auto path = find_input(name);
  const auto bytes = read_bytes(path);
  std::istringstream in(bytes.substr(byte_order_mark(bytes, path)));
  return {pack::read_instances(in, printable_name(path), budget), berth::sha256(bytes)};
}

PackingPoint::PackingPoint(const Scenario& scenario, Budget& budget)
    : scenario_(scenario) {
  if (scenario.packing.file.empty()) {
    instances_ = drawn(scenario, budget);
  } else {
    std::tie(instances_, sha256_) = load_instances(scenario.packing.file, budget);
  }
  budget.charge_each(instances_.size());
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    relaxed_.push_back(std::make_unique<Relaxed>());
  }
}

std::unique_ptr<PackingPoint> packing_point(const Scenario& scenario, double seconds) {
  const auto& file = scenario.packing.file;
  const auto name = file.empty() ? std::string("[packing]") : printable_name(file);
  return within_time(seconds, name, [&](Budget& budget) {
    return std::make_unique<PackingPoint>(scenario, budget);
  });
}

pack::PackingTask PackingPoint::task(std::size_t number) {
  const auto& keys = scenario_.packing;
  const auto& [id, problem] = instances_[number];
  pack::PackingTask task{problem,
                             id,
                             static_cast<std::uint64_t>(scenario_.seed),
                             {keys.search, keys.first_list, keys.relaxed_source},
                             {}};
  // So many may be kept until the last packer of the point has run.
  constexpr std::size_t kMostKept = 1000;
  if (instances_.size() > kMostKept) return task;
  // Each packer is charged what the first paid, so that none stops earlier or later for
  // the order in which they ask.
  task.parts = [this, number, &keys](Budget& budget) -> const std::vector<double>* {
    auto& relaxed = *relaxed_[number];
    bool is_first = false;
    std::call_once(relaxed.once, [&] {
      const auto before = budget.charged();
      relaxed.parts =
          pack::relaxed_parts(instances_[number].problem, budget, keys.relaxed_source);
      relaxed.units = budget.charged() - before;
      is_first = true;
    });
    if (!is_first) budget.charge(relaxed.units);
    return relaxed.parts ? &*relaxed.parts : nullptr;
  };
  return task;
}

PackingPoint::Result PackingPoint::run(LoadedPolicy& policy,
                                       const std::function<bool()>& interrupted) {
  if (!policy.policy || !policy.policy->has_hook("pack")) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: the policy has no function 'pack', which a packing "
                            "study calls: return {{ pack = function(packing, jobs, "
                            "params) ... end }}",
                            policy.label));
  }
  const auto hook = policy.policy->bind("pack");
  auto& packer = dynamic_cast<pack::Packer&>(*hook);
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  Result result;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (interrupted && interrupted()) throw Interrupted();
    result.packed.push_back(
        packed_of(instances_[i].problem, packer.pack(task(i))));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  result.cpu_seconds = cpu_seconds() - cpu;
  return result;
}

}  // namespace berth::study
