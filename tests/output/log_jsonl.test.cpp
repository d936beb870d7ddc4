#include "engine/output/log_jsonl.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/output/run_of_four.hpp"

namespace berth {

TEST_SUITE("output/log_jsonl") {
  TEST_CASE("starts, suspensions and passes stand in it with their reasons") {
    StringSink sink;
    LogJsonl log(sink);
    test::watch_suspended(log);
    CHECK(sink.text().rfind(
              "{\"at\":0,\"record\":\"capacity\",\"processors\":4}\n"
              "{\"at\":0,\"record\":\"submit\",\"job\":1,\"size\":4,\"walltime\":100,"
              "\"key\":0}\n"
              "{\"at\":0,\"record\":\"start\",\"job\":1,\"resources\":\"0-3\","
              "\"frozen_until\":0,\"rate\":1,\"because\":\"first come\"}\n"
              "{\"at\":0,\"record\":\"wake\",\"wake\":10}\n"
              "{\"at\":0,\"record\":\"pass\",\"number\":1,\"causes\":[\"submit\"],"
              "\"actions\":1}\n"
              "{\"at\":10,\"record\":\"suspend\",\"job\":1,\"key\":0,"
              "\"because\":\"make \\\"room\\\"\"}\n"
              "{\"at\":10,\"record\":\"wake\",\"wake\":30}\n"
              "{\"at\":10,\"record\":\"pass\",\"number\":2,\"causes\":[\"wake\"],"
              "\"actions\":1}\n"
              "{\"at\":30,\"record\":\"resume\",\"job\":1,\"resources\":\"0-3\","
              "\"frozen_until\":35,\"rate\":0}\n",
              0) == 0);
    CHECK(sink.text().find("{\"at\":35,\"record\":\"unfreeze\",\"job\":1}\n") !=
          std::string::npos);
    CHECK(sink.text().find("{\"at\":125,\"record\":\"end\",\"job\":1,\"state\":"
                           "\"finished\",\"resources\":\"0-3\"}\n") !=
          std::string::npos);
  }

  TEST_CASE(
      "what a policy repeats in one decision is cut off, once, until it is over") {
    StringSink sink;
    LogJsonl log(sink);
    const auto wake = [&](std::int64_t times) {
      for (std::int64_t i = 0; i < times; ++i) {
        log.note(sim::WakeRecord{seconds(7), seconds(8)});
      }
    };
    const auto count = [&](std::string_view line) {
      std::int64_t found = 0;
      for (auto at = sink.text().find(line); at != std::string::npos; ++found) {
        at = sink.text().find(line, at + 1);
      }
      return found;
    };
    wake(LogJsonl::kMostRepeated);
    log.finish(seconds(7));
    CHECK(count("\"record\":\"cut\"") == 0);
    wake(1000);
    log.note(sim::CapacityRecord{seconds(7), 4});
    log.finish(seconds(7));
    CHECK(count("{\"at\":7,\"record\":\"cut\"}\n") == 1);
    CHECK(count("\"record\":\"wake\"") == LogJsonl::kMostRepeated);
    CHECK(count("\"record\":\"capacity\"") == 1);
    log.note(sim::PassRecord{seconds(7), 1, sim::kSubmit, 0});
    wake(2);
    log.finish(seconds(7));
    CHECK(count("\"record\":\"wake\"") == LogJsonl::kMostRepeated + 2);
    CHECK(count("\"record\":\"cut\"") == 1);
  }

  TEST_CASE("every kind of record is a line of JSON that names it") {
    StringSink sink;
    LogJsonl log(sink);
    const Job job = test::a_job(42, 1, 2, 3);
    JobEntry entry;
    entry.state = JobState::kSuspended;
    const Placement two = IntervalSet(0, 1);
    const sim::Subject who{JobId{5}, &job, &entry};
    const sim::Record records[] = {
        sim::SubmitRecord{seconds(1), who, 0.5},
        sim::RejectRecord{seconds(1), who, false, "no\xff"},
        sim::RejectRecord{seconds(1), who, true, {}},
        sim::StartRecord{seconds(1), who, &two, true, seconds(2), 0.0, "x"},
        sim::SuspendRecord{seconds(2), who, 1.0, {}},
        sim::UnfreezeRecord{seconds(2), who},
        sim::RateRecord{seconds(2), who, 0.25},
        sim::EndRecord{seconds(3), who, &two},
        sim::LeftRecord{seconds(3), who, nullptr},
        sim::PlanRecord{seconds(3), JobId{5}, kNever, 4},
        sim::ReservationRecord{seconds(3), JobId{5}, std::nullopt},
        sim::WakeRecord{seconds(3), std::nullopt},
        sim::CapacityRecord{seconds(3), 8},
        sim::RekeyRecord{seconds(3), JobId{5}, 1.5},
        sim::PassRecord{seconds(3), 7, sim::kSubmit | sim::kEnd | sim::kWoken, 2},
    };
    for (const auto& record : records) log.note(record);
    log.finish(seconds(3));

    std::vector<nlohmann::json> lines;
    std::istringstream in(sink.text());
    for (std::string line; std::getline(in, line);) {
      lines.push_back(nlohmann::json::parse(line));
    }
    REQUIRE(lines.size() == std::size(records));
    const char* kinds[] = {"submit",      "reject", "reject",   "resume", "suspend",
                           "unfreeze",    "rate",   "end",      "left",   "plan",
                           "reservation", "wake",   "capacity", "rekey",  "pass"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CAPTURE(i);
      CHECK(lines[i]["record"] == kinds[i]);
    }
    CHECK(lines[0]["key"] == 0.5);
    CHECK(lines[1]["by"] == "policy");
    CHECK(lines[1]["because"] == "no\xEF\xBF\xBD");
    CHECK(lines[2]["by"] == "machine");
    CHECK_FALSE(lines[2].contains("because"));
    CHECK(lines[6]["rate"] == 0.25);
    CHECK(lines[8]["state"] == "suspended");
    CHECK(lines[9]["job"] == 42);
    CHECK(lines[9]["start"].is_null());
    CHECK(lines[10]["start"].is_null());
    CHECK(lines[11]["wake"].is_null());
    CHECK(lines[14]["causes"] == nlohmann::json{"submit", "end", "wake"});
  }

  TEST_CASE("it asks for every kind") {
    StringSink sink;
    CHECK(LogJsonl(sink).wants() == sim::kAllKinds);
  }
}

}  // namespace berth
