#include "study/scenario/scenario_reader.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "bindings/tools/job_classes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/share/shares.hpp"
#include "study/common/file_source.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/named_settings.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/sweep_reader.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace {

// Of a scenario file.
std::vector<std::string_view> all_sections() {
  std::vector<std::string_view> all{"machine",      "workload", "shares",   "limits",
                                    "expectations", "run",      "policies", "classes",
                                    "metrics",      "sweep"};
  for (const auto* study : case_studies()) all.push_back(study->name);
  return all;
}

// Keys of which a file has one at most.
using Pair = std::pair<const char*, const char*>;
constexpr std::array kEither{
    Pair{"workload.trace", "workload.model"},
    Pair{"workload.model", "workload.mix"},
    Pair{"workload.load_scale", "workload.mix"},
    Pair{"workload.interarrival_factor", "workload.mix"},
    Pair{"workload.load", "workload.load_scale"},
    Pair{"workload.load", "workload.interarrival_factor"},
    Pair{"workload.load_scale", "workload.interarrival_factor"}};
// Keys that give others their values; those then stand where these do.
constexpr std::array kAlsoSets{Pair{"workload.window", "workload.from"},
                               Pair{"workload.window", "workload.to"},
                               Pair{"workload.mix", "workload.trace"}};

constexpr std::array<std::string_view, 4> kOfModels = {
    "workload.jobs", "workload.variant", "workload.umed", "workload.most_repeats"};

class ScenarioReader {
 public:
  ScenarioReader(const std::string& name, std::string_view text)
      : lines_(text), problems_(name) {
    scenario_.file = name;
  }

  Scenario read(const toml::table& root) {
    // Other sections may name them.
    if (const auto* metrics = root.get_as<toml::table>("metrics")) {
      read_metrics(*metrics);
    }
    for (const auto& [key, node] : root) read_top(key, node);
    check_together();
    problems_.throw_if_any();
    for (const auto& [key, place] : seen_)
      scenario_.places.emplace(key, start_of(place));
    return std::move(scenario_);
  }

 private:
  void read_top(const toml::key& key, const toml::node& node) {
    const auto name = key.str();
    const auto sections = all_sections();
    if (std::find(sections.begin(), sections.end(), name) == sections.end()) {
      return read_value("", key, node);
    }
    const auto* table = node.as_table();
    if (table == nullptr) {
      return complain(node, fmt::format("{0}: must be a section: [{0}]", name));
    }
    if (name == "sweep") return read_axes(*table);
    if (name == "classes") return read_classes(*table);
    if (name == "metrics") return;  // read first
    if (name != "policies") return read_section(std::string(name), *table);
    for (const auto& [inner, value] : *table) read_policy_parameters(inner, value);
  }

