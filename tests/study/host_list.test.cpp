// Hosts from a file: what Slurm says of its nodes, tables, platforms; the groups that
// they make, and what jobs of a log need of them.

#include "study/hosts/host_list.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/jobs/label.hpp"
#include "engine/output/json_reading.hpp"
#include "study/hosts/host_formats.hpp"
#include "study/hosts/needs_of_log.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

HostMachine hosts_of(const std::string& text, HostStates states = HostStates::kAll,
                     std::size_t step = std::string::npos) {
  test::MemorySource source(text, step);
  const auto list = read_hosts(source, "h", test::unlimited());
  return machine_of(list, {states, false}, test::unlimited());
}

std::string refusal_of(const std::string& text, HostOptions options = {}) {
  try {
    test::MemorySource source(text);
    (void)machine_of(read_hosts(source, "h", test::unlimited()), options,
                     test::unlimited());
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    CHECK(std::string(error.what()).size() < 500);
    return error.what();
  }
  return {};
}

bool tells(const std::string& text, std::string_view part) {
  const bool is_there = text.find(part) != std::string::npos;
  if (!is_there) MESSAGE(text);
  return is_there;
}

// "n1 4x4 3.90625 gpu=2 p1; ".
std::string in_brief(const HostMachine& machine) {
  if (machine.processors) return fmt::format("{} processors", *machine.processors);
  std::string text;
  for (const auto& group : machine.groups) {
    text += fmt::format("{} {}x{} {}", group.name, group.count, group.processors,
                        gib_of(group.memory));
    for (const auto& [kind, amount] : group.resources) {
      text += fmt::format(" {}={}", kind, amount);
    }
    if (group.partition) text += fmt::format(" p{}", label_number(*group.partition));
    text += "; ";
  }
  return text;
}

// The same of an entry of hosts.json.
std::string expected_in_brief(const JsonReader& of) {
  if (of.has("processors")) {
    return fmt::format("{} processors", of.whole<int>("processors"));
  }
  std::string text;
  for (const auto& group : of.member("groups").elements()) {
    text += fmt::format("{} {}x{} {}", group.text("name"), group.whole<int>("count"),
                        group.whole<int>("processors"), group.number("memory"));
    for (const auto& [kind, amount] : group.member("resources").members()) {
      text += fmt::format(" {}={}", kind, amount.number());
    }
    const auto partition = group.find("partition");
    if (partition) text += fmt::format(" p{}", partition->number());
    text += "; ";
  }
  return text;
}

constexpr auto kNodes =
    "NodeName=a-1 Arch=x86_64 CoresPerSocket=4\n"
    "   CPUAlloc=0 CPUTot=8 CPULoad=0.1\n"
    "   Gres=gpu:a100:2(S:0-1),gpu:t4:1\n"
    "   OS=Linux Partitions (none)\n"
    "   RealMemory=2048 State=IDLE+DRAIN ThreadsPerCore=1\n"
    "   Partitions=batch\n"
    "   Reason=the word CPUTot=99 is no value [root@2026-01-01T00:00:00]\n\n"
    "NodeName=a-2 CPUTot=8 Gres=gpu:3 RealMemory=2048 State=IDLE* Partitions=batch\r\n"
    "NodeName=b CPUTot=16 Gres=(null) RealMemory=2048 State=MIXED Partitions=long\n";

constexpr auto kPlatform =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"simgrid.dtd\" [ <!ENTITY a "
    "\"b\"> ]>\n<platform version=\"4.1\">\n <!-- <host id=\"no\"/> -->\n"
    " <zone id=\"z\">\n  <host id=\"master_host\" speed=\"1Gf\"/>\n"
    "  <host id=\"disk\"><prop id=\"role\" value=\"storage\"/></host>\n"
    "  <host id=\"c\"><prop id=\"role\" value=\"compute_node,storage\"/></host>\n"
    "  <cluster id=\"k\" prefix=\"n\" radical=\"0-31,40\" speed='1Gf' />\n </zone>\n"
    "</platform>\n";

}  // namespace

