#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/devices/device_measure.hpp"
#include "engine/machines/devices/devices.hpp"
#include "engine/machines/devices/devices_law.hpp"
#include "engine/machines/drawn_places.hpp"
#include "engine/machines/model_record.hpp"

namespace berth {

namespace {

OwnSettings settings_of_devices() {
  return own_settings(DeviceSettings{}, device_setting_records(),
                      device_group_records());
}

void read_files_of_devices(std::any& settings, const ModelRecord::ReadFile& read) {
  auto& own = std::any_cast<DeviceSettings&>(settings);
  if (!own.hosts_file.empty()) own.hosts_text = read(own.hosts_file);
  if (own.names_target_file()) own.target_text = read(own.target);
  if (!own.speeds_file.empty()) own.speeds_text = read(own.speeds_file);
}

std::shared_ptr<const DeviceHosts> hosts_of(const sim::Machine& machine,
                                            std::uint64_t seed) {
  return std::make_shared<const DeviceHosts>(
      machine, settings_of<DeviceSettings>(machine), seed);
}

std::shared_ptr<const DeviceNeeds> needs_of(const DeviceHosts& hosts,
                                            const ModelSpec& spec) {
  auto needs = std::make_shared<DeviceNeeds>(hosts, spec.jobs, spec.attributes.get());
  needs->follow(spec.order);
  return needs;
}

std::unique_ptr<audit::Law> devices_law(const ModelSpec& spec) {
  const auto hosts = hosts_of(spec.machine, spec.seed);
  return std::make_unique<audit::DevicesLaw>(hosts, needs_of(*hosts, spec),
                                             settings_of<DeviceSettings>(spec.machine));
}

// Parts of devices.
FillDemand filling_of_devices(const ModelSpec& spec) {
  const auto hosts = hosts_of(spec.machine, spec.seed);
  const auto needs = needs_of(*hosts, spec);
  FillDemand demand{hosts->devices() * hosts->parts()};
  demand.jobs.reserve(spec.jobs.size());
  for (std::uint32_t i = 0; i < spec.jobs.size(); ++i) {
    const auto& need = needs->of(JobId{i});
    const auto parts = need.amounts[hosts->gpu()];
    const auto of_one = need.gpus > 0 ? parts / need.gpus : 0;
    demand.jobs.push_back({parts * needs->chunks(JobId{i}), of_one});
  }
  return demand;
}

// A group of which the machine knows no number.
std::string wrong_groups(const sim::Machine& machine, const std::any* given) {
  if (given == nullptr) return {};
  const auto& hosts = machine.resources.hosts;
  for (const auto& own : std::any_cast<const DeviceSettings&>(*given).groups) {
    const bool is_there =
        std::any_of(hosts.begin(), hosts.end(),
                    [&](const HostGroup& each) { return each.name == own.first; });
    if (!is_there) {
      return fmt::format("machine.hosts.{}: how many hosts? add count", own.first);
    }
  }
  return {};
}

// Settings under another sharing.  REQUIRES: there are some.
std::string out_of_place(const DeviceSettings& given, const std::string& sharing) {
  std::string keys =
      "machine.device_rule, speeds and the like, and metrics.marks, are for";
  if (!given.groups.empty()) {
    const auto& [name, group] = *given.groups.begin();
    const bool has_devices =
        !group.type.empty() || group.count || group.parts || !group.slices.empty();
    keys = fmt::format("machine.hosts.{}.{}: cores and devices of hosts are for", name,
                       has_devices ? "devices" : "cpu");
  }
  return fmt::format("{} machine.sharing = \"devices\", and it is \"{}\"", keys,
                     sharing);
}

std::string wrong_hosts(const sim::Machine& machine, const std::any* given,
                        bool is_mine) {
  const bool has_settings =
      given != nullptr && is_changed(settings_of_devices(), *given);
  const bool has_groups =
      given != nullptr && !std::any_cast<DeviceSettings>(*given).groups.empty();
  if (!is_mine) {
    if (!has_settings && !has_groups) return {};
    return out_of_place(std::any_cast<const DeviceSettings&>(*given), machine.sharing);
  }
  if (auto wrong = wrong_groups(machine, given); !wrong.empty()) return wrong;
  const bool has_hosts = !machine.resources.hosts.empty();
  const bool has_file =
      given != nullptr && !std::any_cast<DeviceSettings>(*given).hosts_file.empty();
  if (has_hosts || has_file || (given != nullptr && !has_settings)) return {};
  return "machine.sharing = \"devices\" needs hosts: write [machine.hosts.NAME] or "
         "hosts_file";
}

// The kind for want of which the empty machine has no room for the job.
std::string_view lacking(const DeviceHosts& hosts, const DeviceRoom& empty,
                         const DeviceNeed& need, std::int32_t chunks) {
  auto other = need;
  other.may_use.clear();
  if (!need.may_use.empty() && empty.fits(other, chunks)) return "type";
  for (std::size_t kind = 0; kind < hosts.kinds().size(); ++kind) {
    other = need;
    other.amounts[kind] = 0;
    if (kind == hosts.gpu()) other.gpus = 0;
    if (empty.fits(other, chunks)) return hosts.kinds()[kind].name;
  }
  return need.partition >= 0 ? "partition" : "several kinds";
}

// Jobs that the empty machine has no room for, by kind.
std::vector<std::string> never_fitting(const ModelSpec& spec,
                                       const std::shared_ptr<const DeviceHosts>& hosts,
                                       const DeviceNeeds& needs) {
  const DeviceRoom empty(hosts);
  std::map<std::string_view, std::int64_t> by_kind;
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < spec.jobs.size(); ++i) {
    const auto& need = needs.of(JobId{i});
    const auto chunks = needs.chunks(JobId{i});
    if (empty.fits(need, chunks)) continue;
    ++by_kind[lacking(*hosts, empty, need, chunks)];
    ++count;
  }
  if (count == 0) return {};
  std::string kinds;
  for (const auto& [kind, jobs] : by_kind) {
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, jobs);
  }
  return {fmt::format(
      "{} job{} not fit the empty machine, so {} rejected, for want of: {}", count,
      count == 1 ? " does" : "s do", count == 1 ? "it is" : "they are", kinds)};
}

