#include "engine/machines/two_tier/two_tier_settings.hpp"

#include "engine/base/setting_list.hpp"

namespace berth {

namespace {

constexpr Range kShare{0, 1};

void add_tiers(SettingList<TwoTierSettings>& to) {
  to.section("machine.two_tier");
  to.spread("fg_loss", kShare, "what a foreground job loses, drawn for each job",
            &TwoTierSettings::fg_loss);
  to.choice("fg_loss_when", {"shared", "always", "active"},
            "while the background slot is in use, always, or while its process gets on",
            &TwoTierSettings::fg_loss_when);
  to.spread("bg_eff_single", kShare,
            "part of the idle cycles that a background job of one process can use",
            &TwoTierSettings::bg_eff_single);
  to.spread("bg_eff_multi", kShare,
            "the same for jobs of several processes, drawn again until inside",
            &TwoTierSettings::bg_eff_multi);
  to.real("bg_eff_mean", kShare, "mean of that draw", &TwoTierSettings::bg_eff_mean);
  to.real("bg_eff_sd", {0, 1, true}, "standard deviation of that draw",
          &TwoTierSettings::bg_eff_sd);
  to.choice("eff_scope", {"job", "process"},
            "one draw of it for a job, or for each process",
            &TwoTierSettings::eff_scope);
  to.choice("bg_cap", {"before", "after"},
            "whether it is applied before or after the cap on idle",
            &TwoTierSettings::bg_cap);
  to.real("bg_threshold", {0, 2, true},
          "a slot is usable below a process that declares less than this",
          &TwoTierSettings::bg_threshold);
}

void set_cpu_use(TwoTierSettings& own, const SettingValue& value) {
  const auto text = text_of(value);
  own.cpu_use.reset();
  own.cpu_use_file.clear();
  if (const auto use = spread_from_text(text)) {
    own.cpu_use = use->least;
  } else if (text != "drawn") {
    own.cpu_use_file = text;
  }
}

std::optional<SettingValue> cpu_use_of(const TwoTierSettings& own) {
  if (own.cpu_use) return text_of(SettingValue(*own.cpu_use));
  return own.cpu_use_file.empty() ? std::string("drawn") : own.cpu_use_file;
}

void add_cpu_use(SettingList<TwoTierSettings>& to) {
  to.add({{"workload",
           "cpu_use",
           SettingKind::kJobValues,
           {0, 1, true},
           {},
           "of each process: drawn, one number for all, or a CSV file by job_id",
           {"cpu_use"}},
          set_cpu_use,
          cpu_use_of});
  to.section("workload");
  to.choice("usage_scope", {"job", "process"},
            "one draw of cpu_use for a job, or for each process",
            &TwoTierSettings::usage_scope);
  to.flag("cpu_usage_known", "whether jobs declare their cpu_use",
          &TwoTierSettings::cpu_usage_known);
}

}  // namespace

std::vector<SettingOf<TwoTierSettings>> two_tier_setting_records() {
  SettingList<TwoTierSettings> list;
  add_tiers(list);
  add_cpu_use(list);
  return list.take();
}

JobFileForm cpu_use_form() {
  const auto check = [](double& use, std::string_view) { return not_a_part(use); };
  return {{{"use", "cpu_use", JobFileForm::Given::kAlways, check},
           {"declared", "cpu_declared", JobFileForm::Given::kOrNever, check}},
          JobFileForm::Lines::kNoneOrOneForEachProcess};
}

}  // namespace berth
