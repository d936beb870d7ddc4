// Packers: the argument `packing` of a policy's function `pack`, and cluster.packing.

#include "bindings/machines/fractional_packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/renumber.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"

namespace berth::bindings {

pack::Key read_key(lua_State* lua, int at) {
  static constexpr std::array<std::string_view, 4> kNames{"sum", "difference", "ratio",
                                                          "max"};
  const auto name = read_text(lua, at);
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    luaL_error(lua,
               "a key is \"sum\", \"difference\", \"ratio\" or \"max\", or a "
               "function of cpu and memory");
  }
  return static_cast<pack::Key>(found - kNames.begin());
}

void push_option(lua_State* lua, int at, const char* name) {
  if (lua_isnoneornil(lua, at)) return lua_pushnil(lua);
  lua_pushstring(lua, name);
  lua_rawget(lua, at);
}

double number_option(lua_State* lua, int at, const char* name, double absent) {
  push_option(lua, at, name);
  const auto type = lua_type(lua, -1);
  const auto number = exact_or_endless(lua, -1);
  if (type != LUA_TNIL && number.value_or(-1) < 0) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "%s: a number >= 0 expected, got %s", name,
                                 push_inexact(lua, -1)));
  }
  lua_pop(lua, 1);
  return type == LUA_TNIL ? absent : *number;
}

// In a run the family's own calls have checked the table.
Packings& self_packer(lua_State* lua) {
  ++border(lua).crossings;
  if (packings_at_hand(lua) != nullptr) {
    require_self(lua, packings_kept(lua).packer_table, "packing");
  }
  return packings(lua);
}

void check_options(lua_State* lua, int at, std::span<const std::string_view> known) {
  lua_settop(lua, at);
  if (lua_isnil(lua, at)) return;
  if (!lua_istable(lua, at)) bad_argument(lua, at, "a table of options expected");
  refuse_other_options(lua, at, known);
}

