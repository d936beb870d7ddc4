#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/leftovers.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::Error;
using berth::bindings::Host;
using berth::bindings::Limits;
using berth::bindings::Sandbox;

namespace {

// The library function that never comes back, and never charges.
int hang(lua_State*) {
  while (true) pause();
}

int wait_seconds(lua_State* lua) {
  std::this_thread::sleep_for(
      std::chrono::duration<double>(*static_cast<double*>(lua_touserdata(lua, 1))));
  return 0;
}

int call_result(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_call(lua, 0, 0);
  return 0;
}

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The exit status of a process that calls a library function of ours which hangs, and
// what it says.
std::pair<int, std::string> end_of_hanging_process() {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    const berth::LastWords last([] { return std::string("2 of 3 are kept"); });
    Limits limits = quick_limits();
    limits.time_seconds = 0.1;
    limits.hard_stop_seconds = 0.1;
    Sandbox sandbox(limits, 1, {});
    sandbox.enter(hang, nullptr);
    _exit(99);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> piece{};
  for (auto got = read(ends[0], piece.data(), piece.size()); got > 0;
       got = read(ends[0], piece.data(), piece.size())) {
    said.append(piece.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  return {wait_for(child), said};
}

// Tells that it has begun, and takes 0.6 s.
int begin_and_sleep(lua_State* lua) {
  const int begun = *static_cast<int*>(lua_touserdata(lua, 1));
  [[maybe_unused]] const auto written = write(begun, "x", 1);
  for (int i = 0; i < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return 0;
}

// The exit status of a process that is stopped in the middle of a call for twice its
// limit, and goes on.
int exit_of_stopped_process() {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    Limits limits = quick_limits();
    limits.time_seconds = 1;
    limits.hard_stop_seconds = 0.5;
    Sandbox sandbox(limits, 1, {});
    try {
      sandbox.enter(begin_and_sleep, &ends[1]);
    } catch (const Error&) {
      _exit(5);
    }
    _exit(0);
  }
  char begun = 0;
  [[maybe_unused]] const auto got = read(ends[0], &begun, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it is looked at
  kill(child, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  kill(child, SIGCONT);
  close(ends[0]);
  close(ends[1]);
  return wait_for(child);
}

struct Timed {
  ScriptOutcome outcome;
  double seconds;  // of this thread's processor time: a busy machine adds none
};

double processor_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

Timed timed(std::string_view body, const Limits& limits = quick_limits()) {
  const double begin = processor_seconds();
  ScriptOutcome outcome = decide(body, limits);
  return {std::move(outcome), processor_seconds() - begin};
}

std::string stop_under_work_limit(std::string_view body, std::int64_t units) {
  return decide(body, counted_limits(units)).message;
}

}  // namespace

TEST_SUITE("bindings/sandbox_limits") {
  TEST_CASE(
      "a time limit gives place, traceback, and the option that raises it, if any") {
    const ScriptOutcome outcome = decide("\n  while true do end");
    CHECK(outcome.exit == 5);
    CHECK(outcome.message ==
          "t.lua:2: time limit: this decision ran for 0.2 s\n"
          "  (raise it with --time-limit SECONDS; 0 switches it off)\n"
          "     2 |   while true do end\n"
          "stack traceback:\n"
          "    t.lua:2: in function <t.lua:1>\n"
          "in decision 1 at t=60");
    auto fixed = quick_limits();
    fixed.are_options = false;
    CHECK(decide("\n  while true do end", fixed).message ==
          "t.lua:2: time limit: this decision ran for 0.2 s\n"
          "     2 |   while true do end\n"
          "stack traceback:\n"
          "    t.lua:2: in function <t.lua:1>\n"
          "in decision 1 at t=60");
  }

  TEST_CASE("a load that does not end is stopped as such") {
    CHECK(load("while true do end", quick_limits()).first_line() ==
          "t.lua:1: time limit: this load ran for 0.2 s");
  }

  TEST_CASE("the time limit holds wherever the script spins") {
    for (const char* body :
         {"while true do end",
          "while true do pcall(function() while true do end end) end",
          "local s = ('a'):rep(3000) s:find(('.-'):rep(8) .. 'b')",
          "local t = {} for i = 1, 30000 do t[i] = i % 7 end "
          "while true do table.sort(t, function(a, b) return a < b end) end",
          "local t = {} for i = 1, 99999 do t[i] = 1 / i end while true do t[1] = 1 - "
          "t[1] "
          "table.sort(t) end",
          "xpcall(error, function() while true do end end)",
          "local x <close> = setmetatable({}, { __close = function() while true do end "
          "end })",
          "while true do print('x') end",
          "print(setmetatable({}, { __tostring = function() while true do end end }))",
          "local t = {} for i = 1, 9999 do t['k' .. i] = 1 end while true do for _ in "
          "pairs(t) "
          "do end end",
          "while true do ('x'):rep(99999):gsub('.', '%0') end",
          "while true do local ok = xpcall(error, error) end",
          "local t = setmetatable({}, { __index = function(t, k) while true do end end "
          "}) "
          "local _ = t.x"}) {
      INFO(body);
      const Timed run = timed(body);
      INFO(run.outcome.message);
      CHECK(run.outcome.exit == 5);
      CHECK(run.seconds < 1.5);
    }
  }

  TEST_CASE("no protected call, handler, __close or error object hides a limit") {
    for (const char* spin :
         {"pcall(spin)", "pcall(pcall, spin)", "xpcall(spin, function() return 1 end)",
          "xpcall(spin, spin)", "pcall(xpcall, spin, print)",
          "pcall(string.gsub, 'x', 'x', spin)", "pcall(table.sort, { 1, 2 }, spin)",
          "pcall(function() local x <close> = setmetatable({}, { __close = function() "
          "caught = true end }) spin() end)",
          "pcall(tostring, setmetatable({}, { __tostring = spin }))"}) {
      INFO(spin);
      const ScriptOutcome outcome = decide(
          fmt::format("local function spin() while true do end end {} print('ESCAPED')",
                      spin),
          counted_limits(100'000));
      CHECK(outcome.exit == 5);
      CHECK(outcome.printed.empty());
      CHECK(outcome.first_line().starts_with("t.lua:1: work limit (100,000 units)"));
    }
  }

  TEST_CASE("a work limit stops at the same place every time") {
    for (const char* body :
         {"while true do end",
          "while true do\n local x = {}\n x.y = #('ab'):rep(3)\n end",
          "local t = {}\n for i = 1, 1e9 do\n t[i % 100] = ('x'):rep(i % 50)\n "
          "table.sort(t, function(a, b) return tostring(a) < tostring(b) end)\n end",
          "local s = ('ab'):rep(500)\n while true do\n s:gsub('%w-b', '%0')\n "
          "s:find('.-.-c')\n end"}) {
      INFO(body);
      const std::string first = stop_under_work_limit(body, 3'000'000);
      CHECK(first.find("work limit (3,000,000 units) reached in decision 1 at t=60") !=
            std::string::npos);
      for (int i = 0; i < 3; ++i)
        CHECK(stop_under_work_limit(body, 3'000'000) == first);
    }
  }

  TEST_CASE("work that just fits its limit passes, one unit less stops it") {
    // Beside less than a thousand instructions, the charges: 64 of rep, 1 of find's
    // start, 64 of its bytes.
    constexpr std::string_view kBody =
        "local s = ('x'):rep(1024) for i = 1, 100 do s:find('y', 1, true) end";
    const std::int64_t used =
        decide(kBody, counted_limits(1'000'000)).usage.longest_entry;
    CHECK(used == 64 + 100 * 65);
    CHECK(decide(kBody, counted_limits(used)).exit == 0);
    CHECK(decide(kBody, counted_limits(used - 1)).exit == 5);
  }

  TEST_CASE("instructions are counted by the thousand") {
    const auto units = [](int rounds) {
      return decide(fmt::format("for i = 1, {} do end", rounds),
                    counted_limits(1'000'000))
          .usage.longest_entry;
    };
    CHECK(units(500) == 0);
    CHECK(units(100'000) == 100'000);
  }

  TEST_CASE("the budget of a run counts all its decisions") {
    Limits limits = counted_limits(0);
    limits.run_work_units = 250'000;
    const ScriptOutcome outcome = decide("for i = 1, 100000 do end", limits);
    CHECK(
        outcome.first_line() ==
        "t.lua:1: work limit of the run (250,000 units) reached in decision 3 at t=60");
    CHECK(outcome.usage.longest_entry == 100'000);
  }

  TEST_CASE("decisions too short to be counted use up the budget of a run too") {
    Limits limits = counted_limits(0);
    limits.run_work_units = 3;
    const ScriptOutcome outcome = decide("local x = 1", limits);
    CHECK(outcome.first_line() ==
          "t.lua:1: work limit of the run (3 units) reached in decision 3 at t=60");
  }

  TEST_CASE("memory that stays in use beyond the limit ends the run at its line") {
    const ScriptOutcome outcome = decide(
        "local t = {}\n while true do\n  t[#t + 1] = {}\n end", patient_limits());
    CHECK(outcome.exit == 6);
    CHECK(outcome.first_line() == "t.lua:3: memory limit: 64 MiB live");
    CHECK(outcome.says("raise it with --memory-limit MIB"));
    CHECK(outcome.usage.peak_memory_bytes < (std::size_t{128} << 20U));
  }

  TEST_CASE("a string above 1 MiB is named with its length") {
    CHECK(decide("local s = ('x'):rep(1 << 20)\n s = s .. 'y'").first_line() ==
          "t.lua:2: memory limit: string of 1,048,577 bytes (limit 1 MiB)");
    CHECK(decide("local s = ('x'):rep((1 << 20) - 1)\n s = s .. 'y'").exit == 0);
    CHECK(decide("local s = ('x'):rep(1 << 20) pcall(function() s = s .. s end) "
                 "print('ESCAPED')")
              .printed.empty());
  }

  TEST_CASE("much garbage does not disturb a policy that keeps little") {
    Limits limits = patient_limits();
    limits.memory_mib = 32;
    const ScriptOutcome outcome =
        decide("for i = 1, 200000 do local t = { i, i, i, i } end", limits);
    CHECK(outcome.exit == 0);
    CHECK(outcome.usage.peak_memory_bytes < (std::size_t{32} << 20U));
  }

  TEST_CASE("a heap just under the limit does not make the script crawl") {
    const Timed run = timed(
        "local keep = {} for i = 1, 560000 do keep[i] = { i } end "
        "for i = 1, 1000000 do local t = { 1, 2, 3 } end",
        patient_limits());
    CHECK(run.outcome.exit == 6);
    CHECK(run.seconds < 5.0);
  }

  TEST_CASE("the memory limit holds with counted work too") {
    const ScriptOutcome strings = decide(
        "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep((1 << 20) - 20) .. i end",
        counted_limits(1'000'000'000));
    CHECK(strings.exit == 6);
    CHECK(strings.usage.peak_memory_bytes < (std::size_t{256} << 20U));
    CHECK(decide("local t = {} while true do t[#t + 1] = {} end",
                 counted_limits(1'000'000'000))
              .exit == 6);
  }

  TEST_CASE("limits of zero are switched off") {
    Limits limits;
    limits.time_seconds = 0;
    limits.memory_mib = 0;
    limits.source_kib = 0;
    const ScriptOutcome outcome =
        decide(fmt::format("local t = {{}} for i = 1, 200000 do t[i] = {{}} end {}",
                           std::string(70'000, ' ')),
               limits);
    CHECK(outcome.exit == 0);
  }

  TEST_CASE("a host without a watchdog has no time limit and no thread") {
    Host host;
    host.watchdog = nullptr;
    Limits limits = quick_limits();
    limits.time_seconds = 0.05;
    Sandbox sandbox(limits, 1, host);
    double seconds = 0.3;
    CHECK_NOTHROW(sandbox.enter(wait_seconds, &seconds));
  }

  TEST_CASE(
      "a decision that ends late by itself is no error, and the next one is not hit") {
    Limits limits = quick_limits();
    limits.time_seconds = 0.05;
    Sandbox sandbox(limits, 1, {});
    sandbox.load("t.lua",
                 "return function() local x = 0 for i = 1, 1000 do x = x + i end end");
    // Each round ends about when its signal is sent.
    for (int i = 0; i < 12; ++i) {
      double seconds = 0.085 + 0.005 * i;
      CHECK_NOTHROW(sandbox.enter(wait_seconds, &seconds));
      for (int k = 0; k < 2000; ++k) CHECK_NOTHROW(sandbox.enter(call_result, nullptr));
    }
  }

  TEST_CASE("each of many threads has its own limit") {
    std::atomic<int> stopped = 0;
    std::atomic<int> finished = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        const ScriptOutcome outcome =
            decide(i % 2 == 0 ? "while true do end" : "for i = 1, 100000 do end");
        (outcome.exit == 5 ? stopped : finished) += 1;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(stopped == 3);
    CHECK(finished == 3);
  }

  TEST_CASE("a thread that blocks all signals is stopped all the same") {
    int exit = 0;
    std::thread worker([&] {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      exit = decide("while true do end").exit;
    });
    worker.join();
    CHECK(exit == 5);
  }

  TEST_CASE(
      "a function of ours that hangs ends the process with 7 where that is allowed") {
    const auto [code, said] = end_of_hanging_process();
    CHECK(code == 7);
    CHECK(said.find("does not come back") != std::string::npos);
    CHECK(said.find("; the process ends\n2 of 3 are kept\n") != std::string::npos);
  }

  TEST_CASE("a process that was stopped (Ctrl-Z) for longer than its limit goes on") {
    CHECK(exit_of_stopped_process() == 0);
  }
}
