// Packers alone, on random instances (engine/machines/fractional/pack/generator.hpp).
//
// bench_pack [REPEATS [paper]] : medians of that many interleaved runs, 7 unless given;
// with `paper` only the times that the paper gives (claims V21 of
// scenarios/papers/virtual-clusters).  User and system CPU of this thread and of its
// solvers; instances are made before.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/plain_mcb.hpp"
#include "bench/works.hpp"
#include "bindings/lua_policy.hpp"
#include "engine/machines/fractional/fractional_settings.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/compact_form.hpp"
#include "engine/machines/fractional/pack/draft.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "engine/machines/fractional/packer.hpp"

using namespace berth;

namespace {

Budget budget;  // without limits

using Problems = std::vector<pack::Problem>;
using Packer = std::function<pack::Packing(const pack::Problem&)>;

Problems instances(const pack::InstanceSettings& settings, int count) {
  Problems problems;
  for (int i = 1; i <= count; ++i) {
    problems.push_back(pack::random_instance(settings, budget, 1, i));
  }
  return problems;
}

// 9 slacks and 2 variations of each need for each number of jobs, as in the paper.
Problems instance_set(int hosts, const std::vector<int>& job_counts, int count,
                      bool parallel = false) {
  Problems problems;
  for (const int jobs : job_counts) {
    for (int slack = 1; slack <= 9; ++slack) {
      for (const unsigned wide : {0U, 1U, 2U, 3U}) {
        pack::InstanceSettings settings{hosts, jobs, slack / 10.0};
        settings.cv_cpu = (wide & 1U) != 0 ? 0.75 : 0.25;
        settings.cv_memory = (wide & 2U) != 0 ? 0.75 : 0.25;
        settings.parallel = parallel;
        for (auto& problem : instances(settings, count)) problems.push_back(problem);
      }
    }
  }
  return problems;
}

// Of this thread and of the children that have ended: programs are solved in one.
double spent() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return bench::cpu_seconds() + in_seconds(children.ru_utime) +
         in_seconds(children.ru_stime);
}

// Of all cases; `run` is called with each index.
double seconds(std::size_t cases, const std::function<void(std::size_t)>& run) {
  const double before = spent();
  for (std::size_t i = 0; i < cases; ++i) run(i);
  return spent() - before;
}

double seconds(const Problems& problems, const Packer& packer) {
  return seconds(problems.size(), [&](std::size_t i) {
    if (packer(problems[i]).yield > 1) std::abort();  // so that nothing is left out
  });
}

void print(const std::string& row, double measured, double goal,
           const std::string& note) {
  fmt::print("{:<52} {:>9.4f} / {:<7.4g} {}\n", row, measured, goal, note);
  std::fflush(stdout);
}

void large_instances(int repeats) {
  pack::InstanceSettings settings{64, 500, 0.3};
  settings.cv_cpu = settings.cv_memory = 0.75;
  const auto problems = instances(settings, 20);
  const auto mcb = [](const pack::Problem& problem) {
    return pack::mcb(problem, budget);
  };
  bool is_same = true;
  std::vector<pack::Packing> packed;
  for (const auto& problem : problems) {
    packed.push_back(mcb(problem));
    is_same = is_same && packed.back().hosts == bench::plain_mcb(problem).hosts;
  }
  std::vector<bench::Seconds> times(4);
  for (int i = 0; i < repeats; ++i) {
    times[0].push_back(seconds(problems, mcb));
    times[1].push_back(seconds(problems, bench::plain_mcb));
    times[2].push_back(seconds(problems, [](const pack::Problem& problem) {
      return pack::greedy(problem, budget, pack::TaskOrder::kByNumber);
    }));
    times[3].push_back(seconds(problems.size(), [&](std::size_t each) {
      if (pack::improved(problems[each], budget, packed[each]).yield > 1) std::abort();
    }));
  }
  print("plain MCB8 over MCB8, 64 x 500 (at least)",
        bench::median_ratio(times[1], times[0]), 3,
        is_same ? "same placements" : "OTHER PLACEMENTS");
  print("MCB8 over GR, 64 x 500", bench::median_ratio(times[0], times[2]), 3, "");
  print("ms of MCB8, 64 x 500", bench::median(times[0]) / 20 * 1e3, 0.5, "");
  print("improvement over MCB8, 64 x 500", bench::median_ratio(times[3], times[0]), 2,
        "");
}

// Best fit by the cosine, as policies/cosine.lua and bench/cosine_in_loops.lua have it.
pack::Packing cosine(const pack::Problem& problem) {
  pack::Draft draft(problem, budget);
  return pack::search(problem, budget, [&](double yield, pack::Hosts& hosts) {
    draft.begin(yield);
    const bool is_put =
        draft.put_all(draft.order(pack::Key::kMax), pack::Suits::kCosine);
    if (is_put) hosts = draft.hosts();
    return is_put;
  });
}

