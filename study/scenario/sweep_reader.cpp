#include "study/scenario/sweep_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "engine/base/printable.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/sweep_grid.hpp"

namespace berth::study {

namespace {

using berth::text_of;  // of values; that of this namespace is of points

constexpr std::string_view kPolicies = "policies";

// "policies.NAME.PARAMETER"
bool is_parameter(std::string_view name) {
  const auto last = name.rfind('.');
  return name.substr(0, kPolicies.size() + 1) == "policies." &&
         last > kPolicies.size() + 1 && last + 1 < name.size();
}

bool is_range(const toml::node& node) {
  const auto* table = node.as_table();
  return table != nullptr && (table->contains("from") || table->contains("to"));
}

struct SweepRange {
  SettingValue from;  // whole or real
  SettingValue to;
  SettingValue step;
};

using Values = Result<std::vector<std::string>, std::string>;

constexpr double kNear = 1e-9;  // of a step

bool is_whole(const SettingValue& value) {
  return std::holds_alternative<std::int64_t>(value);
}

double rounded(double value) {
  const auto text = fmt::format("{:.12g}", value);
  double result = value;
  (void)real_from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

std::string not_reached(const SweepRange& range) {
  return fmt::format(
      "{} is not reached from {} in steps of {}; a range includes both "
      "ends",
      text_of(range.to), text_of(range.from), text_of(range.step));
}

std::string too_many() { return fmt::format("more than {} values", kMostPoints); }

Values whole_values(const SweepRange& range) {
  const auto from = std::get<std::int64_t>(range.from);
  const auto to = std::get<std::int64_t>(range.to);
  const auto step = static_cast<std::uint64_t>(std::get<std::int64_t>(range.step));
  const auto span = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (span % step != 0) return not_reached(range);
  if (span / step >= kMostPoints) return too_many();
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i <= span / step; ++i) {
    values.push_back(fmt::format("{}", from + static_cast<std::int64_t>(i * step)));
  }
  return values;
}

Values real_values(const SweepRange& range) {
  const double from = real_of(range.from);
  const double step = real_of(range.step);
  const double steps = (real_of(range.to) - from) / step;
  const double whole_steps = std::round(steps);
  if (whole_steps >= static_cast<double>(kMostPoints)) return too_many();
  if (std::abs(steps - whole_steps) > kNear * std::max(1.0, steps)) {
    return not_reached(range);
  }
  std::vector<std::string> values;
  for (double i = 0; i <= whole_steps; i += 1) {
    values.push_back(text_of(SettingValue(rounded(from + i * step))));
  }
  return values;
}

// Both ends included, as text; else why there are none.  Whole numbers are exact; sums
// of decimal fractions are rounded to twelve digits, so that 0.5 and two steps of 0.1
// give 0.7.
Values values_of(const SweepRange& range) {
  if (!(real_of(range.step) > 0)) return std::string("the step must be above 0");
  if (real_of(range.from) > real_of(range.to)) {
    return fmt::format("the range is empty: {} is above {}", text_of(range.from),
                       text_of(range.to));
  }
  if (is_whole(range.from) && is_whole(range.to) && is_whole(range.step)) {
    return whole_values(range);
  }
  return real_values(range);
}

class SweepReader {
 public:
  SweepReader(const TomlLines& lines, Problems& problems)
      : lines_(lines), problems_(problems) {}

  SweepSection read(const toml::table& sweep) {
    read_keys(sweep, "");
    const auto earlier = [](const PlacedAxis& a, const PlacedAxis& b) {
      const bool a_is_seed = a.axis.key == "seed";
      const bool b_is_seed = b.axis.key == "seed";
      return a_is_seed != b_is_seed ? b_is_seed : a.place < b.place;
    };
    std::stable_sort(section_.axes.begin(), section_.axes.end(), earlier);
    check_size(sweep);
    check_windows();
    return std::move(section_);
  }

 private:
  // Keys may be quoted ("workload.load" = ...) or nested (workload.load = ...).
  void read_keys(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const auto name = prefix + std::string(key.str());
      if (name == "run.policies") {
        section_.policies = &node;
      } else if (name == "windows") {
        read_windows(node);
      } else if (const auto* setting = find_setting(name)) {
        read_axis(key, {name, setting}, node);
      } else if (is_parameter(name) && (node.is_array() || is_range(node))) {
        read_axis(key, {name, nullptr}, node);
      } else if (const auto* inner = node.as_table(); inner && is_table(name)) {
        read_keys(*inner, name + ".");
      } else {
        complain_at(key.source().begin,
                    fmt::format("sweep: there is no key '{}' to vary{}",
                                printable(name), key_suggestion(name)));
      }
    }
  }

  // { length = "30d", step = "15d" }
  void read_windows(const toml::node& node) {
    section_.windows.emplace();
    section_.windows_at = lines_.place(node.source().begin);
    const auto* table = node.as_table();
    if (table == nullptr || !table->contains("length")) {
      return complain(node,
                      "sweep.windows: write { length = \"30d\", step = \"15d\" }");
    }
    const SettingShape shape{"windows", "length", SettingKind::kSeconds,
                             {1, 1e11}, {},       {}};
    for (const auto& [key, inner] : *table) {
      if (key.str() != "length" && key.str() != "step") {
        complain_at(key.source().begin, "sweep.windows: it has length and step");
        continue;
      }
      const auto value = value_of(inner);
      const auto wrong = value ? wrong_with(shape, *value) : no_value(inner, &shape);
      if (!wrong.empty()) {
        complain(inner, fmt::format("sweep.windows.{}: {}", key.str(), wrong));
        continue;
      }
      auto& to =
          key.str() == "length" ? section_.windows->length : section_.windows->step;
      to = ticks_from_seconds(real_of(*value)).value();
    }
    if (section_.windows->step == 0) section_.windows->step = section_.windows->length;
  }

