// Small made-up machines with slices, types, chunks, rates and all device rules: start,
// end and devices of every job are those of a simulator that keeps lists of claims.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/machines/devices/device_places.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/naive_devices.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using WhenFull = NaiveRun::WhenFull;

// "10-25 0:1*500", by job.
using Starts = std::map<std::int64_t, std::string>;

class StartsAndEnds final : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord, sim::EndRecord>();
  }
  void note(const sim::Record& record) override {
    if (const auto* start = std::get_if<sim::StartRecord>(&record)) {
      const Placement& placement = *start->placement;
      started_[start->who.job->id] = {
          start->at, placement.form_if<DevicePlaces>()->devices_text()};
      return;
    }
    const auto& end = std::get<sim::EndRecord>(record);
    const auto& [from, devices] = started_.at(end.who.job->id);
    of[end.who.job->id] = fmt::format("{}-{} {}", from, end.at, devices);
  }
  void finish(Time) override {}
  Starts of;

 private:
  std::map<std::int64_t, std::pair<Time, std::string>> started_;
};

struct SmallCase {
  sim::Machine machine;
  NaiveMachine naive;
  std::vector<Job> jobs;
  std::vector<DeviceNeedOf> needs;
  std::vector<NaiveJob> naive_jobs;
};

constexpr std::array<const char*, 3> kTypes{"T4", "V100", "A100"};

// 1 to 7 hosts in three groups.
void add_small_hosts(RandomEngine& engine, std::uint64_t round, SmallCase& to) {
  std::vector<DeviceHostsOf> groups;
  for (std::size_t i = 0; i < 3; ++i) {
    DeviceHostsOf group;
    group.name = std::string(1, static_cast<char>('a' + i));
    group.type = kTypes[i];
    group.count = static_cast<std::int32_t>(i == 0 ? 1 + engine() % 3 : engine() % 3);
    group.cores = static_cast<std::int64_t>(2 + engine() % 8);
    group.devices = static_cast<std::int64_t>(i == 0 ? 1 + engine() % 4 : engine() % 4);
    if (i == 2) group.slices = "250,500,1000";
    if (group.count == 0) continue;
    groups.push_back(group);
    for (std::int32_t n = 0; n < group.count; ++n) {
      NaiveHost host{
          group.cores * 1000, static_cast<std::int32_t>(group.devices), {}, {}};
      if (group.devices > 0) host.type = group.type;
      if (group.devices > 0 && i == 2) host.slices = {250, 500, 1000};
      to.naive.hosts.push_back(host);
    }
  }
  to.naive.rule = static_cast<NaiveRule>(round % 3);
  to.machine =
      with_devices(groups, NaiveMachine::kParts, static_cast<DeviceRule>(round % 3));
}

// Every other machine has rates, 0 among them.
void add_small_rates(RandomEngine& engine, SmallCase& to) {
  if (engine() % 2 == 0) return;
  constexpr std::array<double, 6> kRates{0, 0.25, 0.5, 1, 1.5, 3};
  std::set<std::string> types;
  for (const auto& host : to.naive.hosts) {
    if (host.devices > 0) types.insert(host.type);
  }
  std::string text = "class,type,rate\n";
  for (const auto* job_class : {"a", "b"}) {
    for (const auto& type : types) {
      const auto rate = kRates[engine() % kRates.size()];
      to.naive.rates[{job_class, type}] = rate;
      text += fmt::format("{},{},{}\n", job_class, type, rate);
    }
  }
  auto settings = devices_of(to.machine);
  settings.speeds_file = "speeds.csv";
  settings.speeds_text = text;
  to.machine.model_settings = settings;
}

void add_small_job(RandomEngine& engine, std::int64_t id, SmallCase& to) {
  DeviceNeedOf need;
  NaiveJob naive;
  naive.id = id;
  need.chunks = naive.chunks = static_cast<std::int32_t>(1 + engine() % 3);
  const auto cores = static_cast<std::int64_t>(engine() % 4);
  need.cores = static_cast<double>(cores);
  naive.cpu = cores * 1000;
  const auto kind = engine() % 4;
  if (kind == 0) need.gpus = naive.gpus = static_cast<std::int32_t>(1 + engine() % 2);
  if (kind == 1 || kind == 2) {
    need.share = naive.share = static_cast<std::int64_t>(50 + engine() % 900);
    naive.gpus = 1;
  }
  for (std::size_t i = 0; i < kTypes.size() && engine() % 3 == 0; ++i) {
    naive.types.emplace_back(kTypes[i]);
    need.types += (need.types.empty() ? "" : "|") + std::string(kTypes[i]);
  }
  need.job_class = naive.job_class = engine() % 2 == 0 ? "a" : "b";
  const auto length = static_cast<std::int64_t>(1 + engine() % 30);
  const auto walltime = length + static_cast<std::int64_t>(engine() % 10);
  const auto submit = id / 3;
  to.jobs.push_back(a_job(id, submit, need.chunks, length, walltime));
  to.needs.push_back(need);
  naive.submit = to.jobs.back().submit;
  naive.length = to.jobs.back().length;
  naive.walltime = to.jobs.back().walltime;
  to.naive_jobs.push_back(naive);
}

