// A limit of work, or the wish to stop, ends every generator, transform, reader and
// writer of workloads: at the same unit every time.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <functional>
#include <string>

#include "engine/base/interrupt.hpp"
#include "engine/workload/chosen_fields.hpp"
#include "engine/workload/estimates.hpp"
#include "engine/workload/feitelson.hpp"
#include "engine/workload/jann.hpp"
#include "engine/workload/lublin.hpp"
#include "engine/workload/mix.hpp"
#include "engine/workload/swf_writer.hpp"
#include "engine/workload/tenants.hpp"
#include "engine/workload/transform.hpp"
#include "engine/workload/tsafrir.hpp"
#include "engine/workload/warnings.hpp"
#include "tests/support/limited.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kJobs = 6'000;  // more than one stride of the meter

struct Piece {
  std::string name;
  std::function<void(Budget&)> work;
};

// With users, records, lines and places, all of which transforms move.
Workload whole_workload() {
  auto made = lublin_workload({.processors = 64, .jobs = kJobs}, 1, unlimited());
  std::int32_t place = 0;
  for (Job& job : made.jobs) {
    job.user = place++ % 40;
    made.recorded.push_back({});
    made.lines.push_back(place);
  }
  keep_places(made, unlimited());
  return made;
}

const Workload& whole() {
  static const Workload made = whole_workload();
  return made;
}

// The workload backwards, so that it is to be sorted.
Workload backwards() {
  Workload made;
  for (std::size_t i = whole().jobs.size(); i-- > 0;) {
    made.jobs.push_back(whole().jobs[i]);
    made.recorded.push_back({});
    made.lines.push_back(static_cast<std::int64_t>(i) + 1);
  }
  return made;
}

std::string text_of_whole() {
  std::string text;
  const auto keep = [&](std::string_view piece) { text += piece; };
  write_swf(whole(), {}, keep, unlimited());
  return text;
}

std::vector<Piece> generators() {
  return {
      {"lublin",
       [](Budget& budget) { (void)lublin_workload({.jobs = kJobs}, 1, budget); }},
      {"feitelson",
       [](Budget& budget) { (void)feitelson_workload(64, kJobs, 1, budget); }},
      {"feitelson's sizes",
       [](Budget& budget) { (void)feitelson_sizes(100'000, budget); }},
      {"jann", [](Budget& budget) { (void)jann_workload(64, kJobs, 1, budget); }},
      {"tenants",
       [](Budget& budget) { (void)tenants_workload({}, 64, kJobs, 1, budget); }},
      {"tsafrir's values",
       [](Budget& budget) {
         (void)estimate_histogram({.distinct = DistinctValues::kPower}, 100'000'000, 1,
                                  budget);
       }},
  };
}

// Changes a copy of the whole workload.
Piece changing(const std::string& name,
               const std::function<void(Workload&, Budget&)>& change) {
  return {name, [change](Budget& budget) {
            auto copy = whole();
            change(copy, budget);
          }};
}

std::vector<Piece> transforms() {
  return {
      changing("window",
               [](auto& of, Budget& budget) { keep_window(of, 0, kNever, budget); }),
      changing("longest",
               [](auto& of, Budget& budget) { keep_up_to(of, kNever, budget); }),
      changing("repeat", [](auto& of, Budget& budget) { repeat(of, 2, budget); }),
      changing("load", [](auto& of, Budget& budget) { reach_load(of, 64, 1, budget); }),
      changing("shake", [](auto& of, Budget& budget) { shake(of, 60, 1, budget); }),
      changing("resample",
               [](auto& of, Budget& budget) { resample_users(of, 1, budget); }),
      changing("exact", [](auto& of, Budget& budget) { estimate_exactly(of, budget); }),
      changing("factor",
               [](auto& of, Budget& budget) { estimate_by_factor(of, 1, budget); }),
      changing(
          "tsafrir",
          [](auto& of, Budget& budget) { estimate_by_tsafrir(of, {}, 1, budget); }),
      changing("fields",
               [](auto& of, Budget& budget) {
                 choose_fields(of, {.memory = MemoryField::kUsed}, budget);
               }),
      changing("partitions",
               [](auto& of, Budget& budget) {
                 leave_out(of, {.partitions = {1, 2}}, budget);
               }),
      changing("too wide",
               [](auto& of, Budget& budget) { (void)too_wide(of, 1, budget); }),
      changing("census", [](auto& of, Budget& budget) { (void)census_of(of, budget); }),
      {"order",
       [](Budget& budget) {
         auto copy = backwards();
         put_in_order(copy, budget);
       }},
      {"mix",
       [](Budget& budget) {
         const std::array loads{0.4, 0.4};
         (void)mix({whole(), whole()}, loads, 64, budget);
       }},
  };
}

// More gzip data than text: members without content.
std::string empty_members(int count) {
  const std::string one(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x00",
      20);
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += one;
  return bytes;
}

std::vector<Piece> files() {
  return {
      {"reader",
       [text = text_of_whole()](Budget& budget) {
         MemorySource source(text);
         (void)read_swf(source, {"x.swf"}, budget);
       }},
      {"comments",
       [](Budget& budget) {
         std::string text;
         for (int i = 0; i < 10'000; ++i) text += ";\n";
         MemorySource source(text);
         (void)read_swf(source, {"x.swf"}, budget);
       }},
      {"gzip without text",
       [](Budget& budget) {
         MemorySource source(empty_members(10'000));
         GzipSource unpacked(source, "x.swf.gz", budget);
         (void)read_swf(unpacked, {"x.swf.gz"}, budget);
       }},
      {"writer",
       [](Budget& budget) {
         write_swf(
             whole(), {}, [](std::string_view) {}, budget);
       }},
  };
}

// Of each the units that it charges in all.
void check_all(const std::vector<Piece>& pieces) {
  for (const auto& piece : pieces) {
    CAPTURE(piece.name);
    Limited meter;
    Budget budget(meter);
    piece.work(budget);
    CHECK(budget.charged() >= kJobs);
    const auto end = ended_at(2'000, piece.work);
    REQUIRE(end.has_value());
    CHECK(*end > 2'000);
    CHECK(*end <= budget.charged());
    CHECK(ended_at(2'000, piece.work) == end);
    // What it needs is enough.
    CHECK_FALSE(ended_at(budget.charged(), piece.work).has_value());
    request_interrupt();
    CHECK_THROWS_AS(piece.work(unlimited()), Interrupted);
    clear_interrupt();
  }
}

}  // namespace

TEST_SUITE("workload/budgets") {
  TEST_CASE("generators") { check_all(generators()); }
  TEST_CASE("transforms") { check_all(transforms()); }
  TEST_CASE("readers and writers") { check_all(files()); }

  TEST_CASE("a budget changes no workload") {
    Limited meter;
    Budget budget(meter);
    const auto made = lublin_workload({.processors = 64, .jobs = kJobs}, 1, budget);
    for (std::size_t i = 0; i < made.jobs.size(); ++i) {
      REQUIRE(made.jobs[i].submit == whole().jobs[i].submit);
      REQUIRE(made.jobs[i].length == whole().jobs[i].length);
    }
  }
}
