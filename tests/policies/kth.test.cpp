// The built-in policies on a real trace: mean waits to all digits of independent
// computations, and every start of the schedules that independent simulators agree on.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string>

#include "engine/audit/auditor.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "study/common/file_source.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kAsItIs = "traces/KTH-SP2-1996-2.1-cln.swf.gz";
constexpr const char* kNormalised = "traces/KTH-SP2-1996-normalised.swf.gz";

Workload read(const std::filesystem::path& path) {
  study::FileSource file(path.string());
  GzipSource plain(file, path.filename().string(), unlimited());
  return read_swf(plain, {.name = path.filename().string()}, unlimited());
}

// All text of a gzipped file.
std::string text_of(const std::filesystem::path& path) {
  study::FileSource file(path.string());
  GzipSource plain(file, path.filename().string(), unlimited());
  std::string text;
  std::string block(1U << 16U, '\0');
  while (const auto n = plain.read(block.data(), block.size()))
    text.append(block, 0, n);
  return text;
}

class Waits final : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
    starts[start.who.job->id] = start.at;
    total += start.at - start.who.job->submit;
  }
  void finish(Time) override {}
  // Seconds, with as many decimals as `like` has.
  [[nodiscard]] std::string mean(const std::string& like) const {
    return fmt::format("{:.{}f}",
                       to_seconds(total) / static_cast<double>(starts.size()),
                       like.size() - like.find('.') - 1);
  }

  std::map<std::int64_t, Time> starts;
  Duration total = 0;
};

// 100 processors; a late job is expected to end at the next whole second.
sim::Machine short_grace() {
  auto machine = a_machine(100);
  machine.overrun_grace = seconds(1);
  machine.overrun_growth = 1;
  return machine;
}

Waits replay(const Workload& workload, const std::string& name,
             std::map<std::string, std::string> parameters,
             const sim::Settings& settings,
             const sim::Machine& machine = a_machine(100)) {
  const auto policy = lua_policy(name, std::move(parameters));
  sim::Simulation simulation(machine, settings, workload.jobs, *policy,
                             make_model(machine, workload.jobs));
  Waits waits;
  audit::Auditor auditor({machine, settings, workload.jobs, policy->traits()},
                         law_of(machine, workload.jobs));
  simulation.audience().observe(waits);
  simulation.audience().observe(auditor);
  simulation.advance(kNever);
  simulation.finish();
  return waits;
}

// How many starts of a reference schedule (job,submit,start,end) differ.
int differing(const Waits& waits, const std::filesystem::path& path) {
  std::istringstream rows(text_of(path));
  std::string row;
  std::getline(rows, row);
  int count = 0;
  while (std::getline(rows, row)) {
    std::int64_t job = 0;
    std::int64_t submit = 0;
    std::int64_t start = 0;
    char comma = 0;
    std::istringstream(row) >> job >> comma >> submit >> comma >> start;
    const auto at = waits.starts.find(job);
    if (at == waits.starts.end() || at->second != seconds(start)) ++count;
  }
  return count;
}

sim::Settings per_event(Ties ties) {
  sim::Settings settings;
  settings.pass = sim::PassMode::kEvent;
  settings.ties = ties;
  return settings;
}

struct Row {
  std::string policy;
  std::map<std::string, std::string> parameters;
  sim::Settings settings;
  std::string mean;
  std::string reference;  // a schedule to agree with in every start; empty: none
};

const std::map<std::string, std::string> kEveryPass{{"compress", "every_pass"}};

}  // namespace

TEST_SUITE("policies/kth") {
  TEST_CASE("on the normalised trace all starts are those of independent simulators") {
    const auto path = shared_data(kNormalised);
    if (!path) return;
    const auto workload = read(*path);
    REQUIRE(workload.jobs.size() == 28'475);
    const std::vector<Row> rows{
        {"fcfs", {}, {}, "353943.094", "fcfs.instant"},
        {"easy", {}, {}, "6837.226", "easy.instant"},
        {"easy", {}, per_event(Ties::kEndsFirst), "6839.483", "easy.event"},
        {"easy", {}, per_event(Ties::kSubmitsFirst), "6839.483", "easy.event"},
        {"conservative", {}, {}, "7319.822", "conservative.instant"},
        {"conservative",
         {},
         per_event(Ties::kSubmitsFirst),
         "7314.130",
         "conservative.event-submits-first"},
        {"conservative", kEveryPass, {}, "7288.000", ""},
    };
    for (const auto& row : rows) {
      CAPTURE(row.policy);
      CAPTURE(row.mean);
      const auto waits = replay(workload, row.policy, row.parameters, row.settings);
      CHECK(waits.mean(row.mean) == row.mean);
      if (row.reference.empty()) continue;
      const auto reference =
          shared_data(fmt::format("schedules/kth-normalised.{}.csv.gz", row.reference));
      if (reference) CHECK(differing(waits, *reference) == 0);
    }
  }

  TEST_CASE("on the trace as it is mean waits are those of the specification") {
    const auto path = shared_data(kAsItIs);
    if (!path) return;
    const auto workload = read(*path);
    const std::vector<Row> rows{
        {"easy", {}, {}, "6858.344", ""},
        {"easy", {}, per_event(Ties::kEndsFirst), "6858.063", ""},
        {"fcfs", {}, {}, "389852.167", ""},
        {"conservative", {}, {}, "7420.917", ""},
        {"conservative", kEveryPass, {}, "7316.852", ""},
        {"conservative", {{"compress", "start_now"}}, {}, "6113.794", ""},
    };
    for (const auto& row : rows) {
      CAPTURE(row.policy);
      const auto waits = replay(workload, row.policy, row.parameters, row.settings);
      CHECK(waits.mean(row.mean) == row.mean);
    }
  }

  TEST_CASE("so they are where a late job is expected to end at the next second") {
    const auto path = shared_data(kAsItIs);
    if (!path) return;
    const auto workload = read(*path);
    const std::vector<Row> rows{
        {"easy", {}, {}, "6847.503", ""},
        {"conservative", {}, {}, "7458.590", ""},
        {"conservative", kEveryPass, {}, "7321.177", ""},
        {"conservative", {{"compress", "start_now"}}, {}, "6151.964", ""},
    };
    for (const auto& row : rows) {
      CAPTURE(row.policy);
      const auto waits =
          replay(workload, row.policy, row.parameters, row.settings, short_grace());
      CHECK(waits.mean(row.mean) == row.mean);
    }
  }

  TEST_CASE("literal shadow ties give the figure of the specification") {
    const auto path = shared_data(kAsItIs);
    if (!path) return;
    const auto workload = read(*path);
    auto machine = short_grace();
    machine.shadow_ties = ShadowTies::kLiteral;
    const auto policy = lua_policy("easy");
    sim::Simulation simulation(machine, {}, workload.jobs, *policy,
                               make_model(machine, workload.jobs));
    Waits waits;
    simulation.audience().observe(waits);
    simulation.advance(kNever);
    CHECK(waits.mean("6829.99") == "6829.99");
  }
}