// Types that jobs name and no host has, a line each.
void add_unknown_types(const DeviceHosts& hosts, const DeviceNeeds& needs,
                       std::vector<std::string>& to) {
  constexpr std::size_t kMostListed = 10;
  std::map<std::string, std::int64_t, std::less<>> unknown;
  for (const auto& [need, jobs] : needs.all()) {
    each_type(need.types, [&, jobs = jobs](std::string_view name) {
      if (!hosts.type_named(name)) unknown[std::string(name)] += jobs;
    });
  }
  const std::vector<std::string_view> known(hosts.types().begin(), hosts.types().end());
  std::size_t listed = 0;
  for (const auto& [name, jobs] : unknown) {
    if (listed++ == kMostListed) break;
    to.push_back(fmt::format(
        "{} job{} the type {}, which no host has{}; there are {}", jobs,
        jobs == 1 ? " names" : "s name", printable(name), did_you_mean(name, known),
        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
  if (unknown.size() > kMostListed) {
    to.push_back(fmt::format("jobs name {} more types that no host has",
                             unknown.size() - kMostListed));
  }
}

// Classes with rates that no job is of.
std::vector<std::string> classes_without_jobs(const ModelSpec& spec,
                                              const DeviceHosts& hosts,
                                              const DeviceNeeds& needs) {
  const auto given = hosts.speeds().classes();
  std::set<std::string, std::less<>> left(given.begin(), given.end());
  for (std::uint32_t i = 0; i < spec.jobs.size() && !left.empty(); ++i) {
    left.erase(class_of(needs.of(JobId{i}), spec.jobs[i]));
  }
  std::vector<std::string> all;
  all.reserve(left.size());
  for (const auto& each : left) {
    all.push_back(fmt::format("machine.speeds: no job is of class {}, which has rates",
                              printable(each)));
  }
  return all;
}

std::vector<std::string> remarks_on_devices(const ModelSpec& spec) {
  const auto hosts = hosts_of(spec.machine, spec.seed);
  const auto needs = needs_of(*hosts, spec);
  auto all = never_fitting(spec, hosts, *needs);
  add_unknown_types(*hosts, *needs, all);
  for (auto& each : classes_without_jobs(spec, *hosts, *needs)) {
    all.push_back(std::move(each));
  }
  const auto settings = settings_of<DeviceSettings>(spec.machine);
  if (hosts->devices() > 0 && !fragmentation_of(hosts, *needs, settings).least_cpu()) {
    all.emplace_back("no task with a GPU need: fragmentation is all idle parts");
  }
  return all;
}

audit::PlaceReader devices_of_chunks(const ModelSpec& spec) {
  const auto hosts = hosts_of(spec.machine, spec.seed);
  const auto needs = needs_of(*hosts, spec);
  const auto hosts_of_machine = static_cast<std::int32_t>(hosts->hosts().size());
  return
      [needs, hosts_of_machine](const audit::Stay& stay) -> std::optional<Placement> {
        if (stay.tier || stay.of_machine.empty()) return std::nullopt;
        auto chunks = device_places_from(stay.of_machine.front());
        if (!chunks) return std::nullopt;
        chunks->processes = needs->processes(stay.job);
        auto placement = placement_of(std::move(*chunks));
        if (stay.places.empty()) return placement;
        if (audit::is_beyond(stay, hosts_of_machine)) return std::nullopt;
        // The law compares them with the hosts of the devices.
        return Placement(set_of_numbers(numbers_of(stay)),
                         *placement.form_if<DevicePlaces>(), Placement::Use::kShared);
      };
}

constexpr std::array<audit::PlaceColumn, 1> kDeviceColumns{
    {{"devices", true, [](std::string_view text) -> std::string {
        if (device_places_from(text)) return {};
        return "this is no list of chunks such as 12:0-1+3 14:5*460 7";
      }}}};

constexpr std::array<Refusal, 2> kDeviceRefusals{kNoDevice, kNoType};

void add_parts(const DevicePlaces& chunks, std::vector<DrawnPart>& to) {
  each_chunk(chunks, [&](const auto& chunk, const auto& own) {
    for (const auto device : own) to.push_back({chunk.host, device, chunk.parts});
  });
}

// Adds the parts of devices that a cell names; false: it is no placement.
bool add_drawn_parts(std::string_view text, std::vector<DrawnPart>& to) {
  const auto chunks = device_places_from(text);
  if (chunks) add_parts(*chunks, to);
  return chunks.has_value();
}

DrawnHosts drawn_hosts(const ModelSpec& spec) {
  const auto hosts = hosts_of(spec.machine, spec.seed);
  DrawnHosts drawn;
  drawn.name = "devices";
  drawn.hosts.reserve(hosts->hosts().size());
  for (const auto& each : hosts->hosts()) {
    drawn.hosts.push_back({each.name, each.devices});
  }
  drawn.whole = hosts->parts();
  drawn.add = [](const Placement& placement, std::vector<DrawnPart>& to) {
    add_parts(*placement.form_if<DevicePlaces>(), to);
  };
  return drawn;
}

}  // namespace

ModelRecord devices_record() {
  return {
      .name = "devices",
      .help =
          "hosts with cores, memory and devices such as GPUs, whole or shared in parts",
      .shares_processors = true,
      .counts_hosts = true,
      .settings = settings_of_devices,
      .read = read_files_of_devices,
      .use_hosts_file =
          [](std::any& settings, const std::string& path) {
            std::any_cast<DeviceSettings&>(settings).hosts_file = path;
          },
      .processors = [](const sim::Machine& machine,
                       const std::any& settings) -> std::int32_t {
        const DeviceHosts hosts(machine, std::any_cast<const DeviceSettings&>(settings),
                                0);
        return static_cast<std::int32_t>(hosts.hosts().size());
      },
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        const auto hosts = hosts_of(spec.machine, spec.seed);
        return std::make_unique<Devices>(hosts, needs_of(*hosts, spec),
                                         settings_of<DeviceSettings>(spec.machine));
      },
      .law = devices_law,
      .schedules = {PlaceForm::kNumbers, devices_of_chunks, devices_law, true},
      .measure = [](const ModelSpec& spec,
                    const Window& window) -> std::unique_ptr<MachineMeasure> {
        const auto hosts = hosts_of(spec.machine, spec.seed);
        return std::make_unique<DeviceMeasure>(
            hosts, needs_of(*hosts, spec), settings_of<DeviceSettings>(spec.machine),
            DeviceMeasured{window, spec.departures});
      },
      .metrics = device_metrics,
      .refusals = kDeviceRefusals,
      .place_columns = kDeviceColumns,
      .filling = filling_of_devices,
      .counts_memory = true,
      .job_files =
          [](const sim::Machine& machine) {
            return std::vector<JobFile>{
                {"workload.needs", device_needs_form(*hosts_of(machine, 0))}};
          },
      .wrong = wrong_hosts,
      .drawn = drawn_hosts,
      .remarks = remarks_on_devices,
  };
}

DrawnColumn drawn_devices() { return {"devices", add_drawn_parts}; }

}  // namespace berth