std::string contents(const std::string& path) {
  std::ifstream file(fmt::format("{}/{}", BERTH_SOURCE_DIR, path));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A packer in Lua over the same in C++.
void in_lua(const char* row, const std::string& path, double goal, int repeats) {
  pack::InstanceSettings settings{64, 500, 0.3};
  settings.cv_cpu = settings.cv_memory = 0.75;
  const auto problems = instances(settings, 3);
  bindings::PolicyOptions options;
  options.library = [&](std::string_view name) {
    return std::optional(bindings::LoadedSource{
        std::string(name), contents(fmt::format("policies/lib/{}.lua", name))});
  };
  bindings::LuaPolicy policy({"cosine", path, contents(path)}, options);
  const auto hook = policy.bind("pack");
  auto& packer = dynamic_cast<pack::Packer&>(*hook);
  bool is_same = true;
  for (const auto& problem : problems) {
    is_same =
        is_same && packer.pack({problem, 1, 1, {}, {}}).hosts == cosine(problem).hosts;
  }
  std::vector<bench::Seconds> times(2);
  for (int i = 0; i < repeats; ++i) {
    times[0].push_back(seconds(problems, [&](const pack::Problem& problem) {
      return packer.pack({problem, 1, 1, {}, {}});
    }));
    times[1].push_back(seconds(problems, cosine));
  }
  print(row, bench::median_ratio(times[0], times[1]), goal,
        is_same ? "same placements" : "OTHER PLACEMENTS");
}

void whole_sets(int repeats) {
  const auto large = instance_set(64, {100, 250, 500}, 100);
  const auto small = instance_set(4, {6, 8, 10, 12}, 10);
  bench::Seconds mcb;
  bench::Seconds exact;
  double worst = 0;
  for (int i = 0; i < repeats; ++i) {
    mcb.push_back(seconds(large, [](const pack::Problem& problem) {
      return pack::mcb(problem, budget);
    }));
    exact.push_back(seconds(small.size(), [&](std::size_t each) {
      const double before = bench::cpu_seconds();
      if (pack::exact(small[each], budget).gap() > 0) std::abort();
      worst = std::max(worst, bench::cpu_seconds() - before);
    }));
  }
  print(fmt::format("s of MCB8 on the {} large instances", large.size()),
        bench::median(mcb), 8, "");
  print(fmt::format("s of the exact search on the {} small", small.size()),
        bench::median(exact), 0.5, fmt::format("worst {:.4f} s / 0.1", worst));
}

void against_solver(int repeats) {
  if (!pack::has_solver()) {
    fmt::print("no solver: rows of linear programs are left out\n");
    return;
  }
  pack::InstanceSettings wide{64, 500, 0.3};
  wide.cv_cpu = wide.cv_memory = 0.75;
  const auto large = instances(wide, 3);
  bench::Seconds relaxed;
  for (int i = 0; i < repeats; ++i) {
    relaxed.push_back(seconds(large.size(), [&](std::size_t each) {
      if (!pack::relaxed_parts(large[each], budget, pack::RelaxedSource::kSimplex))
        std::abort();
    }));
  }
  print("s of the relaxed program, 64 x 500", bench::median(relaxed) / 3, 0.4, "");
  // Once: the programs of 12 jobs take minutes.
  const auto twelve = instance_set(4, {12}, 10);
  double by_search = 0;
  bool is_same = true;
  std::vector<double> yields;
  by_search = seconds(twelve, [&](const pack::Problem& problem) {
    auto packing = pack::exact(problem, budget).packing;
    yields.push_back(packing.yield);
    return packing;
  });
  std::size_t each = 0;
  const double by_program = seconds(twelve, [&](const pack::Problem& problem) {
    auto packing = pack::exact_by_program(problem, budget).packing;
    is_same = is_same && std::abs(packing.yield - yields[each++]) < 1e-6;
    return packing;
  });
  print("program over exact search, 12 jobs (at least)", by_program / by_search, 500,
        fmt::format("{:.1f} s / {:.4f} s, {}", by_program, by_search,
                    is_same ? "same yields" : "OTHER YIELDS"));
}

Packer mcb_variant(int variant) {
  return [rule = pack::mcb_rule(variant)](const pack::Problem& problem) {
    return pack::mcb(problem, budget, rule);
  };
}

struct Timed {
  std::string name;
  Packer packer;
  std::string_view paper;  // seconds of MCB8 over those of this packer, as it has them
};

// Seconds of MCB8 over those of each packer, over the same instances in turns.
void against_mcb(const std::string& where, const Problems& problems,
                 const std::vector<Timed>& packers, int repeats) {
  bench::Seconds mcb;
  std::vector<bench::Seconds> times(packers.size());
  for (int i = 0; i < repeats; ++i) {
    mcb.push_back(seconds(problems, mcb_variant(8)));
    for (std::size_t each = 0; each < packers.size(); ++each) {
      times[each].push_back(seconds(problems, packers[each].packer));
    }
  }
  const double cases = static_cast<double>(problems.size());
  fmt::print("{}, {} instances: MCB8 {:.4g} ms\n", where, problems.size(),
             bench::median(mcb) / cases * 1e3);
  for (std::size_t each = 0; each < packers.size(); ++each) {
    fmt::print("  MCB8 over {:<40} {:>9.4g} / {:<7} {:.4g} ms\n", packers[each].name,
               bench::median_ratio(mcb, times[each]), packers[each].paper,
               bench::median(times[each]) / cases * 1e3);
  }
  std::fflush(stdout);
}

// The paper's times leave out the raising of yields, as these functions do.
void as_the_paper_times(int repeats) {
  const auto greedy = [](pack::TaskOrder order) {
    return [order](const pack::Problem& each) {
      return pack::greedy(each, budget, order);
    };
  };
  const auto backtracking = [](pack::TaskOrder order) {
    return [order](const pack::Problem& each) {
      return pack::greedy_backtracking(each, budget, order);
    };
  };
  const auto with_program = [](double epsilon) {
    return [epsilon](const pack::Problem& each) {
      const auto parts =
          pack::relaxed_parts(each, budget, pack::RelaxedSource::kSimplex);
      if (!parts) return pack::Packing{};
      return pack::rounded(each, budget, *parts, epsilon, pack::rounding_draws(1, 1));
    };
  };
  using enum pack::TaskOrder;
  std::vector<Timed> variants;
  for (int variant = 1; variant < 8; ++variant) {
    variants.push_back({fmt::format("MCB{}", variant), mcb_variant(variant), "1"});
  }
  const auto small = instance_set(4, {6, 8, 10, 12}, 10);
  against_mcb("4 hosts (Fig. 5)", small, variants, repeats);
  against_mcb("64 hosts (Fig. 10)", instance_set(64, {100, 250, 500}, 5), variants,
              repeats);
  against_mcb("4 hosts (Fig. 14)", small,
              {{"GR", greedy(kByNumber), "-"},
               {"SG", greedy(kByMemory), "-"},
               {"GB", backtracking(kByNumber), "-"},
               {"SGB", backtracking(kByMemory), "-"}},
              repeats);
  for (const int jobs : {100, 250, 500}) {
    const std::string_view paper = jobs == 500 ? "25" : "-";
    against_mcb(fmt::format("64 x {} (Fig. 18)", jobs), instance_set(64, {jobs}, 5),
                {{"GR", greedy(kByNumber), paper},
                 {"SG", greedy(kByMemory), paper},
                 {"GB", backtracking(kByNumber), "-"},
                 {"SGB", backtracking(kByMemory), "-"}},
                repeats);
  }
  against_mcb("64 x 500, several tasks a job (Fig. 22)",
              instance_set(64, {500}, 5, true), {{"SG", greedy(kByMemory), "32"}},
              repeats);
  if (!pack::has_solver()) {
    fmt::print("no solver: rows of linear programs are left out\n");
    return;
  }
  against_mcb("4 hosts (Fig. 14)", small,
              {{"RRND", with_program(0), "1/13"},
               {"RRNZ", with_program(pack::kRrnzEpsilon), "1/13"}},
              1);
  against_mcb("64 x 500 (Fig. 18)", instance_set(64, {500}, 1),
              {{"RRND", with_program(0), "1/1300"}}, 1);
  // Once, one instance of each point: the programs of 12 jobs take minutes.
  against_mcb(
      "4 hosts (Fig. 14)", instance_set(4, {6, 8, 10, 12}, 1),
      {{"the integer program",
        [](const pack::Problem& each) {
          return pack::exact_by_program(each, budget).packing;
        },
        "5e-6"},
       {"the exact search",
        [](const pack::Problem& each) { return pack::exact(each, budget).packing; },
        "-"}},
      1);
}

// Hosts shared by fractions, repacked at every event.
void running_system(int repeats) {
  auto work = bench::kth(1);
  work.jobs.resize(std::min<std::size_t>(work.jobs.size(), 3000));
  work.machine.sharing = "fractional";
  work.machine.preemption = true;
  FractionalSettings settings;
  settings.memory = 8;
  settings.rule = NeedsRule::kDfrs;
  work.machine.model_settings = settings;
  std::vector<bench::Seconds> times;
  times = bench::in_turns({bench::audited_lua(work, "mcb"), bench::lua(work, "mcb")},
                          repeats);
  print(fmt::format("mcb over {} jobs of KTH, auditor on / off", work.jobs.size()),
        bench::median_ratio(times[0], times[1]), 1.3,
        fmt::format("{:.1f} s / {:.1f} s", bench::median(times[0]),
                    bench::median(times[1])));
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  const bool is_paper = count > 2 && std::string_view(arguments[2]) == "paper";
  if (repeats < 1 || (count > 2 && !is_paper)) {
    fmt::print(stderr, "bench_pack [REPEATS [paper]]: at least 1\n");
    return 2;
  }
  fmt::print("{:<52} {:>9} / {:<7}\n", "", "measured", is_paper ? "paper" : "goal");
  if (is_paper) {
    as_the_paper_times(repeats);
    return 0;
  }
  large_instances(repeats);
  in_lua("cosine in Lua over the same in C++, 64 x 500", "bench/cosine_in_loops.lua",
         40, repeats);
  in_lua("cosine by draft:choose over the same, 64 x 500", "policies/cosine.lua", 3,
         repeats);
  whole_sets(repeats);
  running_system(repeats);
  against_solver(repeats);
  return 0;
}
