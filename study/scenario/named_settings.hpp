#pragma once
// The keys whose names the scenario makes up, and [shares]: part of the table of
// settings.

#include <string>
#include <vector>

#include "study/scenario/settings_table.hpp"

namespace berth::study {

// Those of [machine.hosts.NAME], [machine.resources] and [shares.billing].
[[nodiscard]] std::vector<NamedSetting> resource_settings();
// Those of [shares] itself.
[[nodiscard]] std::vector<Setting> share_settings();
// Those of [shares.users], [shares.groups] and [shares.class_factor].
[[nodiscard]] std::vector<NamedSetting> weight_settings();
// Those of [workload.columns].
[[nodiscard]] std::vector<NamedSetting> column_settings();

// What is wrong with the machine's kinds and hosts together; empty: nothing.  The key
// at fault is told.
struct WrongResources {
  std::string key;
  std::string what;
};
[[nodiscard]] WrongResources wrong_resources(const Scenario& scenario);
// Likewise with its accounts (LimitedAccounts).
[[nodiscard]] WrongResources wrong_accounts(const Scenario& scenario);

}  // namespace berth::study
