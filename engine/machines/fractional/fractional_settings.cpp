#include "engine/machines/fractional/fractional_settings.hpp"

#include <fmt/format.h>

#include "engine/base/setting_list.hpp"

namespace berth {

namespace {

constexpr Range kGib{0, 1e6};
constexpr Range kPart{0, 1};
constexpr Range kDelay{0, 3600};  // seconds

void add_hosts(SettingList<FractionalSettings>& to) {
  to.section("machine.fractional");
  to.real("memory", {0, 1e6, true}, "GiB of a host", &FractionalSettings::memory);
  to.real("migration_budget", kGib,
          "GiB that one action may move between hosts; open: any amount",
          &FractionalSettings::migration_budget);
  to.real("cap_overhead", kPart, "part of its share that a task loses",
          &FractionalSettings::cap_overhead);
  to.real("cap_error", kPart,
          "mean error of a share, as part of it, drawn whenever a share is set",
          &FractionalSettings::cap_error);
  to.real("cap_error_max", {0.001, 1}, "largest such error; drawn again until inside",
          &FractionalSettings::cap_error_max);
  to.time("cap_delay", kDelay, "for which the old rate holds after a share is set",
          &FractionalSettings::cap_delay);
}

void set_needs(FractionalSettings& own, const SettingValue& value) {
  const auto text = text_of(value);
  own.cpu = 1;
  own.needs_file.clear();
  own.rule = NeedsRule::kTrace;
  if (text == "trace") return;
  if (text == "dfrs") return void(own.rule = NeedsRule::kDfrs);
  if (const auto number = spread_from_text(text)) {
    own.cpu = number->least;
    return;
  }
  own.rule = NeedsRule::kFile;
  own.needs_file = text;
}

std::optional<SettingValue> needs_of(const FractionalSettings& own) {
  if (own.rule == NeedsRule::kDfrs) return std::string("dfrs");
  if (own.rule == NeedsRule::kFile) return own.needs_file;
  if (own.cpu == 1) return std::string("trace");
  return text_of(SettingValue(own.cpu));
}

void add_needs(SettingList<FractionalSettings>& to) {
  to.add(
      {{"workload",
        "needs",
        SettingKind::kJobValues,
        {0, 1, true},
        {"trace", "dfrs"},
        "of each task: the trace's memory and all of a CPU, or the part of it that a "
        "number says; drawn as in the DFRS experiments; or a CSV file "
        "job_id,cpu,memory, in parts of a host (on other machines a CSV file job_id, "
        "chunks, processors, memory and other kinds)",
        {"cpu_use"}},
       set_needs,
       needs_of});
}

}  // namespace

std::vector<SettingOf<FractionalSettings>> fractional_setting_records() {
  SettingList<FractionalSettings> list;
  add_hosts(list);
  add_needs(list);
  return list.take();
}

JobFileForm task_needs_form() {
  const auto cpu = [](double& part, std::string_view) { return not_a_part(part); };
  const auto memory = [](double& part, std::string_view) -> std::string {
    if (part >= 0 && part <= 1) return {};
    return fmt::format("{} is not from 0 to 1: it is a part of a host, not GiB", part);
  };
  return {{{"cpu", "cpu_need", JobFileForm::Given::kAlways, cpu},
           {"memory", "memory_need", JobFileForm::Given::kAlways, memory}},
          JobFileForm::Lines::kOne};
}

}  // namespace berth