namespace packing_calls {
namespace {

using Subject = Packings::Subject;

// The members of the view at stack index 2, in order; false if it is none.
bool read_view_members(lua_State* lua, Packings& desk) {
  if (desk.task() != nullptr) return false;
  const auto order = order_of(lua, 2);
  if (!order) return false;
  attempt(lua, [&] {
    simulation(lua).queue(*order).for_each([&](const JobQueue::Member& each) {
      desk.jobs.push_back(static_cast<int>(index(each.place.job)));
    });
  });
  return true;
}

void read_list_members(lua_State* lua, Packings& desk) {
  if (!lua_istable(lua, 2)) bad_argument(lua, 2, "a list of jobs expected");
  const auto count = lua_rawlen(lua, 2);
  for (lua_Unsigned i = 1; i <= count; ++i) {
    lua_rawgeti(lua, 2, static_cast<lua_Integer>(i));
    if (!is_kind(lua, -1, Kind::kJob)) bad_argument(lua, 2, "a list of jobs expected");
    const int job = read_packed_number(lua, lua_gettop(lua));
    lua_pop(lua, 1);
    attempt(lua, [&] { desk.jobs.push_back(job); });
  }
}

// As the owner of the jobs numbers them.
lua_Integer shown_number(lua_State* lua, const Packings& desk, int number) {
  if (desk.task() != nullptr) return desk.task()->problem.items.needs(number).number;
  return simulation(lua)
      .world()
      .jobs()
      .job(JobId{static_cast<std::uint32_t>(number)})
      .id;
}

// The list of jobs at stack index 2, or in a run the view.
const Subject& read_jobs(lua_State* lua, Packings& desk) {
  desk.jobs.clear();
  if (!read_view_members(lua, desk)) read_list_members(lua, desk);
  auto& jobs = desk.jobs;
  std::sort(jobs.begin(), jobs.end());
  const auto twice = std::adjacent_find(jobs.begin(), jobs.end());
  if (twice != jobs.end()) {
    bad_argument(lua, 2,
                 lua_pushfstring(lua, "job %I stands in the list twice",
                                 shown_number(lua, desk, *twice)));
  }
  const auto& subject = *attempt(lua, [&] { return &desk.subject(jobs); });
  if (!subject.is_whole) hold_for_decision(lua, 64 * subject.jobs.size());
  return subject;
}

// A packing made from nothing, on the hosts where its jobs are now.
pack::Packing numbered(const Subject& subject, Budget& budget, pack::Packing packing) {
  return pack::renumbered(*subject.problem, budget, std::move(packing));
}

// As pack::search, with the rules of the study.
pack::Packing searched(const Packings& desk, const Subject& subject, Budget& budget,
                       const pack::Fill& fill) {
  return pack::search(*subject.problem, budget, fill, desk.rules().search);
}

pack::Packing by_mcb(const Packings& desk, const Subject& subject, Budget& budget,
                     pack::McbRule rule) {
  rule.first_list = desk.rules().first_list;
  if (const auto why = pack::cannot_fit(*subject.problem)) return pack::failed(*why);
  return numbered(subject, budget,
                  pack::mcb(*subject.problem, budget, rule, desk.rules().search));
}

int mcb(lua_State* lua) {
  static constexpr std::array<std::string_view, 2> kOptions{"key", "descending"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  check_options(lua, 3, kOptions);
  push_option(lua, 3, "descending");
  const bool is_descending = lua_isnil(lua, -1) || lua_toboolean(lua, -1) != 0;
  push_option(lua, 3, "key");  // at index 5
  const bool is_own = lua_type(lua, 5) == LUA_TFUNCTION;
  const auto key = is_own || lua_isnil(lua, 5) ? pack::Key::kMax : read_key(lua, 5);
  luaL_checkstack(lua, 20, nullptr);
  const auto own_key = [&](double cpu, double memory) {
    return key_inside(lua, desk, 5, cpu, memory);
  };
  return push_packed(lua, subject, [&] {
    pack::McbRule rule;
    rule.key = key;
    if (!is_descending) rule.direction = pack::Direction::kAscending;
    if (is_own) rule.own_key = own_key;
    return by_mcb(desk, subject, budget(lua), std::move(rule));
  });
}

int greedy(lua_State* lua) {
  static constexpr std::array<std::string_view, 2> kOptions{"sorted", "backtrack"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  check_options(lua, 3, kOptions);
  push_option(lua, 3, "sorted");
  const auto order = lua_toboolean(lua, -1) != 0 ? pack::TaskOrder::kByMemory
                                                 : pack::TaskOrder::kByNumber;
  constexpr double kMostAttempts = 1e12;
  const auto attempts = static_cast<std::int64_t>(
      std::min(number_option(lua, 3, "backtrack", 0), kMostAttempts));
  return push_packed(lua, subject, [&] {
    auto& work = budget(lua);
    return numbered(subject, work,
                    attempts == 0 ? pack::greedy(*subject.problem, work, order)
                                  : pack::greedy_backtracking(*subject.problem, work,
                                                              order, attempts));
  });
}

// Where tasks are divided; null: nothing can be divided.
const std::vector<double>* parts_of(const Packings& desk, const Subject& subject,
                                    Budget& budget, pack::RelaxedSource source,
                                    std::optional<std::vector<double>>& own) {
  if (subject.is_whole && desk.task()->parts) return desk.task()->parts(budget);
  own = pack::relaxed_parts(*subject.problem, budget, source);
  return own ? &*own : nullptr;
}

// In a study a function of seed and instance; in a run the policy's own stream.
std::function<double()> draws_of(lua_State* lua, const Packings& desk) {
  if (const auto* task = desk.task()) {
    return pack::rounding_draws(task->seed, task->instance);
  }
  return [&engine = Sandbox::of(lua).random()] { return uniform(engine); };
}

int rounding(lua_State* lua) {
  static constexpr std::array<std::string_view, 1> kOptions{"epsilon"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  check_options(lua, 3, kOptions);
  const double epsilon = number_option(lua, 3, "epsilon", 0);
  auto source = desk.rules().relaxed_source;
  const bool lacks_solver = source == pack::RelaxedSource::kSimplex &&
                            !attempt(lua, [] { return pack::has_solver(); });
  if (lacks_solver && desk.task() == nullptr) source = pack::RelaxedSource::kUniform;
  if (lacks_solver && desk.task() != nullptr) {
    luaL_error(lua,
               "this build, or this machine, has no solver: set packing."
               "relaxed_source = \"uniform\"");
  }
  return push_packed(lua, subject, [&] {
    if (const auto why = pack::cannot_fit(*subject.problem)) return pack::failed(*why);
    std::optional<std::vector<double>> own;
    auto& work = budget(lua);
    const auto* parts = parts_of(desk, subject, work, source, own);
    if (parts == nullptr) return pack::failed(pack::Outcome::kNoPacking);
    return numbered(
        subject, work,
        pack::rounded(*subject.problem, work, *parts, epsilon, draws_of(lua, desk)));
  });
}

int exact(lua_State* lua) {
  static constexpr std::array<std::string_view, 2> kOptions{"nodes", "solver"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  check_options(lua, 3, kOptions);
  constexpr double kMostNodes = 2e9;
  const auto nodes = static_cast<std::int64_t>(
      std::clamp(number_option(lua, 3, "nodes", 1e6), 1.0, kMostNodes));
  push_option(lua, 3, "solver");
  bool is_program = false;
  if (!lua_isnil(lua, -1)) {
    const auto solver = read_text(lua, lua_gettop(lua));
    is_program = solver == "milp";
    if (!is_program && solver != "search") {
      bad_argument(lua, 3, "solver: \"search\" or \"milp\" expected");
    }
  }
  if (is_program && !attempt(lua, [] { return pack::has_solver(); })) {
    luaL_error(lua,
               "this build, or this machine, has no solver: use solver = "
               "\"search\"");
  }
  double gap = 0;
  const int pushed = push_packed(lua, subject, [&] {
    auto& work = budget(lua);
    auto proven = is_program ? pack::exact_by_program(*subject.problem, work,
                                                      static_cast<int>(nodes))
                             : pack::exact(*subject.problem, work, nodes);
    gap = proven.gap();
    return numbered(subject, work, std::move(proven.packing));
  });
  if (pushed == 2) return 2;
  return lua_pushnumber(lua, gap), 2;
}

// Fills a draft by the function at stack index `at`.
class Filler {
 public:
  Filler(lua_State* lua, Packings& desk, const Subject& subject)
      : lua_(lua),
        desk_(desk),
        filling_{pack::Draft(*subject.problem, budget(lua)), &subject} {}
  ~Filler() { desk_.filling = nullptr; }
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;

  bool fill(int at, double yield, pack::Hosts& hosts) {
    auto& draft = filling_.draft;
    draft.begin(yield);
    filling_.orders.clear();
    filling_.number = desk_.fillings++ % sim::PlanId::kPerDecision;
    desk_.filling = &filling_;
    ++border(lua_).crossings;
    lua_pushvalue(lua_, at);
    push_decision_handle(lua_, filling_.number, draft_kind());
    call_inside(lua_, desk_, 1, 0);
    is_kept_ = is_kept_ || draft.is_kept();
    if (draft.left() > 0) return false;
    hosts = draft.hosts();
    return true;
  }

  // Bins get the hosts where their jobs are now, unless the script placed them.
  [[nodiscard]] pack::Packing finished(const Subject& subject,
                                       pack::Packing packing) const {
    return is_kept_ ? std::move(packing)
                    : numbered(subject, budget(lua_), std::move(packing));
  }

 private:
  lua_State* lua_;
  Packings& desk_;
  Packings::Filling filling_;
  bool is_kept_ = false;
};

// At one yield alone, which every job gets.
pack::Packing filled_at(const Subject& subject, Filler& filler, int at, double yield) {
  if (const auto why = pack::cannot_fit(*subject.problem)) return pack::failed(*why);
  pack::Hosts hosts(subject.problem->items.tasks(), pack::kNoHost);
  const pack::Effort effort{.packs = 1};
  if (!filler.fill(at, yield, hosts)) {
    return pack::failed(pack::Outcome::kNoPacking, effort);
  }
  auto packing =
      filler.finished(subject, pack::packed(*subject.problem, hosts, effort));
  packing.yield = yield;
  std::fill(packing.yields.begin(), packing.yields.end(), yield);
  return packing;
}

int search(lua_State* lua) {
  static constexpr std::array<std::string_view, 2> kOptions{"tolerance", "yield"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  if (lua_type(lua, 3) != LUA_TFUNCTION) {
    bad_argument(lua, 3, "a function of a draft expected");
  }
  check_options(lua, 4, kOptions);
  auto settings = desk.rules().search;
  settings.tolerance = number_option(lua, 4, "tolerance", settings.tolerance);
  const double yield = number_option(lua, 4, "yield", -1);
  if (settings.tolerance < 1e-9) {
    bad_argument(lua, 4, "tolerance: at least 1e-9 expected");
  }
  if (yield > 1) bad_argument(lua, 4, "yield: at most 1 expected");
  luaL_checkstack(lua, 20, nullptr);
  const int pushed = push_packed(lua, subject, [&] {
    Filler filler(lua, desk, subject);
    if (yield >= 0) return filled_at(subject, filler, 3, yield);
    return filler.finished(subject, pack::search(
                                        *subject.problem, budget(lua),
                                        [&](double at, pack::Hosts& hosts) {
                                          return filler.fill(3, at, hosts);
                                        },
                                        settings));
  });
  if (pushed == 1) desk.held(desk.count() - 1).is_raised = yield >= 0;
  return pushed;
}

// "mcb1" to "mcb8"; 0 for other texts.
int variant_of(std::string_view name) {
  const bool is_one = name.size() == 4 && name.substr(0, 3) == "mcb" &&
                      name[3] >= '1' && name[3] <= '8';
  return is_one ? name[3] - '0' : 0;
}

constexpr int kMostFills = 64;

// Pushes the members of the list at stack index 3; how many there are.
int push_fills(lua_State* lua) {
  if (!lua_istable(lua, 3)) bad_argument(lua, 3, "a list of fills and names expected");
  const auto count = lua_rawlen(lua, 3);
  if (count == 0 || count > kMostFills) {
    bad_argument(lua, 3, "1 to 64 fills and names expected");
  }
  luaL_checkstack(lua, kMostFills + 20, nullptr);
  for (lua_Unsigned i = 1; i <= count; ++i) {
    const int type = lua_rawgeti(lua, 3, static_cast<lua_Integer>(i));
    const bool is_right =
        type == LUA_TFUNCTION ||
        (type == LUA_TSTRING && variant_of(read_text(lua, lua_gettop(lua))) > 0);
    if (!is_right)
      bad_argument(lua, 3, "a fill is a function, or \"mcb1\" to \"mcb8\"");
  }
  return static_cast<int>(count);
}

// The fill at this stack index: a function of the script, or "mcb1" to "mcb8".
pack::Fill fill_at(lua_State* lua, int at, Filler& filler, const Packings& desk,
                   const Subject& subject) {
  if (lua_type(lua, at) == LUA_TFUNCTION) {
    return [&filler, at](double yield, pack::Hosts& hosts) {
      return filler.fill(at, yield, hosts);
    };
  }
  const auto packer = std::make_shared<pack::BinPacker>(
      *subject.problem, budget(lua),
      pack::mcb_rule(variant_of(lua_tostring(lua, at)), desk.rules().first_list));
  return
      [packer](double yield, pack::Hosts& hosts) { return packer->pack(yield, hosts); };
}

int best(lua_State* lua) {
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  lua_settop(lua, 3);
  const int count = push_fills(lua);
  return push_packed(lua, subject, [&] {
    if (const auto why = pack::cannot_fit(*subject.problem)) return pack::failed(*why);
    Filler filler(lua, desk, subject);
    std::vector<pack::Fill> fills;
    for (int at = 4; at < 4 + count; ++at) {
      fills.push_back(fill_at(lua, at, filler, desk, subject));
    }
    return filler.finished(subject, searched(desk, subject, budget(lua),
                                             pack::first_of(std::move(fills))));
  });
}

int improve(lua_State* lua) {
  static constexpr std::array<std::string_view, 1> kOptions{"budget"};
  auto& desk = self_packer(lua);
  const auto number = read_of_decision(lua, 2, packing_kind());
  check_options(lua, 3, kOptions);
  const double allowance =
      number_option(lua, 3, "budget", pack::kUnlimited) / desk.host_memory();
  const auto& held = desk.held(number);
  const auto& subject = *held.subject;
  return push_packed(lua, subject, [&] {
    return pack::improved(*subject.problem, budget(lua), held.packing, allowance);
  });
}

int adapt(lua_State* lua) {
  static constexpr std::array<std::string_view, 1> kOptions{"budget"};
  auto& desk = self_packer(lua);
  const auto& subject = read_jobs(lua, desk);
  check_options(lua, 3, kOptions);
  const double allowance =
      number_option(lua, 3, "budget", pack::kUnlimited) / desk.host_memory();
  return push_packed(lua, subject, [&] {
    return pack::adapted(*subject.problem, budget(lua), allowance, desk.rules().search);
  });
}

int bound(lua_State* lua) {
  const auto& subject = read_jobs(lua, self_packer(lua));
  const auto most = attempt(lua, [&] { return pack::relaxed_bound(*subject.problem); });
  if (!most) return lua_pushnil(lua), 1;
  return lua_pushnumber(lua, *most), 1;
}

int memory(lua_State* lua) {
  return lua_pushnumber(lua, self_packer(lua).host_memory()), 1;
}

constexpr std::array kPacker{
    Primitive{"mcb", "jobs: Job[]|View, options?: table", "Packed?, string? why",
              "Multi-capacity bin packing (MCB1 to MCB8), the largest yield by search; "
              "options: key (\"sum\", \"difference\", \"ratio\", \"max\" or a function "
              "of cpu and memory; \"max\"), descending (true).",
              "packing:mcb(jobs, { key = \"sum\" }).yield == 1", mcb},
    Primitive{"greedy", "jobs: Job[]|View, options?: table", "Packed?, string? why",
              "Task by task onto the least loaded host with the memory (GR, SG, GB, "
              "SGB); options: sorted (false: by number, true: largest memory first), "
              "backtrack (tests of a task on a host; 0: none).",
              "packing:greedy(jobs, { sorted = true }).yield == 1", greedy},
    Primitive{"rounding", "jobs: Job[]|View, options?: table", "Packed?, string? why",
              "Randomised rounding of the relaxed program (RRND; RRNZ with epsilon = "
              "0.01).",
              "packing.rounding ~= nil", rounding},
    Primitive{"exact", "jobs: Job[]|View, options?: table",
              "Packed?, number|string gap",
              "The best packing found, and by which share of the bound it may be short "
              "of the optimum; options: nodes (1000000), solver (\"search\" or "
              "\"milp\").",
              "select(2, packing:exact(jobs)) == 0", exact},
    Primitive{"search", "jobs: Job[]|View, fill: fun(draft: Draft), options?: table",
              "Packed?, string? why",
              "The largest yield at which `fill` puts every task, by bisection; "
              "options: tolerance, yield (only this one is tried, and given to all).",
              "packing:search(jobs, function(draft) for task in draft:tasks() do "
              "draft:put(task, 0) end end).yield == 1",
              search},
    Primitive{"best", "jobs: Job[]|View, fills: (string|fun(draft: Draft))[]",
              "Packed?, string? why",
              "As search, over a list of fills and of names \"mcb1\" to \"mcb8\": at "
              "each yield the first that puts every task.",
              "packing:best(jobs, { \"mcb8\", \"mcb5\" }).yield == 1", best},
    Primitive{"improve", "packed: Packed, options?: table", "Packed",
              "Moves and swaps off the most loaded host; never worse; option: budget "
              "(memory that may change host in all, in GiB).",
              "packing:improve(packing:mcb(jobs)).yield == 1", improve},
    Primitive{"adapt", "jobs: Job[]|View, options?: table", "Packed?, string? why",
              "A packing near the present placement; option: budget (memory that may "
              "change host, in GiB).",
              "packing:adapt(jobs, { budget = 0 }).yield == 1", adapt},
    Primitive{"bound", "jobs: Job[]|View", "number?",
              "The yield that no packing exceeds; nil if the jobs cannot fit.",
              "packing:bound(jobs) == 1", bound},
    Primitive{"memory", "", "number",
              "GiB of a host; 1 in a packing study, where memory is a share of a host.",
              "packing:memory() == 1", memory},
    Primitive{
        "admit",
        "jobs: View|Job[], pack?: fun(packing: Packer, jobs: Job[]): Packed?, "
        "options?: table",
        "Packed?",
        "In a run: the running jobs and the longest prefix of the view that `pack` "
        "packs (default: mcb), of a list its longest prefix; nil if not even the "
        "running jobs pack; options: least_yield (0), depth (most jobs admitted).",
        "cluster.packing:admit(queue).yield == 1", admit_to_packing},
    Primitive{
        "apply", "packed: Packed, options?: table", "true?, refusal? why",
        "In a run, one atomic step: waiting jobs start, suspended ones resume, "
        "running ones move or get other shares; with { pause = true } running jobs "
        "that the packing leaves out are suspended, else they raise.",
        "cluster.packing:apply(cluster.packing:mcb(queue)) and job.yield == 1",
        apply_packing},
};

}  // namespace
}  // namespace packing_calls

std::span<const Primitive> packer_primitives() { return packing_calls::kPacker; }

}  // namespace berth::bindings
