// Statistics as functions of Lua, over columns and lists.

#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <new>
#include <type_traits>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/compare/batch_means.hpp"
#include "engine/compare/confidence.hpp"
#include "engine/compare/ranks.hpp"
#include "engine/metrics/sample.hpp"

namespace berth::bindings {

namespace {

char seed_of_tools = 0;  // its address is the key of the seed in the registry

using Numbers = std::vector<double>;

// Those that are there, in the order of the rows.
Numbers present(const Column& column, Budget& budget) {
  Numbers numbers;
  in_pieces(column.rows(), 2 * sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t row = first; row < last; ++row)
                if (column.is_there(row)) numbers.push_back(column.number(row));
            });
  return numbers;
}

// Of two columns, where both are there.
struct Both {
  Numbers a;
  Numbers b;
};
Both pairs_of(const Column& a, const Column& b, Budget& budget) {
  Both both;
  in_pieces(a.rows(), 4 * sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t row = first; row < last; ++row) {
                if (!a.is_there(row) || !b.is_there(row)) continue;
                both.a.push_back(a.number(row));
                both.b.push_back(b.number(row));
              }
            });
  return both;
}

double read_confidence(lua_State* lua, int at) {
  constexpr double kUsual = 0.95;
  if (lua_isnoneornil(lua, at)) return kUsual;
  const double confidence = read_exact(lua, at, "a confidence");
  if (confidence <= 0 || confidence >= 1) {
    bad_argument(lua, at, "a confidence is between 0 and 1");
  }
  return confidence;
}

void set_number(lua_State* lua, const char* name, double number) {
  lua_pushnumber(lua, number);
  lua_setfield(lua, -2, name);
}

// Two lists, of one length where they are paired.
std::pair<const Column&, const Column&> push_two(lua_State* lua, bool are_paired) {
  const auto& a = push_values(lua, 1);
  const auto& b = push_values(lua, 2);
  if (are_paired) require_rows(lua, a.rows(), b.rows());
  return {a, b};
}

// Pushes the table of an interval; nil: there is none.
int push_interval(lua_State* lua, const std::optional<Difference>& interval) {
  if (!interval) return lua_pushnil(lua), 1;
  lua_createtable(lua, 0, 7);
  set_number(lua, "mean", interval->mean);
  set_number(lua, "low", interval->mean - interval->half_width);
  set_number(lua, "high", interval->mean + interval->half_width);
  set_number(lua, "half_width", interval->half_width);
  set_number(lua, "p", interval->p);
  lua_pushinteger(lua, static_cast<lua_Integer>(interval->n));
  lua_setfield(lua, -2, "n");
  return 1;
}

std::optional<Difference> as_difference(const std::optional<Estimate>& estimate) {
  if (!estimate) return std::nullopt;
  return Difference{estimate->mean, estimate->half_width, two_sided_p(*estimate),
                    static_cast<double>(estimate->n) - 1.0, estimate->n};
}

int stats_interval(lua_State* lua) {
  const double confidence = read_confidence(lua, 2);
  const auto& values = push_values(lua, 1);
  std::optional<Difference> interval;
  work_outside(lua, values.rows() * sizeof(double), [&](Budget& budget) {
    interval = as_difference(t_interval(present(values, budget), confidence));
  });
  return push_interval(lua, interval);
}

int stats_paired(lua_State* lua) {
  const double confidence = read_confidence(lua, 3);
  const auto lists = push_two(lua, true);
  std::optional<Difference> interval;
  work_outside(lua, 2 * lists.first.rows() * sizeof(double), [&](Budget& budget) {
    auto both = pairs_of(lists.first, lists.second, budget);
    for (std::size_t i = 0; i < both.a.size(); ++i) both.a[i] -= both.b[i];
    interval = as_difference(t_interval(both.a, confidence));
  });
  return push_interval(lua, interval);
}

int stats_unpaired(lua_State* lua) {
  const double confidence = read_confidence(lua, 3);
  const auto lists = push_two(lua, false);
  const auto rows = lists.first.rows() + lists.second.rows();
  std::optional<Difference> interval;
  work_outside(lua, rows * sizeof(double), [&](Budget& budget) {
    interval =
        welch(present(lists.first, budget), present(lists.second, budget), confidence);
  });
  return push_interval(lua, interval);
}

int stats_holm(lua_State* lua) {
  const auto& values = push_values(lua, 1);
  bool are_right = true;
  push_new_column(lua, 4 * values.rows() * sizeof(double), [&](Budget& budget) {
    const auto p = present(values, budget);
    are_right = p.size() == values.rows() &&
                std::all_of(p.begin(), p.end(),
                            [](double each) { return 0 <= each && each <= 1; });
    budget.charge_sort(p.size());
    return Column::of_numbers(are_right ? holm(p) : Numbers());
  });
  if (!are_right) bad_argument(lua, 1, "each p is a number from 0 to 1");
  return 1;
}

