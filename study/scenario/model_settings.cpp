// The keys that machines, and their studies of cases, bring to the table of settings.

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

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

NamedSetting named_of_model(std::string_view model, const OwnSettings& own,
                            const NamedSettingOf<std::any>& inner) {
  const SettingShape& shape = inner;
  const auto of = [model, defaults = own.defaults](const Scenario& scenario) {
    const auto at = scenario.model_settings.find(model);
    return at == scenario.model_settings.end() ? defaults : at->second;
  };
  return {shape, inner.kind_of_name,
          [model, defaults = own.defaults, set = inner.set](
              Scenario& scenario, std::string_view name, const SettingValue& value) {
            const auto [at, is_new] =
                scenario.model_settings.try_emplace(std::string(model), defaults);
            set(at->second, name, value);
          },
          [of, value = inner.value](const Scenario& scenario, std::string_view name) {
            return value(of(scenario), name);
          },
          [of, names = inner.names](const Scenario& scenario) {
            return names(of(scenario));
          }};
}

// The same of a study of cases; of another study it has no value.
Setting of_study(std::string_view study, const OwnSettings& own,
                 const SettingOf<std::any>& inner) {
  auto made = of_model(study, own, inner);
  made.value = [study, shown = std::move(made.value)](const Scenario& scenario) {
    return scenario.study == study ? shown(scenario) : std::optional<SettingValue>();
  };
  return made;
}

}  // namespace

std::vector<Setting> model_setting_records() {
  std::vector<Setting> all;
  for (const auto& model : sharing_models()) {
    if (model.settings == nullptr) continue;
    const auto own = model.settings();
    for (const auto& inner : own.records) {
      all.push_back(of_model(model.name, own, inner));
    }
  }
  return all;
}

std::vector<NamedSetting> named_model_settings() {
  std::vector<NamedSetting> all;
  for (const auto& model : sharing_models()) {
    if (model.settings == nullptr) continue;
    const auto own = model.settings();
    for (const auto& inner : own.named) {
      all.push_back(named_of_model(model.name, own, inner));
    }
  }
  return all;
}

std::vector<Setting> case_study_settings() {
  std::vector<Setting> all;
  for (const auto* study : case_studies()) {
    const auto own = study->settings();
    for (const auto& inner : own.records) {
      all.push_back(of_study(study->name, own, inner));
    }
  }
  return all;
}

const CaseStudy& case_study(const Scenario& scenario) {
  const auto* study = find_case_study(scenario.study);
  BERTH_ASSERT(study != nullptr);
  return *study;
}

std::any& case_settings(Scenario& scenario) {
  const auto& study = case_study(scenario);
  const auto [at, is_new] =
      scenario.model_settings.try_emplace(std::string(study.name));
  if (is_new) at->second = study.settings().defaults;
  return at->second;
}

std::string case_file(const Scenario& scenario) {
  const auto* setting = find_setting(fmt::format("{}.file", scenario.study));
  BERTH_ASSERT(setting != nullptr);
  const auto value = setting->value(scenario);
  return value ? text_of(*value) : std::string();
}

}  // namespace berth::study
