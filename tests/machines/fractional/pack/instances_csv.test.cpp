#include "engine/machines/fractional/pack/instances_csv.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<Instance> read(const std::string& text) {
  return read_instances(text, "i.csv", budget);
}

// The message that this text is refused with.
std::string refusal(const std::string& text) {
  try {
    (void)read(text);
  } catch (const berth::Error& error) {
    CHECK(error.code() == berth::ErrorCode::kInput);
    return error.what();
  }
  return "accepted";
}

std::string refused_row(const std::string& row) {
  return refusal("instance,hosts,job,tasks,cpu,memory,host\n" + row + "\n");
}

}  // namespace

TEST_SUITE("machines/fractional/pack/instances_csv") {
  TEST_CASE("a line a job, instances in the order of their first lines") {
    const auto instances = read(
        "instance,hosts,job,tasks,cpu,memory,host\r\n"
        "7,2,2,2,0.5,0.25,1 0\r\n"
        "3,4,1,1,1,0,\r\n"
        "7,2,1,1,0.25,0.5,\r\n");
    REQUIRE(instances.size() == 2);
    CHECK(instances[0].number == 7);
    CHECK(instances[0].problem.hosts == 2);
    CHECK(instances[0].problem.items.cpu(0) == 0.25);
    CHECK(instances[0].problem.present == Hosts{kNoHost, 1, 0});
    CHECK(instances[1].number == 3);
    CHECK(instances[1].problem.present.empty());
  }

  TEST_CASE("what is written reads back the same") {
    InstanceSettings settings{.hosts = 4, .jobs = 9};
    settings.parallel = true;
    std::vector<Instance> written;
    for (int i = 1; i <= 50; ++i)
      written.push_back({i, random_instance(settings, budget, 1, i)});
    for (const bool has_present : {false, true}) {
      if (has_present) {
        written[3].problem.present =
            greedy(written[3].problem, budget, TaskOrder::kByMemory).hosts;
      }
      std::ostringstream out;
      write_instances(out, written, budget);
      const auto again = read(out.str());
      std::ostringstream second;
      write_instances(second, again, budget);
      CHECK(second.str() == out.str());
      REQUIRE(again.size() == written.size());
      CHECK(again[3].problem.present.size() == (has_present ? 9 : 0));
      CHECK(again[9].problem.items.cpu(4) == written[9].problem.items.cpu(4));
      CHECK(again[3].problem.present == written[3].problem.present);
    }
  }

  TEST_CASE("mistakes are named with their place") {
    CHECK(refusal("instance,hosts,job,tasks,cpu\n") ==
          "i.csv:1:1: column memory is missing; the first line must name instance, "
          "hosts, "
          "job, tasks, cpu, memory");
    CHECK(refusal("instance,hosts,job,tasks,cpu,memmory\n") ==
          "i.csv:1:30: unknown column 'memmory' (did you mean 'memory'?)");
    CHECK(refusal("instance,instance\n") ==
          "i.csv:1:10: the column instance stands here twice");
    CHECK(refused_row("1,2,1,1,0,0.1,") ==
          "i.csv:2:9: cpu: 0 is not above 0 and at most 1");
    CHECK(refused_row("1,2,1,1,1.5,0.1,") ==
          "i.csv:2:9: cpu: 1.5 is not above 0 and at most 1");
    CHECK(refused_row("1,2,1,1,nan,0.1,") == "i.csv:2:9: cpu: 'nan' is not a number");
    CHECK(refused_row("1,2,1,1,half,0.1,") == "i.csv:2:9: cpu: 'half' is not a number");
    CHECK(refused_row("1,2,1,1,0.5,-0.1,") == "i.csv:2:13: memory: -0.1 is below 0");
    CHECK(refused_row("1,2,1,1,0.5,inf,") ==
          "i.csv:2:13: memory: 'inf' is not a number");
    CHECK(refused_row("1,2,1,0,0.5,0.1,") ==
          "i.csv:2:7: tasks: '0' is not a whole number from 1 to 1000000");
    CHECK(refused_row("1,0,1,1,0.5,0.1,") ==
          "i.csv:2:3: hosts: '0' is not a whole number from 1 to 1000000");
    CHECK(refused_row("1,2,1,1,0.5,0.1") == "i.csv:2:1: 6 fields where 7 are needed");
    CHECK(refused_row("1,2,1,1,0.5,0.1,2") ==
          "i.csv:2:17: host 2 does not exist; there are 0 to 1");
    CHECK(refused_row("1,2,1,3,0.5,0.1,0 1") == "i.csv:2:17: 2 hosts for 3 tasks");
    CHECK(refused_row("1,2,1,1,0.5,0.1,\n1,3,2,1,0.5,0.1,") ==
          "i.csv:3:3: instance 1 has 2 hosts above, 3 here");
    CHECK(refused_row("1,2,1,1,0.5,0.1,\n1,2,1,1,0.5,0.1,") ==
          "i.csv:3:5: job 1 of instance 1 twice; first on line 2");
    CHECK(refused_row("1,2,1,1,0.5,0.6,0\n1,2,2,1,0.5,0.6,0") ==
          "i.csv:3:17: the jobs now on host 0 of instance 1 need more than its memory");
  }

  TEST_CASE("an instance without a packing is no mistake") {
    CHECK(read("instance,hosts,job,tasks,cpu,memory\n1,1,1,2,1,0.9\n2,1,1,1,1,3\n")
              .size() == 2);
  }
}