int stats_ranks(lua_State* lua) {
  const auto& values = push_values(lua, 1);
  push_new_column(lua, 4 * values.rows() * sizeof(double), [&](Budget& budget) {
    const auto ranks = ranks_of(present(values, budget));
    budget.charge_sort(ranks.size());
    Numbers all(values.rows(), std::nan(""));
    auto next = ranks.begin();
    for (std::size_t row = 0; row < all.size(); ++row)
      if (values.is_there(row)) all[row] = *next++;
    return Column::of_numbers(std::move(all));
  });
  return 1;
}

int stats_correlation(lua_State* lua) {
  const auto lists = push_two(lua, true);
  std::optional<double> answer;
  work_outside(lua, 2 * lists.first.rows() * sizeof(double), [&](Budget& budget) {
    const auto both = pairs_of(lists.first, lists.second, budget);
    answer = correlation(both.a, both.b);
  });
  push_number_or_nil(lua, answer);
  return 1;
}

int stats_batches(lua_State* lua) {
  BatchOptions options;
  if (!lua_isnoneornil(lua, 2)) {
    options.batches = static_cast<std::size_t>(read_count(lua, 2, 2));
  }
  options.confidence = read_confidence(lua, 3);
  const auto& values = push_values(lua, 1);
  std::optional<Difference> interval;
  double lag_1_correlation = 0;
  work_outside(lua, 2 * values.rows() * sizeof(double), [&](Budget& budget) {
    const auto numbers = present(values, budget);
    if (options.batches >= numbers.size()) return;
    const auto means = batch_means(numbers, options);
    if (!means) return;
    interval = as_difference(means->estimate);
    lag_1_correlation = means->lag_1_correlation;
  });
  push_interval(lua, interval);
  if (interval) set_number(lua, "lag_1_correlation", lag_1_correlation);
  return 1;
}

// --- bootstrap ---

static_assert(std::is_trivially_destructible_v<RandomEngine>, "it lies in Lua's heap");

// Anew in each call, so that what a call answers does not depend on those before it.
RandomEngine& push_stream(lua_State* lua) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &seed_of_tools);
  const auto seed = static_cast<std::uint64_t>(lua_tointeger(lua, -1));
  lua_pop(lua, 1);
  auto* engine = lua_newuserdatauv(lua, sizeof(RandomEngine), 0);
  return *new (engine) RandomEngine(random_stream(seed, "tool"));
}

// Pushes the option of the table at 3, or nil.
void push_option(lua_State* lua, const char* name) {
  if (lua_isnoneornil(lua, 3)) return lua_pushnil(lua);
  lua_pushstring(lua, name);
  lua_rawget(lua, 3);
}

// What the function at 2 answers for the column on top, which is popped.
double read_answer(lua_State* lua) {
  lua_pushvalue(lua, 2);
  lua_insert(lua, -2);
  lua_call(lua, 1, 1);
  const auto answer = exact_number(lua, -1);
  if (!answer) {
    luaL_error(lua, "bootstrap: the function answered %s, expected a number",
               push_inexact(lua, -1));
  }
  lua_pop(lua, 1);
  return *answer;
}

ColumnPtr resampled(std::span<const double> values, RandomEngine& engine,
                    Budget& budget) {
  boost::random::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  Numbers drawn(values.size());
  in_pieces(drawn.size(), 4 * sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t i = first; i < last; ++i) drawn[i] = values[any(engine)];
            });
  return Column::of_numbers(std::move(drawn));
}

int stats_bootstrap(lua_State* lua) {
  lua_settop(lua, 3);
  if (!lua_isfunction(lua, 2)) expected(lua, 2, "a function");
  if (!lua_isnil(lua, 3)) {
    constexpr std::array<std::string_view, 2> kKnown{"draws", "confidence"};
    if (!lua_istable(lua, 3)) expected(lua, 3, "a table of options");
    refuse_other_options(lua, 3, kKnown);
  }
  push_option(lua, "draws");
  push_option(lua, "confidence");
  const auto draws = lua_isnil(lua, 4)
                         ? std::size_t{1000}
                         : static_cast<std::size_t>(read_count(lua, 4, 1));
  const double tail = (1.0 - read_confidence(lua, 5)) / 2.0;
  const auto& all = push_values(lua, 1);
  push_new_column(lua, all.rows() * sizeof(double), [&](Budget& budget) {
    return Column::of_numbers(present(all, budget));
  });
  const auto values = the_box<ColumnPtr>(lua, -1).value->numbers();
  if (values.empty()) return lua_pushnil(lua), 1;
  lua_pushvalue(lua, -1);
  const double value = read_answer(lua);
  auto& engine = push_stream(lua);
  auto* answers = push_buffer<double>(lua, draws);
  for (std::size_t i = 0; i < draws; ++i) {
    push_new_column(lua, values.size_bytes(),
                    [&](Budget& budget) { return resampled(values, engine, budget); });
    answers[i] = read_answer(lua);
  }
  work_outside(lua, 0, [&](Budget& budget) {
    budget.charge_sort(draws);
    std::sort(answers, answers + draws);
  });
  lua_createtable(lua, 0, 4);
  set_number(lua, "value", value);
  set_number(lua, "low", *quantile({answers, draws}, tail));
  set_number(lua, "high", *quantile({answers, draws}, 1.0 - tail));
  lua_pushinteger(lua, static_cast<lua_Integer>(values.size()));
  lua_setfield(lua, -2, "n");
  return 1;
}

