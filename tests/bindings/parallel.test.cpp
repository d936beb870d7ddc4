#include <doctest/doctest.h>
#include <pthread.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;
using namespace berth::test;

namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20U;
constexpr std::uint64_t kSeeds = 6;

// A thread with the stack that scripts need; std::thread cannot ask for one.
class ScriptThread {
 public:
  explicit ScriptThread(std::function<void()> work) : work_(std::move(work)) {
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, kStackBytes) == 0);
    REQUIRE(pthread_create(&thread_, &attributes, run, this) == 0);
    pthread_attr_destroy(&attributes);
  }
  ~ScriptThread() { pthread_join(thread_, nullptr); }
  ScriptThread(const ScriptThread&) = delete;
  ScriptThread& operator=(const ScriptThread&) = delete;

 private:
  static void* run(void* self) {
    static_cast<ScriptThread*>(self)->work_();
    return nullptr;
  }

  std::function<void()> work_;
  pthread_t thread_{};
};

using Spans = std::map<std::int64_t, Remembering::Span>;

// The schedules of some random workloads, one simulation after the other.
std::vector<Spans> schedules(const std::string& policy) {
  std::vector<Spans> all;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto script = lua_policy(policy);
    all.push_back(
        run(random_jobs(seed, {.jobs = 60}), a_machine(8), *script).watched.spans);
  }
  return all;
}

// How a policy that never ends is stopped.  It calls one of our functions again and
// again, which looks at the clock itself: the thread sanitizer holds signals back while
// Lua runs.
int stopped_with(double limit) {
  bindings::PolicyOptions options;
  options.limits.time_seconds = limit;
  bindings::LuaPolicy spinning(
      {"spin", "spin.lua",
       "return { schedule = function() while true do (\"x\"):find(\"y\") end end }"},
      options);
  try {
    (void)run({a_job(1, 0, 1, 10)}, a_machine(4), spinning);
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
  return 0;
}

}  // namespace

TEST_SUITE("bindings/parallel") {
  TEST_CASE("four simulations at a time give what they give one after the other") {
    const std::array<std::string, 4> policies{"easy", "conservative", "sjf",
                                              "first_fit"};
    std::array<std::vector<Spans>, 4> together;
    {
      std::vector<std::unique_ptr<ScriptThread>> threads;
      for (std::size_t i = 0; i < policies.size(); ++i) {
        threads.push_back(std::make_unique<ScriptThread>(
            [&, i] { together[i] = schedules(policies[i]); }));
      }
    }
    for (std::size_t i = 0; i < policies.size(); ++i) {
      CAPTURE(policies[i]);
      CHECK(together[i].size() == kSeeds);
      CHECK(together[i] == schedules(policies[i]));
    }
    CHECK(together[0] != together[1]);
  }

  TEST_CASE("a time limit stops its own simulation and no other") {
    std::array<int, 3> codes{};
    std::vector<Spans> good;
    {
      std::vector<std::unique_ptr<ScriptThread>> threads;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        threads.push_back(std::make_unique<ScriptThread>(
            [&, i] { codes[i] = stopped_with(0.1 + 0.1 * static_cast<double>(i)); }));
      }
      threads.push_back(
          std::make_unique<ScriptThread>([&] { good = schedules("easy"); }));
    }
    CHECK(codes == std::array<int, 3>{5, 5, 5});
    CHECK(good == schedules("easy"));
  }
}
