#include "engine/compare/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/compare/ranks.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/sample.hpp"

namespace berth {

namespace {

using Values = std::vector<double>;

struct Pairs {
  Values recorded;
  Values simulated;
};

WaitsBeside::Waits waits_of(Values values) {
  const double average = mean_of(values);
  std::sort(values.begin(), values.end());
  constexpr double kMost = 0.95;
  return {average, *quantile(values, 0.5), *quantile(values, kMost)};
}

WaitsBeside beside(const Pairs& pairs) {
  return {static_cast<std::int64_t>(pairs.recorded.size()), waits_of(pairs.recorded),
          waits_of(pairs.simulated),
          correlation(ranks_of(pairs.recorded), ranks_of(pairs.simulated))};
}

std::string month_of(std::int64_t unix_start, Time submit) {
  using std::chrono::sys_seconds;
  const sys_seconds at{std::chrono::seconds(unix_start + submit / kSecond)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(at)};
  return fmt::format("{:04}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()));
}

Json waits_json(const WaitsBeside::Waits& waits) {
  return {{"mean", waits.mean}, {"median", waits.median}, {"p95", waits.p95}};
}

void add_waits(const WaitsBeside& waits, Json& to) {
  to.add("jobs", waits.jobs);
  to.add("recorded", waits_json(waits.recorded));
  to.add("simulated", waits_json(waits.simulated));
  to.add("rank_correlation", waits.rank_correlation);
}

TableLine line_of(const std::string& label, const WaitsBeside::Waits& waits,
                  const std::string& correlation) {
  constexpr int kDecimals = 0;
  return {label, display(waits.mean, kDecimals), display(waits.median, kDecimals),
          display(waits.p95, kDecimals), correlation};
}

TextTable figures_table(const std::vector<FidelityOf>& policies) {
  TextTable table{{{"wait, s", "mean", "median", "p95", "rank correlation"}}, 1};
  table.lines.push_back(
      line_of("in the trace", policies.front().second.all.recorded, ""));
  constexpr int kDecimals = 3;
  for (const auto& [label, fidelity] : policies) {
    const auto& all = fidelity.all;
    table.lines.push_back(
        line_of(label, all.simulated, display(all.rank_correlation, kDecimals)));
  }
  return table;
}

// nullopt where no job of the month finished.
std::optional<double> mean_wait(const Fidelity& fidelity, const std::string& month) {
  const auto& months = fidelity.months;
  const auto at = std::find_if(months.begin(), months.end(),
                               [&](const auto& pair) { return pair.first == month; });
  if (at == months.end()) return std::nullopt;
  return at->second.simulated.mean;
}

// The months of the first policy; another one has them all, unless it finished fewer
// jobs.
TextTable months_table(const std::vector<FidelityOf>& policies, std::size_t first,
                       std::size_t last) {
  TextTable table{{{"mean wait, s", "jobs", "in the trace"}}, 1};
  for (auto i = first; i < last; ++i) table.lines[0].push_back(policies[i].first);
  for (const auto& month : policies.front().second.months) {
    const auto& trace = month.second;
    TableLine line{month.first, fmt::format("{}", trace.jobs),
                   display(trace.recorded.mean, 0)};
    for (auto i = first; i < last; ++i) {
      line.push_back(display(mean_wait(policies[i].second, month.first), 0));
    }
    table.lines.push_back(std::move(line));
  }
  return table;
}

// The policies of which it holds, with the number that says so; empty: of none.
template <class Holds>
std::string named(const std::vector<FidelityOf>& policies, const Holds& holds) {
  std::string text;
  for (const auto& [label, fidelity] : policies) {
    const std::optional<std::string> number = holds(fidelity);
    if (!number) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", label, *number);
  }
  return text;
}

constexpr double kFewPostponed = 0.01;
constexpr double kLowCorrelation = 0.3;
constexpr double kShortWaits = 0.5;

std::optional<std::string> many_postponed(const Fidelity& fidelity) {
  const auto share = static_cast<double>(fidelity.postponed.value_or(0)) /
                     static_cast<double>(fidelity.all.jobs);
  if (share <= kFewPostponed) return std::nullopt;
  return fmt::format("{:.0f} %", 100 * share);
}

std::optional<std::string> low_correlation(const Fidelity& fidelity) {
  const auto& found = fidelity.all.rank_correlation;
  if (fidelity.postponed || !found || *found >= kLowCorrelation) return std::nullopt;
  return fmt::format("{:.3f}", *found);
}

std::optional<std::string> short_waits(const Fidelity& fidelity) {
  const auto& all = fidelity.all;
  const bool is_short = all.simulated.mean < kShortWaits * all.recorded.mean;
  if (fidelity.postponed || !is_short) return std::nullopt;
  return fmt::format("{:.0f} %", 100 * all.simulated.mean / all.recorded.mean);
}

// What the figures may mean, and what to check.
void add_advice(const std::vector<FidelityOf>& policies,
                std::vector<std::string>& lines) {
  const auto postponed = named(policies, many_postponed);
  if (!postponed.empty()) {
    lines.push_back(
        fmt::format("jobs without room when the trace says: {}. The machine of the "
                    "trace was larger, or sizes are of another unit: check "
                    "machine.processors",
                    postponed));
  }
  const auto low = named(policies, low_correlation);
  if (!low.empty()) {
    lines.push_back(fmt::format(
        "rank correlation below {}: {}. Other jobs wait long than did on the site, "
        "whose queues, priorities, limits and reservations are not in the trace: its "
        "mean wait is no measure of these policies",
        kLowCorrelation, low));
  }
  const auto is_short = named(policies, short_waits);
  if (!is_short.empty()) {
    lines.push_back(fmt::format(
        "mean wait below half of the trace's: {}. The site may have held jobs back "
        "beside idle processors (dependencies, begin times, limits, failures), or the "
        "machine here is larger: check machine.processors",
        is_short));
  }
}

}  // namespace

std::optional<Fidelity> fidelity_of(const OutcomeView& finished,
                                    const Workload& workload) {
  Pairs all;
  std::map<std::string, Pairs> months;
  const auto add = [](Pairs& pairs, Duration recorded, Duration simulated) {
    pairs.recorded.push_back(to_seconds(recorded));
    pairs.simulated.push_back(to_seconds(simulated));
  };
  for (const auto& outcome : finished) {
    const auto at = index(outcome.job);
    const auto wait = workload.recorded[at].wait;
    if (wait < 0) continue;
    add(all, wait, outcome.wait);
    if (!workload.unix_start) continue;
    const auto submit = workload.jobs[at].submit;
    add(months[month_of(*workload.unix_start, submit)], wait, outcome.wait);
  }
  if (all.recorded.empty()) return std::nullopt;
  Fidelity fidelity{beside(all)};
  for (const auto& [month, pairs] : months) {
    fidelity.months.emplace_back(month, beside(pairs));
  }
  return fidelity;
}

Json fidelity_json(const Fidelity& fidelity) {
  auto json = Json::object();
  add_waits(fidelity.all, json);
  auto months = Json::array();
  for (const auto& [month, waits] : fidelity.months) {
    Json one{{"month", month}};
    add_waits(waits, one);
    months.append(std::move(one));
  }
  json.add("months", std::move(months));
  if (fidelity.postponed) json.add("postponed", *fidelity.postponed);
  return json;
}

std::vector<TextTable> fidelity_tables(const std::vector<FidelityOf>& policies,
                                       std::size_t columns) {
  std::vector<TextTable> tables{figures_table(policies)};
  if (policies.front().second.months.empty()) return tables;
  for (std::size_t first = 0; first < policies.size();) {
    auto last = first + 1;
    while (last < policies.size() &&
           width(months_table(policies, first, last + 1)) <= columns) {
      ++last;
    }
    tables.push_back(months_table(policies, first, last));
    first = last;
  }
  return tables;
}

std::vector<std::string> fidelity_lines(const std::vector<FidelityOf>& policies) {
  std::vector<std::string> lines{
      fmt::format("fidelity: waits of {} jobs beside those that the trace recorded",
                  policies.front().second.all.jobs)};
  for (const auto& [label, fidelity] : policies) {
    if (!fidelity.postponed) continue;
    if (*fidelity.postponed == 0) {
      lines.push_back(
          fmt::format("{}: every job could start when the trace says", label));
      continue;
    }
    lines.push_back(fmt::format(
        "{}: {} {} could not start when the trace says, and started at the "
        "first instant with room",
        label, *fidelity.postponed, *fidelity.postponed == 1 ? "job" : "jobs"));
  }
  add_advice(policies, lines);
  return lines;
}

}  // namespace berth
