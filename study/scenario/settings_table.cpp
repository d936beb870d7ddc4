#include "study/scenario/settings_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/spread.hpp"
#include "engine/base/time.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/scenario/named_settings.hpp"
#include "study/scenario/workload_models.hpp"

namespace berth::study {

namespace {

using List = SettingList<Scenario>;

constexpr std::string_view kNoLoadFactor =
    ": it multiplied the times between submits, so that 1.2 lowered the load; write "
    "load_scale = 1.2 for 20 % more load, or interarrival_factor for the gaps";

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

// One that a reader of its own sets, or that stands for the settings of all names.
Setting without_value(const SettingShape& shape) {
  return {shape, [](Scenario&, const SettingValue&) { BERTH_ASSERT(false); },
          [](const Scenario&) { return std::optional<SettingValue>(); }};
}

// Calls `first` before the setting is set.
template <class First>
void before(Setting& setting, const First& first) {
  setting.set = [first, set = std::move(setting.set)](Scenario& scenario,
                                                      const SettingValue& value) {
    first(scenario, value);
    set(scenario, value);
  };
}

// Of the study of a scenario.  Records keep views of it.
const std::string& help_of_studies() {
  static const std::string kHelp = [] {
    std::string text;
    for (const auto* study : case_studies()) {
      text += fmt::format("{}: {}; ", study->name, study->help);
    }
    return text + "open: jobs on a machine";
  }();
  return kHelp;
}

void add_top(List& to) {
  to.text("title", "what the scenario asks, in a few words", &Scenario::title);
  to.whole("seed", {0, 9007199254740992.0}, "start of every random stream of the run",
           &Scenario::seed);
  std::vector<std::string> studies;
  for (const auto* study : case_studies()) studies.emplace_back(study->name);
  to.choice("study", std::move(studies), help_of_studies(), &Scenario::study);
}

void add_machine(List& to) {
  to.section("machine");
  to.whole("processors", {1, 10'000'000},
           "size of the machine; open: what the trace says", &Scenario::processors)
      .aliases = {"processors"};
  to.gib(
        "memory", {0, 4294967296.0},
        "GiB of a pool in all; open: memory does not count",
        [](auto& s) -> auto& { return s.machine.resources.memory; })
      .aliases = {"memory"};
  to.choice(
        "sharing", names_of(sharing_models()), "how jobs may share a processor",
        [](auto& s) -> auto& { return s.machine.sharing; })
      .aliases = {"sharing"};
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

void add_source(List& to) {
  to.section("workload");
  // Of trace and model, the one set last counts.
  const auto forget = [](Scenario& scenario, const SettingValue&) {
    scenario.workload.trace.clear();
    scenario.workload.model.clear();
    scenario.workload.mix.clear();
  };
  before(
      to.text(
          "trace", "an SWF file, or a CSV file of jobs, plain or gzip; - reads stdin",
          [](auto& s) -> auto& { return s.workload.trace; }),
      forget);
  before(to.choice(
             "model", names_of(workload_models()), "a synthetic workload, not a trace",
             [](auto& s) -> auto& { return s.workload.model; }),
         forget);
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
  to.whole(
      "most_repeats", {1, kMostRepeats},
      "how often feitelson runs one job at most; 1: no job is repeated",
      [](auto& s) -> auto& { return s.workload.most_repeats; });
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

void add_tenants(List& to) {
  to.choice(
      "sizes", {"geometric", "exponential", "uniform", "powers_of_two", "constant"},
      "how the sizes of tenants are distributed",
      [](auto& s) -> auto& { return s.workload.tenants.sizes; });
  to.whole(
      "mean_size", {1, 100'000}, "mean size of tenants",
      [](auto& s) -> auto& { return s.workload.tenants.mean_size; });
  to.real(
      "mean_length", {1, 1e9}, "mean run time of tenants, in seconds",
      [](auto& s) -> auto& { return s.workload.tenants.mean_length; });
}

void forget_loads(Scenario& scenario, const SettingValue&) {
  auto& keys = scenario.workload;
  keys.load.reset();
  keys.load_scale.reset();
  keys.interarrival_factor.reset();
}

template <class Member>
Setting instant(std::string_view name, std::string_view help, Member member) {
  return {{"workload", name, SettingKind::kInstant, kAnySeconds, {}, help},
          [member](Scenario& s, const SettingValue& v) {
            const auto* text = std::get_if<std::string>(&v);
            const auto date =
                text != nullptr ? unix_time_from_date(*text) : std::nullopt;
            member(s) = date ? Instant(*date * kSecond, true)
                             : Instant(ticks_from_seconds(real_of(v)).value());
          },
          [member](const Scenario& s) -> std::optional<SettingValue> {
            const auto& value = member(s);
            if (!value) return std::nullopt;
            if (value->is_date) return SettingValue(date_text(value->at / kSecond));
            return SettingValue(to_seconds(value->at));
          }};
}

void add_transforms(List& to) {
  to.add(instant(
      "from", "leave out jobs submitted before this time or date (UTC)",
      [](auto& s) -> auto& { return s.workload.from; }));
  to.add(instant(
      "to", "leave out jobs submitted at this time or date, or later",
      [](auto& s) -> auto& { return s.workload.to; }));
  to.time(
      "longest", {0, kMost}, "leave out jobs that run longer",
      [](auto& s) -> auto& { return s.workload.longest; });
  to.whole(
      "first", {1, 4'000'000'000.0}, "only the first so many jobs",
      [](auto& s) -> auto& { return s.workload.first; });
  to.whole(
      "repeat", {1, 100'000}, "the jobs end to end, so many times",
      [](auto& s) -> auto& { return s.workload.repeat; });
  // Of the three, the one set last counts.
  before(to.real(
             "load", kPositive, "set the offered load: all gaps are stretched alike",
             [](auto& s) -> auto& { return s.workload.load; }),
         forget_loads);
  before(to.real(
             "load_scale", kPositive, "multiply the offered load: 1.2 is 20 % more",
             [](auto& s) -> auto& { return s.workload.load_scale; }),
         forget_loads);
  before(
      to.real(
          "interarrival_factor", kPositive,
          "multiply the times between submits: 1.2 lowers the load to its 1.2th part",
          [](auto& s) -> auto& { return s.workload.interarrival_factor; }),
      forget_loads);
}

// What makes another draw of the same log of each seed, and parts of it.
void add_draws(List& to) {
  to.add({{"workload",
           "shake",
           SettingKind::kSeconds,
           {0, 1e9},
           {},
           "submits later by 0 to so many whole seconds, drawn from the seed; 0: off"},
          [](Scenario& s, const SettingValue& v) {
            s.workload.shake = static_cast<std::int64_t>(real_of(v));
          },
          [](const Scenario& s) {
            return std::optional<SettingValue>(s.workload.shake);
          }});
  to.choice(
      "resample", {"none", "users"},
      "users: draw the users of the log with replacement, from the seed",
      [](auto& s) -> auto& { return s.workload.resample; });
  to.add({{"workload",
           "window",
           SettingKind::kSpread,
           kAnySeconds,
           {},
           "from and to in one, such as \"0..2592000\""},
          [](Scenario& s, const SettingValue& v) {
            const auto window = spread_from_text(text_of(v)).value();
            s.workload.from = ticks_from_seconds(window.least).value();
            s.workload.to = ticks_from_seconds(window.most).value();
          },
          [](const Scenario&) { return std::optional<SettingValue>(); }});
}

// Each is known, or a file of the user's own.
void require_metrics(const Scenario& scenario, std::string_view list) {
  const auto own = records_of(scenario.run.own_metrics);
  for (const auto name : metric_names(list)) {
    if (!is_metric_file(name)) (void)metric_record(name, own);
  }
}

void add_run(List& to) {
  const auto are_metrics = [](Scenario& scenario, const SettingValue& value) {
    require_metrics(scenario, text_of(value));
  };
  to.add(without_value(
      {"run",
       "policies",
       SettingKind::kPolicies,
       {},
       {},
       "names of built-in policies, files, or { name = ..., key = value }"}));
  to.section("run");
  to.choice(
        "pass", {"instant", "event"}, "one pass for an instant, or one for each event",
        [](auto& s) -> auto& { return s.run.pass; })
      .aliases = {"pass"};
  to.choice(
        "ties", {"ends_first", "submits_first"}, "what comes first at one instant",
        [](auto& s) -> auto& { return s.run.ties; })
      .aliases = {"ties"};
  to.time(
        "cycle", {0, kMost, true},
        "a pass every so many seconds of the clock while jobs wait; open: whenever "
        "something happened",
        [](auto& s) -> auto& { return s.run.cycle; })
      .aliases = {"cycle"};
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
  before(
      to.names(
          "metrics", "rows of the table, such as [\"mean_wait\", \"load\"]; open: six",
          [](auto& s) -> auto& { return s.run.metrics_shown; }),
      are_metrics);
  before(
      to.text(
          "primary",
          "the metric that decides: the correction for several tests covers its rows "
          "alone, the others are exploratory",
          [](auto& s) -> auto& { return s.run.primary; }),
      are_metrics);
}

std::vector<NamedSetting> make_named_settings() {
  auto all = resource_settings();
  for (auto& setting : named_model_settings()) all.push_back(std::move(setting));
  for (auto& setting : column_settings()) all.push_back(std::move(setting));
  for (auto& setting : weight_settings()) all.push_back(std::move(setting));
  for (auto& setting : limit_settings()) all.push_back(std::move(setting));
  for (auto& setting : host_failure_settings()) all.push_back(std::move(setting));
  return all;
}

const std::vector<NamedSetting>& named_settings() {
  static const auto kAll = make_named_settings();
  return kAll;
}

// The setting of one name.  REQUIRES: record and key outlive it.
Setting named(const NamedSetting& of, std::string_view key, const std::string& name) {
  SettingShape shape = of;
  const auto dot = key.rfind('.');
  shape.section = key.substr(0, dot);
  shape.name = key.substr(dot + 1);
  return {std::move(shape),
          [&of, name](Scenario& scenario, const SettingValue& value) {
            of.set(scenario, name, value);
          },
          [&of, name](const Scenario& scenario) { return of.value(scenario, name); }};
}

// Made when it is asked for first, and kept.
const Setting* find_named(std::string_view key) {
  static std::mutex mutex;
  static std::map<std::string, Setting, std::less<>> made;
  for (const auto& each : named_settings()) {
    auto name = names_in(each.key(), key, each.kind_of_name);
    if (!name) continue;
    const std::lock_guard lock(mutex);
    const auto [at, is_new] = made.try_emplace(std::string(key));
    if (is_new) at->second = named(each, at->first, *name);
    return &at->second;
  }
  return nullptr;
}

std::string_view first_parts(std::string_view key, std::ptrdiff_t count) {
  std::size_t end = 0;
  while (count-- > 0 && end < key.size())
    end = std::min(key.find('.', end + 1), key.size());
  return key.substr(0, end);
}

const Setting& setting_of(const Setting& setting) { return setting; }
const Setting& setting_of(const Setting* setting) { return *setting; }

// Moves the settings of each section together, and those of all sections of a host.
template <class Settings>
void group_by_section(Settings& all) {
  std::vector<std::string_view> sections;
  const auto place = [&](const auto& each) {
    const auto section = first_parts(setting_of(each).section, 3);
    const auto at = std::find(sections.begin(), sections.end(), section);
    if (at == sections.end()) sections.push_back(section);
    return at - sections.begin();
  };
  for (const auto& each : all) place(each);
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

std::vector<Setting> make_settings() {
  List list;
  add_top(list);
  add_machine(list);
  for (auto& setting : life_settings()) list.add(std::move(setting));
  for (auto& setting : failure_settings()) list.add(std::move(setting));
  for (const auto& each : limit_settings()) list.add(without_value(each));
  for (const auto& each : resource_settings()) list.add(without_value(each));
  for (const auto& each : host_failure_settings()) list.add(without_value(each));
  for (const auto& each : named_model_settings()) list.add(without_value(each));
  for (auto& setting : model_setting_records()) list.add(std::move(setting));
  add_source(list);
  add_tenants(list);
  add_transforms(list);
  add_draws(list);
  for (auto& setting : need_settings()) list.add(std::move(setting));
  for (const auto& each : column_settings()) list.add(without_value(each));
  for (auto& setting : case_study_settings()) list.add(std::move(setting));
  for (auto& setting : share_settings()) list.add(std::move(setting));
  for (const auto& each : weight_settings()) list.add(without_value(each));
  for (auto& setting : expectation_settings()) list.add(std::move(setting));
  add_run(list);
  auto all = list.take();
  group_by_section(all);
  return all;
}

struct AllSettings {
  std::vector<Setting> all;
  std::vector<const NamedSetting*> named;  // by setting; null: it has one key alone
  std::map<std::string, const Setting*, std::less<>> by_key{};  // those of one key
};

AllSettings make_all_settings() {
  AllSettings made{make_settings(), {}};
  const auto& several = named_settings();
  for (const auto& setting : made.all) {
    const auto at = std::find_if(several.begin(), several.end(), [&](const auto& each) {
      return each.section == setting.section && each.name == setting.name;
    });
    made.named.push_back(at == several.end() ? nullptr : &*at);
    if (at == several.end()) made.by_key.emplace(setting.key(), &setting);
  }
  return made;
}

const AllSettings& table() {
  static const auto kTable = make_all_settings();
  return kTable;
}

}  // namespace

std::span<const Setting> settings() { return table().all; }

std::vector<const Setting*> settings_of(const Scenario& scenario) {
  std::vector<const Setting*> all;
  bool is_grouped = true;  // as the table, until one of a name comes
  for (std::size_t i = 0; i < table().all.size(); ++i) {
    const auto& setting = table().all[i];
    const auto* const named = table().named[i];
    if (named == nullptr) {
      all.push_back(&setting);
      continue;
    }
    for (const auto& name : named->names(scenario)) {
      if (!named->value(scenario, name)) continue;
      all.push_back(find_named(key_with(setting.key(), name)));
      is_grouped = false;
    }
  }
  if (!is_grouped) group_by_section(all);
  return all;
}

const Setting* find_setting(std::string_view key) {
  const auto at = table().by_key.find(key);
  return at != table().by_key.end() ? at->second : find_named(key);
}

std::vector<std::string> keys_of_alias(std::string_view name) {
  std::vector<std::string> keys;
  for (const auto& setting : settings()) {
    for (const auto alias : setting.aliases) {
      const auto names = names_in(alias, name, NameKind::kWord);
      if (names) keys.push_back(key_with(setting.key(), *names));
    }
  }
  return keys;
}

bool is_numbered(std::string_view section) {
  const auto& all = named_settings();
  return std::any_of(all.begin(), all.end(), [&](const auto& each) {
    return each.section == section && each.kind_of_name != NameKind::kWord;
  });
}

bool is_section(std::string_view name) {
  const auto all = settings();
  const auto parts = std::count(name.begin(), name.end(), '.') + 1;
  return std::any_of(all.begin(), all.end(), [&](const auto& setting) {
    const auto section = first_parts(setting.section, parts);
    return names_in(section, name, NameKind::kWord) ||
           names_in(section, name, NameKind::kNumberOrAll);
  });
}

bool has_made_up_name(std::string_view section) {
  const auto& all = named_settings();
  const auto parts = std::count(section.begin(), section.end(), '.') + 1;
  return std::any_of(all.begin(), all.end(), [&](const auto& each) {
    const auto names =
        names_in(first_parts(each.section, parts), section, each.kind_of_name);
    return names && !names->empty();
  });
}

bool is_of_machine(std::string_view section) {
  const auto top = section.substr(0, section.find('.'));
  return top == "machine" || top == "workload" || top == "shares" || top == "limits" ||
         top == "expectations";
}

std::string suggestion(std::string_view section, std::string_view name) {
  if (section == "workload" && name == "load_factor") return std::string(kNoLoadFactor);
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

std::string key_suggestion(std::string_view key) {
  if (key == "workload.load_factor") return std::string(kNoLoadFactor);
  std::vector<std::string> keys;
  for (const auto& setting : settings()) keys.push_back(setting.key());
  const std::vector<std::string_view> known(keys.begin(), keys.end());
  if (auto near = did_you_mean(key, known); !near.empty()) return near;
  const auto dot = key.rfind('.');
  return suggestion("", dot == std::string_view::npos ? key : key.substr(dot + 1));
}

std::string wrong_class(const Scenario& scenario, std::string_view list) {
  for (const auto name : metric_names(list)) {
    const auto at = name.find('@');
    if (at == std::string_view::npos) continue;
    const auto of_class = name.substr(at + 1);
    if (scenario.run.classes.knows(of_class)) continue;
    return fmt::format("there is no class '{}'; name it in [classes]", of_class);
  }
  return {};
}

bool is_metric_file(std::string_view name) { return name.ends_with(".lua"); }

std::optional<std::string> file_of(const Scenario& scenario, std::string_view key) {
  const auto* setting = find_setting(key);
  BERTH_ASSERT(setting != nullptr);
  const auto value = setting->value(scenario);
  if (!value || !names_file(*setting, *value)) return std::nullopt;
  return text_of(*value);
}

}  // namespace berth::study
