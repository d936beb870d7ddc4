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

// Notes when each job starts first.
class Starts final : public sim::Observer {
 public:
  explicit Starts(std::size_t jobs) : starts_(jobs, -1) {}
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
    if (!start.resumed) starts_[index(start.who.id)] = start.at / kSecond;
  }
  void finish(Time) override {}
  [[nodiscard]] Hash hash() const {
    StartHash hash;
    for (const auto start : starts_) hash.add(start);
    return hash.value();
  }

 private:
  std::vector<std::int64_t> starts_;
};

bindings::LuaPolicy load(const std::string& name, const bindings::Limits& limits) {
  std::ifstream in(std::string(BERTH_SOURCE_DIR) + "/policies/" + name + ".lua");
  std::ostringstream text;
  text << in.rdbuf();
  bindings::PolicyOptions options;
  options.limits = limits;
  return {{name, "policies/" + name + ".lua", text.str()}, options};
}

sim::Machine machine_of(const Work& work) {
  sim::Machine machine;
  machine.processors = work.processors;
  return machine;
}

}  // namespace

double lua_seconds(const Work& work, const std::string& policy,
                   const bindings::Limits& limits) {
  auto script = load(policy, limits);
  sim::Simulation simulation(machine_of(work), {}, work.jobs, script);
  const double before = user_seconds();
  simulation.advance(kNever);
  return user_seconds() - before;
}

Hash lua_starts(const Work& work, const std::string& policy) {
  auto script = load(policy, {});
  sim::Simulation simulation(machine_of(work), {}, work.jobs, script);
  Starts starts(work.jobs.size());
  simulation.observe(starts);
  simulation.advance(kNever);
  return starts.hash();
}

double list_easy_seconds(const Work& work) {
  ListEasy easy(work);
  const double before = user_seconds();
  easy.run();
  return user_seconds() - before;
}

Hash list_easy_starts(const Work& work) {
  ListEasy easy(work);
  easy.run();
  StartHash hash;
  for (const std::int32_t start : easy.starts()) hash.add(start);
  return hash.value();
}

}  // namespace berth::bench