// The primitive of columns with this name, over a list.
int over_values(lua_State* lua, std::string_view name) {
  (void)push_values(lua, 1);
  lua_replace(lua, 1);
  for (const auto& each : column_family().primitives) {
    if (each.name == name) return each.call(lua);
  }
  return 0;
}

int stats_mean(lua_State* lua) { return over_values(lua, "mean"); }
int stats_sum(lua_State* lua) { return over_values(lua, "sum"); }
int stats_quantile(lua_State* lua) { return over_values(lua, "quantile"); }

// The type of `stats`.
struct Statistics {};

constexpr std::array kStatsCalls{
    Primitive{"mean", "values: Column|number[]", "number?",
              "The mean; in a list false is none.", "stats.mean({1, 2, false}) == 1.5",
              stats_mean},
    Primitive{"sum", "values: Column|number[]", "number", "The sum, 0 of none.",
              "stats.sum({1, 2, 3}) == 6", stats_sum},
    Primitive{"quantile", "values: Column|number[], q: number", "number?",
              "The quantile q, linear between neighbours.",
              "stats.quantile({4, 1, 2, 3}, 0.5) == 2.5", stats_quantile},
    Primitive{"interval", "values: Column|number[], confidence?: number", "table?",
              "The mean and its interval by Student's t, as { mean, low, high, "
              "half_width, p, n } with 0.95 unless given; nil below two values.",
              "stats.interval({1, 2, 3}).mean == 2", stats_interval},
    Primitive{"paired", "a: Column|number[], b: Column|number[], confidence?: number",
              "table?",
              "The interval of the differences a - b, row by row where both are there.",
              "stats.paired({3, 5, 9}, {1, 2, 3}).n == 3", stats_paired},
    Primitive{"unpaired", "a: Column|number[], b: Column|number[], confidence?: number",
              "table?",
              "The interval of mean a - mean b of values that are not paired (Welch).",
              "stats.unpaired({3, 5}, {1, 2, 3}).mean == 2", stats_unpaired},
    Primitive{"holm", "p: Column|number[]", "Column",
              "The p values of several tests, corrected (Holm).",
              "stats.holm({0.01, 0.04})[1] == 0.02", stats_holm},
    Primitive{
        "bootstrap",
        "values: Column|number[], f: fun(values: Column): number, options?: table",
        "table?",
        "What f answers for the values, and the interval of its answers for "
        "options.draws (1000) samples of them drawn with replacement, as { value, "
        "low, high, n }, with options.confidence (0.95); nil of no values.",
        "stats.bootstrap({2, 2}, function(c) return c:mean() end).high == 2",
        stats_bootstrap},
    Primitive{"batches", "values: Column|number[], n?: integer, confidence?: number",
              "table?",
              "The interval over the means of n (20) batches in the order of the rows, "
              "a first one left out, with their lag_1_correlation.",
              "stats.batches({9, 1, 3, 2, 4}, 4).mean == 2.5", stats_batches},
    Primitive{"ranks", "values: Column|number[]", "Column",
              "Ranks from 1; equal values have the mean of theirs.",
              "stats.ranks({30, 10, 30})[1] == 2.5", stats_ranks},
    Primitive{"correlation", "a: Column|number[], b: Column|number[]", "number?",
              "Pearson's correlation where both are there; of ranks it is Spearman's.",
              "stats.correlation({1, 2, 3}, {2, 4, 6}) == 1", stats_correlation},
};

}  // namespace

const Family& stats_family() {
  static constexpr Family kFamily{
      "Stats", "stats", "Statistics over columns and lists of numbers.", kStatsCalls};
  return kFamily;
}

void install_stats(lua_State* lua, std::uint64_t seed) {
  lua_pushinteger(lua, static_cast<lua_Integer>(seed));
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &seed_of_tools);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  make_type(lua, {&Box<Statistics>::type, nullptr, "table of statistics"}, {},
            &stats_family());
  push_box<Statistics>(lua);
  lua_setfield(lua, -2, "stats");
  lua_pop(lua, 1);
}

}  // namespace berth::bindings
