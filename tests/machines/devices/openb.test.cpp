// The experiments of Weng et al. (2023) on their own draws: every published row.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "bindings/lua_policy.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/file_source.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/played.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct PublishedRow {
  std::string trace;
  int seed;
  std::string policy;  // as the files of the paper call it
};

std::string openb(const std::string& file) {
  return shared_data("openb/" + file).value().string();
}

std::string unpacked(const std::string& path) {
  Budget budget;
  study::FileSource file(path);
  GzipSource source(file, path, budget);
  std::string text;
  std::string piece(65536, '\0');
  while (const auto count = source.read(piece.data(), piece.size())) {
    text.append(piece, 0, count);
  }
  return text;
}

struct OpenbTask {
  std::string name;
  DeviceNeedOf need;
  double memory = 0;  // KiB
};

std::vector<OpenbTask> tasks_of(const std::string& trace) {
  const auto text = unpacked(openb(trace + ".csv.gz"));
  Budget budget;
  TableReader table(trace, lines_of(text, budget),
                    {{"name"},
                     {"cpu_milli"},
                     {"memory_mib"},
                     {"num_gpu"},
                     {"gpu_milli"},
                     {"gpu_spec", false}});
  std::vector<OpenbTask> all;
  while (table.next()) {
    OpenbTask task{std::string(table.text(0)), {}, table.real(2) * 1024};
    task.need.cores = table.real(1) / 1000;
    const auto share = table.text(4).empty() ? 0 : table.whole(4);
    task.need.gpus = static_cast<std::int32_t>(table.whole(3));
    if (task.need.gpus == 1 && share < 1000) task.need.share = share;
    task.need.types = table.text(5);
    all.push_back(task);
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

// The numbers behind the word at the front of each line.
std::vector<std::vector<std::size_t>> draws_of(const std::string& trace, int seed) {
  std::istringstream lines(
      unpacked(openb(fmt::format("exact/{}-{}.txt.gz", trace, seed))));
  std::vector<std::vector<std::size_t>> all;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    auto& numbers = all.emplace_back();
    for (std::size_t number = 0; words >> number;) numbers.push_back(number);
  }
  return all;
}

// The machine, its hosts in the order in which ties go to them.
sim::Machine openb_machine(const std::vector<std::size_t>& places,
                           const std::vector<OpenbTask>& target) {
  std::istringstream lines(unpacked(openb("hosts.csv.gz")));
  std::string head;
  std::getline(lines, head);
  std::vector<std::string> hosts;
  for (std::string line; std::getline(lines, line);) hosts.push_back(line);
  std::sort(hosts.begin(), hosts.end());
  std::vector<std::string> ordered(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) ordered[places[i]] = hosts[i];

  DeviceSettings settings;
  settings.hosts_file = "hosts.csv";
  settings.hosts_text = head;
  for (const auto& line : ordered) settings.hosts_text += "\n" + line;
  settings.columns = {{"name", "sn"},
                      {"cpu", "cpu_milli / 1000"},
                      {"memory", "memory_mib / 1024"},
                      {"devices", "gpu"},
                      {"type", "model"}};
  settings.target = "target.csv";
  settings.target_text = "cpu,gpus,share,types\n";
  for (const auto& [name, need, memory] : target) {
    settings.target_text +=
        fmt::format("{},{},{},{}\n", need.cores, need.gpus, need.share, need.types);
  }
  sim::Machine machine;
  machine.sharing = "devices";
  machine.processors = static_cast<std::int32_t>(hosts.size());
  machine.model_settings = settings;
  return machine;
}

// Task k arrives at second k and stays.
struct Arrivals {
  Arrivals(const std::vector<OpenbTask>& tasks, const std::vector<std::size_t>& order) {
    constexpr std::int64_t kForEver = 10'000'000;
    std::map<std::string, std::map<std::int64_t, std::vector<double>>> columns;
    std::map<std::string, std::size_t> texts;
    std::vector<std::string> types;
    for (const auto place : order) {
      const auto id = std::ssize(jobs) + 1;
      const auto& [name, need, memory] = tasks.at(place);
      jobs.push_back(a_job(id, id, 1, kForEver));
      columns["needs.cpu"][id] = {need.cores};
      columns["needs.memory"][id] = {memory};
      columns["needs.gpus"][id] = {double(need.gpus)};
      columns["needs.share"][id] = {double(need.share)};
      parts.push_back(need.share > 0 ? need.share : std::int64_t{1000} * need.gpus);
      if (need.types.empty()) continue;
      const auto [at, is_new] = texts.try_emplace(need.types, texts.size());
      if (is_new) types.push_back(need.types);
      columns["needs.types"][id] = {double(at->second)};
    }
    attributes = std::make_shared<JobColumns>(jobs);
    for (const auto& [name, values] : columns) attributes->add(name, values, types);
  }
  std::vector<Job> jobs;
  std::vector<std::int64_t> parts;  // by job
  std::shared_ptr<JobColumns> attributes;
};

// Allocation in % after each arrival, over the marks of demand in % (gpu-devices 4).
class MarksOf final : public sim::Observer {
 public:
  MarksOf(const Arrivals& arrivals, std::int64_t parts)
      : arrivals_(arrivals), machine_(static_cast<double>(parts)) {}
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::SubmitRecord, sim::StartRecord, sim::PassRecord>();
  }
  void note(const sim::Record& record) override {
    if (const auto* submit = std::get_if<sim::SubmitRecord>(&record)) {
      arrived_ += arrivals_.parts[index(submit->who.id)];
      is_new_ = true;
    }
    if (const auto* start = std::get_if<sim::StartRecord>(&record)) {
      taken_ += arrivals_.parts[index(start->who.id)];
    }
    if (is_new_ && std::holds_alternative<sim::PassRecord>(record)) {
      is_new_ = false;
      const auto percent = 100 * static_cast<double>(arrived_) / machine_;
      const auto mark = static_cast<int>(std::nearbyint(percent));
      auto& [sum, count] = marks_[mark];
      sum += std::nearbyint(100 * (100 * static_cast<double>(taken_) / machine_)) / 100;
      ++count;
    }
  }
  void finish(Time) override {}
  [[nodiscard]] double at(int mark) const {
    const auto& [sum, count] = marks_.at(mark);
    return sum / static_cast<double>(count);
  }

 private:
  const Arrivals& arrivals_;
  double machine_;
  std::int64_t arrived_ = 0;
  std::int64_t taken_ = 0;
  bool is_new_ = false;
  std::map<int, std::pair<double, std::int64_t>> marks_;
};

