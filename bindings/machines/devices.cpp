// Machines with devices: further members of cluster.hosts, and fields of jobs.

#include <algorithm>
#include <array>

#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/machines/devices_choice.hpp"
#include "bindings/proposals.hpp"
#include "engine/jobs/label.hpp"

namespace berth::bindings {

namespace device_calls {

std::span<const Starter> starters();

namespace {

// The idle parts of the devices of a host.
std::span<const std::int64_t> left_on(lua_State* lua, std::int32_t host) {
  return machine_with_devices(lua).devices().left(host);
}

int type(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const auto number = machine.hosts().host(read_host(lua, 2)).type;
  if (number == kUntyped) return lua_pushnil(lua), 1;
  push_string(lua, machine.hosts().types()[static_cast<std::size_t>(number)]);
  return 1;
}

int host_name(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  push_string(lua, machine.hosts().host(read_host(lua, 2)).name);
  return 1;
}

int parts(lua_State* lua) {
  return lua_pushinteger(lua, machine_with_devices(lua).hosts().parts()), 1;
}

// Upvalues: host, next device.
int next_device(lua_State* lua) {
  const auto host = static_cast<std::int32_t>(lua_tointeger(lua, lua_upvalueindex(1)));
  const auto device = lua_tointeger(lua, lua_upvalueindex(2));
  const auto left = left_on(lua, host);
  if (device >= std::ssize(left)) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, device + 1);
  lua_replace(lua, lua_upvalueindex(2));
  lua_pushinteger(lua, device);
  lua_pushinteger(lua, left[static_cast<std::size_t>(device)]);
  return 2;
}

int devices(lua_State* lua) {
  (void)machine_with_devices(lua);
  lua_pushinteger(lua, read_host(lua, 2));
  lua_pushinteger(lua, 0);
  return lua_pushcclosure(lua, next_device, 2), 1;
}

int ask(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const JobId job = read_job(lua, 2);
  const auto host = read_host(lua, 3);
  const auto kind = read_kind_if_any(lua, 4);
  const auto& need = machine.needs().of(job);
  return push_amount(lua, kind,
                     kind == machine.hosts().gpu() ? machine.devices().ask(need, host)
                                                   : need.amounts[kind]);
}

int largest(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const auto kind = read_kind_if_any(lua, 2);
  return push_amount(lua, kind, machine.hosts().largest(kind));
}

// Upvalues: job, next host.
int next_candidate(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const JobId job = read_job(lua, lua_upvalueindex(1));
  auto host = lua_tointeger(lua, lua_upvalueindex(2));
  const auto hosts = std::ssize(machine.hosts().hosts());
  while (host < hosts) {
    budget(lua).charge();
    const auto number = static_cast<std::int32_t>(host++);
    if (machine.room_on(job, number) == 0) continue;
    lua_pushinteger(lua, host);
    lua_replace(lua, lua_upvalueindex(2));
    return lua_pushinteger(lua, number), 1;
  }
  return lua_pushnil(lua), 1;
}

int candidates(lua_State* lua) {
  (void)machine_with_devices(lua);
  push_job(lua, read_job(lua, 2));
  lua_pushinteger(lua, 0);
  return lua_pushcclosure(lua, next_candidate, 2), 1;
}

int jobs(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const auto host = read_host(lua, 2);
  return push_walk(lua, [&] { return sim::Selection::listed(machine.jobs_on(host)); });
}

int fragmentation(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  if (lua_isnoneornil(lua, 2)) {
    budget(lua).charge_each(machine.hosts().hosts().size());
    const auto now = attempt(lua, [&] { return machine.fragmentation_now(); });
    return lua_pushnumber(lua, now), 1;
  }
  const auto host = read_host(lua, 2);
  if (lua_isnoneornil(lua, 3)) {
    const auto now = attempt(lua, [&] { return machine.fragmentation_on(host); });
    return lua_pushnumber(lua, now), 1;
  }
  const JobId job = read_job(lua, 3);
  const auto& need = machine.needs().of(job);
  const auto device = read_device(lua, 4, {"fragmentation", job, host});
  if (need.share > 0 && device == kByRule) expected(lua, 4, "a device of the host");
  const auto with = attempt(lua, [&] {
    return machine.fragmentation().with(machine.devices(), host, need, device);
  });
  if (!with) bad_argument(lua, 2, "the host has no room for a chunk of the job there");
  return lua_pushnumber(lua, *with), 1;
}

int rate(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const auto& need = machine.needs().of(read_job(lua, 2));
  const auto host = read_host(lua, 3);
  const auto type = machine.hosts().host(host).type;
  const auto partition = machine.hosts().partition(host);
  const bool may_go = need.allows(type) && (!partition || *partition == need.partition);
  return lua_pushnumber(lua, may_go ? need.rate_on(type) : 0.0), 1;
}

int place(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const JobId job = read_job(lua, 2);
  const auto host = read_host(lua, 3);
  const auto device = read_device(lua, 4, {"place", job, host});
  const auto chunks = machine.needs().chunks(job);
  if (machine.room_on(job, host) < chunks) return push_refusal(lua, Refusal::kBusy);
  const HostSeat seat{{host, chunks}, device};
  return push_choice(lua, job, {&seat, 1}, machine.rule());
}

constexpr std::array kOfHosts{
    Primitive{"type", "host: integer", "string?",
              "Type of the devices of a host; nil where it has none (machines with "
              "devices, as all that follow).",
              "not pcall(cluster.hosts.type, cluster.hosts, 0)", type},
    Primitive{"name", "host: integer", "string", "Name of a host.",
              "not pcall(cluster.hosts.name, cluster.hosts, 0)", host_name},
    Primitive{"parts", "", "integer", "Parts of a device.",
              "not pcall(cluster.hosts.parts, cluster.hosts)", parts},
    Primitive{"devices", "host: integer", "fun(): integer?, integer?",
              "Walk the devices of a host by number, each with its idle parts.",
              "not pcall(cluster.hosts.devices, cluster.hosts, 0)", devices},
    Primitive{"ask", "job: Job, host: integer, kind?: string|integer", "number",
              "What one chunk of the job takes there; of \"gpu\" the parts of its "
              "devices, a share rounded up to a slice, 0 if no slice suffices.",
              "not pcall(cluster.hosts.ask, cluster.hosts, job, 0)", ask},
    Primitive{"largest", "kind?: string|integer", "number",
              "The most of a kind that one host has (default: cpu).",
              "not pcall(cluster.hosts.largest, cluster.hosts)", largest},
    Primitive{"candidates", "job: Job", "fun(): integer?",
              "Walk the hosts with room for a chunk of the job, by number.",
              "not pcall(cluster.hosts.candidates, cluster.hosts, job)", candidates},
    Primitive{"jobs", "host: integer", "Selection",
              "Walk the running jobs with a chunk on the host, by (submit, id).",
              "not pcall(cluster.hosts.jobs, cluster.hosts, 0)", jobs},
    Primitive{"rate", "job: Job, host: integer", "number",
              "Work per second of a chunk of the job there; 0 where its types or its "
              "partition may not go.",
              "not pcall(cluster.hosts.rate, cluster.hosts, job, 0)", rate},
    Primitive{"fragmentation", "host?: integer, job?: Job, device?: integer", "number",
              "Idle parts of the host, or of all hosts, that a job drawn from the "
              "target could not use; with a chunk of `job` more there: a share on "
              "`device`, whole devices on the lowest idle ones.",
              "not pcall(cluster.hosts.fragmentation, cluster.hosts)", fragmentation},
    Primitive{"place", "job: Job, host: integer, device?: integer",
              "Placement?, refusal? why",
              "A placement of all chunks on the host, the first share on `device`.",
              "not pcall(cluster.hosts.place, cluster.hosts, job, 0)", place},
};

const Devices* devices_at(const JobFieldAt& at) {
  return capability<Devices>(at.simulation.world().hosts());
}

constexpr std::array kOfJob{
    JobField{{"gpus", "", "integer?",
              "Devices that a chunk of it needs, 0 for none; nil on a machine without "
              "devices.",
              "job.gpus == nil"},
             [](const JobFieldAt& at) {
               lua_pushinteger(at.lua, devices_at(at)->needs().of(at.id).gpus);
             }},
    JobField{{"share", "", "integer?",
              "Parts of one device that a chunk needs; nil: whole devices, or none.",
              "job.share == nil"},
             [](const JobFieldAt& at) {
               const auto share = devices_at(at)->needs().of(at.id).share;
               if (share == 0) return lua_pushnil(at.lua);
               lua_pushinteger(at.lua, share);
             }},
    JobField{{"types", "", "string?",
              "Types of devices that it may use, as \"V100|T4\"; nil: any.",
              "job.types == nil"},
             [](const JobFieldAt& at) {
               const auto& types = devices_at(at)->needs().of(at.id).types;
               if (types.empty()) return lua_pushnil(at.lua);
               push_string(at.lua, types);
             }},
    JobField{{"class", "", "integer|string|nil",
              "Its class in workload.needs, else the trace's queue number; nil if "
              "neither is known.",
              "job.class == nil"},
             [](const JobFieldAt& at) {
               const auto& own = devices_at(at)->needs().of(at.id).job_class;
               if (!own.empty()) return push_string(at.lua, own);
               const auto number = label_number(at.job.queue_class);
               if (number == kUnknown) return lua_pushnil(at.lua);
               lua_pushinteger(at.lua, number);
             }},
};

}  // namespace
}  // namespace device_calls

MachineCalls devices_calls() {
  MachineCalls calls{"devices"};
  calls.of_hosts = device_calls::kOfHosts;
  calls.choose_hosts = device_calls::choose;
  calls.of_job = device_calls::kOfJob;
  calls.starters = device_calls::starters();
  calls.state = device_calls::new_devices_state;
  return calls;
}

}  // namespace berth::bindings
