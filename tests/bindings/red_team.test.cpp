#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "engine/hosts/host_event_source.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
using namespace berth::test;

// Scripts against the whole border: sandbox, primitives and engine, beside those of
// tests/bindings/hostile.test.cpp.  They lie in tests/bindings/hostile/, several in a
// file.

namespace {

struct Case {
  std::string name;
  std::string outcomes;  // "time,memory"
  std::string script;

  [[nodiscard]] bool allows(const std::string& outcome) const {
    return ("," + outcomes + ",").find("," + outcome + ",") != std::string::npos;
  }
};

struct Ending {
  std::string kind;
  std::string message;
  std::string printed;
  double seconds = 0;  // of the whole run
  std::int64_t finished = 0;
};

constexpr double kLimit = 0.1;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Case case_from(const std::string& heading) {
  std::istringstream in(heading.substr(5));
  std::string name;
  std::string outcomes;
  std::getline(in, name, '|');
  std::getline(in, outcomes, '|');
  return {trimmed(name), trimmed(outcomes), ""};
}

std::vector<Case> cases_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("==== ")) {
      cases.push_back(case_from(line));
    } else if (!cases.empty()) {
      cases.back().script += line + "\n";
    }
  }
  return cases;
}

std::vector<Case> cases_of(const std::string& group) {
  const std::filesystem::path root = source_root();
  return cases_in(root / "tests/bindings/hostile" / (group + ".cases"));
}

// 24 jobs of 1 to 8 processors on 8, at least a dozen decisions.
std::vector<Job> jobs() {
  std::vector<Job> jobs;
  for (std::int64_t i = 0; i < 24; ++i) {
    jobs.push_back(a_job(i + 1, 3 * i, static_cast<std::int32_t>(1 + i * 5 % 8),
                         3 + i * 7 % 19, 5 + i * 7 % 19));
  }
  return jobs;
}

std::string kind_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kPolicy: return "refused";
    case ErrorCode::kTime: return "time";
    case ErrorCode::kMemory: return "memory";
    default: return fmt::format("exit {}", static_cast<int>(code));
  }
}

// Two hosts of four processors; each fails after 20 s or so, for 3 s.
sim::Machine failing_hosts() {
  auto machine = a_machine(8);
  machine.resources.hosts = {{"node", 2, 4}};
  machine.life.failures = std::make_shared<const DrawnFailures>(
      DrawnFailures{1, {{0, 2, 1, seconds(20), seconds(3)}}});
  return machine;
}

std::int64_t simulate(bindings::LuaPolicy& policy, sim::Machine machine) {
  const auto all = jobs();
  machine.preemption = true;
  audit::Auditor auditor({machine, {}, all, policy.traits()}, law_of(machine, all));
  Remembering watched;
  sim::Settings settings;
  settings.idle_passes_in_a_row = 20'000;
  sim::Simulation simulation(machine, settings, all, policy, make_model(machine, all));
  simulation.audience().observe(auditor);
  simulation.audience().observe(watched);
  simulation.advance(kNever);
  simulation.finish();
  return static_cast<std::int64_t>(watched.spans.size());
}

Ending run_case(const std::string& name, const std::string& script,
                const bindings::Limits& limits,
                const sim::Machine& machine = a_machine(8)) {
  Ending outcome{"harmless", "", ""};
  bindings::PolicyOptions options;
  options.limits = limits;
  options.seed = 7;
  options.print = [&](std::string_view line) {
    outcome.printed += fmt::format("{}: {}\n", name, line);
  };
  const auto begin = std::chrono::steady_clock::now();
  try {
    bindings::LuaPolicy policy({name, name + ".lua", script}, options);
    outcome.finished = simulate(policy, machine);
  } catch (const Error& error) {
    outcome.kind = kind_of(error.code());
    outcome.message = error.what();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  outcome.seconds = took.count();
  return outcome;
}

bindings::Limits limits_for(const Case& each) {
  bindings::Limits limits;
  limits.time_seconds = each.outcomes.starts_with("time") ? kLimit : 20;
  limits.memory_mib = 32;
  return limits;
}

bool shows_control_bytes(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
  });
}

