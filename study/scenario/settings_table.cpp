#include "study/scenario/settings_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/setting_list.hpp"
#include "engine/base/spelling.hpp"
#include "engine/models/sharing_models.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::study {

namespace {

using List = SettingList<Scenario>;

constexpr double kMost = 1e11;  // seconds; see kMaxSeconds
constexpr Range kSomeSeconds{1e-6, kMost};
constexpr Range kAnySeconds{0, kMost};
constexpr Range kPositive{0, 1e6, true};

template <class Records>
std::vector<std::string> names_of(const Records& records) {
  std::vector<std::string> names;
  for (const auto& record : records) names.emplace_back(record.name);
  return names;
}

void add_top(List& to) {
  to.text("title", "what the scenario asks, in a few words", &Scenario::title);
  to.whole("seed", {0, 9007199254740992.0}, "start of every random stream of the run",
           &Scenario::seed);
}

void add_machine(List& to) {
  to.section("machine");
  to.whole("processors", {1, 10'000'000},
           "size of the machine; open: what the trace says", &Scenario::processors);
  to.choice(
      "sharing", names_of(sharing_models()), "how jobs may share a processor",
      [](auto& s) -> auto& { return s.machine.sharing; });
  to.choice("pick", {"lowest", "highest"},
            "which idle processors a job gets; open: as its sharing model likes",
            &Scenario::pick);
  to.flag(
      "preemption", "whether running jobs may be suspended",
      [](auto& s) -> auto& { return s.machine.preemption; });
  to.time("migration_cost", kAnySeconds,
          "seconds that a moved or resumed job stands still; open: as its sharing "
          "model likes",
          &Scenario::migration_cost);
  to.time(
      "min_planned", kSomeSeconds,
      "shortest time that is planned for a job, in seconds",
      [](auto& s) -> auto& { return s.machine.min_planned; });
  to.choice(
      "overrun", {"run_on", "kill"}, "what happens to a job that exceeds its walltime",
      [](auto& s) -> auto& { return s.machine.overrun; });
  to.time(
      "overrun_grace", kSomeSeconds,
      "a job that overruns is expected to end so many seconds after its planned end, "
      "then times overrun_growth, and so on",
      [](auto& s) -> auto& { return s.machine.overrun_grace; });
  to.whole(
      "overrun_growth", {1, 1'000'000},
      "factor between these steps; 1: every multiple of overrun_grace",
      [](auto& s) -> auto& { return s.machine.overrun_growth; });
  to.choice(
      "shadow_ties", {"inclusive", "literal"},
      "do all releases at the shadow time count for what is spare",
      [](auto& s) -> auto& { return s.machine.shadow_ties; });
}

// A setting of a sharing model, kept in the scenario's own copy of its settings.
Setting of_model(std::string_view model, const OwnSettings& own,
                 const SettingOf<std::any>& inner) {
  const SettingShape& shape = inner;
  return {shape,
          [model, defaults = own.defaults, set = inner.set](Scenario& scenario,
                                                            const SettingValue& value) {
            const auto [at, is_new] =
                scenario.model_settings.try_emplace(std::string(model), defaults);
            set(at->second, value);
          },
          [model, defaults = own.defaults, value = inner.value](const Scenario& of) {
            const auto at = of.model_settings.find(model);
            return value(at == of.model_settings.end() ? defaults : at->second);
          }};
}

void add_models(List& to) {
  for (const auto& model : sharing_models()) {
    if (model.settings == nullptr) continue;
    const auto own = model.settings();
    for (const auto& inner : own.records) to.add(of_model(model.name, own, inner));
  }
}

void add_source(List& to) {
  to.section("workload");
  // Of trace and model, the one set last counts.
  to.text(
        "trace", "an SWF file, plain or gzip; - reads stdin",
        [](auto& s) -> auto& { return s.workload.trace; })
      .set = [](Scenario& s, const SettingValue& v) {
    s.workload.trace = std::get<std::string>(v);
    s.workload.model.clear();
  };
  to.choice(
        "model", names_of(workload_models()), "a synthetic workload, not a trace",
        [](auto& s) -> auto& { return s.workload.model; })
      .set = [](Scenario& s, const SettingValue& v) {
    s.workload.model = std::get<std::string>(v);
    s.workload.trace.clear();
  };
  to.choice(
      "variant", {"whole", "typed", "batch", "interactive"},
      "which set of the model's numbers",
      [](auto& s) -> auto& { return s.workload.variant; });
  to.whole(
      "jobs", {1, 4'000'000'000.0},
      "how many jobs the model makes; open: as many as it likes",
      [](auto& s) -> auto& { return s.workload.jobs; });
  to.real(
      "umed", {0, 24},
      "log2 of the size between the model's two stages; open: from the "
      "size of the machine",
      [](auto& s) -> auto& { return s.workload.umed; });
  to.choice(
      "estimates", {"exact", "factor", "tsafrir"},
      "walltimes: as the lengths, times 1 to 5, or Tsafrir's model; "
      "open: those of the trace or of the model",
      [](auto& s) -> auto& { return s.workload.estimates; });
  to.time(
      "longest_estimate", {5701, kMost},
      "largest walltime of tsafrir, in seconds; open: 36000, or that of the "
      "model",
      [](auto& s) -> auto& { return s.workload.longest_estimate; });
  to.choice(
      "missing_walltime", {"length"},
      "what stands for a walltime the trace does not give",
      [](auto& s) -> auto& { return s.workload.missing_walltime; });
}

void add_transforms(List& to) {
  to.time(
      "from", kAnySeconds, "leave out jobs submitted before this time",
      [](auto& s) -> auto& { return s.workload.from; });
  to.time(
      "to", kAnySeconds, "leave out jobs submitted at this time or later",
      [](auto& s) -> auto& { return s.workload.to; });
  to.whole(
      "first", {1, 4'000'000'000.0}, "only the first so many jobs",
      [](auto& s) -> auto& { return s.workload.first; });
  to.whole(
      "repeat", {1, 100'000}, "the jobs end to end, so many times",
      [](auto& s) -> auto& { return s.workload.repeat; });
  // Of the two, the one set last counts.
  to.real(
        "load", kPositive, "stretch submit times to this offered load",
        [](auto& s) -> auto& { return s.workload.load; })
      .set = [](Scenario& s, const SettingValue& v) {
    s.workload.load = real_of(v);
    s.workload.load_factor.reset();
  };
  to.real(
        "load_factor", kPositive, "multiply the times between submits by this",
        [](auto& s) -> auto& { return s.workload.load_factor; })
      .set = [](Scenario& s, const SettingValue& v) {
    s.workload.load_factor = real_of(v);
    s.workload.load.reset();
  };
}

Setting policies() {
  const auto refuse = [](Scenario&, const SettingValue&) { BERTH_ASSERT(false); };
  const auto nothing = [](const Scenario&) { return std::optional<SettingValue>(); };
  return {{"run",
           "policies",
           SettingKind::kPolicies,
           {},
           {},
           "names of built-in policies, files, or { name = ..., key = value }"},
          refuse,
          nothing};
}

void add_run(List& to) {
  to.add(policies());
  to.section("run");
  to.choice(
      "pass", {"instant", "event"}, "one pass for an instant, or one for each event",
      [](auto& s) -> auto& { return s.run.pass; });
  to.choice(
      "ties", {"ends_first", "submits_first"}, "what comes first at one instant",
      [](auto& s) -> auto& { return s.run.ties; });
  to.time(
      "tau", kSomeSeconds,
      "shortest length that counts in the bounded slowdown, in seconds",
      [](auto& s) -> auto& { return s.run.metrics.bound.tau; });
  to.flag(
      "bsld_floor", "whether a bounded slowdown is at least 1",
      [](auto& s) -> auto& { return s.run.metrics.bound.floor; });
  to.choice(
      "measure", {"all", "steady"}, "all jobs, or none of warm-up and tail",
      [](auto& s) -> auto& { return s.run.measure; });
  to.choice(
      "weight", {"none", "area"}, "also give means weighted by size times length",
      [](auto& s) -> auto& { return s.run.metrics.weight; });
  to.real(
      "warmup_fraction", {0, 0.99},
      "share of the jobs that is warm-up under measure = steady",
      [](auto& s) -> auto& { return s.run.warmup_fraction; });
  to.whole(
      "batches", {2, 1000},
      "batches for intervals where a sweep has one run; open: no intervals there",
      [](auto& s) -> auto& { return s.run.batches; });
}

// Moves the records of each section together, sections by their first record.
void group_by_section(std::vector<Setting>& all) {
  std::vector<std::string_view> sections;
  const auto place = [&](const Setting& setting) {
    const auto at = std::find(sections.begin(), sections.end(), setting.section);
    return at - sections.begin();
  };
  for (const auto& setting : all) {
    if (std::cmp_equal(place(setting), sections.size())) {
      sections.push_back(setting.section);
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Setting& a, const Setting& b) {
    return place(a) < place(b);
  });
}

std::vector<Setting> make_settings() {
  List list;
  add_top(list);
  add_machine(list);
  add_models(list);
  add_source(list);
  add_transforms(list);
  add_run(list);
  auto all = list.take();
  group_by_section(all);
  return all;
}

}  // namespace

std::span<const Setting> settings() {
  static const auto kAll = make_settings();
  return kAll;
}

const Setting* find_setting(std::string_view key) {
  for (const auto& setting : settings()) {
    if (setting.key() == key) return &setting;
  }
  return nullptr;
}

bool is_section(std::string_view name) {
  const auto all = settings();
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& setting) { return setting.section == name; });
}

std::string suggestion(std::string_view section, std::string_view name) {
  std::vector<std::string_view> here;
  for (const auto& setting : settings()) {
    if (setting.section == section) here.push_back(setting.name);
  }
  if (auto near = did_you_mean(name, here); !near.empty()) return near;
  for (const auto& setting : settings()) {
    if (setting.name == name)
      return fmt::format(" (did you mean '{}'?)", setting.key());
  }
  return {};
}

std::optional<std::string> file_of(const Scenario& scenario, std::string_view key) {
  const auto* setting = find_setting(key);
  BERTH_ASSERT(setting != nullptr);
  const auto value = setting->value(scenario);
  if (!value || !names_file(*setting, *value)) return std::nullopt;
  return text_of(*value);
}

std::vector<std::string> named_files(const Scenario& scenario) {
  std::vector<std::string> files;
  for (const auto& setting : settings()) {
    const auto value = setting.value(scenario);
    if (value && names_file(setting, *value)) files.push_back(text_of(*value));
  }
  return files;
}

void rename_named_files(Scenario& scenario,
                        const std::function<std::string(const std::string&)>& rename) {
  for (const auto& setting : settings()) {
    const auto value = setting.value(scenario);
    if (!value || !names_file(setting, *value)) continue;
    setting.set(scenario, rename(text_of(*value)));
  }
}

}  // namespace berth::study
