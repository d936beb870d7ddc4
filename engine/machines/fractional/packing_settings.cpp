#include "engine/machines/fractional/packing_settings.hpp"

#include "engine/base/setting_list.hpp"

namespace berth {

namespace {

using List = SettingList<PackingSettings>;

// Which instances.
void add_instances(List& to) {
  to.text(
      "file", "a CSV file of instances; open: they are drawn",
      [](auto& s) -> auto& { return s.file; });
  to.whole(
      "hosts", {1, 100'000}, "hosts of an instance",
      [](auto& s) -> auto& { return s.drawn.hosts; });
  to.whole(
      "jobs", {1, 1'000'000}, "jobs of an instance; tasks if parallel",
      [](auto& s) -> auto& { return s.drawn.jobs; });
  to.real(
      "slack", {0, 0.999999}, "share of all memory that is free",
      [](auto& s) -> auto& { return s.drawn.slack; });
  to.real(
      "mean_cpu", {0.000001, 0.999999}, "mean CPU need, as a share of a host",
      [](auto& s) -> auto& { return s.drawn.mean_cpu; });
  to.real(
      "cv_cpu", {0, 100}, "coefficient of variation of CPU needs, before the cut",
      [](auto& s) -> auto& { return s.drawn.cv_cpu; });
  to.real(
      "cv_memory", {0, 100}, "the same of memory needs",
      [](auto& s) -> auto& { return s.drawn.cv_memory; });
  to.choice(
      "memory_total", {"exact", "drawn"},
      "are memory needs scaled to the total that the slack says",
      [](auto& s) -> auto& { return s.drawn.memory_total; });
  to.flag(
      "parallel", "whether jobs have 1 to 64 tasks, or one",
      [](auto& s) -> auto& { return s.drawn.parallel; });
  to.whole(
      "instances", {1, 1'000'000}, "instances drawn for each seed",
      [](auto& s) -> auto& { return s.instances; });
}

}  // namespace

std::vector<SettingOf<PackingSettings>> packing_setting_records() {
  List own;
  own.section("packing");
  add_instances(own);
  own.real(
      "yield_tolerance", {1e-9, 1}, "bracket in which a search ends",
      [](auto& s) -> auto& { return s.rules.search.tolerance; });
  own.flag(
      "test_upper_first", "whether a search tries the relaxed bound first",
      [](auto& s) -> auto& { return s.rules.search.test_upper_first; });
  own.choice(
      "first_list", {"cpu", "memory"},
      "which list of MCB has equal needs and comes first",
      [](auto& s) -> auto& { return s.rules.first_list; });
  own.choice(
      "relaxed_source", {"simplex", "uniform"},
      "where rounding gets divided tasks from; simplex needs a solver",
      [](auto& s) -> auto& { return s.rules.relaxed_source; });
  own.choice(
      "failed_degradation", {"100", "left_out"},
      "how an instance that only others solve counts in the degradation",
      [](auto& s) -> auto& { return s.failed_degradation; });
  own.flag(
      "more_metrics",
      "whether share_of_bound_of_all, mean_share_of_bound and work are measured",
      [](auto& s) -> auto& { return s.more_metrics; });
  return own.take();
}

}  // namespace berth