  // A key of the table, or a policy's parameter (no setting).
  struct Name {
    std::string key;
    const Setting* setting;
  };

  void read_axis(const toml::key& key, const Name& name, const toml::node& node) {
    const auto place = lines_.place(key.source().begin);
    const auto same = [&](const auto& other) { return other.axis.key == name.key; };
    if (std::any_of(section_.axes.begin(), section_.axes.end(), same)) {
      return problems_.add(place,
                           fmt::format("sweep.{}: this key is given twice", name.key));
    }
    auto values = values_in(name, node);
    if (!values.empty())
      section_.axes.push_back({{name.key, std::move(values)}, place});
  }

  // None, if something is wrong with them.
  std::vector<std::string> values_in(const Name& name, const toml::node& node) {
    if (const auto* list = node.as_array()) return listed(name, *list);
    if (const auto* range = node.as_table()) return ranged(name, *range);
    complain(node, fmt::format("sweep.{}: write a list, or {{ from = 1, to = 10 }}",
                               name.key));
    return {};
  }

  std::vector<std::string> listed(const Name& name, const toml::array& list) {
    std::vector<std::string> values;
    std::set<std::string> seen;
    for (const auto& node : list) {
      const auto value = checked(name, name.key, node);
      if (!value) continue;
      values.push_back(text_of(*value));
      if (seen.insert(values.back()).second) continue;
      complain(node, fmt::format("sweep.{}: {} stands there twice: two points would be "
                                 "the same",
                                 name.key, printable(values.back())));
    }
    if (list.empty())
      complain(list, fmt::format("sweep.{}: the list is empty", name.key));
    return values;
  }

  std::vector<std::string> ranged(const Name& name, const toml::table& table) {
    SweepRange range{{}, {}, std::int64_t{1}};
    std::size_t ends = 0;
    for (const auto& [key, node] : table) {
      const auto full = fmt::format("{}.{}", name.key, key.str());
      if (key.str() == "step") {
        if (const auto step = step_of(name, full, node)) range.step = *step;
      } else if (key.str() == "from" || key.str() == "to") {
        const auto end = end_of(name, full, node);
        if (end) (key.str() == "from" ? range.from : range.to) = *end;
        ends += end ? 1 : 0;
      } else {
        complain_at(key.source().begin,
                    fmt::format("sweep.{}: a range has from, to and step", full));
      }
    }
    if (!table.contains("from") || !table.contains("to")) {
      complain(table, fmt::format("sweep.{}: a range needs from and to", name.key));
    }
    if (ends < 2 || found_) return {};
    auto values = values_of(range);
    if (values) return std::move(values.value());
    complain(table, fmt::format("sweep.{}: {}", name.key, values.reason()));
    return {};
  }

  std::optional<SettingValue> end_of(const Name& name, const std::string& full,
                                     const toml::node& node) {
    auto value = checked(name, full, node);
    if (!value || node.is_number()) return value;
    complain(node, fmt::format("sweep.{}: {} is not a number; write a list", full,
                               kind_of(node)));
    return std::nullopt;
  }

  std::optional<SettingValue> step_of(const Name& name, const std::string& full,
                                      const toml::node& node) {
    const bool fits =
        name.setting != nullptr && name.setting->kind == SettingKind::kWhole
            ? node.is_integer()
            : node.is_number();
    if (fits) return value_of(node);
    complain(node, fmt::format("sweep.{}: {} cannot be the step", full, kind_of(node)));
    return std::nullopt;
  }

  std::optional<SettingValue> checked(const Name& name, const std::string& full,
                                      const toml::node& node) {
    auto value =
        name.setting != nullptr ? value_of(node, name.setting->kind) : value_of(node);
    std::string wrong;
    if (!value) {
      wrong = no_value(node, name.setting);
    } else if (name.setting != nullptr) {
      wrong = wrong_setting(name.key, *value);
    }
    if (wrong.empty()) return value;
    complain(node, fmt::format("sweep.{}: {}", full, wrong));
    return std::nullopt;
  }

  void check_size(const toml::table& sweep) {
    std::size_t points = 1;
    for (const auto& [axis, place] : section_.axes) {
      points *= axis.values.size();
      if (points > kMostPoints) {
        return complain(sweep, fmt::format("sweep: more than {} points", kMostPoints));
      }
    }
  }

  void check_windows() {
    if (!section_.windows) return;
    for (const auto& [axis, place] : section_.axes) {
      if (axis.key == "workload.from" || axis.key == "workload.to" ||
          axis.key == "workload.window") {
        problems_.add(place, fmt::format("sweep.{}: the windows set it", axis.key));
      } else if (axis.key == "seed") {
        problems_.add(place,
                      "sweep.seed: the windows are the replications; vary one of them");
      }
    }
  }

  static bool is_table(std::string_view name) {
    return is_section(name) || name == kPolicies ||
           name.substr(0, kPolicies.size() + 1) == "policies.";
  }

  void complain(const toml::node& node, std::string what) {
    complain_at(node.source().begin, std::move(what));
  }
  void complain_at(const toml::source_position& at, std::string what) {
    problems_.add(lines_.place(at), std::move(what));
    found_ = true;
  }

  const TomlLines& lines_;
  Problems& problems_;
  SweepSection section_;
  bool found_ = false;
};

}  // namespace

SweepSection read_sweep(const toml::table& sweep, const TomlLines& lines,
                        Problems& problems) {
  return SweepReader(lines, problems).read(sweep);
}

}  // namespace berth::study
