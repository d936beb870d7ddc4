// What a policy asks of a machine with devices, right and wrong.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "bindings/lua_policy.hpp"
#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Two hosts of 8 cores with 2 devices, where jobs 1 to 3 leave 4 cores and (1000, 400)
// parts on host 0, and 1 core and (300, 300) on host 1; and a host without devices.
sim::Machine three_hosts() { return with_devices({{"t4", 2, 8, 2}, {"plain", 1, 4}}); }

// Jobs 4 to 6 wait: a share of 200, a whole device, a job without devices.
const DeviceJobs& six_jobs() {
  static const DeviceJobs kJobs(
      {{4, 0, 600}, {4, 0, 700}, {3, 0, 700}, {1, 0, 200}, {2, 1}, {1}});
  return kJobs;
}

struct CallsHeard {
  std::string printed;
  std::string error;
};

// One decision of a policy with these lines, once jobs 1 to 3 sit as above.
CallsHeard hear(const std::string& lines, const bindings::Limits& limits = {}) {
  const auto machine = three_hosts();
  const auto& jobs = six_jobs();
  const std::string text =
      "local done\nreturn { schedule = function(queue, cluster)\n"
      "if done then return end\ndone = true\n"
      "local hosts, list = cluster.hosts, {}\n"
      "for job in queue:all() do list[#list + 1] = job end\n"
      "cluster:start(list[1], hosts:place(list[1], 0, 1))\n"
      "cluster:start(list[2], hosts:place(list[2], 1, 0))\n"
      "cluster:start(list[3], hosts:place(list[3], 1, 1))\n"
      "local share, whole, plain = list[4], list[5], list[6]\n" +
      lines + "\nend }";
  CallsHeard heard;
  bindings::PolicyOptions options;
  options.limits = limits;
  options.print = [&](std::string_view line) {
    heard.printed += std::string(line) + "\n";
  };
  try {
    bindings::LuaPolicy policy({"test", "test.lua", text}, options);
    sim::Simulation simulation(
        machine, {}, jobs.jobs, policy,
        model_of(machine).make(ModelSpec{machine, jobs.jobs, jobs.attributes, 0}));
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const Error& error) {
    heard.error = error.what();
  }
  return heard;
}

bool fails_with(const std::string& lines, std::string_view part) {
  const auto heard = hear(lines);
  CAPTURE(heard.error);
  const bool does = heard.error.find(part) != std::string::npos;
  CHECK(does);
  return does;
}

// A function that makes the weight of this policy: its file without the last line.
std::string weight_of(const std::string& policy) {
  const auto text = policy_file(policy).text;
  return fmt::format("local {} = (function()\n{}\nreturn weight end)()\n", policy,
                     text.substr(0, text.rfind("return require(\"gpu\")")));
}

// Two hosts of 8 cores and 2 devices; jobs 1 to 3 leave 4 cores and (1000, 400) parts
// on host 0, and 1 core and (300, 300) on host 1.  Of each job behind them the weights
// of best fit, packing, clustering and dot, and of FGD with its device, for host and
// host.
std::string weights_there() {
  auto machine = with_devices({{"t4", 2, 8, 2}});
  auto settings = devices_of(machine);
  settings.fragmentation_cover = 100;
  settings.target = "target.csv";
  settings.target_text =
      "cpu,gpus,share,types,jobs\n1,1,500,,1\n2,1,,,1\n2,1,200,,1\n1,0,,,1\n";
  machine.model_settings = settings;
  const DeviceJobs jobs(
      {{4, 0, 600}, {4, 0, 700}, {3, 0, 700}, {1, 0, 200}, {1, 0, 400}, {2, 1}, {1}});
  std::string script;
  for (const auto* policy :
       {"gpu_best_fit", "gpu_packing", "gpu_clustering", "gpu_dot", "fgd"}) {
    script += weight_of(policy);
  }
  script += R"(
    local done
    return { schedule = function(queue, cluster)
      if done then return end
      done = true
      local hosts, list = cluster.hosts, {}
      for job in queue:all() do list[#list + 1] = job end
      cluster:start(list[1], hosts:place(list[1], 0, 1))
      cluster:start(list[2], hosts:place(list[2], 1, 0))
      cluster:start(list[3], hosts:place(list[3], 1, 1))
      for i = 4, 7 do
        for host in hosts:candidates(list[i]) do
          local value, device = fgd(host, list[i], hosts)
          print(host, gpu_best_fit(host, list[i], hosts), gpu_packing(host, list[i], hosts),
            gpu_clustering(host, list[i], hosts), gpu_dot(host, list[i], hosts), value, device)
        end
      end
    end })";
  std::string printed;
  bindings::PolicyOptions options;
  options.print = [&](std::string_view line) { printed += std::string(line) + "\n"; };
  bindings::LuaPolicy policy({"test", "test.lua", script}, options);
  sim::Simulation simulation(
      machine, {}, jobs.jobs, policy,
      model_of(machine).make(ModelSpec{machine, jobs.jobs, jobs.attributes, 0}));
  (void)simulation.advance(kNever);
  simulation.finish();
  return printed;
}

