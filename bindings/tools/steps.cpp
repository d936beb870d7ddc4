#include "bindings/tools/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth::bindings {

namespace {

using StepsPtr = std::shared_ptr<const StepsSource>;

const StepsPtr& read_steps(lua_State* lua) {
  const auto* box = box_at<StepsPtr>(lua, 1);
  if (box == nullptr) expected(lua, 1, "a step function");
  return box->value;
}

struct Span {
  Time from = 0;
  Time to = kNever;
};

// For how long the i-th value holds within the span.
Duration held_for(const StepsSource& steps, std::size_t i, const Span& span) {
  const bool is_last = i + 1 == steps.times.size();
  const Time until = is_last ? steps.end : steps.times[i + 1];
  return std::max<Duration>(
      0, std::min(until, span.to) - std::max(steps.times[i], span.from));
}

// Values and durations add up exactly where all values are whole.
struct Integral {
  Int128 whole = 0;
  CompensatedSum number;
  Int128 ticks = 0;
  bool is_whole = true;

  void add(double value, Duration held) {
    constexpr double kExact = 0x1p53;
    ticks += held;
    number.add(value * static_cast<double>(held));
    is_whole = is_whole && value == std::floor(value) && std::abs(value) <= kExact;
    if (is_whole) whole += Int128{static_cast<std::int64_t>(value)} * held;
  }
  [[nodiscard]] std::optional<double> mean() const {
    if (ticks == 0) return std::nullopt;
    const double sum = is_whole ? static_cast<double>(whole) : number.value();
    return sum / static_cast<double>(ticks);
  }
};

// Calls work(i, duration) for the values that hold for some time.
template <class Work>
void each_step(const StepsSource& steps, const Span& span, Budget& budget,
               const Work& work) {
  in_pieces(steps.values.size(), 2 * sizeof(double), budget,
            [&](std::size_t first, std::size_t last) {
              for (std::size_t i = first; i < last; ++i) {
                const auto held = held_for(steps, i, span);
                if (held > 0) work(i, held);
              }
            });
}

// The least value at or below which the function is for a share q of the time.
std::optional<double> time_quantile(const StepsSource& steps, double q,
                                    Budget& budget) {
  std::vector<std::pair<double, Duration>> held;
  Int128 all = 0;
  each_step(steps, {}, budget, [&](std::size_t i, Duration ticks) {
    held.emplace_back(steps.values[i], ticks);
    all += ticks;
  });
  budget.charge_sort(held.size());
  std::sort(held.begin(), held.end());
  Int128 below = 0;
  for (const auto& [value, ticks] : held) {
    below += ticks;
    if (static_cast<double>(below) >= q * static_cast<double>(all)) return value;
  }
  return std::nullopt;
}

// Pushes what work(steps, budget) answers.
template <class Work>
int push_of_steps(lua_State* lua, const Work& work) {
  const auto& steps = *read_steps(lua);
  std::optional<double> answer;
  work_outside(lua, steps.values.size() * 2 * sizeof(double),
               [&](Budget& budget) { answer = work(steps, budget); });
  push_number_or_nil(lua, answer);
  return 1;
}

int steps_mean(lua_State* lua) {
  (void)read_steps(lua);
  Span span;
  if (!lua_isnoneornil(lua, 2)) span.from = read_seconds(lua, 2);
  if (!lua_isnoneornil(lua, 3)) span.to = read_seconds(lua, 3);
  return push_of_steps(lua, [&](const StepsSource& steps, Budget& budget) {
    Integral integral;
    each_step(steps, span, budget, [&](std::size_t i, Duration ticks) {
      integral.add(steps.values[i], ticks);
    });
    return integral.mean();
  });
}

int steps_max(lua_State* lua) {
  return push_of_steps(lua, [&](const StepsSource& steps, Budget& budget) {
    std::optional<double> most;
    each_step(steps, {}, budget, [&](std::size_t i, Duration) {
      const double value = steps.is_binned() ? steps.most[i] : steps.values[i];
      most = std::max(most.value_or(value), value);
    });
    return most;
  });
}

int steps_quantile(lua_State* lua) {
  (void)read_steps(lua);
  const double q = read_share(lua, 2);
  return push_of_steps(lua, [&](const StepsSource& steps, Budget& budget) {
    return time_quantile(steps, q, budget);
  });
}

int steps_share_above(lua_State* lua) {
  (void)read_steps(lua);
  const double limit = read_exact(lua, 2, "a number");
  return push_of_steps(lua, [&](const StepsSource& steps, Budget& budget) {
    Integral above;
    each_step(steps, {}, budget, [&](std::size_t i, Duration ticks) {
      above.add(steps.values[i] > limit ? 1 : 0, ticks);
    });
    return above.mean();
  });
}

int steps_at(lua_State* lua) {
  const auto& steps = *read_steps(lua);
  const auto at = read_seconds(lua, 2);
  if (steps.is_binned()) {
    return luaL_error(lua,
                      "at: these levels are means of bins; levels at an instant "
                      "need needs = { \"levels\" }");
  }
  const auto next = std::upper_bound(steps.times.begin(), steps.times.end(), at);
  if (next == steps.times.begin() || at >= steps.end) return lua_pushnil(lua), 1;
  lua_pushnumber(lua, steps.values[next - steps.times.begin() - 1]);
  return 1;
}

class StepsFrame final : public FrameSource {
 public:
  explicit StepsFrame(StepsPtr steps) : steps_(std::move(steps)) {
    if (steps_->is_binned()) names_.emplace_back("most");
  }
  [[nodiscard]] std::size_t rows() const override { return steps_->values.size(); }
  [[nodiscard]] std::string_view what() const override { return "steps"; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    if (name == "from") return Column::of_times(steps_->times);
    return Column::of_numbers(name == "value" ? steps_->values : steps_->most);
  }