SmallCase small_case(std::uint64_t round) {
  auto engine = random_stream(round, "test.device_reference");
  SmallCase made;
  add_small_hosts(engine, round, made);
  add_small_rates(engine, made);
  for (std::int64_t id = 1; id <= 60; ++id) add_small_job(engine, id, made);
  return made;
}

Starts starts_of(const SmallCase& of, const std::string& policy_name,
                 const std::map<std::string, std::string>& parameters) {
  const DeviceJobs jobs(of.jobs, of.needs);
  const ModelSpec spec{of.machine, jobs.jobs, jobs.attributes, 0};
  const auto policy = lua_policy(policy_name, parameters);
  sim::Simulation simulation(of.machine, {}, jobs.jobs, *policy,
                             model_of(of.machine).make(spec));
  audit::Auditor auditor({of.machine, {}, jobs.jobs, policy->traits()},
                         model_of(of.machine).law(spec), audit::Thoroughness::kFull);
  StartsAndEnds starts;
  simulation.audience().observe(starts);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  return starts.of;
}

Starts naive_starts(const SmallCase& of, const NaiveMachine& machine,
                    const std::function<void(NaiveRun&)>& pass) {
  Starts starts;
  for (const auto& [id, outcome] : NaiveRun(machine, of.naive_jobs).run(pass)) {
    DevicePlaces places;
    for (const auto& chunk : outcome.place) {
      const auto count = static_cast<std::int32_t>(chunk.devices.size());
      const bool is_share = of.naive_jobs[std::size_t(id - 1)].share > 0;
      places.chunks.push_back({chunk.host, count, is_share ? chunk.parts : 0});
      places.devices.insert(places.devices.end(), chunk.devices.begin(),
                            chunk.devices.end());
    }
    starts[id] =
        fmt::format("{}-{} {}", outcome.start, outcome.end, places.devices_text());
  }
  return starts;
}

// The weights of gpu_best_fit, gpu_dot and gpu_fastest on this machine.
struct NaiveWeights {
  const NaiveMachine& machine;
  double cpu = 0;  // the most of a host
  double gpu = 0;

  // Needs of jobs and how many jobs have them, most frequent first until 95 % of all
  // are in.
  std::vector<std::pair<NaiveJob, std::int64_t>> target{};
  std::int64_t of_target = 0;

