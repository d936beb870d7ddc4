// F26 and its kin: what one call of a script may take ends at its limit, and the
// results of the other policies stay.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
namespace fs = std::filesystem;
using test::berth_says;

namespace {

// So many jobs at 0, each of one processor for 100 s.
std::string trace_of(int jobs) {
  std::string text = "; MaxProcs: 30\n";
  for (int id = 1; id <= jobs; ++id) {
    text += fmt::format("{} 0 -1 100 1 -1 -1 1 {} -1 1 1 1 1 1 1 -1 -1\n", id,
                        100 + id % 7);
  }
  return text;
}

// As F26 has them: hard to pack well on 30 hosts.
std::string needs_of(int jobs) {
  std::string text = "job_id,cpu,memory\n";
  for (int id = 1; id <= jobs; ++id) {
    text += fmt::format("{},{:.2f},{:.2f}\n", id, 0.01 * ((49 * 40 - 12 * id) % 49 + 1),
                        0.01 * ((29 * 40 - 5 * id) % 29 + 1));
  }
  return text;
}

std::string collecting(const std::string& call) {
  return "return { schedule = function(queue, cluster)\n"
         "  local jobs = {}\n"
         "  for job in queue:all() do jobs[#jobs + 1] = job end\n"
         "  pcall(function() " +
         call +
         " end)\n"
         "  cluster:start_all(queue)\n"
         "end }\n";
}

struct Study {
  explicit Study(
      const std::string& policy, std::string_view others = "\"fcfs\", \"mcb\"",
      const std::string& machine = "processors = 30\nsharing = \"fractional\"\n") {
    (void)folder.file("t.swf", trace_of(150));
    (void)folder.file("n.csv", needs_of(150));
    (void)folder.file("p.lua", policy);
    const bool has_needs = machine.find("fractional") != std::string::npos;
    scenario = folder.file(
        "s.toml", fmt::format("[machine]\n{}[workload]\ntrace = \"t.swf\"\n{}"
                              "[run]\npolicies = [\"./p.lua\", {}]\n",
                              machine, has_needs ? "needs = \"n.csv\"\n" : "", others));
    out = (folder.path() / "o").string();
  }
  [[nodiscard]] test::Said run(std::string_view work) const {
    return berth_says({"run", scenario, "--time-limit", "0", "--work-limit",
                       std::string(work), "--out", out, "--force", "-j", "1"});
  }
  // Paths below the scratch folder that a run leaves only while it is under way.
  [[nodiscard]] std::string left_over() const {
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      const auto name = entry.path().filename().string();
      if (name.find("partial") != std::string::npos ||
          name.find(".lock") != std::string::npos) {
        return name;
      }
    }
    return "";
  }

  test::ScratchFolder folder;
  std::string scenario;
  std::string out;
};

// One job of so many VMs that arrives on a fat tree of 16,000 servers.
struct Arrival {
  // `policies`: without the first and the last quote.  A VM asks for so much bandwidth.
  explicit Arrival(std::string_view policies, int bandwidth = 60) {
    (void)folder.file("own.lua",
                      "return { embedding = { server_weight = function(server)\n"
                      "  return server % 7 end },\n"
                      "  schedule = function(queue, cluster)\n"
                      "  cluster:start_all(queue) end }\n");
    scenario = folder.file(
        "s.toml", fmt::format("[machine]\nsharing = \"slots\"\n[machine.network]\n"
                              "topology = \"fat_tree\"\nk = 40\nlink_rate = 100\n"
                              "[workload]\ntrace = \"t.swf\"\nbandwidth = {}\n"
                              "[run]\npolicies = [\"{}\"]\n",
                              bandwidth, policies));
  }
  [[nodiscard]] test::Said run(int vms, const std::string& work,
                               const std::string& audit = "light") const {
    (void)folder.file("t.swf", fmt::format("; MaxProcs: 1\n1 0 -1 9 {0} -1 -1 {0} 9 -1 "
                                           "1 1 1 1 1 1 -1 -1\n",
                                           vms));
    return berth_says({"run", scenario, "--time-limit", "0", "--work-limit", work,
                       "--audit", audit, "--out", out().string(), "--force", "-j",
                       "1"});
  }
  [[nodiscard]] fs::path out() const { return folder.path() / "o"; }

