#pragma once
// Machines with devices, and jobs that need them.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/jobs/job_columns.hpp"
#include "engine/machines/devices/device_settings.hpp"
#include "engine/sim/machine.hpp"

namespace berth::test {

struct DeviceHostsOf {
  std::string name;
  std::int32_t count = 1;
  std::int64_t cores = 0;
  std::int64_t devices = 0;
  std::string type{"T4"};
  std::string slices{};
  std::optional<std::int32_t> partition{};
};

// Hosts without memory; devices of so many parts.
[[nodiscard]] inline sim::Machine with_devices(const std::vector<DeviceHostsOf>& groups,
                                               std::int64_t parts = 1000,
                                               DeviceRule rule = DeviceRule::kBest) {
  sim::Machine machine;
  machine.sharing = "devices";
  machine.processors = 0;
  DeviceSettings settings;
  settings.rule = rule;
  for (const auto& each : groups) {
    HostGroup group;
    group.name = each.name;
    group.count = each.count;
    group.partition = each.partition;
    machine.resources.hosts.push_back(group);
    machine.processors += each.count;
    DeviceGroup own;
    own.cpu = each.cores * 1000;
    if (each.devices > 0) {
      own.type = each.type;
      own.count = each.devices;
      own.parts = parts;
      own.slices = each.slices;
    }
    settings.groups[each.name] = own;
  }
  machine.model_settings = settings;
  return machine;
}

[[nodiscard]] inline DeviceSettings devices_of(const sim::Machine& machine) {
  return std::any_cast<DeviceSettings>(machine.model_settings);
}

// What a chunk of a job needs.
struct DeviceNeedOf {
  double cores = 0;
  std::int32_t gpus = 0;  // whole devices
  std::int64_t share = 0;
  std::int32_t chunks = 1;
  std::string types{};
  std::string job_class{};
};

// Jobs 1, 2, ... with these needs, in order; all are submitted at 0 and take 10 s.
struct DeviceJobs {
  std::vector<Job> jobs;
  std::shared_ptr<JobColumns> attributes;

  explicit DeviceJobs(const std::vector<DeviceNeedOf>& needs) {
    for (std::size_t i = 0; i < needs.size(); ++i) {
      jobs.push_back({.id = static_cast<std::int64_t>(i) + 1,
                      .length = 10 * kSecond,
                      .walltime = 10 * kSecond,
                      .size = needs[i].chunks});
    }
    add(needs);
  }
  DeviceJobs(std::vector<Job> of, const std::vector<DeviceNeedOf>& needs)
      : jobs(std::move(of)) {
    add(needs);
  }

 private:
  void add(const std::vector<DeviceNeedOf>& needs) {
    attributes = std::make_shared<JobColumns>(jobs);
    std::map<std::string, std::map<std::int64_t, std::vector<double>>> columns;
    std::map<std::string, std::vector<std::string>> texts;
    const auto add_text = [&](const std::string& name, std::int64_t id,
                              const std::string& text) {
      if (text.empty()) return;
      columns[name][id] = {double(texts[name].size())};
      texts[name].push_back(text);
    };
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const auto id = jobs[i].id;
      const auto& need = needs[i];
      columns["needs.chunks"][id] = {double(need.chunks)};
      columns["needs.cpu"][id] = {need.cores};
      columns["needs.gpus"][id] = {double(need.share > 0 ? 1 : need.gpus)};
      columns["needs.share"][id] = {double(need.share)};
      add_text("needs.types", id, need.types);
      add_text("needs.class", id, need.job_class);
    }
    for (const auto& [name, values] : columns)
      attributes->add(name, values, texts[name]);
  }
};

}  // namespace berth::test