// By mark, as published.
std::vector<double> published(const PublishedRow& row) {
  const bool is_fgd = row.policy == "fgd";
  std::ifstream file(openb(is_fgd ? "exact/fgd_exact_sums.csv" : "exact/rows.csv"));
  const auto wanted = fmt::format("{},{},{},", row.trace, row.seed, row.policy);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(wanted)) continue;
    std::vector<double> values;
    std::istringstream cells(line.substr(wanted.size()));
    for (std::string cell; std::getline(cells, cell, ',');) {
      values.push_back(std::stod(cell));
    }
    return values;
  }
  return {};
}

double largest_difference(const PublishedRow& row) {
  const auto tasks = tasks_of(row.trace);
  const auto draws = draws_of(row.trace, row.seed);
  const auto machine = openb_machine(draws.at(1), tasks);
  const Arrivals arrivals(tasks, draws.at(0));
  const ModelSpec spec{machine, arrivals.jobs, arrivals.attributes, 0};
  const auto script = row.policy == "fgd" ? row.policy : "gpu_" + row.policy;
  const auto policy = lua_policy(script, {{"when_full", "reject"}});
  sim::Simulation simulation(machine, {}, arrivals.jobs, *policy,
                             model_of(machine).make(spec));
  constexpr std::int64_t kParts = 6'212'000;
  MarksOf marks(arrivals, kParts);
  audit::Auditor auditor({machine, {}, arrivals.jobs, policy->traits()},
                         model_of(machine).law(spec), audit::Thoroughness::kLight);
  simulation.audience().observe(marks);
  simulation.audience().observe(auditor);
  (void)simulation.advance(arrivals.jobs.back().submit + kSecond);
  const auto expected = published(row);
  REQUIRE(expected.size() == 131);
  double worst = 0;
  for (int mark = 0; mark <= 130; ++mark) {
    worst = std::max(worst, std::abs(marks.at(mark) - expected[std::size_t(mark)]));
  }
  return worst;
}

void check_row(const PublishedRow& row) {
  CAPTURE(row.policy);
  // Sums in another order than the paper's move the rows of FGD by as much.
  const double allowed = row.policy == "fgd" ? 0.01 : 0.02;
  CHECK(largest_difference(row) < allowed);
}

void check_policies(const std::string& trace, int seed) {
  for (const auto* policy : {"best_fit", "dot", "clustering", "packing", "fgd"}) {
    check_row({trace, seed, policy});
  }
}

}  // namespace

TEST_SUITE("machines/devices/openb") {
  TEST_CASE("filled with draws of its own the cluster is as full as published") {
    const auto hosts = shared_data("openb/hosts.csv.gz");
    if (!hosts) return;
    const Variable traces("BERTH_TRACES", hosts->parent_path().string());
    const auto said = berth_says(
        {"run", source_root() + "/scenarios/papers/gpu-sharing/default.toml", "--seed",
         "1", "--policy", "gpu_best_fit:when_full=reject", "--table", "csv"});
    CHECK_MESSAGE(said.code == 0, said.err);
    auto table = columns_of(said.out);
    REQUIRE(table["metric"].size() == 3);
    CHECK(table["metric"][1] == "gpu_allocation_at_130");
    // Of ten seeds 93.08 with a standard deviation of 0.13, fragmented 6.85.
    CHECK(std::abs(std::stod(table["value"][1]) - 93.08) < 0.4);
    CHECK(std::abs(std::stod(table["value"][2]) - 6.85) < 0.4);
  }

  TEST_CASE("on the paper's own draws every published row comes out, mark by mark") {
    if (!shared_data("openb/exact/rows.csv")) return;
    const std::vector<std::pair<std::string, int>> draws{
        {"default", 42},    {"default", 43},     {"cpu100", 42},    {"cpu250", 42},
        {"gpushare60", 42}, {"gpushare100", 42}, {"gpuspec33", 42}, {"multigpu40", 42}};
    const auto count = std::min<std::size_t>(rounds(1, draws.size()), draws.size());
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(draws[i].first);
      check_policies(draws[i].first, draws[i].second);
    }
  }
}
