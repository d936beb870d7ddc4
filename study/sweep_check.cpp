#include "study/sweep_check.hpp"

#include <fmt/format.h>

#include "engine/workload/printable.hpp"

namespace berth::study {

namespace {

class SweepCheck {
 public:
  SweepCheck(const TomlLines& lines, Problems& problems)
      : lines_(lines), problems_(problems) {}

  // Keys may be quoted ("workload.load" = ...) or nested (workload.load = ...).
  void check_keys(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const auto name = prefix + std::string(key.str());
      if (const auto* setting = find_setting(name)) {
        check_axis(*setting, node);
      } else if (const auto* inner = node.as_table(); inner && is_section(name)) {
        check_keys(*inner, name + ".");
      } else {
        complain_at(key.source().begin,
                    fmt::format("sweep: there is no key '{}' to vary{}",
                                printable(name), hint(name)));
      }
    }
  }

  [[nodiscard]] bool found_any() const { return found_; }

 private:
  void check_axis(const Setting& setting, const toml::node& node) {
    const auto key = setting.key();
    if (const auto* list = node.as_array()) {
      for (const auto& value : *list) check_value(setting, key, value);
      if (list->empty())
        complain(node, fmt::format("sweep.{}: the list is empty", key));
    } else if (const auto* range = node.as_table()) {
      check_range(setting, *range);
    } else {
      complain(node,
               fmt::format("sweep.{}: write a list, or {{ from = 1, to = 10 }}", key));
    }
  }

  void check_range(const Setting& setting, const toml::table& range) {
    for (const auto& [key, node] : range) {
      const auto name = fmt::format("{}.{}", setting.key(), key.str());
      if (key.str() == "from" || key.str() == "to" || key.str() == "step") {
        check_value(setting, name, node);
      } else {
        complain_at(key.source().begin,
                    fmt::format("sweep.{}: a range has from, to and step", name));
      }
    }
    if (!range.contains("from") || !range.contains("to")) {
      complain(range,
               fmt::format("sweep.{}: a range needs from and to", setting.key()));
    }
  }

  void check_value(const Setting& setting, const std::string& name,
                   const toml::node& node) {
    const auto value = value_of(node);
    const auto wrong = value ? wrong_with(setting, *value)
                             : fmt::format("{} cannot stand here", kind_of(node));
    if (!wrong.empty()) complain(node, fmt::format("sweep.{}: {}", name, wrong));
  }

  static bool is_section(std::string_view name) {
    return name == "machine" || name == "workload" || name == "run";
  }

  static std::string hint(std::string_view name) {
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) return suggestion("", name);
    return suggestion(name.substr(0, dot), name.substr(dot + 1));
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
  bool found_ = false;
};

}  // namespace

void check_sweep(const toml::table& sweep, const TomlLines& lines, Problems& problems) {
  SweepCheck check(lines, problems);
  check.check_keys(sweep, "");
  if (check.found_any()) return;
  problems.add(lines.place(sweep.source().begin),
               "sweep: sweeps come with a later version; run one point at a time, each "
               "with its own --set key=value");
}

}  // namespace berth::study
