#include "study/settings_table.hpp"

#include <algorithm>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/hosts/sharing_models.hpp"
#include "study/spread_text.hpp"
#include "study/workload_models.hpp"

namespace berth::study {

namespace {

using Words = std::vector<std::string>;

// Where a key is kept; `name` is "section.key".
struct Name {
  std::string_view section;
  std::string_view name;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class Member, class Convert>
std::optional<SettingValue> shown(const Member& member, Convert convert) {
  if constexpr (IsOptional<Member>::value) {
    if (!member) return std::nullopt;
    return convert(*member);
  } else {
    return convert(member);
  }
}

template <class Member>
struct Plain {
  using Type = Member;
};
template <class T>
struct Plain<std::optional<T>> {
  using Type = T;
};

template <class Access>
using MemberOf = std::remove_reference_t<decltype(std::declval<Access>()(
    std::declval<Scenario&>()))>;

Setting record(Name name, SettingKind kind, std::string_view help) {
  return {name.section, name.name, kind, {}, {}, help, nullptr, nullptr};
}

template <class Access>
Setting flag(Name name, std::string_view help, Access) {
  auto made = record(name, SettingKind::kFlag, help);
  made.set = [](Scenario& to, const SettingValue& v) {
    Access{}(to) = std::get<bool>(v);
  };
  made.value = [](const Scenario& of) -> std::optional<SettingValue> {
    return Access{}(of);
  };
  return made;
}

template <class Access>
Setting whole(Name name, Range range, std::string_view help, Access) {
  auto made = record(name, SettingKind::kWhole, help);
  made.range = range;
  made.set = [](Scenario& to, const SettingValue& v) {
    using T = typename Plain<MemberOf<Access>>::Type;
    Access{}(to) = static_cast<T>(std::get<std::int64_t>(v));
  };
  made.value = [](const Scenario& of) {
    return shown(Access{}(of),
                 [](auto v) { return SettingValue(static_cast<std::int64_t>(v)); });
  };
  return made;
}

double as_real(const SettingValue& value) {
  const auto* whole_number = std::get_if<std::int64_t>(&value);
  return whole_number != nullptr ? static_cast<double>(*whole_number)
                                 : std::get<double>(value);
}

template <class Access>
Setting real(Name name, Range range, std::string_view help, Access) {
  auto made = record(name, SettingKind::kReal, help);
  made.range = range;
  made.set = [](Scenario& to, const SettingValue& v) { Access{}(to) = as_real(v); };
  made.value = [](const Scenario& of) {
    return shown(Access{}(of), [](double v) { return SettingValue(v); });
  };
  return made;
}

template <class Access>
Setting time(Name name, Range range, std::string_view help, Access) {
  auto made = record(name, SettingKind::kSeconds, help);
  made.range = range;
  made.set = [](Scenario& to, const SettingValue& v) {
    Access{}(to) = ticks_from_seconds(as_real(v)).value();
  };
  made.value = [](const Scenario& of) {
    return shown(Access{}(of), [](Duration v) { return SettingValue(to_seconds(v)); });
  };
  return made;
}

template <class Access>
Setting text(Name name, std::string_view help, Access) {
  auto made = record(name, SettingKind::kText, help);
  made.set = [](Scenario& to, const SettingValue& v) {
    Access{}(to) = std::get<std::string>(v);
  };
  made.value = [](const Scenario& of) -> std::optional<SettingValue> {
    if (Access{}(of).empty()) return std::nullopt;
    return Access{}(of);
  };
  return made;
}

// The words of an enumeration, in its order.  `Spell` gives them without a capture.
template <class Access, class Spell>
Setting choice(Name name, std::string_view help, Spell, Access) {
  auto made = record(name, SettingKind::kChoice, help);
  made.choices = Spell{}();
  made.set = [](Scenario& to, const SettingValue& v) {
    using T = typename Plain<MemberOf<Access>>::Type;
    const auto words = Spell{}();
    const auto at = std::find(words.begin(), words.end(), std::get<std::string>(v));
    BERTH_ASSERT(at != words.end());
    Access{}(to) = static_cast<T>(at - words.begin());
  };
  made.value = [](const Scenario& of) {
    return shown(Access{}(of), [](auto v) {
      return SettingValue(Spell{}()[static_cast<std::size_t>(v)]);
    });
  };
  return made;
}

template <class Access>
Setting spread(Name name, Range range, std::string_view help, Access) {
  auto made = record(name, SettingKind::kSpread, help);
  made.range = range;
  made.set = [](Scenario& to, const SettingValue& v) {
    Access{}(to) = spread_from_text(text_of(v)).value();
  };
  made.value = [](const Scenario& of) -> std::optional<SettingValue> {
    return text_of(Access{}(of));
  };
  return made;
}

constexpr double kMost = 1e11;  // seconds; see kMaxSeconds
constexpr Range kSomeSeconds{1e-6, kMost};
constexpr Range kAnySeconds{0, kMost};
constexpr Range kPositive{0, 1e6, true};

void add_top(std::vector<Setting>& to) {
  to.push_back(text(
      {"", "title"}, "what the scenario asks, in a few words",
      [](auto& s) -> auto& { return s.title; }));
  to.push_back(whole(
      {"", "seed"}, {0, 9007199254740992.0}, "start of every random stream of the run",
      [](auto& s) -> auto& { return s.seed; }));
}

Setting sharing() {
  auto made = text(
      {"machine", "sharing"}, "who may share a processor, and how",
      [](auto& s) -> auto& { return s.machine.sharing; });
  made.kind = SettingKind::kChoice;
  for (const auto& model : sharing_models()) made.choices.emplace_back(model.name);
  return made;
}

void add_machine(std::vector<Setting>& to) {
  to.push_back(whole(
      {"machine", "processors"}, {1, 10'000'000},
      "size of the machine; open: what the trace says",
      [](auto& s) -> auto& { return s.processors; }));
  to.push_back(sharing());
  to.push_back(choice(
      {"machine", "pick"},
      "which idle processors a job gets; open: as its sharing model likes",
      [] {
        return Words{"lowest", "highest"};
      },
      [](auto& s) -> auto& { return s.pick; }));
  to.push_back(flag(
      {"machine", "preemption"}, "whether running jobs may be suspended",
      [](auto& s) -> auto& { return s.machine.preemption; }));
  to.push_back(time(
      {"machine", "migration_cost"}, kAnySeconds,
      "seconds that a moved or resumed job stands still; open: as its sharing "
      "model likes",
      [](auto& s) -> auto& { return s.migration_cost; }));
  to.push_back(time(
      {"machine", "min_planned"}, kSomeSeconds,
      "shortest time that is planned for a job, in seconds",
      [](auto& s) -> auto& { return s.machine.min_planned; }));
  to.push_back(choice(
      {"machine", "overrun"}, "what happens to a job that outlives its walltime",
      [] {
        return Words{"run_on", "kill"};
      },
      [](auto& s) -> auto& { return s.machine.overrun; }));
  to.push_back(time(
      {"machine", "overrun_grace"}, kSomeSeconds,
      "a job that overruns is expected to end so many seconds after its planned end, "
      "then times overrun_growth, and so on",
      [](auto& s) -> auto& { return s.machine.overrun_grace; }));
  to.push_back(whole(
      {"machine", "overrun_growth"}, {1, 1'000'000},
      "factor between these steps; 1: every multiple of overrun_grace",
      [](auto& s) -> auto& { return s.machine.overrun_growth; }));
  to.push_back(choice(
      {"machine", "shadow_ties"},
      "do all releases at the shadow time count for what is spare",
      [] {
        return Words{"inclusive", "literal"};
      },
      [](auto& s) -> auto& { return s.machine.shadow_ties; }));
}

void add_two_tier(std::vector<Setting>& to) {
  constexpr Range kShare{0, 1};
  constexpr std::string_view kSection = "machine.two_tier";
  to.push_back(spread(
      {kSection, "fg_loss"}, kShare, "what a foreground job loses, drawn for each job",
      [](auto& s) -> auto& { return s.machine.two_tier.fg_loss; }));
  to.push_back(choice(
      {kSection, "fg_loss_when"}, "while somebody sits below, or always",
      [] {
        return Words{"shared", "always"};
      },
      [](auto& s) -> auto& { return s.machine.two_tier.fg_loss_when; }));
  to.push_back(spread(
      {kSection, "bg_eff_single"}, kShare,
      "part of the idle cycles that a background job of one process can use",
      [](auto& s) -> auto& { return s.machine.two_tier.bg_eff_single; }));
  to.push_back(spread(
      {kSection, "bg_eff_multi"}, kShare,
      "the same for jobs of several processes, drawn again until inside",
      [](auto& s) -> auto& { return s.machine.two_tier.bg_eff_multi; }));
  to.push_back(real(
      {kSection, "bg_eff_mean"}, kShare, "mean of that draw",
      [](auto& s) -> auto& { return s.machine.two_tier.bg_eff_mean; }));
  to.push_back(real(
      {kSection, "bg_eff_sd"}, {0, 1, true}, "standard deviation of that draw",
      [](auto& s) -> auto& { return s.machine.two_tier.bg_eff_sd; }));
  to.push_back(choice(
      {kSection, "eff_scope"}, "one draw of it for a job, or for each process",
      [] {
        return Words{"job", "process"};
      },
      [](auto& s) -> auto& { return s.machine.two_tier.eff_scope; }));
  to.push_back(choice(
      {kSection, "bg_cap"}, "whether it is applied before or after the cap on idle",
      [] {
        return Words{"before", "after"};
      },
      [](auto& s) -> auto& { return s.machine.two_tier.bg_cap; }));
  to.push_back(real(
      {kSection, "bg_threshold"}, {0, 2, true},
      "a slot is usable below a process that declares less than this",
      [](auto& s) -> auto& { return s.machine.two_tier.bg_threshold; }));
}

// How much of a processor a process keeps busy; matters where processors are shared.
void add_cpu_use(std::vector<Setting>& to) {
  auto use = text(
      {"workload", "cpu_use"},
      "of each process: drawn, one number for all, or a CSV file by job_id",
      [](auto& s) -> auto& { return s.workload.cpu_use; });
  use.kind = SettingKind::kCpuUse;
  use.range = {0, 1, true};
  use.set = [](Scenario& to_set, const SettingValue& v) {
    to_set.workload.cpu_use = text_of(v);
  };
  to.push_back(std::move(use));
  to.push_back(choice(
      {"workload", "usage_scope"}, "one draw of cpu_use for a job, or for each process",
      [] {
        return Words{"job", "process"};
      },
      [](auto& s) -> auto& { return s.machine.two_tier.usage_scope; }));
  to.push_back(flag(
      {"workload", "cpu_usage_known"}, "whether jobs declare their cpu_use",
      [](auto& s) -> auto& { return s.machine.two_tier.cpu_usage_known; }));
}

// Of two keys that say the same thing in different ways, the one set last counts.
Setting replacing(Setting made, void (*set)(Scenario&, const SettingValue&)) {
  made.set = set;
  return made;
}

void add_source(std::vector<Setting>& to) {
  to.push_back(
      replacing(text(
                    {"workload", "trace"}, "an SWF file, plain or gzip; - reads stdin",
                    [](auto& s) -> auto& { return s.workload.trace; }),
                [](Scenario& s, const SettingValue& v) {
                  s.workload.trace = std::get<std::string>(v);
                  s.workload.model.clear();
                }));
  auto model = replacing(text(
                             {"workload", "model"}, "a synthetic workload, not a trace",
                             [](auto& s) -> auto& { return s.workload.model; }),
                         [](Scenario& s, const SettingValue& v) {
                           s.workload.model = std::get<std::string>(v);
                           s.workload.trace.clear();
                         });
  model.kind = SettingKind::kChoice;
  for (const auto& known : workload_models()) model.choices.emplace_back(known.name);
  to.push_back(std::move(model));
  to.push_back(choice(
      {"workload", "variant"}, "which set of the model's numbers",
      [] {
        return Words{"whole", "typed", "batch", "interactive"};
      },
      [](auto& s) -> auto& { return s.workload.variant; }));
  to.push_back(whole(
      {"workload", "jobs"}, {1, 4'000'000'000.0},
      "how many jobs the model makes; open: as many as it likes",
      [](auto& s) -> auto& { return s.workload.jobs; }));
  to.push_back(real(
      {"workload", "umed"}, {0, 24},
      "log2 of the size between the model's two stages; open: from the "
      "size of the machine",
      [](auto& s) -> auto& { return s.workload.umed; }));
  to.push_back(choice(
      {"workload", "estimates"},
      "walltimes: as the lengths, times 1 to 5, or Tsafrir's model; "
      "open: those of the trace or of the model",
      [] {
        return Words{"exact", "factor", "tsafrir"};
      },
      [](auto& s) -> auto& { return s.workload.estimates; }));
  to.push_back(time(
      {"workload", "longest_estimate"}, {5701, kMost},
      "largest walltime of tsafrir, in seconds; open: 36000, or that of the "
      "model",
      [](auto& s) -> auto& { return s.workload.longest_estimate; }));
  to.push_back(choice(
      {"workload", "missing_walltime"},
      "what stands for a walltime the trace does not give",
      [] { return Words{"length"}; },
      [](auto& s) -> auto& { return s.workload.missing_walltime; }));
}

void add_transforms(std::vector<Setting>& to) {
  to.push_back(time(
      {"workload", "from"}, kAnySeconds, "leave out jobs submitted before this time",
      [](auto& s) -> auto& { return s.workload.from; }));
  to.push_back(time(
      {"workload", "to"}, kAnySeconds, "leave out jobs submitted at this time or later",
      [](auto& s) -> auto& { return s.workload.to; }));
  to.push_back(whole(
      {"workload", "first"}, {1, 4'000'000'000.0}, "only the first so many jobs",
      [](auto& s) -> auto& { return s.workload.first; }));
  to.push_back(whole(
      {"workload", "repeat"}, {1, 100'000}, "the jobs end to end, so many times",
      [](auto& s) -> auto& { return s.workload.repeat; }));
  to.push_back(replacing(
      real(
          {"workload", "load"}, kPositive, "stretch submit times to this offered load",
          [](auto& s) -> auto& { return s.workload.load; }),
      [](Scenario& s, const SettingValue& v) {
        s.workload.load = as_real(v);
        s.workload.load_factor.reset();
      }));
  to.push_back(replacing(real(
                             {"workload", "load_factor"}, kPositive,
                             "multiply the times between submits by this",
                             [](auto& s) -> auto& { return s.workload.load_factor; }),
                         [](Scenario& s, const SettingValue& v) {
                           s.workload.load_factor = as_real(v);
                           s.workload.load.reset();
                         }));
}

Setting policies() {
  auto made =
      record({"run", "policies"}, SettingKind::kPolicies,
             "names of built-in policies, files, or { name = ..., key = value }");
  made.value = [](const Scenario&) -> std::optional<SettingValue> {
    return std::nullopt;
  };
  return made;
}

void add_run(std::vector<Setting>& to) {
  to.push_back(policies());
  to.push_back(choice(
      {"run", "pass"}, "one pass for an instant, or one for each event",
      [] {
        return Words{"instant", "event"};
      },
      [](auto& s) -> auto& { return s.run.pass; }));
  to.push_back(choice(
      {"run", "ties"}, "what comes first at one instant",
      [] {
        return Words{"ends_first", "submits_first"};
      },
      [](auto& s) -> auto& { return s.run.ties; }));
  to.push_back(time(
      {"run", "tau"}, kSomeSeconds,
      "shortest length that counts in the bounded slowdown, in seconds",
      [](auto& s) -> auto& { return s.run.metrics.bound.tau; }));
  to.push_back(flag(
      {"run", "bsld_floor"}, "whether a bounded slowdown is at least 1",
      [](auto& s) -> auto& { return s.run.metrics.bound.floor; }));
  to.push_back(choice(
      {"run", "measure"}, "all jobs, or none of warm-up and tail",
      [] {
        return Words{"all", "steady"};
      },
      [](auto& s) -> auto& { return s.run.measure; }));
  to.push_back(choice(
      {"run", "weight"}, "also give means weighted by size times length",
      [] {
        return Words{"none", "area"};
      },
      [](auto& s) -> auto& { return s.run.metrics.weight; }));
  to.push_back(real(
      {"run", "warmup_fraction"}, {0, 0.99},
      "share of the jobs that is warm-up under measure = steady",
      [](auto& s) -> auto& { return s.run.warmup_fraction; }));
  to.push_back(whole(
      {"run", "batches"}, {2, 1000},
      "batches for intervals where a sweep has one run; open: no intervals there",
      [](auto& s) -> auto& { return s.run.batches; }));
}

std::vector<Setting> make_settings() {
  std::vector<Setting> all;
  add_top(all);
  add_machine(all);
  add_two_tier(all);
  add_source(all);
  add_cpu_use(all);
  add_transforms(all);
  add_run(all);
  return all;
}

}  // namespace

std::string Setting::key() const {
  return section.empty() ? std::string(name)
                         : std::string(section) + "." + std::string(name);
}

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

}  // namespace berth::study
