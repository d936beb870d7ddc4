#include "bindings/key_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/spelling.hpp"

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

  KeyFormulaParser(std::string_view text, const std::map<std::string, double>& numbers)
      : text_(text), numbers_(numbers) {}

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
  struct MathFunction {
    std::string_view name;
    std::optional<Act> of_one;
    std::optional<Act> of_two;
  };
  static constexpr std::array<std::string_view, 6> kFacts{
      "size", "walltime", "submit", "waited", "factor", "machine"};  // by KeyFact
  static constexpr std::array kFunctions{
      MathFunction{"abs", Act::kAbs, std::nullopt},
      MathFunction{"exp", Act::kExp, std::nullopt},
      MathFunction{"log", Act::kLog, Act::kLogTo},
      MathFunction{"max", std::nullopt, Act::kMax},
      MathFunction{"min", std::nullopt, Act::kMin},
      MathFunction{"sqrt", Act::kSqrt, std::nullopt}};

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
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
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

  void add(KeyFormula::FormulaStep step) {
    if (step.act <= Act::kFact) {
      if (++height_ > KeyFormula::kDeepest) refuse_depth();
    } else if (step.act >= Act::kAdd) {
      --height_;
    }
    made_.steps_.push_back(step);
  }
  void add_act(Act act) { add({act, {}, 0}); }
  [[noreturn]] void refuse_depth() const {
    refuse(fmt::format("more than {} values wait for an operator; shorten the formula",
                       KeyFormula::kDeepest));
  }

  void sum() {
    product();
    for (char next = peek(); next == '+' || next == '-'; next = peek()) {
      ++at_;
      product();
      add_act(next == '+' ? Act::kAdd : Act::kSubtract);
    }
  }
  void product() {
    negation();
    for (char next = peek(); next == '*' || next == '/'; next = peek()) {
      ++at_;
      negation();
      add_act(next == '*' ? Act::kMultiply : Act::kDivide);
    }
  }
  void negation() {
    if (++nested_ > kMostNested) refuse("parentheses or signs are nested too deep");
    if (take('-')) {
      negation();
      add_act(Act::kNegate);
    } else {
      power();
    }
    --nested_;
  }
  void power() {
    operand();
    if (!take('^')) return;
    negation();  // of an exponent: 2 ^ -1
    add_act(Act::kPower);
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
    add({Act::kNumber, {}, value});
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
    const auto* const fact = std::find(kFacts.begin(), kFacts.end(), name);
    if (fact != kFacts.end()) {
      return add({Act::kFact, static_cast<KeyFact>(fact - kFacts.begin())});
    }
    for (const auto& function : kFunctions) {
      if (function.name == name) return call(function);
    }
    std::vector<std::string_view> known(kFacts.begin(), kFacts.end());
    known.emplace_back("params");
    for (const auto& function : kFunctions) known.push_back(function.name);
    at_ = first;
    refuse(
        fmt::format("there is no '{}'{}", printable(name), did_you_mean(name, known)));
  }
  void parameter() {
    need('.');
    const auto first = at_;
    const auto name = word();
    const auto found = numbers_.find(std::string(name));
    if (found != numbers_.end()) return add({Act::kNumber, {}, found->second});
    std::vector<std::string_view> known;
    for (const auto& [each, its] : numbers_) known.push_back(each);
    at_ = first;
    refuse(fmt::format("no parameter '{}' is a number{}", printable(name),
                       did_you_mean(name, known)));
  }
  void call(const MathFunction& function) {
    need('(');
    sum();
    if (function.of_one && take(')')) return add_act(*function.of_one);
    if (!function.of_two) refuse_here("')'");
    need(',');
    sum();
    need(')');
    add_act(*function.of_two);
  }

  static constexpr int kMostNested = 100;

  std::string_view text_;
  const std::map<std::string, double>& numbers_;
  std::size_t at_ = 0;
  std::size_t height_ = 0;  // of the stack
  int nested_ = 0;
  KeyFormula made_;
};

KeyFormula KeyFormula::parse(std::string_view text,
                             const std::map<std::string, double>& numbers) {
  return KeyFormulaParser(text, numbers).run();
}

bool KeyFormula::reads(KeyFact fact) const {
  return std::any_of(steps_.begin(), steps_.end(), [fact](const FormulaStep& step) {
    return step.act == Act::kFact && step.fact == fact;
  });
}

void KeyFormula::values(const Reader& read, std::span<double> out,
                        Budget& budget) const {
  Stack stack;
  for (std::size_t first = 0; first < out.size(); first += kAtOnce) {
    const auto some = out.subspan(first, std::min(kAtOnce, out.size() - first));
    budget.charge_each(some.size() * steps_.size());
    run(read, first, some.size(), stack);
    std::copy_n(stack[0].begin(), some.size(), some.begin());
  }
}

// Leaves the values of so many jobs in the first lane.
void KeyFormula::run(const Reader& read, std::size_t first, std::size_t count,
                     Stack& stack) const {
  std::size_t height = 0;
  for (const auto& step : steps_) {
    if (step.act >= Act::kAdd) --height;
    const auto at = step.act <= Act::kFact ? height++ : height - 1;
    const auto lane = std::span(stack[at]).first(count);
    if (step.act == Act::kFact) {
      read(step.fact, first, lane);
    } else {
      apply(step, lane, stack[height]);
    }
  }
}

// REQUIRES: no fact.  The right value is in the lane above.
void KeyFormula::apply(const FormulaStep& step, std::span<double> lane,
                       const Lane& above) {
  if (step.act == Act::kNumber) {
    std::fill(lane.begin(), lane.end(), step.number);
  } else if (step.act < Act::kAdd) {
    apply_to_one(step.act, lane);
  } else {
    apply_to_two(step.act, lane, above);
  }
}

void KeyFormula::apply_to_one(Act act, std::span<double> lane) {
  const auto apply = [&](const auto& of) {
    std::transform(lane.begin(), lane.end(), lane.begin(), of);
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
void KeyFormula::apply_to_two(Act act, std::span<double> left, const Lane& right) {
  const auto apply = [&](const auto& of) {
    std::transform(left.begin(), left.end(), right.begin(), left.begin(), of);
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