TEST_SUITE("study/host_list") {
  TEST_CASE("each sample of hosts makes the groups that it must make") {
    const auto file = test::shared_data("formats/expected/hosts.json");
    if (!file) return;
    const JsonReader expected("hosts.json", test::text_of_file(*file));
    const auto folder = file->parent_path().parent_path() / "hosts";
    int samples = 0;
    for (const auto& [sample, of] : expected.members()) {
      const auto& name = sample;
      CAPTURE(name);
      const auto blank = name.find(' ');
      const bool is_up = blank != std::string::npos;
      const auto list =
          read_hosts_file((folder / name.substr(0, blank)).string(), test::unlimited());
      const auto machine = machine_of(
          list, {is_up ? HostStates::kUp : HostStates::kAll, false}, test::unlimited());
      CHECK(in_brief(machine) == expected_in_brief(of));
      std::string said;
      for (const auto& line : machine.said) said += line + "\n";
      if (const auto overlap = of.find("partitions_overlap")) {
        CHECK(
            tells(said, fmt::format("partitions_overlap: {} host", overlap->number())));
      }
      if (const auto without = of.find("left_out")) {
        CHECK(tells(said, fmt::format("{} host is left out", without->number())));
      }
      ++samples;
    }
    CHECK(samples == 6);
  }

  TEST_CASE("nodes of scontrol are read whatever people wrote into them") {
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::string::npos}) {
      CHECK(in_brief(hosts_of(kNodes, HostStates::kAll, step)) ==
            "a_1 2x8 2 gpu=3 p1; b 1x16 2 p2; ");
    }
    // One is drained, one silent.
    const auto up = hosts_of(kNodes, HostStates::kUp);
    CHECK(in_brief(up) == "b 1x16 2; ");
    CHECK(up.said.front().starts_with("2 hosts are left out"));
  }

  TEST_CASE("sinfo of both kinds of release gives the same hosts") {
    const auto* const kPlain =
        R"({"nodes": [{"name": "n1", "cpus": 4, "real_memory": 4000, "gres": "gpu:2",
        "state": "idle", "state_flags": ["DRAIN"], "partitions": ["p"]},
        {"name": "n2", "cpus": 4, "real_memory": 4000, "gres": "gpu:2",
        "state": "idle", "partitions": ["q"]}]})";
    const auto* const kGrouped =
        R"({"sinfo": [{"node": {"state": ["IDLE", "DRAIN"]}, "nodes": {"nodes": ["n1"]},
        "partition": {"name": "p"}, "cpus": {"maximum": 4}, "memory": {"maximum": 4000},
        "gres": {"total": "gpu:2"}}, {"node": {"state": ["IDLE"]},
        "nodes": {"nodes": ["n2"]}, "partition": {"name": "q"}, "cpus": {"maximum": 4},
        "memory": {"maximum": 4000}, "gres": {"total": "gpu:2"}}]})";
    for (const auto* text : {kPlain, kGrouped}) {
      CHECK(in_brief(hosts_of(text)) ==
            "n1 1x4 3.90625 gpu=2 p1; n2 1x4 3.90625 gpu=2 p2; ");
      CHECK(in_brief(hosts_of(text, HostStates::kUp)) == "n2 1x4 3.90625 gpu=2; ");
    }
  }

  TEST_CASE("hosts that differ are groups, in the order of their first hosts") {
    CHECK(in_brief(hosts_of("name,processors,memory,gpu,count,partition\n"
                            "x-1,4,1.5,0,2,\nx_1,4,1.5,2,1,\ny,4,1.5,,3,\n")) ==
          "x_1 5x4 1.5; x_1_2 1x4 1.5 gpu=2; ");
    // Names that are numbers keep them; of one partition alone nothing is said.
    CHECK(in_brief(hosts_of("name,processors,partition\na,1,7\nb,1,3\n")) ==
          "a 1x1 0 p7; b 1x1 0 p3; ");
    CHECK(in_brief(hosts_of("name,processors,partition\na,1,7\nb,1,7\n")) ==
          "a 2x1 0; ");
    CHECK(in_brief(hosts_of("\xEF\xBB\xBFname,processors\r\na,1\r\n")) == "a 1x1 0; ");
  }

  TEST_CASE("a platform is as many processors as hosts that jobs run on") {
    for (const std::size_t step : {std::size_t{1}, std::string::npos}) {
      CHECK(in_brief(hosts_of(kPlatform, HostStates::kAll, step)) == "34 processors");
    }
  }

  TEST_CASE("a list that is none is refused with its place and what it is") {
    const std::pair<const char*, const char*> wrong[]{
        {"name,processors\na,4\nb,4\na,8\n", "h:4:1: the host a is already on line 2"},
        {"name,processors\na,0\n", "h:2:1: the host a has no processors"},
        {"name,processors\n", "h:1:1: there is no host in it"},
        {"name,processors\n,4\n", "h:2:1: a host without a name"},
        {"name,processors,gpu\na,4,x\n", "h:2:5: gpu: 'x' is not a whole number"},
        {"name,processors,memory\na,4,-1\n", "h:2:5: memory: a host has 0 to"},
        {"name,processors,count\na,10000000,2\n",
         "h:2:1: the hosts have more than 10000000 processors"},
        {"NodeName=a State=IDLE\n", "h:1:1: the node a says no CPUTot"},
        {"NodeName=a CPUTot=four\n", "h:1:12: CPUTot: 'four' is no number"},
        {R"({"nodes": [{"cpus": 4}]})", "h:1:12: a node without 'name'"},
        {R"({"nodes": [{"name": "a"}]})", "h:1:12: the host a has no processors"},
        {"JobID|State|Submit|Start|End|AllocCPUS\n",
         "h:1:1: this is a log of jobs (sacct), not a list of hosts"},
        {"; Version: 2.2\n", "h:1:1: this is a log of jobs (swf), not"},
        {"PAR1xx", "h:1:1: this is a Parquet file"},
        {"hello\n", "h:1:1: a list of hosts of no known format begins with 'hello"},
        {"", "h:1:1: there is nothing in it"},
        {"<platform>\n<host id=\"a\">\n</platform>\n",
         "h:3:1: the element platform is closed here, and host is open"},
        {"<platform>\n <host id=a/>\n", "h:2:2: the element host does not end, or has"},
        {"<platform><cluster id=\"k\" radical=\"x\"/></platform>",
         "h:1:11: radical: 'x' is no list of numbers"},
        {"<platform><host id=\"a\"/><host id=\"a\"/></platform>",
         "h:1:1: the host a is already on line 1"},
        {"<platform>", "h:1:1: the element platform is not closed"},
        {"<platform><!-- ", "h:1:11: '<!--' has no '-->'"},
        {"<platform></platform>", "h:1:1: there is no host in it"}};
    for (const auto& [list, what] : wrong) {
      const auto& text = list;
      CAPTURE(text);
      CHECK(tells(refusal_of(text), what));
    }
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<a>";
    CHECK(tells(refusal_of("<?xml?>" + deep), "elements are more than 64 deep"));
    const std::string both = "name,processors,partition\na,1,p\nb,1,q\nc,1,\n";
    CHECK(hosts_of(both).said.front().starts_with("partitions_overlap: 1 host is"));
    CHECK(tells(refusal_of(both, {HostStates::kAll, true}),
                "h:4:1: the host c is not in one partition alone"));
    CHECK(
        tells(refusal_of("NodeName=a CPUTot=1 State=DOWN*\n", {HostStates::kUp, false}),
              "no host is left"));
  }

  TEST_CASE("the TOML that is printed is the same machine in a scenario") {
    std::mt19937 random(4);
    for (int round = 0; round < 200; ++round) {
      std::string table = "name,processors,memory,gpu,fpga,count,partition\n";
      const auto hosts = 1 + random() % 12;
      const bool has_partitions = random() % 2 == 0;
      for (std::size_t i = 0; i < hosts; ++i) {
        table += fmt::format("h.{},{},{},{},{},{},{}\n", i, 1 + random() % 3,
                             static_cast<double>(random() % 5) / 4, random() % 3,
                             random() % 2, 1 + random() % 4,
                             has_partitions ? fmt::format("p{}", random() % 3) : "");
      }
      const auto machine = hosts_of(table);
      const auto scenario = read_scenario("s.toml", machine_text(machine));
      HostMachine again;
      again.groups = scenario.machine.resources.hosts;
      CHECK(in_brief(again) == in_brief(machine));
    }
    CHECK(machine_text(hosts_of(kPlatform)) == "[machine]\nprocessors = 34\n");
    CHECK(machine_text(hosts_of("name,processors,memory,gpu,partition\n"
                                "a,4,1.5,2,x\nb,4,1.5,2,y\n")) ==
          "[machine.hosts.a]\ncount = 1\nprocessors = 4\nmemory = 1.5\n"
          "resources = { gpu = 2 }\npartition = 1  # x\n\n"
          "[machine.hosts.b]\ncount = 1\nprocessors = 4\nmemory = 1.5\n"
          "resources = { gpu = 2 }\npartition = 2  # y\n");
  }

  TEST_CASE("a scenario names a file of hosts in the place of its own") {
    const test::ScratchFolder scratch;
    (void)scratch.file("h.csv", "name,processors,memory\na,4,8\nb,2,8\n");
    (void)scratch.file("t.swf",
                       "; MaxProcs: 64\n1 0 -1 10 6 -1 -1 6 10 -1 1 1 1 1 1 1 "
                       "-1 -1\n");
    const auto load = [&](const std::string& machine) {
      const auto path = scratch.file(
          "s.toml", "[machine]\n" + machine + "[workload]\ntrace = \"t.swf\"\n");
      auto scenario = load_scenario(path);
      auto workload = prepare_workload(scenario, {}, test::unlimited());
      return PreparedPoint(std::move(scenario), std::move(workload));
    };
    const auto made = load("hosts_file = \"h.csv\"\n");
    CHECK(made.point.machine.processors == 6);
    CHECK(made.point.machine.resources.hosts.size() == 2);
    const auto refused = [&](const std::string& machine) {
      try {
        (void)load(machine);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(tells(refused("hosts_file = \"h.csv\"\nprocessors = 6\n"),
                "s.toml:3:14: machine.processors: the hosts have the processors"));
    CHECK(tells(refused("hosts_file = \"h.csv\"\n[machine.hosts.x]\ncount = 1\n"
                        "processors = 1\n"),
                "s.toml:2:14: machine.hosts_file: [machine.hosts] gives hosts, too"));
    CHECK(tells(refused("hosts_file = \"h.csv\"\nsharing = \"two_tier\"\n"),
                "comes with sharing = \"exclusive\" alone"));
    CHECK(tells(refused("hosts_file = \"none.csv\"\n"), "none.csv"));
  }
}

namespace {

// A log of jobs of these sizes on so many hosts, with gpus of the whole job.
struct JobOnHosts {
  std::int32_t size;
  std::int32_t nodes;
  std::int64_t gpus;
};

JobLog log_of(const std::vector<JobOnHosts>& jobs) {
  JobLog log;
  log.workload.source = "l";
  log.kinds = {"gpu", "tape"};
  log.amounts.resize(2);
  for (const auto& each : jobs) {
    Job job;
    job.id = std::ssize(log.workload.jobs) + 1;
    job.size = each.size;
    log.workload.jobs.push_back(job);
    log.workload.lines.push_back(job.id + 1);
    log.nodes.push_back(each.nodes);
    log.amounts[0].push_back(each.gpus);
    log.amounts[1].push_back(0);
  }
  return log;
}

}  // namespace

TEST_SUITE("study/needs_of_log") {
  TEST_CASE("a job is as many chunks as it had hosts, or of one processor, or one") {
    Resources hosts;
    hosts.hosts.push_back({"a", 4, 8, 0, {{"gpu", 4}}});
    auto log =
        log_of({{8, 2, 4}, {8, 3, 0}, {4, 2, 3}, {4, kUnknown, 4}, {4, kUnknown, 3}});
    LogOptions options;
    options.name = "l";
    auto needs = needs_of_log(log, hosts, options, test::unlimited());
    using Of = std::map<std::int64_t, std::vector<double>>;
    // 8 on 2; 8 on 3 is uneven; 3 gpus divide by no 2 and no 4.
    CHECK(needs["needs.chunks"] ==
          Of{{1, {2}}, {2, {8}}, {3, {1}}, {4, {4}}, {5, {1}}});
    CHECK(needs["needs.gpu"] == Of{{1, {2}}, {3, {3}}, {4, {1}}, {5, {3}}});
    const auto& uneven = log.workload.repairs.at("uneven_chunks");
    CHECK(uneven.count == 3);
    CHECK(uneven.first_line == 3);
    CHECK(log.workload.notes ==
          std::vector<std::string>{
              "jobs ask for tape, which the machine has not: ignored"});
    options.strict = true;
    CHECK_THROWS_WITH_AS(
        (void)needs_of_log(log, hosts, options, test::unlimited()),
        "l:3:1: job 2: the job does not divide by its hosts: 3 hosts (an error because "
        "reading is strict)",
        Error);
  }

  TEST_CASE("in a pool kinds count for the whole job") {
    Resources pool;
    pool.wide = {{"gpu", 9}};
    auto log = log_of({{8, 2, 4}, {4, 2, 3}});
    const auto needs = needs_of_log(log, pool, {}, test::unlimited());
    using Of = std::map<std::int64_t, std::vector<double>>;
    CHECK(needs.size() == 1);
    CHECK(needs.at("needs.gpu") == Of{{1, {4}}, {2, {3}}});
    CHECK(log.workload.repairs.empty());
  }

  TEST_CASE("partitions of jobs get the numbers of the hosts of that name") {
    auto log = log_of({{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}});
    log.names[4] = {{1, "long"}, {2, "batch"}, {3, "old"}};
    for (std::size_t i = 0; i < 3; ++i) {
      log.workload.jobs[i].partition = static_cast<std::int32_t>(i) + 1;
    }
    number_partitions(log, {"batch", "long"}, test::unlimited());
    const auto& jobs = log.workload.jobs;
    CHECK(jobs[0].partition == 2);
    CHECK(jobs[1].partition == 1);
    CHECK(jobs[2].partition == 3);
    CHECK(jobs[3].partition == kUnknown);
    CHECK(log.names[4][0].name == "batch");
    CHECK(log.names[4][2].number == 3);
  }
}
