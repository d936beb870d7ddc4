#pragma once
// The keys of [machine.resources], [machine.hosts.NAME] and [shares.billing], whose
// names the scenario makes up: part of the table of settings.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "study/scenario/settings_table.hpp"

namespace berth::study {

// One record for each key, "*" where a name stands.
[[nodiscard]] std::vector<Setting> any_resource_settings();

// machine.memory.
[[nodiscard]] Setting memory_setting();

// The keys of [workload] that say what jobs need.
[[nodiscard]] std::vector<Setting> need_settings();

// "0.5 a.swf; 0.5 b.swf": the traces of a mix with their parts of the load.
// Throws Error{kInput}.
[[nodiscard]] std::vector<MixPart> mix_of(std::string_view text);
[[nodiscard]] std::string mix_text(const std::vector<MixPart>& mix);

// "1,3": the labels of partitions, users or classes by their numbers in the trace, and
// back.  Throws Error{kInput} that names the key.
[[nodiscard]] std::vector<std::int32_t> numbers_of(std::string_view key,
                                                   std::string_view text);
[[nodiscard]] std::string numbers_text(std::span<const std::int32_t> labels);

// nullptr if there can be no such key.  Threads  Any.
[[nodiscard]] const Setting* find_resource_setting(std::string_view key);

// The keys that the scenario gives, in the order of its hosts and kinds.
[[nodiscard]] std::vector<const Setting*> resource_settings_of(
    const Scenario& scenario);

// Whether the keys of this section, or of a section of it, have made-up names.
[[nodiscard]] bool is_resource_section(std::string_view section);

// What is wrong with the machine's kinds and hosts together; empty: nothing.  The key
// at fault is told.
struct WrongResources {
  std::string key;
  std::string what;
};
[[nodiscard]] WrongResources wrong_resources(const Scenario& scenario);

}  // namespace berth::study
