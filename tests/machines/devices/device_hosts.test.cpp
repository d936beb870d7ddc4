#include "engine/machines/devices/device_hosts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/base/error.hpp"
#include "tests/support/devices.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

DeviceHosts from_file(const std::string& text,
                      std::map<std::string, std::string> columns = {}) {
  DeviceSettings settings;
  settings.hosts_file = "hosts.csv";
  settings.hosts_text = text;
  settings.columns = std::move(columns);
  return {sim::Machine{}, settings, 0};
}

template <class Make>
std::string what_is_wrong(const Make& make) {
  try {
    (void)make();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string wrong_file(const std::string& text,
                       const std::map<std::string, std::string>& columns = {}) {
  return what_is_wrong([&] { return from_file(text, columns); });
}

std::string wrong_machine(const sim::Machine& machine) {
  return what_is_wrong([&] { return DeviceHosts(machine, devices_of(machine), 0); });
}

}  // namespace

TEST_SUITE("machines/devices/device_hosts") {
  TEST_CASE("hosts come from groups, in their order") {
    const auto machine =
        with_devices({{"v", 2, 96, 8, "V100"}, {"p", 1, 64}, {"t", 1, 8, 2, "T4"}});
    const DeviceHosts hosts(machine, devices_of(machine), 0);
    CHECK(hosts.hosts().size() == 4);
    CHECK(hosts.host(1).name == "v-1");
    CHECK(hosts.host(3).first == 16);
    CHECK(hosts.host(2).type == kUntyped);
    CHECK(hosts.types().size() == 2);
    CHECK(hosts.kinds().size() == 2);  // no host has memory
    CHECK(hosts.kinds()[hosts.gpu()].capacity == 18'000);
    CHECK(hosts.amount_on(0, 0) == 96'000);
  }

  TEST_CASE("hosts come from a file, with columns of other names and units") {
    const auto hosts = from_file(
        "sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,P100\nn2,1500,1024,0,\n",
        {{"name", "sn"},
         {"cpu", "cpu_milli / 1000"},
         {"memory", "memory_mib / 1024"},
         {"devices", "gpu"},
         {"type", "model"}});
    CHECK(hosts.hosts().size() == 2);
    CHECK(hosts.host(0).name == "n1");
    CHECK(hosts.amount_on(0, 0) == 64'000);
    CHECK(hosts.amount_on(1, 0) == 1500);
    CHECK(hosts.amount_on(0, 1) == std::int64_t{256} * 1024 * 1024);
    CHECK(hosts.host(0).devices == 2);
    CHECK(hosts.types()[0] == "P100");
    CHECK(hosts.host(1).type == kUntyped);
  }

  TEST_CASE("a row may stand for several hosts, and name slices and a partition") {
    const auto hosts = from_file(
        "cpu,devices,type,slices,partition,count\n8,1,A100,250;500,3,2\n4,0,T4,,,1\n");
    CHECK(hosts.hosts().size() == 3);
    CHECK(hosts.share_on(hosts.host(1), 251) == 500);
    CHECK(hosts.share_on(hosts.host(1), 501) == 0);
    CHECK(hosts.amounts().hosts[1].partition == 3);
    CHECK_FALSE(hosts.amounts().hosts[2].partition);
    CHECK(hosts.host(2).type == kUntyped);  // it has no devices
  }

  TEST_CASE("hosts are shuffled by the seed, all of them") {
    auto machine = with_devices({{"a", 50, 1, 1, "A"}, {"b", 50, 1, 1, "B"}});
    auto settings = devices_of(machine);
    settings.shuffles_hosts = true;
    const auto order = [&](std::uint64_t seed) {
      const DeviceHosts hosts(machine, settings, seed);
      std::string all;
      for (const auto& host : hosts.hosts()) all += host.name + " ";
      return all;
    };
    CHECK(order(1) == order(1));
    CHECK(order(1) != order(2));
    CHECK(order(1).size() == order(2).size());
  }

  TEST_CASE("what is wrong with a file of hosts is told by line and column") {
    CHECK(wrong_file("cpu\n") ==
          "hosts.csv:1:1: there is no host; write a line for each");
    CHECK(wrong_file("cpu,devices\n1,2\n") ==
          "hosts.csv:2:3: devices: of which type are the 2 devices? add a column type");
    CHECK(wrong_file("cpu\nmany\n") == "hosts.csv:2:1: cpu: 'many' is not a number");
    CHECK(wrong_file("cpu\n-1\n") == "hosts.csv:2:1: cpu: -1 is below 0");
    CHECK(wrong_file("cpu,count\n1,1.5\n") ==
          "hosts.csv:2:3: count: '1.5' is not a whole number from 1 to 10000000");
    CHECK(wrong_file("name,cpu\na,1\na,1\n") ==
          "hosts.csv:3:1: name: there is a host a already");
    CHECK(wrong_file("cpu,devices,type,slices\n1,1,A,500;250\n") ==
          "hosts.csv:2:7: slices: 250 in 500;250 does not rise");
    CHECK(wrong_file("cpu\n1\n", {{"cpus", "cpu"}}) ==
          "machine.hosts_columns.cpus: there is no such field (did you mean 'cpu'?)");
    CHECK(wrong_file("cpu\n1\n", {{"memory", "mib / none"}}) ==
          "machine.hosts_columns.memory: 'mib / none' is no column, nor a column or "
          "the product of two, * or "
          "/ a "
          "number, nor the difference of two columns");
    CHECK(wrong_file("cpu\n1\n", {{"memory", "mib"}}).starts_with("hosts.csv:1:"));
  }

  TEST_CASE("what is wrong with groups is told by key") {
    auto machine = with_devices({{"a", 1, 8, 2, "T4"}, {"b", 1, 8, 2, "T4"}});
    auto& groups = std::any_cast<DeviceSettings&>(machine.model_settings).groups;
    groups["b"].parts = 100;
    CHECK(
        wrong_machine(machine) ==
        "machine.hosts.b.devices.parts: 100 parts, but the devices of a have 1000; all "
        "devices of a machine have as many");
    groups["b"].parts = 1000;
    groups["b"].slices = "500,1001";
    CHECK(wrong_machine(machine) ==
          "machine.hosts.b.devices.slices: 1001 in 500,1001 is not from 1 to 1000, the "
          "parts of a device");
    groups["b"].slices.clear();
    groups["b"].type.clear();
    CHECK(wrong_machine(machine) ==
          "machine.hosts.b.devices: of which type are they? add type = \"NAME\"");
    groups["b"].type = "T4";
    groups["b"].count.reset();
    CHECK(wrong_machine(machine) ==
          "machine.hosts.b.devices: how many has each host? add count");
  }
}
