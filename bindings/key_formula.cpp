#include "bindings/key_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "bindings/kinds.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/spelling.hpp"
#include "engine/share/shares.hpp"
#include "engine/sim/world.hpp"

namespace berth::bindings {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

// A recursive descent: each function takes what it is named for off the text.
class KeyFormulaParser {
 public:
  using Act = KeyFormula::Act;
  using Values = std::map<std::string, ParameterValue>;

  KeyFormulaParser(std::string_view text, const Values& parameters)
      : text_(text), parameters_(parameters) {}

  KeyFormula run() {
    if (text_.size() > KeyFormula::kLongest) {
      refuse(fmt::format("the formula has {} bytes, at most {} are allowed",
                         text_.size(), KeyFormula::kLongest));
    }
    sum();
    if (peek() != '\0') refuse_here("an operator or the end");
    return std::move(made_);
  }

 private:
  struct Function {
    std::string_view name;
    std::optional<Act> of_one;
    std::optional<Act> of_two;
  };
  static constexpr std::array kFacts{
      std::pair{std::string_view("size"), Act::kSize},
      std::pair{std::string_view("walltime"), Act::kWalltime},
      std::pair{std::string_view("submit"), Act::kSubmit},
      std::pair{std::string_view("waited"), Act::kWaited},
      std::pair{std::string_view("factor"), Act::kFactor},
      std::pair{std::string_view("machine"), Act::kMachine}};
  static constexpr std::array kFunctions{Function{"abs", Act::kAbs, std::nullopt},
                                         Function{"exp", Act::kExp, std::nullopt},
                                         Function{"log", Act::kLog, Act::kLogTo},
                                         Function{"max", std::nullopt, Act::kMax},
                                         Function{"min", std::nullopt, Act::kMin},
                                         Function{"sqrt", Act::kSqrt, std::nullopt}};

  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(ErrorCode::kPolicy, fmt::format("column {}: {}", at_ + 1, what));
  }
  [[noreturn]] void refuse_here(std::string_view expected) {
    const char found = peek();
    refuse(found == '\0' ? fmt::format("expected {}, but the formula ends", expected)
                         : fmt::format("expected {}, got '{}'", expected,
                                       printable(text_.substr(at_, 1))));
  }

  // The next byte that is no blank; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void need(char wanted) {
    if (!take(wanted)) refuse_here(fmt::format("'{}'", wanted));
  }

  void add(Act act, double number = 0) {
    if (act <= Act::kMachine) {
      if (++waiting_ > KeyFormula::kDeepest) refuse_depth();
    } else if (act >= Act::kAdd) {
      --waiting_;
    }
    made_.steps_.push_back({act, number});
  }
  [[noreturn]] void refuse_depth() const {
    refuse(fmt::format("more than {} values wait for an operator; shorten the formula",
                       KeyFormula::kDeepest));
  }

  void sum() {
    product();
    for (char next = peek(); next == '+' || next == '-'; next = peek()) {
      ++at_;
      product();
      add(next == '+' ? Act::kAdd : Act::kSubtract);
    }
  }
  void product() {
    negation();
    for (char next = peek(); next == '*' || next == '/'; next = peek()) {
      ++at_;
      negation();
      add(next == '*' ? Act::kMultiply : Act::kDivide);
    }
  }
  void negation() {
    if (++nested_ > kMostNested) refuse("parentheses or signs are nested too deep");
    if (take('-')) {
      negation();
      add(Act::kNegate);
    } else {
      power();
    }
    --nested_;
  }
  void power() {
    operand();
    if (!take('^')) return;
    negation();  // of an exponent: 2 ^ -1
    add(Act::kPower);
  }
  void operand() {
    const char next = peek();
    if (take('(')) {
      sum();
      need(')');
    } else if (is_digit(next) || next == '.') {
      number();
    } else if (is_letter(next)) {
      named();
    } else {
      refuse_here("a number, a name or '('");
    }
  }
  void number() {
    double value = 0;
    const auto* const end = text_.data() + text_.size();
    const auto [rest, error] = real_from_chars(text_.data() + at_, end, value);
    if (error != std::errc()) refuse("this is no finite number");
    at_ = static_cast<std::size_t>(rest - text_.data());
    if (at_ < text_.size() && is_letter(text_[at_])) refuse_here("an operator");
    add(Act::kNumber, value);
  }
  std::string_view word() {
    const auto first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(first, at_ - first);
  }
  void named() {
    const auto first = at_;
    const auto name = word();
    if (name == "params") return parameter();
    for (const auto& [fact, act] : kFacts) {
      if (fact == name) return add(act);
    }
    for (const auto& function : kFunctions) {
      if (function.name == name) return call(function);
    }
    std::vector<std::string_view> known{"params"};
    for (const auto& [fact, act] : kFacts) known.push_back(fact);
    for (const auto& function : kFunctions) known.push_back(function.name);
    at_ = first;
    refuse(
        fmt::format("there is no '{}'{}", printable(name), did_you_mean(name, known)));
  }
  void parameter() {
    need('.');
    const auto first = at_;
    const auto name = word();
    const auto found = parameters_.find(std::string(name));
    const auto* value =
        found == parameters_.end() ? nullptr : std::get_if<double>(&found->second);
    if (value != nullptr) return add(Act::kNumber, *value);
    std::vector<std::string_view> known;
    for (const auto& [each, its] : parameters_) known.push_back(each);
    at_ = first;
    refuse(found == parameters_.end()
               ? fmt::format("there is no parameter '{}'{}", printable(name),
                             did_you_mean(name, known))
               : fmt::format("the parameter '{}' is no number", printable(name)));
  }
  void call(const Function& function) {
    need('(');
    sum();
    if (function.of_one && take(')')) return add(*function.of_one);
    if (!function.of_two) refuse_here("')'");
    need(',');
    sum();
    need(')');
    add(*function.of_two);
  }

  static constexpr int kMostNested = 100;

  std::string_view text_;
  const Values& parameters_;
  std::size_t at_ = 0;
  std::size_t waiting_ = 0;  // values on the stack
  int nested_ = 0;
  KeyFormula made_;
};

