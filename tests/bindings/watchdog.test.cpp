#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::Error;
using berth::bindings::Host;
using berth::bindings::Limits;
using berth::bindings::Sandbox;
using berth::bindings::Watchdog;

// The thread sanitizer runs this suite: it delivers signals only where the program
// calls something it knows, such as the allocator, so every script here allocates while
// it spins.

namespace {

constexpr std::array<const char*, 4> kSpins{
    "while true do local t = {} end", "while true do local s = ('x'):rep(2000) end",
    "while true do pcall(error, {}) end",
    "local x <close> = setmetatable({}, { __close = function() while true do local t = "
    "{} end end })"};

int sleep_seconds(lua_State* lua) {
  std::this_thread::sleep_for(
      std::chrono::duration<double>(*static_cast<double*>(lua_touserdata(lua, 1))));
  return 0;
}

int call_result(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_call(lua, 0, 0);
  return 0;
}

Limits limit_of(double seconds) {
  Limits limits = quick_limits();
  limits.time_seconds = seconds;
  return limits;
}

int threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

// Runs `work(i)` on so many threads at a time.
template <class Work>
void on_threads(int count, const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// How long an entry ran that was stopped; nullopt: it was not.  On a busy machine
// one may wait for a processor until its limit is over, and is stopped rightly.
std::optional<double> stopped_after(Sandbox& sandbox, lua_CFunction body,
                                    void* context) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    sandbox.enter(body, context);
  } catch (const Error&) {
    const std::chrono::duration<double> ran = std::chrono::steady_clock::now() - begin;
    return ran.count();
  }
  return std::nullopt;
}

// Entries that end about when their signal is sent, and short ones between them that
// must not be hit by it.  Returns how many were.
int hit_by_late_signals(int thread) {
  constexpr double kLimit = 0.01;
  Sandbox sandbox(limit_of(kLimit), 1, {});
  sandbox.load("t.lua",
               "return function() local t = {} for i = 1, 50 do t[i] = i end end");
  for (int i = 0; i < 25; ++i) {
    double seconds = 0.009 + 0.0002 * ((i + thread) % 12);
    auto ran = stopped_after(sandbox, sleep_seconds, &seconds);
    for (int k = 0; k < 100 && !ran; ++k) {
      ran = stopped_after(sandbox, call_result, nullptr);
    }
    if (ran) return *ran < kLimit ? 1 : 0;
  }
  return 0;
}

}  // namespace

TEST_SUITE("bindings/watchdog") {
  TEST_CASE(
      "each of many threads is stopped by its own limit, in every way of spinning") {
    std::array<int, 8> exits{};
    on_threads(8, [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      exits[at] = decide(kSpins[at % kSpins.size()], limit_of(0.05 + 0.02 * i)).exit;
    });
    CHECK(exits == std::array<int, 8>{5, 5, 5, 5, 5, 5, 5, 5});
  }

  TEST_CASE("a stop hits its own thread alone") {
    std::atomic<int> stopped = 0;
    std::atomic<int> finished = 0;
    on_threads(6, [&](int i) {
      const auto outcome =
          i % 2 == 0 ? decide(kSpins[0], limit_of(0.05))
                     : decide("for i = 1, 20000 do local t = { i } end", limit_of(60));
      (outcome.exit == 5 ? stopped : finished) += 1;
    });
    CHECK(stopped == 3);
    CHECK(finished == 3);
  }

  TEST_CASE("no entry is hit by the signal of the one before it") {
    std::atomic<int> hits = 0;
    on_threads(4, [&](int i) { hits += hit_by_late_signals(i); });
    CHECK(hits == 0);
  }

  TEST_CASE("sandboxes come and go while others are watched") {
    std::atomic<int> good = 0;
    on_threads(4, [&](int) {
      for (int i = 0; i < 50; ++i) {
        const auto outcome = decide("local t = {}", limit_of(0.002 * (1 + i % 5) + 30));
        good += outcome.exit == 0 ? 1 : 0;
      }
    });
    CHECK(good == 200);
  }

  TEST_CASE("only a time limit, or the wish to be stoppable, takes a thread") {
    const int before = threads_of_process();
    Limits none = limit_of(0);
    none.work_units = 1000;
    const Sandbox plain(none, 1, {});
    CHECK(threads_of_process() == before);
    none.stops_on_wish = true;
    const auto stoppable = std::make_unique<Sandbox>(none, 1, Host{});
    CHECK(threads_of_process() == before + 1);
    const Sandbox timed(limit_of(1), 1, {});
    CHECK(threads_of_process() == before + 1);  // one for all
  }

  TEST_CASE("the watchdog ends with its last holder, and another one can begin") {
    for (int i = 0; i < 3; ++i) {
      const auto own = std::make_shared<Watchdog>();
      Host host;
      host.watchdog = [own] { return own; };
      Sandbox sandbox(limit_of(0.05), 1, host);
      sandbox.load("t.lua", "return function() while true do local t = {} end end");
      CHECK_THROWS_AS(sandbox.enter(call_result, nullptr), Error);
    }
  }

  TEST_CASE("a short limit is kept nearly to the millisecond") {
    // Looks every millisecond; the rest is for a machine that has other things to do.
    const auto begin = std::chrono::steady_clock::now();
    CHECK(decide(kSpins[0], limit_of(0.08)).exit == 5);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    CHECK(took.count() >= 0.08);
    CHECK(took.count() < 0.5);
  }
}
