#include "study/runs/packing_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/output/number_text.hpp"
#include "engine/output/summary_json.hpp"
#include "engine/workload/swf_number.hpp"
#include "study/common/version.hpp"

namespace berth::study {

namespace {

// The mean of what was added; nullopt of nothing.
struct Mean {
  CompensatedSum sum;
  std::int64_t n = 0;

  void add(double value) {
    sum.add(value);
    ++n;
  }
  [[nodiscard]] std::optional<double> value() const {
    if (n == 0) return std::nullopt;
    return sum.value() / static_cast<double>(n);
  }
};

void put(Summary& summary, std::string_view name, std::optional<double> value,
         std::int64_t n) {
  const auto record = metric_record(name);
  summary.metrics.push_back({record.name, value, record.unit, n});
}

void put(Summary& summary, std::string_view name, const Mean& mean) {
  put(summary, name, mean.value(), mean.n);
}

// The largest yield that a packer reached on each instance; 0: none packed it.
std::vector<double> best_yields(
    std::span<const std::optional<PackedInstances>> packers) {
  std::vector<double> best;
  for (const auto& packer : packers) {
    if (!packer) continue;
    best.resize(packer->size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = std::max(best[i], (*packer)[i].yield);
    }
  }
  return best;
}

void put_degradation(Summary& summary, const PackedInstances& packed,
                     const std::vector<double>& best, FailedDegradation failed) {
  Mean loss;
  Mean by_3;
  Mean by_10;
  std::optional<double> largest;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (best[i] <= 0) continue;
    if (!packed[i].packed()) {
      if (failed == FailedDegradation::kWhole) loss.add(100);
      continue;
    }
    const double percent = 100 * (best[i] - packed[i].yield) / best[i];
    loss.add(percent);
    by_3.add(percent > 3 ? 1 : 0);
    by_10.add(percent > 10 ? 1 : 0);
    largest = std::max(largest.value_or(0), percent);
  }
  put(summary, "degradation", loss);
  put(summary, "largest_degradation", largest, by_3.n);
  put(summary, "degraded_by_3", by_3);
  put(summary, "degraded_by_10", by_10);
}

Summary summary_of(const PackedInstances& packed, const std::vector<double>& best,
                   FailedDegradation failed) {
  Summary summary;
  Mean yield;
  Mean mean_yield;
  Mean share;
  Mean packs;
  for (const auto& one : packed) {
    packs.add(static_cast<double>(one.effort.packs));
    if (!one.packed()) continue;
    yield.add(one.yield);
    mean_yield.add(one.mean_yield);
    share.add(one.yield / *one.bound);
  }
  const auto all = static_cast<std::int64_t>(packed.size());
  std::optional<double> failure_rate;
  if (all > 0) {
    failure_rate = static_cast<double>(all - yield.n) / static_cast<double>(all);
  }
  put(summary, "min_yield", yield);
  put(summary, "mean_yield", mean_yield);
  put(summary, "share_of_bound", share);
  put(summary, "failure_rate", failure_rate, all);
  put_degradation(summary, packed, best, failed);
  put(summary, "packs", packs);
  return summary;
}

}  // namespace

std::vector<std::optional<Summary>> packing_summaries(
    std::span<const std::optional<PackedInstances>> packers, FailedDegradation failed) {
  const auto best = best_yields(packers);
  std::vector<std::optional<Summary>> summaries;
  for (const auto& packer : packers) {
    auto& made = summaries.emplace_back();
    if (packer) made = summary_of(*packer, best, failed);
  }
  return summaries;
}

std::string packing_summary_json(const Scenario& scenario, const LoadedPolicy& policy,
                                 const Summary& summary) {
  SummaryContext context;
  context.version = version();
  context.policy = policy.label;
  const auto& file = scenario.file.empty() ? scenario.packing.file : scenario.file;
  context.scenario = scenario.title.empty()
                         ? std::filesystem::path(file).stem().string()
                         : scenario.title;
  context.seed = static_cast<std::uint64_t>(scenario.seed);
  return summary_json(summary, context).file_text();
}

namespace {

// The columns of packings.csv that are read back, by their place.
enum Column : std::size_t {
  kReason = 2,
  kYield = 3,
  kMeanYield = 4,
  kBound = 5,
  kPacks = 7,
  kSteps = 8,
  kPlacement = 9,
  kYields = 10,
};

// 0 where there is none.
double real_in(const CsvField& field) {
  return field.text.empty() ? 0 : parse_real(field.text).value;
}

template <class Add>
void for_each_word(std::string_view text, const Add& add) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) add(word);
}

PackedInstance instance_of(std::span<const CsvField> fields) {
  BERTH_ASSERT(fields.size() > kYields);
  PackedInstance one;
  const auto& reason = fields[kReason].text;
  for (int i = 0; i <= static_cast<int>(pack::Outcome::kNoSolver); ++i) {
    const auto outcome = static_cast<pack::Outcome>(i);
    const bool is_it = reason.empty() ? outcome == pack::Outcome::kPacked
                                      : reason == pack::name_of(outcome);
    if (is_it) one.outcome = outcome;
  }
  one.yield = real_in(fields[kYield]);
  one.mean_yield = real_in(fields[kMeanYield]);
  if (!fields[kBound].text.empty()) one.bound = real_in(fields[kBound]);
  one.effort.packs = parse_whole(fields[kPacks].text).value;
  one.effort.steps = parse_whole(fields[kSteps].text).value;
  for_each_word(fields[kPlacement].text, [&](const std::string& word) {
    one.hosts.push_back(static_cast<int>(parse_whole(word).value));
  });
  for_each_word(fields[kYields].text, [&](const std::string& word) {
    one.yields.push_back(parse_real(word).value);
  });
  return one;
}

}  // namespace

PackedInstances read_packings(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  CsvReader rows("packings.csv", [&]() -> std::optional<std::string_view> {
    if (!std::getline(lines, line)) return std::nullopt;
    return line;
  });
  PackedInstances packed;
  rows.next();  // the names
  while (const auto row = rows.next()) packed.push_back(instance_of(*row));
  return packed;
}

std::string packings_csv(std::span<const pack::Instance> instances,
                         const PackedInstances& packed) {
  std::string text(
      "instance,solved,reason,min_yield,mean_yield,bound,gap,packs,steps,placement,"
      "yields\n");
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const auto& one = packed[i];
    const bool is_solved = one.packed();
    const auto shown = [&](double value) {
      return is_solved ? ratio_text(value) : std::string();
    };
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},", instances[i].number,
                   is_solved ? 1 : 0, is_solved ? "" : pack::name_of(one.outcome),
                   shown(one.yield), shown(one.mean_yield), ratio_text(one.bound),
                   is_solved ? ratio_text((*one.bound - one.yield) / *one.bound) : "",
                   one.effort.packs, one.effort.steps);
    std::vector<std::string> yields;
    for (const double yield : one.yields) yields.push_back(ratio_text(yield));
    fmt::format_to(out, "{},{}\n", fmt::join(one.hosts, " "), fmt::join(yields, " "));
  }
  return text;
}

}  // namespace berth::study