void check(const Case& each, const Ending& outcome) {
  INFO(each.name);
  INFO(outcome.message);
  CHECK_MESSAGE(each.allows(outcome.kind), outcome.kind);
  CHECK(outcome.message.size() <= 16 * 1024);
  CHECK(outcome.printed.size() < 2'000'000);
  CHECK_FALSE(shows_control_bytes(outcome.message));
  CHECK_FALSE(shows_control_bytes(outcome.printed));
  CHECK(outcome.printed.find("ESCAPED") == std::string::npos);
  if (outcome.kind != "harmless") {
    CHECK(outcome.message.substr(0, outcome.message.find('\n')).find("ESCAPED") ==
          std::string::npos);
    CHECK(outcome.message.starts_with(each.name));
  }
}

Ending good_run() {
  bindings::Limits limits;
  limits.time_seconds = 60;
  return run_case("good", R"(
    local order = {}
    return {
      schedule = function(queue, cluster)
        for job in queue:startable() do cluster:start(job) order["j" .. job.id] = true end
        local text = ""
        for name in pairs(order) do text = text .. name end
        print(#text, math.random(1000))
      end,
    })",
                  limits);
}

void check_group(const std::string& group, std::size_t at_least,
                 const sim::Machine& machine = a_machine(8)) {
  const auto cases = cases_of(group);
  REQUIRE(cases.size() >= at_least);
  const std::string fresh = good_run().printed;
  REQUIRE(std::count(fresh.begin(), fresh.end(), '\n') > 20);
  for (const Case& each : cases) {
    check(each, run_case(each.name, each.script, limits_for(each), machine));
    INFO("after " << each.name);
    REQUIRE(good_run().printed == fresh);
  }
}

}  // namespace

TEST_SUITE("bindings/red_team") {
  TEST_CASE("scripts that spin are stopped, and a good run follows as ever") {
    check_group("time", 50);
  }

  TEST_CASE("scripts that fill memory are stopped, and a good run follows as ever") {
    check_group("memory", 18);
  }

  TEST_CASE("scripts that try to get out or to flood stay in their bounds") {
    check_group("escape", 30);
  }

  TEST_CASE("wrong calls are refused and change nothing") { check_group("calls", 30); }

  TEST_CASE("hooks of hosts and jobs that are hit may read, and do nothing else") {
    check_group("hosts", 13, failing_hosts());
  }

  TEST_CASE("texts, orders and numbers are the same in every state") {
    for (const Case& each : cases_of("repeat")) {
      INFO(each.name);
      const auto first = run_case(each.name, each.script, limits_for(each));
      check(each, first);
      CHECK(first.printed.size() > 100);
      for (int i = 0; i < 4; ++i) {
        CHECK(run_case(each.name, each.script, limits_for(each)).printed ==
              first.printed);
      }
    }
  }

  TEST_CASE("a message of many arguments is no longer than one of a few") {
    const auto outcome = run_case("print", R"(
      local s = ("x"):rep(16384)
      local t = {}
      for i = 1, 4000 do t[i] = s end
      return { schedule = function() print(table.unpack(t)) end })",
                                  {});
    CHECK(outcome.kind == "harmless");
    const auto first = outcome.printed.substr(0, outcome.printed.find('\n'));
    CHECK(first.size() == std::string("print: ").size() + 16 * 1024);
    CHECK(first.ends_with("xxx..."));
  }

  TEST_CASE("snapshots of running jobs count as memory of the script") {
    // 40,000 times 4 bytes and some for each of 1,500 running jobs: 230 MiB.
    std::vector<Job> many;
    for (std::int64_t i = 0; i < 1500; ++i) many.push_back(a_job(i + 1, 0, 1, 10));
    bindings::PolicyOptions options;
    options.limits.memory_mib = 64;
    bindings::LuaPolicy policy({"p", "p.lua", R"(
      return { schedule = function(queue, cluster)
        for job in queue:startable() do cluster:start(job) end
        for i = 1, 40000 do cluster:running() end
      end })"},
                               options);
    ErrorCode code{};
    try {
      (void)run(many, a_machine(1500), policy);
    } catch (const Error& error) {
      code = error.code();
      CHECK(std::string(error.what()).starts_with("p.lua:4: memory limit: 64 MiB"));
    }
    CHECK(code == ErrorCode::kMemory);
  }

  TEST_CASE("a mind changed for ever within one decision holds no memory") {
    // Beyond a thousand the engine forgets wake-ups that count no more.
    const auto outcome = run_case("wake", R"(
      return { schedule = function(queue, cluster)
        for i = 1, 20000 do
          cluster:wake_at(cluster:now() + i)
          cluster:wake_at(nil)
        end
        for job in queue:startable() do cluster:start(job) end
      end })",
                                  {});
    CHECK(outcome.kind == "harmless");
    CHECK(outcome.finished == 24);
  }
}
