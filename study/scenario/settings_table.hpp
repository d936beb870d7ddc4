#pragma once
// Every key of a scenario as one record (engine/base/setting.hpp): from this table come
// the reader of scenario files, --set, the list of keys in the help, suggestions and
// the manifest.  Sharing models bring their own keys; they are part of it.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/setting.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

using Setting = SettingOf<Scenario>;

// All of them, section by section in the order of the file.
[[nodiscard]] std::span<const Setting> settings();

// nullptr if there is no such key.
[[nodiscard]] const Setting* find_setting(std::string_view key);

// Whether a key belongs to this section ("machine.two_tier").
[[nodiscard]] bool is_section(std::string_view name);

// " (did you mean 'machine.processors'?)", or nothing.
[[nodiscard]] std::string suggestion(std::string_view section, std::string_view name);

// The file that a key names; nullopt: its value names none.  REQUIRES: there is the
// key.
[[nodiscard]] std::optional<std::string> file_of(const Scenario& scenario,
                                                 std::string_view key);

// The files that keys other than the trace name, in the order of the keys.
[[nodiscard]] std::vector<std::string> named_files(const Scenario& scenario);

// Replaces the path of each of those files.
void rename_named_files(Scenario& scenario,
                        const std::function<std::string(const std::string&)>& rename);

}  // namespace berth::study
