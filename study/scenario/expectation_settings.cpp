// The keys of [expectations], and whether a run is judged by them.

#include <algorithm>

#include "engine/base/setting_list.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

// Numbers of the trace that are not judged.
Setting ignored(std::string_view name, std::string_view help,
                std::set<std::int32_t> ExpectationSettings::*numbers) {
  return {{"expectations", name, SettingKind::kNames, {}, {}, help},
          [numbers](Scenario& s, const SettingValue& v) {
            const auto all = numbers_of(text_of(v));
            s.expectations.*numbers = {all.begin(), all.end()};
          },
          [numbers](const Scenario& s) -> std::optional<SettingValue> {
            const auto& all = s.expectations.*numbers;
            if (all.empty()) return std::nullopt;
            return SettingValue(
                numbers_text(std::vector<std::int32_t>(all.begin(), all.end())));
          }};
}

}  // namespace

std::vector<Setting> expectation_settings() {
  SettingList<Scenario> to;
  to.section("run");
  to.flag(
      "expectations",
      "whether runs are also judged by what each user could expect ([expectations])",
      [](auto& s) -> auto& { return s.run.expectations; });
  to.section("expectations");
  to.whole(
      "processors", {1, 10'000'000},
      "processors of every user's share; open: the machine is divided",
      [](auto& s) -> auto& { return s.expectations.processors; });
  to.gib(
        "memory", {0, 4294967296.0, true},
        "GiB of every user's share; open: the machine's is divided",
        [](auto& s) -> auto& { return s.expectations.memory_kib; })
      .set = [](Scenario& s, const SettingValue& v) {
    s.expectations.memory_kib = std::max(std::int64_t{1}, kib_of(real_of(v)));
  };
  to.choice(
      "kinds", {"processors_and_memory", "all"},
      "kinds of resource that a user has a share of; the latest end counts",
      [](auto& s) -> auto& { return s.expectations.kinds; });
  to.choice(
      "share", {"equal", "weights"},
      "how the machine is divided: equally or by [shares.users]",
      [](auto& s) -> auto& { return s.expectations.share; });
  to.choice(
      "overshoot", {"literal", "exact"},
      "literal: in its last second a job takes its size, as the paper's algorithm "
      "does; exact: no more than its work",
      [](auto& s) -> auto& { return s.expectations.overshoot; });
  to.add(ignored("ignore_users",
                 "users whose jobs are not judged, such as [3, 7]; open: none",
                 &ExpectationSettings::ignore_users));
  to.add(ignored("ignore_classes",
                 "classes (queue numbers of the trace) that are not judged; open: none",
                 &ExpectationSettings::ignore_classes));
  to.time(
      "ignore_before", {0, 1e11}, "jobs submitted earlier are not judged",
      [](auto& s) -> auto& { return s.expectations.ignore_before; });
  return to.take();
}

}  // namespace berth::study
