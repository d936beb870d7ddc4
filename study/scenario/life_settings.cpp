// The keys of [machine] that say which hosts it has, and what happens to them and to
// the jobs on them.

#include "engine/base/setting_list.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

constexpr double kMostSeconds = 1e11;  // see kMaxSeconds

}  // namespace

std::vector<Setting> life_settings() {
  SettingList<Scenario> to;
  to.section("machine");
  to.text(
        "hosts_file",
        "a file of hosts instead of [machine.hosts]: sinfo --json, scontrol show node, "
        "a "
        "Batsim platform, a CSV file of name, processors, memory, partition, count and "
        "kinds; on sharing = devices a CSV file of name, cpu, memory, devices, type, "
        "slices, partition, count; plain or gzip",
        [](auto& s) -> auto& { return s.hosts.file; })
      .kind = SettingKind::kInputFile;
  auto& states = to.choice(
      "hosts_states", {"all", "up"},
      "which hosts of hosts_file there are: all, or those that are neither down nor "
      "drained, failing, in maintenance, silent or switched off",
      [](auto& s) -> auto& { return s.hosts.states; });
  // Without a file it says nothing.
  states.value = [shown = std::move(states.value)](const Scenario& scenario) {
    return scenario.hosts.file.empty() ? std::nullopt : shown(scenario);
  };
  to.text(
        "events",
        "a CSV file of hosts that go down and come back: time, event (down or up), "
        "hosts (of a pool processors), until; plain or gzip",
        [](auto& s) -> auto& { return s.machine_events; })
      .kind = SettingKind::kInputFile;
  to.text(
        "windows",
        "a CSV file of times that a pool keeps for maintenance or for some users: "
        "name, from, to, processors, announced, users, at_start (wait or hit); plain "
        "or "
        "gzip",
        [](auto& s) -> auto& { return s.machine_windows; })
      .kind = SettingKind::kInputFile;
  to.time(
      "expected_repair", {1e-6, kMostSeconds},
      "a host that goes down is expected back after so many seconds, where its row "
      "does not say when",
      [](auto& s) -> auto& { return s.machine.life.expected_repair; });
  to.choice(
      "on_failure", {"requeue", "kill"},
      "what becomes of a job whose host goes down, or that a window hits: it waits "
      "again and begins anew, or it fails",
      [](auto& s) -> auto& { return s.machine.life.on_failure; });
  to.choice(
      "requeue_priority", {"keep", "lose"},
      "where such a job stands in the queue: by its submit, or by its return",
      [](auto& s) -> auto& { return s.machine.life.requeue_place; });
  to.time(
      "requeue_delay", {0, kMostSeconds},
      "it is in the queue again so many seconds after it lost its host",
      [](auto& s) -> auto& { return s.machine.life.requeue_delay; });
  to.whole(
      "max_attempts", {1, 1e9}, "after so many attempts that lost a host a job fails",
      [](auto& s) -> auto& { return s.machine.life.max_attempts; });
  return to.take();
}

}  // namespace berth::study
