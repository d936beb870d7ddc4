#include "report/study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.hpp"
#include "report/words.hpp"

namespace berth::report {

namespace {

bool has_printed_number(const ClaimFigure::Series& series) {
  return std::any_of(series.numbers.begin(), series.numbers.end(),
                     [](const auto& number) { return number.has_value(); });
}

// As an entry of a sweep: mean and half-width alone.
Json drawn_entry(const std::optional<double>& value,
                 const std::optional<double>& half) {
  auto entry = Json::array();
  entry.append(value);
  entry.append(half);
  entry.append(Json());
  entry.append(Json());
  entry.append(Json());
  entry.append("");
  return entry;
}

Json drawn_row(const ClaimFigure& figure, std::size_t point) {
  auto entries = Json::array();
  // Bounded: the series, which were charged for as they were read.
  for (const auto& series : figure.series) {
    entries.append(drawn_entry(series.values[point], series.half_widths[point]));
  }
  // Bounded: again the series.
  for (const auto& series : figure.series) {
    if (has_printed_number(series))
      entries.append(drawn_entry(series.numbers[point], {}));
  }
  return {{"metric", figure.says},
          {"unit", figure.unit},
          {"cell", point},
          {"entries", entries}};
}

// As sweeps are drawn: what the paper prints is a series of its own.
Json drawn_figure(const ClaimFigure& figure) {
  auto policies = Json::array();
  // Bounded: the series, which were charged for as they were read.
  for (const auto& series : figure.series) policies.append(series.name);
  // Bounded: again the series.
  for (const auto& series : figure.series) {
    if (has_printed_number(series)) policies.append(series.name + ", the paper");
  }
  auto cells = Json::array();
  auto rows = Json::array();
  // Bounded: the points, which were charged for as they were read.
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    auto cell = Json::array();
    cell.append(figure.points[i]);
    cells.append(cell);
    rows.append(drawn_row(figure, i));
  }
  auto keys = Json::array();
  keys.append(figure.axis);
  return {{"id", figure.id},
          {"keys", keys},
          {"cells", cells},
          {"policies", policies},
          {"rows", rows}};
}

void add_paper_figures(const ClaimsResults& claims, Figures& figures) {
  if (claims.figures.empty()) return;
  auto all = Json::array();
  // Bounded: the figures, which were charged for as they were read.
  for (const auto& figure : claims.figures) all.append(drawn_figure(figure));
  figures.data.add("paper_figures", all);
  figures.captions["paper_figures"] =
      "Figures of the paper, from the points of the sweeps, with what the paper prints "
      "of them.";
}

// A row of waits.csv each; reasons by their place in the list of reasons.
Json wait_columns(const Waits& waits, Blocks& blocks) {
  const auto plain = [&](auto value) { return blocks.column(waits.rows, value); };
  const auto place = [&](const WaitOfJob& row) {
    // Bounded: the reasons that there are.
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
  // Bounded: the reasons, which were charged for as they were read.
  for (const auto& one : waits.reasons) {
    reasons.append({{"name", one.name},
                    {"words", one.words},
                    {"help", one.help},
                    {"jobs", one.jobs},
                    {"passes", one.passes},
                    {"seconds", one.seconds}});
  }
  auto blockers = Json::array();
  // Bounded: at most twenty.
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
  // Bounded: the reasons, which were charged for as they were read.
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
  // Bounded: the folders that were named.
  for (const auto& one : results.waits) {
    waits.append(waits_of(one, blocks));
    said.push_back(said_of(one));
  }
  figures.data.add("waits", waits);
  figures.captions["waits"] =
      fmt::format("Why jobs waited: {}.", fmt::join(said, "; "));
}

}  // namespace berth::report
