#include "bench/schedules.hpp"

#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>

#include "bench/list_easy.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::bench {

namespace {

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

// FNV-1a over whole seconds.
class StartHash {
 public:
  void add(std::int64_t start) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(start)) * 0x100000001b3ULL;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

bindings::PolicyFile easy_file() {
  std::ifstream in(std::string(BERTH_SOURCE_DIR) + "/policies/easy.lua");
  std::ostringstream text;
  text << in.rdbuf();
  return {"easy", "policies/easy.lua", text.str()};
}

}  // namespace

Timed lua_easy(const Work& work, const bindings::Limits& limits) {
  bindings::PolicyOptions options;
  options.limits = limits;
  bindings::LuaPolicy policy(easy_file(), options);
  sim::Machine machine;
  machine.processors = work.processors;
  sim::Simulation simulation(machine, {}, work.jobs, policy);
  const double before = user_seconds();
  simulation.advance(kNever);
  const double after = user_seconds();
  StartHash hash;
  for (std::uint32_t i = 0; i < work.jobs.size(); ++i) {
    hash.add(simulation.jobs()[JobId{i}].first_start / kSecond);
  }
  return {after - before, hash.value()};
}

Timed list_easy(const Work& work) {
  ListEasy easy(work);
  const double before = user_seconds();
  easy.run();
  const double after = user_seconds();
  StartHash hash;
  for (const std::int32_t start : easy.starts()) hash.add(start);
  return {after - before, hash.value()};
}

}  // namespace berth::bench
