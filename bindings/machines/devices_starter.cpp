// A folder to start from on machines with devices: a cluster with GPUs, tasks, a policy
// and its cases.

#include <array>

#include "bindings/starter.hpp"

namespace berth::bindings::device_calls {

namespace {

constexpr std::string_view kStudy =
    R"toml(# Which policy keeps the GPUs busy?  berth run gpu.toml
title = "A cluster with GPUs"
seed  = 1

[machine]
sharing = "devices"

[machine.hosts.a100]         # groups of like hosts, numbered from 0 in this order
count   = 2
cpu     = 32                 # cores
memory  = 256                # GiB
devices = { type = "A100", count = 4 }   # each in 1000 parts

[machine.hosts.t4]
count   = 3
cpu     = 16
memory  = 64
devices = { type = "T4", count = 2 }

[workload]
# One task a row.  Needs are those of the task: cores, GiB, whole devices (gpus), or a
# share of one device in parts, and the types of devices that it may use.
trace = "tasks.csv"
# Where the columns of your own tasks have other names or units:
#   [workload.columns]
#   cpu = "cpu_milli / 1000"

[run]
policies = ["fcfs", "easy", "gpu_best_fit", "fgd", "./mine.lua"]
metrics  = ["mean_wait", "max_wait", "gpu_allocation", "gpu_fragmentation"]
)toml";

constexpr std::string_view kTasks =
    R"csv(name,submit,length,walltime,cpu,memory,gpus,share,types
task1,60,900,2700,16,64,4,,A100
task2,150,300,600,16,64,4,,A100
task3,240,1800,3600,4,16,1,,A100
task4,280,1800,1800,2,8,1,600,
task5,370,1800,1800,4,16,1,,A100|T4
task6,370,300,300,2,8,1,500,
task7,460,1800,3600,16,64,4,,A100
task8,500,2400,2400,4,16,1,,
task9,590,120,240,4,8,0,,
task10,680,120,120,1,8,1,500,
task11,740,120,120,1,4,1,250,
task12,800,2400,7200,1,4,1,500,
task13,840,600,1200,2,4,1,200,
task14,860,120,120,2,8,1,200,
task15,880,300,900,4,16,1,,
task16,900,900,900,4,16,1,,
task17,900,1800,3600,1,4,1,200,
task18,960,1800,1800,2,8,0,,
task19,980,120,240,4,16,1,,
task20,980,1800,3600,2,8,1,200,
task21,1070,1800,5400,4,16,1,,A100|T4
task22,1130,300,600,1,4,1,250,
task23,1150,1800,3600,8,32,2,,
task24,1210,900,900,4,16,1,,A100
task25,1210,600,1200,4,16,1,,
task26,1270,1800,5400,16,64,4,,A100
task27,1310,2400,2400,4,16,1,,A100
task28,1370,1800,1800,4,16,1,,A100
task29,1390,120,240,8,32,2,,
task30,1390,600,1200,2,4,1,200,
task31,1450,2400,4800,8,8,0,,
task32,1450,600,1200,4,16,1,,A100|T4
task33,1450,2400,4800,4,16,1,,
task34,1450,600,600,4,16,1,,
task35,1470,600,1200,8,32,2,,A100
task36,1530,900,900,4,8,0,,
task37,1620,900,900,4,16,1,,A100|T4
task38,1620,900,1800,4,16,0,,
task39,1680,1800,1800,4,16,1,,
task40,1720,900,900,4,16,1,,A100
task41,1720,1800,5400,4,16,1,,A100
task42,1720,300,600,1,8,1,600,
task43,1780,300,600,4,16,1,,
task44,1840,300,600,8,32,2,,
task45,1880,300,900,1,4,1,400,
task46,1920,120,360,16,64,4,,A100
task47,1980,300,900,2,8,1,500,
task48,2070,120,120,4,16,1,,A100
task49,2160,2400,4800,2,8,1,600,
task50,2250,300,900,1,4,1,500,
task51,2290,300,300,2,4,1,200,
task52,2380,600,600,4,16,1,,A100|T4
task53,2440,2400,2400,1,4,1,500,
task54,2460,600,1200,1,4,1,500,
task55,2520,2400,7200,2,16,0,,
task56,2580,120,360,2,8,1,600,
task57,2620,300,300,4,16,1,,
task58,2620,900,900,2,8,1,400,
task59,2620,120,120,2,8,1,500,
task60,2660,120,240,4,16,1,,A100|T4
)csv";

constexpr std::string_view kPolicy =
    R"lua(-- mine: each task goes to the host with the least idle GPUs on which it fits, so that
-- other hosts stay whole for tasks that need many.
--
-- berth calls schedule(queue, cluster) whenever something happened that matters: a task
-- came or ended.  `berth api hosts` lists what can be asked of hosts and devices.
---@type Policy
local mine = {
  -- What can be set from outside: berth run gpu.toml --policy ./mine.lua:spread=true
  params = {
    spread = { default = false, help = "to the host with the most idle GPUs instead" },
  },
}

-- The host with the largest weight is taken; of equal ones the first.
local function fullest(host, _, hosts) return -hosts:idle(host, "gpu") end
local function emptiest(host, _, hosts) return hosts:idle(host, "gpu") end

function mine.schedule(queue, cluster)
  local rule = {
    weight = cluster.params.spread and emptiest or fullest,
    device = "best",  -- a share goes to the device with the least left that suffices
    memo = true,      -- a weight depends on the host and on what the task needs alone
  }
  for job in queue:all() do
    local place = cluster.hosts:choose(job, rule)
    if place then cluster:start(job, place) end
  end
end

return mine
)lua";

constexpr std::string_view kCases =
    R"lua(-- Cases for mine: `berth test mine.lua` runs them.  A task is { submit, 1, length, needs };
-- starts are what each task's start must be.
local two = { a = { count = 2, cpu = 8, devices = { type = "T4", count = 2 } } }
-- Two shares, and a task that needs both devices of a host.
local tasks = {
  { 0, 1, 10, needs = { cpu = 1, share = 600 } },
  { 1, 1, 10, needs = { cpu = 1, share = 300 } },
  { 2, 1, 10, needs = { cpu = 2, gpus = 2 } },
}

return {
  -- Both shares sit on one device of host 0, and host 1 is whole when the third comes.
  { "shares keep together, and a host stays whole", sharing = "devices", hosts = two,
    jobs = tasks, starts = { 0, 1, 2 } },
  -- The second share takes a device of host 1: the third waits till the first has left.
  { "spread over hosts, shares leave none of them whole", sharing = "devices", hosts = two,
    params = { spread = true }, jobs = tasks, starts = { 0, 1, 10 } },
}
)lua";

constexpr std::array kFiles{NewText{"gpu.toml", kStudy}, NewText{"tasks.csv", kTasks},
                            NewText{"mine.lua", kPolicy},
                            NewText{"mine.test.lua", kCases}};

}  // namespace

std::span<const Starter> starters() {
  static constexpr std::array kStarters{
      Starter{"gpu", "a cluster with GPUs, whole or shared", kFiles}};
  return kStarters;
}

}  // namespace berth::bindings::device_calls
