#include "engine/machines/metric_list.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "engine/base/error.hpp"

namespace berth {

TEST_SUITE("machines/metric_list") {
  TEST_CASE("every metric has one record that says what it is") {
    std::set<std::string> names;
    for (const auto& record : metric_records()) {
      CAPTURE(record.name);
      CHECK(names.insert(record.name).second);
      CHECK_FALSE(record.unit.empty());
      CHECK_FALSE(record.formula.empty());
      CHECK(record.brief.back() == '.');
    }
    CHECK(names.count("mean_wait") == 1);
    CHECK(names.count("p95_bounded_slowdown") == 1);
    CHECK(names.count("loss_of_capacity") == 1);
  }

  TEST_CASE("metrics of machines stand behind those that they name") {
    std::string names;
    for (const auto& record : metric_records()) names += record.name + " ";
    CHECK(names.find(" useful_utilisation cpu_utilisation foreground_utilisation "
                     "background_utilisation throughput ") != std::string::npos);
    CHECK(names.find(" wasted_work fits_empty accepted_bandwidth hidden_share ") !=
          std::string::npos);
    CHECK(names.find(" moved_vms least_yield running_yield moved_memory "
                     "deviation_of_user_waits ") != std::string::npos);
    CHECK(metric_record("fits_empty").of_submitted);
    CHECK(metric_record("load").of_submitted);
  }

  TEST_CASE("waits should be low and utilisation high") {
    CHECK(metric_record("mean_wait").better == Better::kLower);
    CHECK(metric_record("utilisation").better == Better::kHigher);
    CHECK(metric_record("mean_wait").unit == "s");
  }

  TEST_CASE("an unknown name is an error that names the nearest") {
    CHECK_THROWS_WITH_AS((void)metric_record("mean_wiat"),
                         "there is no metric 'mean_wiat' (did you mean 'mean_wait'?)",
                         Error);
  }
}

}  // namespace berth
