#include "bindings/tools/job_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "bindings/tools/calls.hpp"
#include "bindings/tools/condition.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kMostClasses = 1000;

// Those of the older form.
constexpr std::array<std::string_view, 9> kPlainFields{
    "size",  "walltime", "length",     "area",     "user",
    "group", "queue",    "executable", "partition"};

// And what they are in Lua; longer ones first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kComparators{
    {{"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "~="}, {"<", "<"}, {">", ">"}}};

bool is_class_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}
bool is_class_part(char c) { return is_class_letter(c) || ('0' <= c && c <= '9'); }

bool is_class_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && is_class_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_class_part);
}

// Whether the word `job` is in it, and not as a part of another.
bool is_expression(std::string_view text) {
  constexpr std::string_view kJob = "job";
  for (auto at = text.find(kJob); at != std::string_view::npos;
       at = text.find(kJob, at + 1)) {
    const auto behind = at + kJob.size();
    const bool begins = at == 0 || !is_class_part(text[at - 1]);
    if (begins && (behind == text.size() || !is_class_part(text[behind]))) return true;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> number_from(std::string_view text, std::string_view field) {
  if (field == "walltime" || field == "length") {
    if (const auto seconds = seconds_from_text(text)) return seconds;
  }
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = real_from_chars(text.data(), end, value);
  if (code != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "walltime <= 1h" as "job.walltime <= 3600".
std::string rewritten_term(std::string_view term, std::string& wrong) {
  const auto* by = std::find_if(
      kComparators.begin(), kComparators.end(),
      [&](const auto& it) { return term.find(it.first) != std::string_view::npos; });
  if (by == kComparators.end()) {
    wrong =
        fmt::format("'{}' is no condition such as \"walltime <= 1h\"", printable(term));
    return {};
  }
  const auto at = term.find(by->first);
  const auto field = trimmed(term.substr(0, at));
  if (std::find(kPlainFields.begin(), kPlainFields.end(), field) ==
      kPlainFields.end()) {
    wrong =
        fmt::format("'{}' is no field of a job{}: {}", printable(field),
                    did_you_mean(field, kPlainFields), fmt::join(kPlainFields, ", "));
    return {};
  }
  const auto text = trimmed(term.substr(at + by->first.size()));
  const auto value = number_from(text, field);
  if (!value) wrong = fmt::format("'{}' is no number", printable(text));
  return fmt::format("job.{} {} {}", field, by->second, value.value_or(0));
}

// The expression with its durations, such as "1h", in seconds; texts stay.
std::string with_seconds(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    auto end = at + 1;
    if (c == '\'' || c == '"') {
      end = std::min(text.find(c, end), text.size() - 1) + 1;
    } else if (is_class_part(c)) {
      while (end < text.size() && (is_class_part(text[end]) || text[end] == '.')) ++end;
    }
    const auto word = text.substr(at, end - at);
    const bool may_be = '0' <= c && c <= '9' && is_class_letter(word.back()) &&
                        !word.starts_with("0x") && !word.starts_with("0X");
    const auto seconds = may_be ? seconds_from_text(word) : std::nullopt;
    made += seconds ? fmt::format("{}", *seconds) : std::string(word);
    at = end;
  }
  return made;
}

// The condition as an expression of Lua; `wrong` stays empty if nothing is.
std::string expression_of(std::string_view condition, std::string& wrong) {
  if (is_expression(condition)) return with_seconds(condition);
  constexpr std::string_view kAnd = " and ";
  std::string made;
  for (auto left = condition; wrong.empty();) {
    const auto end = left.find(kAnd);
    made += rewritten_term(trimmed(left.substr(0, end)), wrong);
    if (end == std::string_view::npos) break;
    made += kAnd;
    left.remove_prefix(end + kAnd.size());
  }
  return made;
}

// A condition over the jobs of a workload, job by job in Lua.
class RowsInLua {
 public:
  RowsInLua(const std::string& text, const SubmittedJobs& jobs)
      : text_(text), jobs_(jobs) {}

  // Numbers 1 for those for which it holds; the reason why it fails.  Throws at a
  // limit.
  std::string run(const std::string& name, const Limits& limits,
                  std::vector<std::uint16_t>& numbers) {
    numbers_ = &numbers;
    Host host;
    host.where = [&name] { return fmt::format("class {}", name); };
    Sandbox sandbox(limits, 0, std::move(host));
    sandbox.enter(enter, this, {"class", 0});
    return wrong_;
  }

 private:
  static int enter(lua_State* lua) {
    install_frames(lua, 0);
    auto& rows = *static_cast<RowsInLua*>(lua_touserdata(lua, 1));
    do {
      lua_settop(lua, 1);
      rows.pass_piece(lua);
    } while (rows.wrong_.empty() && rows.first_ < rows.jobs_.rows());
    return 0;
  }

  void pass_piece(lua_State* lua) {
    Guard::host_work(lua, [&] {
      piece_ = std::make_shared<const SubmittedJobs>(jobs_.piece(first_, kPiece));
    });
    lua_pushcfunction(lua, condition_answers);
    push_frame(lua, piece_);
    lua_pushlstring(lua, text_.data(), text_.size());
    const int status = lua_pcall(lua, 2, 1, 0);
    if (status == LUA_ERRMEM) Guard::of(lua).note_memory_error();
    if (Guard::of(lua).tripped() != Trip::kNone) Guard::of(lua).raise(lua);
    Guard::host_work(lua, [&] {
      if (status != LUA_OK) {
        wrong_ = condition_error(lua);
        return;
      }
      const auto mask = column_at(lua, -1)->mask();
      std::copy(mask.begin(), mask.end(), numbers_->data() + first_);
      first_ += mask.size();
    });
  }

  const std::string& text_;
  const SubmittedJobs& jobs_;
  std::shared_ptr<const FrameSource> piece_;  // kept here since Lua may raise
  std::size_t first_ = 0;
  std::vector<std::uint16_t>* numbers_ = nullptr;
  std::string wrong_;
};

// False: it has to run row by row.  A piece stays in the processor's cache.
bool number_by_masks(const Condition& condition, const SubmittedJobs& jobs,
                     std::vector<std::uint16_t>& numbers, Budget& budget) {
  if (!condition.has_masks()) return false;
  for (std::size_t first = 0; first < jobs.rows(); first += kPiece) {
    const auto piece = jobs.piece(first, kPiece);
    budget.charge_each(piece.rows());
    std::vector<ColumnPtr> owned;
    std::vector<const Column*> columns;
    for (const auto& field : condition.fields()) {
      owned.push_back(piece.make(field));
      columns.push_back(owned.back().get());
    }
    const auto mask = condition.mask(columns, budget);
    if (mask == nullptr) return false;
    std::copy(mask->mask().begin(), mask->mask().end(), numbers.data() + first);
  }
  return true;
}

JobClass named_class(const JobClasses::Named& one, const SubmittedJobs& jobs,
                     const Limits& limits, Budget& budget) {
  std::string wrong;
  const auto text = expression_of(one.condition, wrong);
  BERTH_ASSERT(wrong.empty());
  std::vector<std::uint16_t> numbers(jobs.rows());
  const auto condition = Condition::parse(text, jobs.names());
  if (!number_by_masks(condition, jobs, numbers, budget)) {
    wrong = RowsInLua(text, jobs).run(one.name, limits, numbers);
  }
  if (!wrong.empty()) {
    throw Error(ErrorCode::kPolicy, fmt::format("class {}: {}", one.name, wrong));
  }
  return {one.name, std::make_shared<const decltype(numbers)>(std::move(numbers)), 1};
}

// Those that occur.  Throws Error{kInput} for more than `most`.
std::set<std::int64_t> values_of(std::span<const std::int64_t> of_jobs,
                                 std::string_view field, std::size_t most,
                                 Budget& budget) {
  std::set<std::int64_t> values;
  for (const auto value : of_jobs) {
    budget.charge();
    if (value != kUnknown) values.insert(value);
    if (values.size() <= most) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("classes.by: more than {} classes by {}; name the ones "
                            "that matter",
                            kMostClasses, field));
  }
  return values;
}

void add_split(const std::string& field, const SubmittedJobs& jobs,
               std::vector<JobClass>& all, Budget& budget) {
  const auto column = jobs.make(field);
  const auto of_jobs = column->whole();
  const auto most = kMostClasses - std::min(all.size(), kMostClasses);
  const auto set = values_of(of_jobs, field, most, budget);
  const std::vector<std::int64_t> values(set.begin(), set.end());
  auto numbers = std::make_shared<std::vector<std::uint16_t>>(of_jobs.size());
  std::transform(of_jobs.begin(), of_jobs.end(), numbers->begin(), [&](auto value) {
    if (value == kUnknown) return std::uint16_t{0};
    const auto at = std::lower_bound(values.begin(), values.end(), value);
    return static_cast<std::uint16_t>(at - values.begin() + 1);
  });
  std::uint16_t own = 0;
  for (const auto value : values) {
    all.emplace_back(fmt::format("{}={}", field, value), numbers, ++own);
  }
}

}  // namespace

std::string wrong_with(const JobClasses::Named& one) {
  if (!is_class_name(one.name)) {
    return fmt::format("'{}' is no name of a class: letters, digits and _",
                       printable(one.name));
  }
  std::string wrong;
  const auto text = expression_of(one.condition, wrong);
  if (!wrong.empty() || !is_expression(one.condition)) return wrong;
  std::vector<std::uint16_t> none;
  return RowsInLua(text, SubmittedJobs({}, {})).run(one.name, {}, none);
}

std::vector<JobClass> classes_of(const JobClasses& said, const SubmittedJobs& jobs,
                                 const Limits& limits, Budget& budget) {
  std::vector<JobClass> all;
  for (const auto& one : said.named()) {
    all.push_back(named_class(one, jobs, limits, budget));
  }
  for (const auto& field : said.fields()) add_split(field, jobs, all, budget);
  return all;
}

}  // namespace berth::bindings