  test::ScratchFolder folder;
  std::string scenario;
};

struct Case {
  const char* name;
  const char* call;
};
// "jobs" are 150 jobs on 30 hosts.
constexpr Case kPackers[] = {
    {"exact", "cluster.packing:exact(jobs, { nodes = 2e9 })"},
    {"milp", "cluster.packing:exact(jobs, { nodes = 2e9, solver = \"milp\" })"},
    {"backtracking",
     "cluster.packing:greedy(jobs, { backtrack = 1e12 }) "
     "for i = 1, 1e9 do cluster.packing:greedy(jobs, { backtrack = 1e12 }) end"},
    {"rounding", "for i = 1, 1e9 do cluster.packing:rounding(jobs) end"},
    {"mcb", "for i = 1, 1e9 do cluster.packing:mcb(jobs) end"},
};

}  // namespace

TEST_SUITE("cli/limits") {
  TEST_CASE(
      "F26: a packer that passes its work limit ends with 5, not with the process") {
    for (const auto& [name, call] : kPackers) {
      const std::string of_name(name);
      CAPTURE(of_name);
      const Study study(collecting(call));
      const auto said = study.run("1000000");
      CAPTURE(said.err);
      if (said.err.find("has no solver") != std::string::npos) continue;
      CHECK(said.code == 5);
      CHECK(said.err.find("p.lua:4: work limit") != std::string::npos);
      // The others are whole.
      CHECK(fs::exists(fs::path(study.out) / "fcfs" / "jobs.csv"));
      CHECK(fs::exists(fs::path(study.out) / "mcb" / "jobs.csv"));
      CHECK(study.left_over() == "");
      // And again at the same place, with the same words.
      CHECK(study.run("1000000").err == said.err);
    }
  }

  TEST_CASE("F26: the same limit lets a packer end that needs less") {
    const Study study(collecting("cluster.packing:mcb(jobs)"));
    CHECK(study.run("1000000").code == 0);
  }

  TEST_CASE("F26: the search for a place of a job that arrives ends at its limit") {
    const Arrival arrival(
        R"(first_fit", { name = "first_fit", embedding = "least_reserved" }, "fcfs)",
        2);
    CHECK(arrival.run(8, "2000000").code == 0);
    const auto said = arrival.run(400, "2000000");
    CAPTURE(said.err);
    CHECK(said.code == 5);
    CHECK(said.err.find("first_fit.lua: work limit (2,000,000 units)") !=
          std::string::npos);
    // The other policies keep their results, and the words are the same again.
    CHECK(fs::exists(arrival.out() / "first_fit" / "jobs.csv"));
    CHECK(fs::exists(arrival.out() / "fcfs" / "jobs.csv"));
    CHECK(arrival.run(400, "2000000").err == said.err);
    // The audit and the metrics search, too, and move no limit.
    CHECK(arrival.run(400, "2000000", "off").err == said.err);
  }

  TEST_CASE("the weights that a script gives are a part of that search") {
    const Arrival arrival("./own.lua:embedding=own");
    CHECK(arrival.run(8, "20000").code == 0);
    const auto said = arrival.run(3'000, "20000");
    CAPTURE(said.err);
    CHECK(said.code == 5);
    CHECK(said.err.find("own.lua: work limit (20,000 units)") != std::string::npos);
    CHECK(arrival.run(3'000, "20000").err == said.err);
  }

  TEST_CASE("work of the engine counts: selections, starts of all, the book") {
    const std::string pool = "processors = 30\n";
    for (const auto& [name, call] : {
             Case{"selection", "for i = 1, 1e9 do queue:tightest() end"},
             Case{"book", "for i = 1, 1e9 do cluster:book():rebuild(queue) end"},
         }) {
      const std::string of_name(name);
      CAPTURE(of_name);
      const Study study(collecting(call), "\"fcfs\"", pool);
      const auto said = study.run("1000000");
      CAPTURE(said.err);
      CHECK(said.code == 5);
      CHECK(fs::exists(fs::path(study.out) / "fcfs" / "jobs.csv"));
      CHECK(study.left_over() == "");
      CHECK(study.run("1000000").err == said.err);
    }
  }
}
