#include "report/timelines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/table_reader.hpp"
#include "engine/metrics/sample.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

namespace {

constexpr std::array<std::size_t, 3> kMerged{1, 8, 64};  // bins at a time
constexpr std::array kBanded{"queue", "used"};
constexpr double kLow = 0.05;
constexpr double kHigh = 0.95;

// The means of a level over spans of time that follow each other, from those of bins.
std::vector<double> means_over(const std::vector<std::pair<double, double>>& spans,
                               const Timeline& of, std::size_t column) {
  std::vector<double> means;
  means.reserve(spans.size());
  std::size_t at = 0;
  double before = -1;
  // Bounded: the spans, for which Bands charges.
  for (const auto& [from, to] : spans) {
    if (from < before) at = 0;  // another level of detail begins
    before = from;
    // Bounded: the bins once for each level of detail, for which Bands charges.
    while (at < of.to.size() && of.to[at] <= from) ++at;
    double sum = 0;
    // Bounded: as the line above says, and two more.
    for (auto i = at; i < of.to.size() && of.from[i] < to; ++i) {
      sum +=
          of.values[column][i] * (std::min(of.to[i], to) - std::max(of.from[i], from));
    }
    means.push_back(sum / (to - from));
  }
  return means;
}

std::vector<std::pair<double, double>> spans_of(const Timeline& of, Budget& budget) {
  std::vector<std::pair<double, double>> spans;
  budget.charge_each(2 * of.from.size());
  // Bounded: the three levels of detail.
  for (const auto each : kMerged) {
    // Bounded: the line above charges for all of them.
    for (std::size_t i = 0; i < of.from.size(); i += each) {
      spans.emplace_back(of.from[i], of.to[std::min(i + each, of.to.size()) - 1]);
    }
  }
  return spans;
}

}  // namespace

Timeline read_timeline(const std::filesystem::path& file, Budget& budget) {
  study::FileSource source(file.string());
  TableReader table(file.string(), lines_of(source, file.string(), budget),
                    {{"from"}, {"to"}});
  Timeline made;
  const std::size_t first = 2;  // behind from and to
  // Bounded: the columns of a timeline.
  for (auto i = first; i < table.columns(); ++i) made.names.push_back(table.name(i));
  made.values.resize(made.names.size());
  while (table.next()) {
    budget.charge_each(made.names.size());
    made.from.push_back(table.real(0));
    made.to.push_back(table.real(1));
    for (std::size_t i = 0; i < made.names.size(); ++i) {
      made.values[i].push_back(table.real(first + i));
    }
  }
  return made;
}

void add_bands(Timeline& of, std::span<const std::filesystem::path> files,
               Budget& budget) {
  const auto spans = spans_of(of, budget);
  // By level, span and file.
  std::array<std::vector<std::vector<double>>, kBanded.size()> means;
  means.fill(std::vector<std::vector<double>>(spans.size()));
  // Bounded: the files, whose lines charge.
  for (const auto& file : files) {
    const auto one = read_timeline(file, budget);
    budget.charge_each(kBanded.size() * (spans.size() + 3 * one.from.size()));
    // Bounded: the line above charges for both levels.
    for (std::size_t level = 0; level < kBanded.size(); ++level) {
      const auto name = std::string(kBanded.at(level)) + "_mean";
      const auto column = std::find(one.names.begin(), one.names.end(), name);
      if (column == one.names.end()) return;
      const auto found =
          means_over(spans, one, static_cast<std::size_t>(column - one.names.begin()));
      // Bounded: the spans, which were charged for above.
      for (std::size_t i = 0; i < spans.size(); ++i)
        means.at(level)[i].push_back(found[i]);
    }
  }
  of.replications = files.size();
  // Bounded: the two levels.
  for (std::size_t level = 0; level < kBanded.size(); ++level) {
    std::vector<double> low;
    std::vector<double> high;
    for (auto& values : means.at(level)) {
      budget.charge_sort(values.size());
      std::sort(values.begin(), values.end());
      low.push_back(quantile(values, kLow).value_or(0));
      high.push_back(quantile(values, kHigh).value_or(0));
    }
    const std::string name(kBanded.at(level));
    of.names.insert(of.names.end(), {name + "_low", name + "_high"});
    of.values.insert(of.values.end(), {std::move(low), std::move(high)});
  }
}

Json timeline_columns(const Timeline& of, Blocks& blocks) {
  const auto column = [&](const std::vector<double>& values) {
    constexpr double kScale = 1000.0;
    return blocks.column(values,
                         [](double value) { return std::llround(value * kScale); });
  };
  Json made{{"from", column(of.from)}, {"to", column(of.to)}};
  // Bounded: the columns of a timeline.
  for (std::size_t k = 0; k < of.names.size(); ++k) {
    made.add(of.names[k], column(of.values[k]));
  }
  return made;
}

}  // namespace berth::report
