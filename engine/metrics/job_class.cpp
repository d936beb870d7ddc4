#include "engine/metrics/job_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

namespace {

struct Field {
  std::string_view name;
  double (*value)(const Job& job);
  bool is_time = false;
  bool splits = false;
};

constexpr std::size_t kMostClasses = 1000;

constexpr std::array kFields{
    Field{"size", [](const Job& job) { return double(job.size); }, false, true},
    Field{"walltime", [](const Job& job) { return to_seconds(job.walltime); }, true},
    Field{"length", [](const Job& job) { return to_seconds(job.length); }, true},
    Field{"area", [](const Job& job) { return job.size * to_seconds(job.length); }},
    Field{"user", [](const Job& job) { return double(label_number(job.user)); }, false,
          true},
    Field{"group", [](const Job& job) { return double(label_number(job.group)); },
          false, true},
    Field{"queue", [](const Job& job) { return double(label_number(job.queue_class)); },
          false, true},
    Field{"executable",
          [](const Job& job) { return double(label_number(job.executable)); }},
    Field{"partition",
          [](const Job& job) { return double(label_number(job.partition)); }},
};

struct Comparator {
  std::string_view text;
  bool (*holds)(double field, double value);
};

// Longer ones first.
constexpr std::array kComparators{
    Comparator{"<=", [](double a, double b) { return a <= b; }},
    Comparator{">=", [](double a, double b) { return a >= b; }},
    Comparator{"==", [](double a, double b) { return a == b; }},
    Comparator{"!=", [](double a, double b) { return a != b; }},
    Comparator{"<", [](double a, double b) { return a < b; }},
    Comparator{">", [](double a, double b) { return a > b; }},
};

const Field* find_field(std::string_view name) {
  const auto* at = std::find_if(kFields.begin(), kFields.end(),
                                [&](const auto& field) { return field.name == name; });
  return at == kFields.end() ? nullptr : at;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> number_from(std::string_view text, bool is_time) {
  if (is_time) {
    if (const auto seconds = seconds_from_text(text)) return seconds;
  }
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
  };
  const auto is_part = [&](char c) { return is_letter(c) || ('0' <= c && c <= '9'); };
  return !name.empty() && name.size() <= 64 && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_part);
}

std::string no_field(std::string_view name) {
  std::vector<std::string_view> known;
  known.reserve(kFields.size());
  for (const auto& field : kFields) known.push_back(field.name);
  return fmt::format("'{}' is no field of a job{}: {}", printable(name),
                     did_you_mean(name, known), fmt::join(known, ", "));
}

bool equals(double a, double b) { return a == b; }

// Those that occur.  Throws Error{kInput} for more than `most`.
std::set<double> values_of(const Field& field, std::span<const Job> jobs,
                           std::size_t most) {
  std::set<double> values;
  for (const auto& job : jobs) {
    const double value = field.value(job);
    if (value != kUnknown) values.insert(value);
    if (values.size() <= most) continue;
    throw Error(
        ErrorCode::kInput,
        fmt::format("classes.by: more than {} classes by {}; name the ones that "
                    "matter",
                    kMostClasses, field.name));
  }
  return values;
}

}  // namespace

Result<JobClass, std::string> JobClass::parse(std::string_view name,
                                              std::string_view condition) {
  if (!is_name(name)) {
    return fmt::format("'{}' is no name of a class: letters, digits and _",
                       printable(name));
  }
  JobClass made;
  made.name_ = name;
  made.condition_ = condition;
  constexpr std::string_view kAnd = " and ";
  for (auto left = condition;;) {
    const auto end = left.find(kAnd);
    const auto term = trimmed(left.substr(0, end));
    const auto* by = std::find_if(
        kComparators.begin(), kComparators.end(),
        [&](const auto& it) { return term.find(it.text) != std::string_view::npos; });
    if (by == kComparators.end()) {
      return fmt::format("'{}' is no condition such as \"walltime <= 1h\"",
                         printable(term));
    }
    const auto at = term.find(by->text);
    const auto field_name = trimmed(term.substr(0, at));
    const auto* field = find_field(field_name);
    if (field == nullptr) return no_field(field_name);
    const auto text = trimmed(term.substr(at + by->text.size()));
    const auto value = number_from(text, field->is_time);
    if (!value) return fmt::format("'{}' is no number", printable(text));
    made.terms_.push_back({field->value, by->holds, *value});
    if (end == std::string_view::npos) return made;
    left.remove_prefix(end + kAnd.size());
  }
}

bool JobClass::has(const Job& job) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return term.holds(term.field(job), term.value);
  });
}

void JobClasses::add(JobClass one) {
  for (auto& known : named_) {
    if (known.name() != one.name()) continue;
    known = std::move(one);
    return;
  }
  named_.push_back(std::move(one));
}

bool JobClasses::split_by(std::string_view field) {
  const auto* known = find_field(field);
  if (known == nullptr || !known->splits) return false;
  fields_.emplace_back(field);
  return true;
}

bool JobClasses::knows(std::string_view name) const {
  const auto field = name.substr(0, name.find('='));
  if (field.size() < name.size()) {
    return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
  }
  return std::any_of(named_.begin(), named_.end(),
                     [&](const auto& one) { return one.name() == name; });
}

std::vector<JobClass> JobClasses::of(std::span<const Job> jobs) const {
  auto all = named_;
  for (const auto& name : fields_) {
    const auto& field = *find_field(name);
    for (const double value :
         values_of(field, jobs, kMostClasses - std::min(all.size(), kMostClasses))) {
      JobClass one;
      one.name_ = fmt::format("{}={:.0f}", name, value);
      one.terms_ = {{field.value, equals, value}};
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace berth
