#pragma once
// The numbers that a report shows, for the scripts of the page, and the sentences below
// its charts.
//
// Metrics of a job and quantiles are those of engine/metrics, intervals and verdicts
// those of engine/compare.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.hpp"
#include "engine/compare/comparison.hpp"
#include "report/columns.hpp"
#include "report/page_options.hpp"
#include "report/results.hpp"

namespace berth::report {

struct Figures {
  Json data;  // read by report/web/main.js
  // By the name of the chart: what it shows, in a sentence.  No entry: no such chart.
  std::map<std::string, std::string> captions;
  std::vector<std::string> notes;  // on what the page leaves out
};

// Charges the budget of the blocks.
[[nodiscard]] Figures figures_of(const Results& results, const PageOptions& options,
                                 Blocks& blocks);

// Of the runs; nullopt without a run that was measured.
[[nodiscard]] std::optional<Comparison> comparison_of_runs(const Results& results,
                                                           study::Rows rows);

// Of the sweep; nullopt without one.
[[nodiscard]] std::optional<Comparison> comparison_of_sweep(const Results& results,
                                                            study::Rows rows);

}  // namespace berth::report
