#pragma once
// Every key of a scenario as one record (engine/base/setting.hpp): from this table come
// the reader of scenario files, --set, the list of keys in the help, suggestions and
// the manifest.  Sharing models bring their own keys; they are part of it.

#include <any>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/machines/case_set.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

using Setting = SettingOf<Scenario>;
using NamedSetting = NamedSettingOf<Scenario>;

// All of them, section by section in the order of the file.  One with a "*"
// stands for those of all names, such as of each user.
[[nodiscard]] std::span<const Setting> settings();

// The same; instead of those with a "*", one for each name that the scenario gives.
[[nodiscard]] std::vector<const Setting*> settings_of(const Scenario& scenario);

// nullptr if there is no such key.  Threads  Any.
[[nodiscard]] const Setting* find_setting(std::string_view key);

// The keys that have this older name, in the order of the table.
[[nodiscard]] std::vector<std::string> keys_of_alias(std::string_view name);

// Whether there are keys in this section or below it ("machine.two_tier").
[[nodiscard]] bool is_section(std::string_view name);

// Whether the section is about the machine, its jobs or users: a study of cases has
// none of them.
[[nodiscard]] bool is_of_machine(std::string_view section);
// Whether the scenario makes up a part of its name: "machine.hosts.zewura".
[[nodiscard]] bool has_made_up_name(std::string_view section);
// Whether the keys of this section are numbers ("shares.users").
[[nodiscard]] bool is_numbered(std::string_view section);

// For a key of this section that does not exist: " (did you mean 'processors'?)", why
// it is no longer there, or nothing.
[[nodiscard]] std::string suggestion(std::string_view section, std::string_view name);
// The same for a whole key: " (did you mean 'workload.load'?)".
[[nodiscard]] std::string key_suggestion(std::string_view key);

// The first class that a list of metrics names ("mean_wait@short") and [classes] does
// not have, as a message; or nothing.
[[nodiscard]] std::string wrong_class(const Scenario& scenario, std::string_view list);
// Whether a part of such a list is a file of the user's own: "./long_waits.lua".
[[nodiscard]] bool is_metric_file(std::string_view name);

// The file that a key names; nullopt: its value names none.  REQUIRES: there is the
// key.
[[nodiscard]] std::optional<std::string> file_of(const Scenario& scenario,
                                                 std::string_view key);

// The study of cases that the scenario is, its settings, and the file of cases that
// they name; empty: it names none.  REQUIRES: it is of cases.
[[nodiscard]] const CaseStudy& case_study(const Scenario& scenario);
[[nodiscard]] std::any& case_settings(Scenario& scenario);
[[nodiscard]] std::string case_file(const Scenario& scenario);

// Implementation: part of settings().
[[nodiscard]] std::vector<Setting> model_setting_records();
[[nodiscard]] std::vector<NamedSetting> named_model_settings();
[[nodiscard]] std::vector<Setting> case_study_settings();
[[nodiscard]] std::vector<Setting> expectation_settings();
[[nodiscard]] std::vector<Setting> need_settings();
// Those of [machine] about hosts that go down.
[[nodiscard]] std::vector<Setting> life_settings();
// Those of [machine.failures], and those of each group of hosts.
[[nodiscard]] std::vector<Setting> failure_settings();
[[nodiscard]] std::vector<NamedSetting> host_failure_settings();
// Those of [limits].
[[nodiscard]] std::vector<NamedSetting> limit_settings();

// "1,3": the labels of partitions, users or classes by their numbers in the trace, and
// back.  Throws Error{kInput}.
[[nodiscard]] std::vector<std::int32_t> numbers_of(std::string_view text);
[[nodiscard]] std::string numbers_text(std::span<const std::int32_t> labels);

}  // namespace berth::study