// What why_not says of the jobs that wait once all have started that fit, in their
// order, at 0.
std::string reasons_at_start(const sim::Machine& machine, const DeviceJobs& jobs) {
  std::string printed;
  bindings::PolicyOptions options;
  options.print = [&](std::string_view line) { printed += std::string(line) + "\n"; };
  bindings::LuaPolicy policy({"test", "test.lua", R"(
      return { schedule = function(queue, cluster)
        for job in queue:fitting() do cluster:start(job) end
        if cluster:now() > 0 then return end
        for job in queue:all() do
          local why, needed, available, _, kind = queue:why_not(job)
          print(job.id, why, needed, available, kind)
        end
      end })"},
                             options);
  sim::Simulation simulation(
      machine, {}, jobs.jobs, policy,
      model_of(machine).make(ModelSpec{machine, jobs.jobs, jobs.attributes, 0}));
  (void)simulation.advance(kNever);
  simulation.finish();
  return printed;
}

}  // namespace

TEST_SUITE("machines/devices/device_calls") {
  TEST_CASE("hosts tell of their devices, and jobs of what they need") {
    const auto heard = hear(R"(
      print(hosts:type(0), hosts:type(2), hosts:name(1), hosts:parts())
      for device, left in hosts:devices(0) do print(device, left) end
      print(hosts:ask(share, 0, "gpu"), hosts:ask(whole, 0, "gpu"), hosts:ask(whole, 0, "cpu"))
      print(hosts:idle(0, "cpu"), hosts:idle(0, "gpu"), hosts:largest("cpu"))
      for host in hosts:candidates(share) do print("candidate", host) end
      for job in hosts:jobs(1) do print(job.id) end
      print(share.gpus, share.share, whole.gpus, whole.share, plain.gpus, share.types)
      print(hosts:room(whole, 0), hosts:room(whole, 1), hosts:place(whole, 1)))");
    CHECK(heard.error.empty());
    CHECK(heard.printed ==
          "T4\tnil\tt4-1\t1000\n0\t1000\n1\t400\n200\t1000\t2000\n"
          "4000\t1400\t8000\ncandidate\t0\ncandidate\t1\n2\n3\n"
          "1\t200\t1\tnil\t0\tnil\n1\t0\tnil\tbusy\n");
  }

  TEST_CASE("a weight names host and device") {
    const auto heard = hear(R"(
      local rule = { weight = function(host, job, all) return host, all == hosts and 1 or 0 end }
      cluster:start(share, hosts:choose(share, rule))
      for device, left in hosts:devices(1) do print(device, left) end
      cluster:start(whole, hosts:choose(whole, function(host) return -host end))
      print(hosts:idle(0, "gpu")))");
    CHECK(heard.error.empty());
    CHECK(heard.printed == "0\t300\n1\t100\n400\n");
  }

  TEST_CASE("a remembered weight is asked for again once its host has changed") {
    const auto heard = hear(R"(
      local asked = 0
      local rule = { memo = true, weight = function(host) asked = asked + 1 return -host end }
      hosts:choose(plain, rule)
      hosts:choose(plain, rule)
      print(asked)
      cluster:start(share, hosts:choose(share, { device = "worst" }))
      hosts:choose(plain, rule)
      print(asked))");
    CHECK(heard.error.empty());
    CHECK(heard.printed == "3\n4\n");
  }

  TEST_CASE("a random weight and device take any of them that fits") {
    const auto heard = hear(R"(
      local seen = {}
      for _ = 1, 100 do
        local place = hosts:choose(share, { weight = "random", device = "random" })
        assert(place)
      end
      cluster:start(share, hosts:choose(share, { weight = "random", device = "random" }))
      print(share.state))");
    CHECK(heard.error.empty());
    CHECK(heard.printed == "running\n");
  }

  TEST_CASE("ties go to the lowest host, or to any") {
    // The hosts that the job gets by the n-th choice.
    const auto hosts_by = [](const std::string& ties) {
      std::string all;
      for (int n = 1; n <= 12; ++n) {
        const auto heard = hear(fmt::format(R"(
          local before, place = {{}}, nil
          for host = 0, 2 do before[host] = hosts:idle(host, "cpu") end
          for _ = 1, {} do
            place = hosts:choose(plain, {{ weight = function() return 0 end, ties = "{}" }})
          end
          cluster:start(plain, place)
          for host = 0, 2 do if hosts:idle(host, "cpu") < before[host] then print(host) end end)",
                                            n, ties));
        CHECK(heard.error.empty());
        all += heard.printed.substr(0, 1);
      }
      return all;
    };
    CHECK(hosts_by("lowest") == std::string(12, '0'));
    const auto any = hosts_by("random");
    CHECK(any.find_first_not_of("012") == std::string::npos);
    for (const char host : {'0', '1', '2'}) CHECK(any.find(host) != std::string::npos);
    CHECK(fails_with("hosts:choose(plain, { ties = \"first\" })", "ties must be"));
  }

  TEST_CASE("a weight that changes its mind ends the run") {
    (void)fails_with(R"(
      local count = 0
      local rule = { memo = true, weight = function() count = count + 1 return count end }
      for _ = 1, 100 do hosts:choose(plain, rule) end)",
                     "memo: the weight of host 0 for job 6 was 1.0 and is now 4.0");
  }

  TEST_CASE("a weight that runs into a limit ends the run, and nothing catches that") {
    const auto meets = [](const std::string& weight, bindings::Limits limits) {
      const auto heard = hear(
          "pcall(hosts.choose, hosts, plain, { memo = true, weight = "
          "function() " +
              weight + " end })\nprint(\"went on\")",
          limits);
      CHECK(heard.printed.empty());
      return heard.error;
    };
    bindings::Limits work;
    work.work_units = 100'000;
    CHECK(meets("while true do end", work).find("limit") != std::string::npos);
    bindings::Limits time;
    time.time_seconds = 0.05;
    CHECK(meets("while true do end", time).find("limit") != std::string::npos);
    bindings::Limits memory;
    memory.memory_mib = 8;
    CHECK(meets("local all = {} for i = 1, 10 ^ 9 do all[i] = {} end", memory)
              .find("memory limit") != std::string::npos);
  }

  TEST_CASE("a remembered choice is that of all weights, whatever has changed") {
    // Jobs come and go on three hosts; the best host by a remembered weight is that by
    // one which is asked for anew.
    const auto heard = hear(R"(
      local function weight(host) return hosts:idle(host, "cpu") * 10 - host end
      local function where(rule)
        local place = hosts:choose(plain, rule)
        cluster:start(plain, place)
        return hosts:idle(0, "cpu") .. " " .. hosts:idle(1, "cpu") .. " " .. hosts:idle(2, "cpu")
      end
      local before = hosts:choose(plain, { memo = true, weight = weight })
      cluster:start(share, hosts:choose(share, { memo = true, weight = weight }))
      cluster:start(whole, hosts:choose(whole, { memo = true, weight = weight }))
      print(where({ memo = true, weight = weight })))");
    CHECK(heard.error.empty());
    // Host 0 had 4 cores, host 1 one, host 2 four without devices: the share takes one
    // of host 0, the whole device two more, and then host 2 has most.
    CHECK(heard.printed == "1000 1000 3000\n");
  }

  TEST_CASE("an error of a weight leaves what is remembered as it was") {
    const auto heard = hear(R"(
      local breaks = true
      local rule = { memo = true, weight = function(host)
        if breaks and host == 1 then error("not now") end
        return host
      end }
      print(pcall(hosts.choose, hosts, share, rule))
      breaks = false
      cluster:start(share, hosts:choose(share, rule))
      for device, left in hosts:devices(1) do print(device, left) end)");
    CHECK(heard.error.empty());
    CHECK(heard.printed.starts_with("false\t"));
    CHECK(heard.printed.ends_with("0\t100\n1\t300\n"));
  }

  TEST_CASE("wrong weights, devices and calls are told") {
    const auto with = [](const std::string& rule) {
      return "hosts:choose(share, " + rule + ")";
    };
    CHECK(fails_with(with("{ weight = function() return 0/0 end }"),
                     "choose: job 4: the weight must be a finite number, got"));
    CHECK(fails_with(with("{ weight = function() return 1, 2 end }"),
                     "choose: job 4: there is no device 2 on host 0"));
    CHECK(fails_with("hosts:place(share, 0, -1)",
                     "place: job 4: there is no device -1 on host 0"));
    CHECK(fails_with("hosts:place(whole, 0, 1)",
                     "place: job 5: device 1 of host 0 is named, and the job needs no "
                     "share"));
    CHECK(fails_with(with("{ weight = function() return 1, 0.5 end }"),
                     "there is no device 0.5 on host 0"));
    // A device of another host, which has more of them.
    CHECK(fails_with(with("{ memo = true, weight = function(host)\n"
                          "  for device in hosts:devices(host) do return 1, device + 2 "
                          "end\nend }"),
                     "there is no device 2 on host 0"));
    CHECK(fails_with(with("{ weight = function() return #tostring(hosts:choose(plain)) "
                          "end }"),
                     "choose: not within a weight"));
    CHECK(fails_with(with("{ weight = function() cluster:reject(plain) end }"),
                     "reject: not allowed in"));
    CHECK(
        fails_with(with("{ weight = 5 }"), "weight must be a function or \"random\""));
    CHECK(fails_with(with("{ device = \"any\" }"), "device must be \"best\""));
    CHECK(fails_with(with("{ wieght = 5 }"), "wieght"));
    CHECK(fails_with("hosts:choose(whole, { weight = function() return 1, 0 end })",
                     "choose: job 5: device 0 of host 0 is named, and the job needs no "
                     "share: a device is named for a share alone"));
    CHECK(fails_with("hosts:place(list[4], 0, 1) hosts:fragmentation(0, share)",
                     "a device of the host"));
    CHECK(fails_with("hosts:fragmentation(1, whole)", "has no room for a chunk"));
    CHECK(fails_with("hosts:type(3)", "there is no host 3: hosts are 0 to 2"));
    CHECK(fails_with("hosts:idle(0, \"processors\")", "there is no kind 'processors'"));
  }

  TEST_CASE("a share on a device with too little left is told") {
    CHECK(
        fails_with("cluster:start(share, hosts:place(share, 1, 0)) "
                   "hosts:fragmentation(1, share, 0)",
                   "fragmentation: job 4: device 0 of host 1 has 100 parts left, and a "
                   "share takes 200"));
    CHECK(
        fails_with("cluster:start(whole, hosts:place(whole, 0)) "
                   "hosts:choose(share, { weight = function() return 1, 0 end })",
                   "choose: job 4: device 0 of host 0 has 0 parts left, and a share "
                   "takes 200"));
  }

  TEST_CASE("a call that fails leaves hosts and jobs as they were") {
    const auto heard = hear(R"(
      local function state()
        local text = whole.state .. " " .. share.state .. " " .. plain.state
        for host = 0, 2 do
          text = text .. " " .. hosts:idle(host, "cpu")
          for _, left in hosts:devices(host) do text = text .. " " .. left end
        end
        return text
      end
      local before = state()
      local function weighs(weight, memo)
        return function() return hosts:choose(share, { weight = weight, memo = memo }) end
      end
      for _, call in ipairs {
        weighs(function() return 0 / 0 end), weighs(function() return 1, 7 end, true),
        weighs(function() cluster:start(plain) return 1 end),
        weighs(function() cluster:reject(plain) return 1 end, true),
        function() return hosts:place(whole, 0, 1) end,
        function() return cluster:start(share, hosts:place(share, 0, 9)) end,
      } do
        assert(not pcall(call))
        assert(state() == before)
      end
      print(before))");
    CHECK(heard.error.empty());
    CHECK(heard.printed == "waiting waiting waiting 4000 1000 400 1000 300 300 4000\n");
  }

  TEST_CASE("weights of two hosts are those worked out by hand") {
    CHECK(weights_there() ==
          "0\t51\t96\t82\t93\t53\t1\n"
          "1\t90\t97\t92\t97\t54\t0\n"
          "0\t56\t96\t82\t89\t57\t1\n"
          "0\t77\t49\t7\t76\t56\tnil\n"
          "0\t46\t0\t0\t96\t50\tnil\n"
          "1\t85\t0\t0\t99\t50\tnil\n");
  }

  TEST_CASE("parts that are idle on several devices are no reason to start") {
    // Left are 400 and 300 parts, and 6 cores.
    const DeviceJobs jobs({{1, 0, 600}, {1, 0, 700}, {1, 0, 500}, {1, 1}, {7}});
    CHECK(reasons_at_start(with_devices({{"a", 1, 8, 2}}), jobs) ==
          "3\tdevice\t500\t400\tgpu\n"
          "4\tbusy\t1000\t700\tgpu\n"
          "5\tbusy\t7000\t6000\tcpu\n");
  }

  TEST_CASE("whole devices of one chunk are of one host") {
    const DeviceJobs jobs({{1, 1}, {1, 1, 0, 1, "V100"}, {1, 2}});
    CHECK(reasons_at_start(with_devices({{"a", 1, 8, 2}, {"b", 1, 8, 2, "V100"}}),
                           jobs) == "3\tdevice\t2000\t1000\tgpu\n");
  }

  TEST_CASE("idle devices of other types are told") {
    const DeviceJobs jobs(
        {{1, 1, 0, 1, "T4"}, {1, 1, 0, 1, "T4"}, {1, 0, 300, 1, "A100"}});
    CHECK(reasons_at_start(
              with_devices(
                  {{"a", 1, 8, 1}, {"b", 1, 8, 1, "V100"}, {"c", 1, 8, 1, "A100"}}),
              jobs) == "2\ttype\t1\t0\tchunks\n");
  }
}
