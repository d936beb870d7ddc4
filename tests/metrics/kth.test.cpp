// Mean waits over KTH-SP2 of independent simulators, through reader, run and metrics.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/jobs/limits.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/sim/selection.hpp"
#include "engine/sim/simulation.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"

namespace berth {

namespace {

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::filesystem::path& file) : in_(file, std::ios::binary) {}
  std::size_t read(char* to, std::size_t capacity) override {
    in_.read(to, static_cast<std::streamsize>(capacity));
    return static_cast<std::size_t>(in_.gcount());
  }

 private:
  std::ifstream in_;
};

std::optional<Workload> kth(const std::string& trace) {
  const auto path = test::shared_data("traces/" + trace);
  if (!path) return std::nullopt;
  FileBytes file(*path);
  GzipSource text(file, trace, test::unlimited());
  SwfOptions options;
  options.name = trace;
  return read_swf(text, options, test::unlimited());
}

Summary measure(const Workload& workload, test::ScriptedPolicy::Schedule schedule,
                const sim::Machine& machine = test::a_machine(100),
                const sim::Settings& settings = {}) {
  test::ScriptedPolicy policy(std::move(schedule));
  sim::Simulation simulation(machine, settings, workload.jobs, policy,
                             make_model(machine, workload.jobs));
  MetricOptions options;
  if (machine.life.has_events()) options.requeue_delay = machine.life.requeue_delay;
  options.has_checkpoints = machine.life.has_checkpoints();
  RunMetrics metrics(workload.jobs, {}, options);
  simulation.audience().observe(metrics);
  simulation.advance(kNever);
  simulation.finish();
  return metrics.summary();
}

double mean_wait(const Summary& summary) { return *summary.find("mean_wait")->value; }

void first_fit(sim::Simulation& simulation) {
  auto fitting = sim::Selection::fitting(0);
  while (const auto job = fitting.next(simulation)) {
    (void)simulation.actions().start(*job);
  }
}

// 110 of them, one every three days, for four hours, which are told.
std::shared_ptr<const std::vector<HostEvent>> failures_each_three_days() {
  using Kind = HostEvent::Kind;
  std::vector<HostEvent> all;
  for (std::int32_t k = 0; k < 110; ++k) {
    const Time at = seconds(600'000 + std::int64_t{259'200} * k);
    const Time back = after(at, seconds(14'400));
    all.push_back({at, Kind::kDown, 37 * k % 100, back});
    all.push_back({back, Kind::kUp, 37 * k % 100, back});
  }
  std::sort(all.begin(), all.end());
  return std::make_shared<const std::vector<HostEvent>>(std::move(all));
}

struct OfFailures {
  double queued;  // mean, seconds
  double requeues;
  double lost;  // processor seconds
};

}  // namespace

TEST_SUITE("metrics/kth") {
  TEST_CASE("mean waits of the normalised trace are those of other simulators") {
    const auto workload = kth("KTH-SP2-1996-normalised.swf.gz");
    if (!workload) return;
    const auto fcfs = measure(*workload, test::fcfs);
    CHECK(mean_wait(fcfs) == doctest::Approx(353943.094).epsilon(1e-9));
    CHECK(fcfs.find("mean_wait")->n == 28'475);
    CHECK(fcfs.counts.backfilled_starts == 0);
    // Full from 2,332,530 to 21,751,424.
    CHECK(fcfs.longest_queue_stretch == seconds(19'418'894));
    const auto easy = measure(*workload, test::easy);
    CHECK(mean_wait(easy) == doctest::Approx(6837.226).epsilon(1e-7));
    CHECK(easy.counts.backfilled_starts > 0);
  }

  TEST_CASE("of the trace as it is, 475 jobs exceed their walltime") {
    const auto workload = kth("KTH-SP2-1996-2.1-cln.swf.gz");
    if (!workload) return;
    const auto easy = measure(*workload, test::easy);
    CHECK(mean_wait(easy) == doctest::Approx(6858.344).epsilon(1e-7));
    CHECK(easy.jobs.outlived_walltime == 475);
    auto machine = test::a_machine(100);
    machine.overrun_grace = kSecond;
    machine.overrun_growth = 1;
    CHECK(mean_wait(measure(*workload, test::easy, machine)) ==
          doctest::Approx(6847.503).epsilon(1e-7));
  }

  TEST_CASE("with failures, anew or from checkpoints, queued times are those of one") {
    const auto workload = kth("KTH-SP2-1996-2.1-cln.swf.gz");
    if (!workload) return;
    auto machine = test::a_machine(100);
    machine.life.events = failures_each_three_days();
    const auto check = [&](const test::ScriptedPolicy::Schedule& schedule,
                           const OfFailures& wanted) {
      const auto made = measure(*workload, schedule, machine);
      const auto value = [&](const char* name) {
        return made.find(name)->value.value();
      };
      CHECK(value("mean_queued_time") == doctest::Approx(wanted.queued).epsilon(1e-7));
      CHECK(value("requeues") == wanted.requeues);
      CHECK(value("lost_processor_seconds") == wanted.lost);
    };
    check(test::easy, {7714.070, 84, 42978400});
    check(test::conservative, {8345.938, 78, 38887665});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(3600), seconds(60), seconds(60)};
    check(test::fcfs, {561516.068, 76, 3834599});
    check(first_fit, {5754.693, 87, 4870855});
    check(test::easy, {6990.504, 86, 4036069});
    check(test::conservative, {7773.614, 84, 3453276});
  }

  TEST_CASE("with eight running jobs a user the waits are those of a simulator") {
    const auto workload = kth("KTH-SP2-1996-2.1-cln.swf.gz");
    if (!workload) return;
    auto limits = std::make_shared<LimitSettings>();
    limits->table(LimitScope::kUser).each.running_jobs = 8;
    sim::Settings settings;
    settings.limits = limits;
    const auto wait = [&](const test::ScriptedPolicy::Schedule& schedule) {
      return mean_wait(measure(*workload, schedule, test::a_machine(100), settings));
    };
    CHECK(wait(test::fcfs) == doctest::Approx(392894.366).epsilon(1e-8));
    CHECK(wait(test::easy) == doctest::Approx(7960.569).epsilon(1e-7));
    CHECK(wait(test::conservative) == doctest::Approx(8747.498).epsilon(1e-7));
    CHECK(wait(first_fit) == doctest::Approx(6911.885).epsilon(1e-7));
  }
}

}  // namespace berth
