#include "report/study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "report/words.hpp"

// Bounded in this file: what was charged for as it was read.

namespace berth::report {

namespace {

// As an entry of a sweep: mean and half-width alone, and what the paper prints.
Json drawn_entry(const ClaimFigure::Series& series, std::size_t point) {
  return Json(std::vector<Json>{series.values[point], series.half_widths[point],
                                nullptr, nullptr, nullptr, "", series.numbers[point]});
}

// As sweeps are drawn.
Json drawn_figure(const ClaimFigure& figure) {
  auto policies = Json::array();
  for (const auto& series : figure.series) policies.append(series.name);
  auto cells = Json::array();
  auto rows = Json::array();
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    cells.append(Json(std::vector{figure.points[i]}));
    auto entries = Json::array();
    for (const auto& series : figure.series) entries.append(drawn_entry(series, i));
    rows.append({{"metric", figure.says},
                 {"unit", figure.unit},
                 {"cell", i},
                 {"entries", entries}});
  }
  auto brackets = Json::array();
  for (const auto& one : figure.compared) {
    brackets.append({{"at", one.at},
                     {"of", one.of},
                     {"base", one.base},
                     {"value", one.value},
                     {"half", one.half_width},
                     {"number", one.number},
                     {"unit", one.unit}});
  }
  return {{"id", figure.id},
          {"says", figure.says},
          {"keys", Json(std::vector{figure.axis})},
          {"cells", cells},
          {"policies", policies},
          {"rows", rows},
          {"brackets", brackets}};
}

void add_paper_figures(const ClaimsResults& claims, Figures& figures) {
  if (claims.figures.empty()) return;
  auto all = Json::array();
  for (const auto& figure : claims.figures) {
    all.append(drawn_figure(figure));
  }
  figures.data.add("paper_figures", all);
  figures.captions["paper_figures"] =
      "Figures of the paper, from the points of the sweeps; diamonds: what the paper "
      "prints; beside a bracket the number of a claim, and below it the paper's.";
}

// A row of waits.csv each; reasons by their place in the list of reasons.
Json wait_columns(const Waits& waits, Blocks& blocks) {
  const auto plain = [&](auto value) { return blocks.column(waits.rows, value); };
  const auto place = [&](const WaitOfJob& row) {
    const auto found =
        std::find_if(waits.reasons.begin(), waits.reasons.end(),
                     [&](const auto& one) { return one.name == row.reason; });
    return found - waits.reasons.begin();
  };
  return {{"job", plain([](const auto& row) { return row.job; })},
          {"reason", plain(place)},
          {"passes", plain([](const auto& row) { return row.passes; })},
          {"seconds", blocks.times(waits.rows, [](auto& row) { return row.time; })},
          {"blocker", plain([](const auto& row) { return row.blocker; })}};
}

Json waits_of(const Waits& waits, Blocks& blocks) {
  auto reasons = Json::array();
  for (const auto& one : waits.reasons) {
    reasons.append({{"name", one.name},
                    {"words", one.words},
                    {"help", one.help},
                    {"jobs", one.jobs},
                    {"passes", one.passes},
                    {"seconds", one.seconds}});
  }
  auto blockers = Json::array();
  for (const auto& one : waits.blockers) {
    blockers.append({{"job", one.job}, {"jobs", one.jobs}, {"seconds", one.seconds}});
  }
  return {{"label", waits.label},
          {"reasons", reasons},
          {"blockers", blockers},
          {"all", waits.has_all_rows},
          {"columns", wait_columns(waits, blocks)}};
}

std::string said_of(const Waits& waits) {
  double sum = 0.0;
  for (const auto& one : waits.reasons) sum += one.seconds;
  if (!(sum > 0)) return fmt::format("under {} no job waited", waits.label);
  const auto& first = waits.reasons.front();
  return fmt::format("under {} {:.0f} % of {} of waiting for: {}", waits.label,
                     100 * first.seconds / sum, span_words(sum),
                     printable(first.words));
}

}  // namespace

void add_study_figures(const Results& results, Figures& figures, Blocks& blocks) {
  if (results.claims) add_paper_figures(*results.claims, figures);
  if (results.waits.empty()) return;
  auto waits = Json::array();
  std::vector<std::string> said;
  said.reserve(results.waits.size());
  for (const auto& one : results.waits) {
    waits.append(waits_of(one, blocks));
    said.push_back(said_of(one));
  }
  figures.data.add("waits", waits);
  figures.captions["waits"] =
      fmt::format("Why jobs waited: {}.", fmt::join(said, "; "));
}

}  // namespace berth::report