  NaiveWeights(const NaiveMachine& of, const std::vector<NaiveJob>& jobs)
      : machine(of) {
    for (const auto& host : of.hosts) {
      cpu = std::max(cpu, static_cast<double>(host.cpu));
      gpu = std::max(gpu, static_cast<double>(host.devices * NaiveMachine::kParts));
    }
    set_target(jobs);
  }
  void set_target(const std::vector<NaiveJob>& jobs) {
    // Ties go to the larger cores, share, devices, types, and rates other than 0.
    using Key = std::tuple<std::int64_t, std::int64_t, std::int32_t, std::string,
                           std::vector<bool>>;
    std::map<Key, std::pair<NaiveJob, std::int64_t>> counts;
    for (const auto& job : jobs) {
      auto& [need, count] = counts[key_of(job)];
      need = job;
      ++count;
    }
    std::vector<std::pair<std::int64_t, Key>> order;
    for (const auto& [key, of] : counts) order.emplace_back(of.second, key);
    std::sort(order.rbegin(), order.rend());
    for (const auto& [count, key] : order) {
      if (double(of_target) >= 0.95 * double(jobs.size())) break;
      of_target += count;
      target.push_back(counts.at(key));
    }
  }
  [[nodiscard]] std::tuple<std::int64_t, std::int64_t, std::int32_t, std::string,
                           std::vector<bool>>
  key_of(const NaiveJob& job) const {
    std::string names;
    for (const auto& each : job.types) names += (names.empty() ? "" : "|") + each;
    if (job.gpus == 0) return {job.cpu, job.share, job.gpus, "", {}};
    // By type, in the order in which hosts name them; empty: it may use all.
    std::vector<std::string> types;
    std::vector<bool> may;
    for (const auto& host : machine.hosts) {
      const bool is_known = host.devices == 0 || std::find(types.begin(), types.end(),
                                                           host.type) != types.end();
      if (is_known) continue;
      types.push_back(host.type);
      may.push_back(machine.may_use(job, host));
    }
    const bool uses_all = std::find(may.begin(), may.end(), false) == may.end();
    if (job.types.empty() && uses_all) may.clear();
    return {job.cpu, job.share, job.gpus, names, may};
  }
  [[nodiscard]] std::int64_t asked(const NaiveJob& job, std::int32_t host) const {
    return job.gpus * NaiveMachine::take(job, machine.hosts[std::size_t(host)]);
  }
  [[nodiscard]] double best_fit(const NaiveState& state, const NaiveJob& job,
                                std::int32_t host) const {
    const auto cpu_rest = double(state.cpu_left(host) - job.cpu) / cpu * 0.5;
    const auto gpu_rest = double(state.gpu_left(host) - asked(job, host)) / gpu * 0.5;
    return std::floor((1 - (cpu_rest + gpu_rest)) * 100);
  }
  [[nodiscard]] double dot(const NaiveState& state, const NaiveJob& job,
                           std::int32_t host) const {
    const auto of_cpu = double(state.cpu_left(host)) / cpu * (double(job.cpu) / cpu);
    const auto of_gpu =
        double(state.gpu_left(host)) / gpu * (double(asked(job, host)) / gpu);
    return std::floor(100 * (1 - (of_cpu + of_gpu) / 2));
  }
  // Same size alone, with others, an empty one, others alone: 75, 50, 25, 0, and how
  // full the host is.
  [[nodiscard]] double clustering(const NaiveState& state, const NaiveJob& job,
                                  std::int32_t host) const {
    if (job.gpus == 0) return 0;
    const auto size = [](const NaiveJob& of) {
      return of.share > 0 ? -1 : of.gpus;  // all shares are one size
    };
    bool has_same = false;
    bool has_others = false;
    state.each_job_on(host, [&](const NaiveJob& other) {
      if (other.gpus == 0) return;
      (size(other) == size(job) ? has_same : has_others) = true;
    });
    const double base =
        has_same ? (has_others ? 50 : 75) : static_cast<double>(has_others ? 0 : 25);
    return std::floor(25 * (gpu - double(state.gpu_left(host))) / gpu) + base;
  }
  [[nodiscard]] double packing(const NaiveState& state, const NaiveJob& job,
                               std::int32_t host) const {
    if (job.gpus == 0) return 0;
    constexpr auto kParts = NaiveMachine::kParts;
    const auto& shape = machine.hosts[std::size_t(host)];
    const auto least = NaiveMachine::take(job, shape);
    std::vector<std::int64_t> able;
    std::int64_t idle = 0;
    for (std::int32_t device = 0; device < shape.devices; ++device) {
      const auto left = state.left(host, device);
      idle += left == kParts ? 1 : 0;
      if (left >= least) able.push_back(left);
    }
    if (idle == shape.devices) return 33 - static_cast<double>(idle);
    std::sort(able.begin(), able.end());
    able.resize(static_cast<std::size_t>(job.gpus));
    const auto fresh = std::count(able.begin(), able.end(), kParts);
    if (fresh > 0) return std::max(50.0 - static_cast<double>(fresh), 33.0);
    std::int64_t percent = 0;
    for (const auto left : able) percent += left * 100 / kParts;
    return std::max(100.0 - static_cast<double>(percent / 10), 50.0);
  }
  // Idle parts that jobs of the target could not use, times their number.
  [[nodiscard]] std::int64_t fragments(const NaiveState& state,
                                       std::int32_t host) const {
    const auto& shape = machine.hosts[std::size_t(host)];
    std::int64_t sum = 0;
    for (const auto& [need, jobs] : target) {
      const auto take = NaiveMachine::take(need, shape);
      const bool may_go = need.gpus > 0 && machine.may_use(need, shape) && take > 0 &&
                          state.cpu_left(host) >= need.cpu;
      std::int64_t able = 0;
      std::int64_t below = 0;
      for (std::int32_t device = 0; device < shape.devices; ++device) {
        const auto left = state.left(host, device);
        (left >= take ? able : below) += left >= take ? 1 : left;
      }
      sum += jobs * (may_go && able >= need.gpus ? below : state.gpu_left(host));
    }
    return sum;
  }
  // The first device with the highest score; whole devices are the lowest idle ones.
  [[nodiscard]] NaiveRun::Weighed fgd(const NaiveState& state, const NaiveJob& job,
                                      std::int32_t host) const {
    const auto& shape = machine.hosts[std::size_t(host)];
    const auto take = NaiveMachine::take(job, shape);
    const auto score = [&](const NaiveChunk& chunk) {
      auto with = state;
      with.add(job, {chunk});
      const auto mean = [&](std::int64_t sum) {
        return double(sum) / double(of_target);
      };
      const auto less = mean(fragments(state, host)) - mean(fragments(with, host));
      return std::floor(1 / (1 + std::exp(-less / double(NaiveMachine::kParts))) * 100);
    };
    if (job.share == 0) return score(*state.chunk_on(job, host));
    NaiveRun::Weighed best(-1);
    for (std::int32_t device = 0; device < shape.devices; ++device) {
      if (state.left(host, device) < take) continue;
      const auto value = score({host, {device}, take});
      if (value > best.weight) best = {value, device};
    }
    return best;
  }
  [[nodiscard]] double fastest(const NaiveState&, const NaiveJob& job,
                               std::int32_t host) const {
    return machine.rate(job, machine.hosts[std::size_t(host)]);
  }
};

