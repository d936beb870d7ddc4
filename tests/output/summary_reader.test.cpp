#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/output/summary_json.hpp"

using namespace berth;

namespace {

Summary some_summary() {
  Summary summary;
  summary.jobs = {9, 1, 2, 3, 1, 2, 4};
  summary.metrics = {{"mean_wait", 1.0 / 3.0, "s", 2},
                     {"mean_slowdown", {}, "ratio", 0}};
  summary.users = {{-1, 2, 1, 89.5, 2.5, 0.1}, {3, 1, 0, {}, {}, 600.0}};
  summary.counts = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  summary.queue_never_empties = true;
  summary.schedule_hash = ~std::uint64_t{0};
  return summary;
}

}  // namespace

TEST_SUITE("output/summary_reader") {
  TEST_CASE("what was written comes back bit by bit") {
    const auto text = summary_json(some_summary(), {}).file_text();
    const auto read = read_summary(JsonReader("s.json", text));
    CHECK(summary_json(read, {}).file_text() == text);
    CHECK(*read.find("mean_wait")->value == 1.0 / 3.0);
    CHECK_FALSE(read.find("mean_slowdown")->value);
    CHECK(read.jobs.rejected_by_policy == 2);
    CHECK(read.schedule_hash == ~std::uint64_t{0});
    CHECK(read.users[0].user == -1);
  }

  TEST_CASE("half of a summary is none, and nothing else is one") {
    const auto text = summary_json(some_summary(), {}).file_text();
    const auto complaint = [](const std::string& wrong) -> std::string {
      try {
        (void)read_summary(JsonReader("s.json", wrong));
        return "none";
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInput);
        return error.what();
      }
    };
    CHECK(complaint(text.substr(0, text.size() / 2)).find("s.json: is no JSON: ") == 0);
    CHECK(complaint("").find("s.json: is no JSON: ") == 0);
    CHECK(complaint("{\"format\": 1}") == "s.json: the member counts is missing");
    CHECK(complaint("[1, 2]") ==
          "s.json: is no summary of format 1; make the results again with this berth");
  }
}