 private:
  StepsPtr steps_;
  std::vector<std::string> names_{"from", "value"};
};

int steps_frame(lua_State* lua) {
  const auto& steps = read_steps(lua);
  auto& source = push_box<std::shared_ptr<const FrameSource>>(lua).value;
  work_outside(lua, sizeof(StepsFrame),
               [&](Budget&) { source = std::make_shared<const StepsFrame>(steps); });
  push_frame(lua, source);
  source.reset();
  return 1;
}

int steps_text(lua_State* lua) {
  const auto& steps = *the_box<StepsPtr>(lua, 1).value;
  lua_pushfstring(lua, "step function of %I values",
                  static_cast<LUAI_UACINT>(steps.values.size()));
  return 1;
}

constexpr std::array kStepsEvents{luaL_Reg{"__tostring", steps_text}};

constexpr std::array kStepsCalls{
    Primitive{"mean", "from?: seconds, to?: seconds", "number?",
              "The mean over time, of all or of a part; nil if no time has passed.",
              "levels:mean() == 2.5 and levels:mean(20, 40) == 3", steps_mean},
    Primitive{"max", "", "number?", "The highest value that lasts for some time.",
              "levels:max() == 4", steps_max},
    Primitive{"quantile", "q: number", "number?",
              "The least value at or below which the function is for a share q of the "
              "time; of bins by their means.",
              "levels:quantile(0.5) == 2", steps_quantile},
    Primitive{"share_above", "x: number", "number?",
              "The share of the time with values above x; of bins by their means.",
              "levels:share_above(2) == 0.5", steps_share_above},
    Primitive{"at", "t: seconds", "number?",
              "The value at an instant, nil outside; not of bins.",
              "levels:at(15) == 4", steps_at},
    Primitive{"steps", "", "Frame",
              "A frame with the columns from, value and, of bins, most.",
              "levels:steps().value:max() == 4", steps_frame},
};

}  // namespace

std::size_t StepsSource::bytes() const {
  return sizeof(StepsSource) +
         (times.size() + values.size() + most.size()) * sizeof(double);
}

const Family& steps_family() {
  static constexpr Family kFamily{
      "Steps", "levels", "A function of time that changes in steps, or means of bins.",
      kStepsCalls};
  return kFamily;
}

void install_steps(lua_State* lua) {
  make_type<StepsPtr>(lua, kStepsEvents, &steps_family(), "step function");
  make_type<std::shared_ptr<const FrameSource>>(lua, {}, nullptr, "source of a frame");
}

void push_steps(lua_State* lua, const std::shared_ptr<const StepsSource>& steps) {
  auto& box = push_box<StepsPtr>(lua);
  box.value = steps;
  hold_in_box(lua, box.held, steps->bytes());
}

}  // namespace berth::bindings