  // In the order of the file, in which hosts and kinds are numbered.
  void read_section(const std::string& section, const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> members;
    for (const auto& [key, node] : table) members.emplace_back(&key, &node);
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
      const auto& one = a.first->source().begin;
      const auto& other = b.first->source().begin;
      return std::pair(one.line, one.column) < std::pair(other.line, other.column);
    });
    for (const auto& [key, node] : members) {
      const auto inner = fmt::format("{}.{}", section, key->str());
      const auto* const inside = node->as_table();
      if (inside == nullptr || !is_section(inner)) {
        read_value(section, *key, *node);
        continue;
      }
      if (has_made_up_name(inner)) {
        seen_.emplace(inner, lines_.place(key->source().begin));
      }
      read_section(inner, *inside);
    }
  }

  void read_value(std::string_view section, const toml::key& key,
                  const toml::node& node) {
    const auto name = section.empty() ? std::string(key.str())
                                      : fmt::format("{}.{}", section, key.str());
    const auto* setting = find_setting(name);
    if (setting == nullptr || setting->section != section) {
      return unknown(section, key);
    }
    seen_.emplace(name, lines_.place(node.source().begin));
    if (setting->kind == SettingKind::kPolicies) return read_policies(node);
    const auto value = setting->kind == SettingKind::kNames
                           ? names_of(node)
                           : value_of(node, setting->kind);
    const auto wrong =
        value ? set_setting(scenario_, name, *value, start_of(place_of(name)))
              : no_value(node, setting);
    if (!wrong.empty()) complain(node, fmt::format("{}: {}", name, wrong));
  }

  void unknown(std::string_view section, const toml::key& key) {
    auto hint = suggestion(section, key.str());
    if (hint.empty() && section.empty()) hint = did_you_mean(key.str(), all_sections());
    if (is_numbered(section)) hint = ": the keys are numbers, as in the trace";
    const auto place = lines_.place(key.source().begin);
    const auto where =
        section.empty() ? std::string() : fmt::format(" in [{}]", section);
    problems_.add(place, fmt::format("{}: there is no such key{}{}",
                                     printable(key.str()), where, hint));
  }

  void read_policies(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) {
      return complain(node,
                      "run.policies: must be a list, such as [\"fcfs\", \"easy\"]");
    }
    constexpr std::size_t kMostPolicies = 1000;
    if (list->size() > kMostPolicies) {
      return complain(node, fmt::format("run.policies: {} policies, at most {} can run",
                                        list->size(), kMostPolicies));
    }
    for (const auto& entry : *list) read_policy(entry);
    if (list->empty()) complain(node, "run.policies: the list is empty; name a policy");
  }

  void read_policy(const toml::node& node) {
    if (const auto* table = node.as_table()) return read_policy_table(*table);
    const auto* text = node.as_string();
    if (text == nullptr) {
      return complain(node,
                      fmt::format("run.policies: {} is no policy; write a name or "
                                  "{{ name = \"sjf\", block = false }}",
                                  kind_of(node)));
    }
    auto choice = parse_policy_choice(text->get());
    if (!choice) return complain(node, "run.policies: " + choice.reason());
    keep(std::move(choice.value()), node);
  }

  void read_policy_table(const toml::table& table) {
    const auto* name = table.get_as<std::string>("name");
    if (name == nullptr || name->get().empty()) {
      return complain(table,
                      "run.policies: a policy needs a name: { name = \"easy\" }");
    }
    PolicyChoice choice;
    choice.name = name->get();
    for (const auto& [key, node] : table) {
      if (key.str() != "name") read_parameter(choice.parameters, key, node);
    }
    keep(std::move(choice), table);
  }

  void keep(PolicyChoice choice, const toml::node& node) {
    choice.place = start_of(lines_.place(node.source().begin));
    scenario_.policies.push_back(std::move(choice));
  }

  void read_policy_parameters(const toml::key& key, const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      return complain(node, fmt::format("policies.{}: must be a section: "
                                        "[policies.{}]",
                                        printable(key.str()), printable(key.str())));
    }
    const std::string policy(key.str());
    parameter_sections_[policy] = lines_.place(node.source().begin);
    auto& parameters = scenario_.policy_parameters[policy];
    for (const auto& [name, value] : *table) read_parameter(parameters, name, value);
  }

  void read_parameter(std::map<std::string, std::string>& parameters,
                      const toml::key& key, const toml::node& node) {
    const auto value = value_of(node);
    if (!value) {
      return complain(node, fmt::format("{}: {} cannot be a policy's parameter",
                                        printable(key.str()), kind_of(node)));
    }
    parameters[std::string(key.str())] = text_of(*value);
  }

  void read_classes(const toml::table& table) {
    auto& classes = scenario_.run.classes;
    for (const auto& [key, node] : table) {
      if (key.str() == "by") {
        read_splits(node);
        continue;
      }
      const auto* text = node.as_string();
      if (text == nullptr) {
        complain(node,
                 fmt::format("classes.{}: write a condition such as \"walltime <= "
                             "1h\"",
                             printable(key.str())));
        continue;
      }
      JobClasses::Named one{std::string(key.str()), text->get()};
      const auto wrong = bindings::wrong_with(one);
      if (wrong.empty()) {
        classes.add(std::move(one));
      } else {
        complain(node, fmt::format("classes.{}: {}", printable(key.str()), wrong));
      }
    }
  }

  void read_metrics(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (find_setting(fmt::format("metrics.{}", key.str())) != nullptr) {
        read_value("metrics", key, node);
        continue;
      }
      const auto* file = node.as_string();
      if (file == nullptr || !is_metric_file(file->get())) {
        complain(node, fmt::format("metrics.{}: write the file of a metric such as "
                                   "\"{}.lua\"",
                                   printable(key.str()), printable(key.str())));
        continue;
      }
      OwnMetric own{file->get(), start_of(lines_.place(node.source().begin))};
      own.record.name = key.str();
      scenario_.run.own_metrics.push_back(std::move(own));
    }
  }

  void read_splits(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) return complain(node, "classes.by: must be a list");
    for (const auto& entry : *list) {
      const auto* field = entry.as_string();
      if (field == nullptr || !scenario_.run.classes.split_by(field->get())) {
        complain(entry, "classes.by: names user, group, queue or size");
      }
    }
  }

  void read_axes(const toml::table& table) {
    const auto section = read_sweep(table, lines_, problems_);
    for (const auto& [axis, place] : section.axes) {
      scenario_.sweep.push_back(axis);
      axes_.emplace(axis.key, place);
    }
    swept_policies_ = section.policies;
    scenario_.windows = section.windows;
    if (!scenario_.windows) return;
    scenario_.windows->place = start_of(section.windows_at);
  }

  // What [sweep] says beside the other sections, in whichever order the file has them.
  void check_axes() {
    if (swept_policies_ != nullptr) {
      if (seen_.count("run.policies") != 0) {
        return complain(*swept_policies_,
                        "sweep.run.policies: run.policies is given, too; every policy "
                        "runs at every point, so keep one of the lists");
      }
      read_policies(*swept_policies_);
    }
    for (const auto& [key, place] : axes_) {
      seen_.emplace(key, place);
      if (key.substr(0, 9) == "policies.") {
        check_runs(key.substr(9, key.rfind('.') - 9), place);
      }
    }
  }

  // A study of cases has those, everything else a machine and jobs.
  void check_study() {
    for (const auto& [key, place] : seen_) {
      const auto section = std::string_view(key).substr(0, key.rfind('.'));
      if (scenario_.is_of_cases() && key != section && is_of_machine(section)) {
        problems_.add(place, fmt::format("{0}: a {1} study has neither machine nor "
                                         "jobs; say in [{1}] what it asks",
                                         key, scenario_.study));
      }
      if (find_case_study(section) != nullptr && section != scenario_.study) {
        problems_.add(place, fmt::format("{0}: belongs to a {1} study: write study "
                                         "= \"{1}\" at the top",
                                         key, section));
      }
    }
    for (const auto* study : case_studies()) {
      for (const auto key : study->of_drawn) {
        complain_about_both(fmt::format("{}.file", study->name),
                            fmt::format("{}.{}", study->name, key));
      }
    }
  }

  // The kinds of hosts that are in a file are not known yet.
  void check_billing() {
    if (!scenario_.hosts.file.empty()) return;
    const auto kinds = kinds_of(1, scenario_.machine.resources);
    for (const auto& weight : scenario_.shares.billing) {
      const bool is_there =
          std::any_of(kinds.begin(), kinds.end(),
                      [&](const auto& kind) { return kind.name == weight.first; });
      if (is_there) continue;
      const auto key = "shares.billing." + weight.first;
      problems_.add(place_of(key), key + ": the machine has no kind of this name");
    }
    if (!problems_.empty() || scenario_.shares.billing.empty()) return;
    auto all = kinds;
    all.front().capacity = scenario_.processors.value_or(all.front().capacity);
    const auto wrong = Shares::wrong_billing(scenario_.shares, all);
    const auto key = "shares.billing." + scenario_.shares.billing.begin()->first;
    if (!wrong.empty()) problems_.add(seen_[key], wrong);
  }

  // What the keys say together, once each is right on its own.
  void check_resources() {
    if (!problems_.empty()) return;
    auto [key, what] = wrong_resources(scenario_);
    if (what.empty()) return;
    auto at = seen_.find(key);
    if (at == seen_.end()) at = seen_.lower_bound("machine.");
    problems_.add(at == seen_.end() ? TextPosition{} : at->second,
                  fmt::format("{}: {}", key, what));
  }

  void check_together() {
    check_axes();
    check_study();
    check_resources();
    check_billing();
    for (const auto& [one, other] : kEither) complain_about_both(one, other);
    for (const auto& [key, other] : kAlsoSets) {
      complain_about_both(other, key);
      if (seen_.contains(key)) seen_.emplace(other, place_of(key));
    }
    for (const auto of_model : kOfModels) {
      const std::string key(of_model);
      if (seen_.count("workload.trace") != 0 && seen_.count(key) != 0) {
        problems_.add(
            place_of(key),
            fmt::format("{}: belongs to a model, not to a trace{}", key,
                        key == "workload.jobs" ? "; use workload.first" : ""));
      }
    }
    const auto& workload = scenario_.workload;
    const bool has_both =
        workload.from && workload.to && workload.from->is_date == workload.to->is_date;
    if (has_both && workload.from->at >= workload.to->at) {
      const bool is_window = seen_.contains("workload.window");
      problems_.add(place_of("workload.to"),
                    is_window
                        ? "workload.window: the second time is not after the first; "
                          "write from and to, such as \"0..2592000\""
                        : "workload.to: not after workload.from");
    }
    for (const auto& [name, place] : parameter_sections_) check_runs(name, place);
    for (const auto* key : {"run.metrics", "run.primary"}) {
      const auto& list = key == std::string_view("run.metrics")
                             ? scenario_.run.metrics_shown
                             : scenario_.run.primary;
      for (const auto name : metric_names(list)) {
        if (!is_metric_file(name)) continue;
        problems_.add(place_of(key),
                      fmt::format("{0}: name the file in [metrics], as in \"mine = "
                                  "\"{1}\"\", and say \"mine\" here",
                                  key, printable(name)));
      }
      const auto wrong = wrong_class(scenario_, list);
      if (!wrong.empty())
        problems_.add(place_of(key), fmt::format("{}: {}", key, wrong));
    }
  }

  void check_runs(const std::string& name, const TextPosition& place) {
    for (const auto& policy : scenario_.policies) {
      if (policy.stem() == name) return;
    }
    problems_.add(place, fmt::format("policies.{}: no policy of that name runs; add it "
                                     "to run.policies",
                                     printable(name)));
  }

  void complain_about_both(const std::string& one, const std::string& other) {
    if (seen_.count(one) == 0 || seen_.count(other) == 0) return;
    const auto later = std::max(place_of(one), place_of(other));
    problems_.add(later,
                  fmt::format("{} and {}: only one of them can count", one, other));
  }

  // Line 0 for a key that the file does not give.
  [[nodiscard]] TextPosition place_of(const std::string& key) const {
    const auto at = seen_.find(key);
    return at == seen_.end() ? TextPosition{} : at->second;
  }

  [[nodiscard]] std::string start_of(const TextPosition& place) const {
    return fmt::format("{}:{}:{}: ", printable_name(scenario_.file), place.line,
                       place.column);
  }

  void complain(const toml::node& node, std::string what) {
    problems_.add(lines_.place(node.source().begin), std::move(what));
  }

  TomlLines lines_;
  Problems problems_;
  Scenario scenario_;
  std::map<std::string, TextPosition> seen_;
  std::map<std::string, TextPosition> parameter_sections_;
  std::map<std::string, TextPosition> axes_;
  const toml::node* swept_policies_ = nullptr;
};

}  // namespace

bool belongs_to_a_model(std::string_view key) {
  return std::find(kOfModels.begin(), kOfModels.end(), key) != kOfModels.end();
}

Scenario read_scenario(const std::string& name, std::string_view text) {
  const auto root = parse_toml(name, text);
  return ScenarioReader(name, text).read(root);
}

Scenario load_scenario(const std::string& path) {
  if (path.size() < 5 || path.compare(path.size() - 5, 5, ".toml") != 0) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: scenarios are TOML: give a file that ends in .toml (a "
                            "trace goes behind --trace, a policy behind --policy)",
                            printable_name(path)));
  }
  const auto folder = std::filesystem::path(path).parent_path();
  return read_scenario_in(folder.string(), path, read_text(path));
}

Scenario read_scenario_in(const std::string& in, const std::string& name,
                          std::string_view text) {
  auto scenario = read_scenario(name, text);
  const std::filesystem::path folder(in);
  rename_inputs(scenario,
                [&](const std::string& file) { return (folder / file).string(); });
  for (auto& policy : scenario.policies) {
    if (policy.is_file()) policy.name = (folder / policy.name).string();
  }
  for (auto& own : scenario.run.own_metrics) own.file = (folder / own.file).string();
  return scenario;
}

}  // namespace berth::study
