#include "study/scenario/sweep_grid.hpp"

#include <doctest/doctest.h>

using namespace berth;
using namespace berth::study;

namespace {

Scenario swept() {
  Scenario scenario;
  scenario.sweep = {{"workload.load", {"0.5", "0.9"}},
                    {"workload.trace", {"a/one two.swf", "b.swf"}},
                    {"seed", {"1", "2", "3"}}};
  return scenario;
}

}  // namespace

TEST_SUITE("study/sweep_grid") {
  TEST_CASE("a scenario without a sweep is one point without settings") {
    const Scenario plain;
    const SweepGrid grid(plain);
    CHECK(grid.size() == 1);
    CHECK(grid.cells() == 1);
    CHECK(grid.settings(0).empty());
    CHECK(grid.name(0) == "0001");
  }

  TEST_CASE("seeds vary fastest, then the last of the other keys") {
    const auto scenario = swept();
    const SweepGrid grid(scenario);
    CHECK(grid.size() == 12);
    CHECK(grid.replications() == 3);
    CHECK(grid.cells() == 4);
    CHECK(point_text(grid.settings(0)) ==
          "workload.load=0.5, workload.trace=one two.swf, seed=1");
    CHECK(point_text(grid.settings(2)) ==
          "workload.load=0.5, workload.trace=one two.swf, seed=3");
    CHECK(point_text(grid.settings(3)) ==
          "workload.load=0.5, workload.trace=b.swf, seed=1");
    CHECK(point_text(grid.settings(11)) ==
          "workload.load=0.9, workload.trace=b.swf, seed=3");
    CHECK(point_text(grid.cell_settings(3)) ==
          "workload.load=0.5, workload.trace=b.swf");
  }

  TEST_CASE("a point is the scenario with its settings, and no sweep any more") {
    const auto scenario = swept();
    const auto point = SweepGrid(scenario).point(7);
    CHECK(point.scenario.workload.load == 0.9);
    CHECK(point.scenario.workload.trace == "a/one two.swf");
    CHECK(point.scenario.seed == 2);
    CHECK(point.scenario.sweep.empty());
  }

  TEST_CASE("the folder of a point counts from 1, without spaces and slashes") {
    const auto scenario = swept();
    CHECK(SweepGrid(scenario).name(7) ==
          "0008-workload.load=0.9,workload.trace=one%20two.swf,seed=2");
  }
}