KeyFormula KeyFormula::parse(std::string_view text,
                             const std::map<std::string, ParameterValue>& parameters) {
  return KeyFormulaParser(text, parameters).run();
}

bool KeyFormula::reads(Act fact) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [fact](const FormulaStep& step) { return step.act == fact; });
}

bool KeyFormula::ages() const { return reads(Act::kWaited) || reads_users(); }

bool KeyFormula::reads_users() const { return reads(Act::kFactor); }

void KeyFormula::values(const sim::World& world, std::span<const JobId> jobs,
                        std::span<double> out, Budget& budget) const {
  Stack stack;
  for (std::size_t first = 0; first < jobs.size(); first += kAtOnce) {
    const auto some = jobs.subspan(first, std::min(kAtOnce, jobs.size() - first));
    budget.charge_each(some.size() * steps_.size());
    std::size_t height = 0;
    for (const auto& step : steps_) height = take(step, world, some, stack, height);
    std::copy_n(stack[0].begin(), some.size(),
                out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

// How many rows are on the stack then.
std::size_t KeyFormula::take(const FormulaStep& step, const sim::World& world,
                             std::span<const JobId> jobs, Stack& stack,
                             std::size_t height) {
  if (step.act == Act::kNumber) {
    std::fill_n(stack[height].begin(), jobs.size(), step.number);
    return height + 1;
  }
  if (step.act <= Act::kMachine) {
    read(step.act, world, jobs, stack[height]);
    return height + 1;
  }
  if (step.act < Act::kAdd) {
    apply_to_one(step.act, stack[height - 1], jobs.size());
    return height;
  }
  apply_to_two(step.act, stack[height - 2], stack[height - 1], jobs.size());
  return height - 1;
}

void KeyFormula::read(Act fact, const sim::World& world, std::span<const JobId> jobs,
                      Row& row) {
  const auto fill = [&](const auto& of) {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      row[i] = of(world.jobs().job(jobs[i]));
  };
  const double now = to_seconds(world.now());
  switch (fact) {
    case Act::kSize: return fill([](const Job& job) { return job.size; });
    case Act::kWalltime:
      return fill([](const Job& job) { return to_seconds(job.walltime); });
    case Act::kSubmit:
      return fill([](const Job& job) { return to_seconds(job.submit); });
    case Act::kWaited:
      return fill([now](const Job& job) { return now - to_seconds(job.submit); });
    case Act::kFactor:
      return fill([&world, &shares = *world.shares()](const Job& job) {
        return shares.factor(shares.of(job), world.now());
      });
    default:
      std::fill_n(row.begin(), jobs.size(), static_cast<double>(capacity_of(world, 0)));
  }
}

void KeyFormula::apply_to_one(Act act, Row& row, std::size_t count) {
  const auto apply = [&](const auto& of) {
    std::transform(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(count),
                   row.begin(), of);
  };
  switch (act) {
    case Act::kNegate: return apply([](double value) { return -value; });
    case Act::kAbs: return apply([](double value) { return std::abs(value); });
    case Act::kExp: return apply([](double value) { return std::exp(value); });
    case Act::kLog: return apply([](double value) { return std::log(value); });
    default: return apply([](double value) { return std::sqrt(value); });
  }
}

// Powers and logarithms as Lua computes them.
void KeyFormula::apply_to_two(Act act, Row& left, const Row& right, std::size_t count) {
  const auto apply = [&](const auto& of) {
    std::transform(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count),
                   right.begin(), left.begin(), of);
  };
  switch (act) {
    case Act::kAdd: return apply([](double a, double b) { return a + b; });
    case Act::kSubtract: return apply([](double a, double b) { return a - b; });
    case Act::kMultiply: return apply([](double a, double b) { return a * b; });
    case Act::kDivide: return apply([](double a, double b) { return a / b; });
    case Act::kPower:
      return apply([](double a, double b) { return b == 2 ? a * a : std::pow(a, b); });
    case Act::kLogTo:
      return apply([](double a, double base) {
        return base == 2    ? std::log2(a)
               : base == 10 ? std::log10(a)
                            : std::log(a) / std::log(base);
      });
    case Act::kMax: return apply([](double a, double b) { return std::max(a, b); });
    default: return apply([](double a, double b) { return std::min(a, b); });
  }
}

}  // namespace berth::bindings