// "job 3: 10-25 0:1*500, expected 11-26 0:1*500" of each job that differs.
std::string differences(const Starts& made, const Starts& expected) {
  std::string text;
  for (const auto& [id, wanted] : expected) {
    const auto at = made.find(id);
    const auto got = at == made.end() ? std::string("nothing") : at->second;
    if (got == wanted) continue;
    text += fmt::format("job {}: {}, expected {}\n", id, got, wanted);
  }
  if (made.size() > expected.size()) text += "more jobs than expected\n";
  return text;
}

void check_all_policies(const SmallCase& of) {
  const NaiveWeights weights(of.naive, of.naive_jobs);
  const auto check = [&](const std::string& name, const std::string& when_full,
                         const std::function<void(NaiveRun&)>& pass) {
    CAPTURE(name);
    CAPTURE(when_full);
    std::map<std::string, std::string> parameters;
    auto machine = of.naive;
    if (!when_full.empty()) {
      parameters["when_full"] = when_full;
      machine.rule = NaiveRule::kBest;  // these policies name it themselves
    }
    CHECK(differences(starts_of(of, name, parameters),
                      naive_starts(of, machine, pass)) == "");
  };
  check("fcfs", "", [](NaiveRun& run) { run.in_order(true); });
  check("first_fit", "", [](NaiveRun& run) { run.in_order(false); });
  check("sjf", "", [](NaiveRun& run) { run.shortest_first(); });
  check("easy", "", [](NaiveRun& run) { run.easy(); });
  check("conservative", "", [](NaiveRun& run) { run.conservative(); });
  const std::vector<std::pair<const char*, NaiveRun::Weight>> by_weight{
      {"gpu_best_fit", std::bind_front(&NaiveWeights::best_fit, &weights)},
      {"gpu_dot", std::bind_front(&NaiveWeights::dot, &weights)},
      {"gpu_clustering", std::bind_front(&NaiveWeights::clustering, &weights)},
      {"gpu_packing", std::bind_front(&NaiveWeights::packing, &weights)},
      {"fgd", std::bind_front(&NaiveWeights::fgd, &weights)}};
  for (const auto& [word, how] :
       {std::pair("wait", WhenFull::kWait), std::pair("stop", WhenFull::kStop),
        std::pair("reject", WhenFull::kReject)}) {
    for (const auto& [name, weight] : by_weight) {
      const auto& each = weight;  // a binding cannot be captured
      check(name, word, [&, when = how](NaiveRun& run) { run.by_weight(each, when); });
    }
  }
  const auto fastest = std::bind_front(&NaiveWeights::fastest, &weights);
  check("gpu_fastest", "",
        [&](NaiveRun& run) { run.by_weight(fastest, WhenFull::kStop); });
}

}  // namespace

TEST_SUITE("machines/devices/device_reference") {
  TEST_CASE("start, end and devices of each job are those of lists of claims") {
    for (std::uint64_t round = 0; round < rounds(12, 60); ++round) {
      CAPTURE(round);
      check_all_policies(small_case(round));
    }
  }
}
