#include "report/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/printable.hpp"
#include "report/words.hpp"
#include "study/policies/recorded.hpp"

namespace berth::report {

namespace {

using Entry = Comparison::Entry;
using Row = Comparison::Row;

constexpr std::size_t kOthers = 3;  // policies behind the headline

bool is_shown(const Entry& entry) {
  return entry.verdict == Verdict::kBetter || entry.verdict == Verdict::kWorse ||
         entry.verdict == Verdict::kDiffers;
}

// Per cent of the base; nullopt without one.
std::optional<double> per_cent(const Row& row, const Entry& entry) {
  const auto& base = row.entries.front().value;
  if (!base || base->mean == 0 || !entry.difference) return std::nullopt;
  return 100 * std::abs(entry.difference->mean / base->mean);
}

// "conservative waits 8.2 % longer than easy".
std::string compared(const Row& row, const Entry& entry, const std::string& much) {
  const bool is_more = entry.difference->mean > 0;
  const auto space = much.empty() ? "" : " ";
  const auto name = printable(entry.policy);
  const auto base = printable(row.entries.front().policy);
  if (row.metric == "mean_wait") {
    return fmt::format("{} waits {}{}{} than {}", name, much, space,
                       is_more ? "longer" : "less", base);
  }
  return fmt::format("{} under {} is {}{}{} than under {}", metric_words(row.metric),
                     name, much, space, is_more ? "higher" : "lower", base);
}

// "by 9 min 22 s ± 1 min 56 s".
std::string amount_of(const Row& row, const Comparison::Value& difference) {
  auto text = value_words(std::abs(difference.mean), row.unit);
  if (difference.half_width) {
    text += " \u00b1 " + value_words(*difference.half_width, row.unit);
  }
  return text;
}

// What spoils the values of a row, for the end of a sentence about two of them.
std::string spoiled(const Row& row, const Entry& entry) {
  if (row.entries.front().warning.empty() && entry.warning.empty()) return {};
  return "; the queue does not empty, so this depends on the length of the log";
}

Sentence about(const Row& row, const Entry& entry) {
  const auto share = per_cent(row, entry);
  constexpr double kWhole = 100;  // from here on digits behind the point say little
  const auto much = !share            ? std::string()
                    : *share < kWhole ? fmt::format("{:.1f} %", *share)
                                      : value_words(*share, {}) + " %";
  const auto text = compared(row, entry, much);
  if (entry.verdict == Verdict::kOneRun) {
    return {text + " in this run" + spoiled(row, entry), Verdict::kOneRun};
  }
  return {text + ": ", entry.verdict,
          ", by " + amount_of(row, *entry.difference) + spoiled(row, entry)};
}

// "fairshare_easy: no difference shown (+3 min 56 s ± 6 min 25 s)".
Sentence aside(const Row& row, const Entry& entry) {
  const auto name = printable(entry.policy) + ": ";
  if (!entry.not_comparable.empty()) {
    return {name + entry.not_comparable, Verdict::kOneRun};
  }
  if (!entry.difference) return {name, entry.verdict};
  auto difference = difference_words(entry.difference->mean, row.unit);
  if (entry.difference->half_width) {
    difference += " \u00b1 " + value_words(*entry.difference->half_width, row.unit);
  }
  if (entry.verdict == Verdict::kOneRun) return {name + difference, Verdict::kOneRun};
  return {name, entry.verdict, fmt::format(" ({})", difference)};
}

// The policy of the headline: the largest difference that is shown, of one run the
// largest one; nullptr without any.
const Entry* headline_entry(const Row& row) {
  const Entry* found = nullptr;
  // Bounded: the policies of a comparison.
  for (const auto& entry : row.entries) {
    const bool is_told = is_shown(entry) || entry.verdict == Verdict::kOneRun;
    if (!is_told || !entry.difference || !entry.not_comparable.empty()) continue;
    if (is_recorded(entry.policy)) continue;
    if (found == nullptr ||
        std::abs(entry.difference->mean) > std::abs(found->difference->mean)) {
      found = &entry;
    }
  }
  return found;
}

// "no difference shown between A, B and C", or the value of the only policy.
Sentence without_difference(const Row& row) {
  std::vector<std::string> names;
  bool is_equal = true;
  // Bounded: the policies of a comparison.
  for (const auto& entry : row.entries) {
    if (is_recorded(entry.policy)) continue;
    is_equal = is_equal && (names.empty() || entry.verdict == Verdict::kEqual);
    names.push_back(printable(entry.policy));
  }
  const auto& first = row.entries.front();
  if (names.size() <= 1) {
    const auto value =
        first.value ? value_words(first.value->mean, row.unit) : std::string("none");
    return {fmt::format("{} under {}: {}", metric_words(row.metric),
                        printable(first.policy), value),
            Verdict::kOneRun};
  }
  const auto last = std::move(names.back());
  names.pop_back();
  return {fmt::format("no difference {}between {} and {}", is_equal ? "" : "shown ",
                      fmt::join(names, ", "), last),
          Verdict::kOneRun};
}

// This counts the verdicts about one policy over the cells of a sweep.
struct Tally {
  std::size_t better = 0;
  std::size_t worse = 0;
  std::size_t differs = 0;
  double least = 0.0;  // per cent of the base, where a difference is shown
  double most = 0.0;

  [[nodiscard]] std::size_t shown() const { return better + worse + differs; }
};

Tally tally_of(const std::vector<const Row*>& rows, std::size_t policy) {
  Tally tally;
  // Bounded: the cells of a sweep, for which answer_of() charges.
  for (const auto* row : rows) {
    const auto& entry = row->entries[policy];
    if (!is_shown(entry)) continue;
    const auto share = per_cent(*row, entry).value_or(0.0);
    tally.least = tally.shown() == 0 ? share : std::min(tally.least, share);
    tally.most = std::max(tally.most, share);
    tally.better += entry.verdict == Verdict::kBetter ? 1U : 0U;
    tally.worse += entry.verdict == Verdict::kWorse ? 1U : 0U;
    tally.differs += entry.verdict == Verdict::kDiffers ? 1U : 0U;
  }
  return tally;
}

// "load" of workload.load; "point" of several keys.
std::string place_word(const Comparison& comparison) {
  if (comparison.keys.size() != 1) return "point";
  const auto& key = comparison.keys.front();
  return printable(key.substr(key.rfind('.') + 1));
}

// "better at 3 of 5 loads, no difference shown at 2".
std::string counts(const Tally& tally, std::size_t cells, const std::string& place) {
  if (tally.shown() == 0) return fmt::format("no difference shown at any {}", place);
  if (tally.better == cells) return fmt::format("better at every {}", place);
  if (tally.worse == cells) return fmt::format("worse at every {}", place);
  std::vector<std::string> parts;
  parts.reserve(4);
  const std::array all{std::pair{tally.better, "better"},
                       std::pair{tally.worse, "worse"},
                       std::pair{tally.differs, "differs"}};
  // Bounded: the three verdicts of a difference.
  for (const auto& [count, word] : all) {
    if (count == 0) continue;
    parts.push_back(parts.empty()
                        ? fmt::format("{} at {} of {} {}s", word, count, cells, place)
                        : fmt::format("{} at {}", word, count));
  }
  const auto rest = cells - tally.shown();
  if (rest > 0) parts.push_back(fmt::format("no difference shown at {}", rest));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Sentence over_cells(const Comparison& comparison, const std::vector<const Row*>& rows,
                    std::size_t policy) {
  const auto tally = tally_of(rows, policy);
  const auto place = place_word(comparison);
  const auto& row = *rows.front();
  const bool is_everywhere =
      std::max({tally.better, tally.worse, tally.differs}) == rows.size();
  if (!is_everywhere) {
    return {fmt::format("{} against {}: {}", printable(comparison.policies[policy]),
                        printable(comparison.policies.front()),
                        counts(tally, rows.size(), place)),
            Verdict::kOneRun};
  }
  const auto much = tally.most <= 0
                        ? std::string()
                        : fmt::format("{:.0f} to {:.0f} %", tally.least, tally.most);
  return {
      fmt::format("{} at every {}: ", compared(row, row.entries[policy], much), place),
      row.entries[policy].verdict};
}

// A sweep of several points, all rows of one metric.
Answer answer_over(const Comparison& comparison, const std::vector<const Row*>& rows) {
  Answer answer;
  std::size_t chosen = 0;
  Tally best;
  // Bounded: the policies of a comparison.
  for (std::size_t i = 1; i < comparison.policies.size(); ++i) {
    const auto tally = tally_of(rows, i);
    const bool is_more =
        std::pair(tally.shown(), tally.most) > std::pair(best.shown(), best.most);
    if (is_recorded(comparison.policies[i]) || !is_more) continue;
    chosen = i;
    best = tally;
  }
  if (chosen == 0) {
    answer.headline = without_difference(*rows.front());
    if (comparison.policies.size() > 1) {
      answer.headline.before += " at any " + place_word(comparison);
    }
    return answer;
  }
  answer.headline = over_cells(comparison, rows, chosen);
  // Bounded: the policies of a comparison.
  for (std::size_t i = 1; i < comparison.policies.size(); ++i) {
    if (i == chosen || is_recorded(comparison.policies[i])) continue;
    answer.others.push_back(
        {fmt::format("{}: {}", printable(comparison.policies[i]),
                     counts(tally_of(rows, i), rows.size(), place_word(comparison))),
         Verdict::kOneRun});
  }
  return answer;
}

Answer answer_at(const Row& row) {
  Answer answer;
  const auto* chosen = headline_entry(row);
  const bool differs = chosen != nullptr && chosen->difference->mean != 0;
  if (!differs) {
    answer.headline = without_difference(row);
    return answer;
  }
  answer.headline = about(row, *chosen);
  // Bounded: the policies of a comparison.
  for (std::size_t i = 1; i < row.entries.size(); ++i) {
    const auto& entry = row.entries[i];
    if (&entry == chosen || is_recorded(entry.policy)) continue;
    answer.others.push_back(aside(row, entry));
  }
  return answer;
}

// At how many points of a sweep the values grow with the length of the workload.
std::string spoiled_over(const Comparison& comparison,
                         const std::vector<const Row*>& rows) {
  const auto is_spoiled = [](const Row* row) {
    return std::any_of(row->entries.begin(), row->entries.end(),
                       [](const auto& entry) { return !entry.warning.empty(); });
  };
  const auto count = std::count_if(rows.begin(), rows.end(), is_spoiled);
  if (count == 0 || rows.size() < 2) return {};
  return fmt::format(
      " At {} of {} {}s a queue does not empty: waits there grow with the length of "
      "the "
      "workload.",
      count, rows.size(), place_word(comparison));
}

std::string lead_of(const Comparison& comparison) {
  auto text = metric_words(deciding_metric(comparison));
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!is_one_run(comparison) && !comparison.basis.empty()) {
    const auto holm =
        comparison.comparisons > 1
            ? fmt::format(", Holm over {} comparisons", comparison.comparisons)
            : std::string();
    return fmt::format("{}, {}{}.", text, comparison.basis, holm);
  }
  return text + ".";
}

}  // namespace

bool is_one_run(const Comparison& comparison) {
  // Bounded: the rows of a comparison, for which its makers charged.
  return comparison.replications < 2 &&
         std::none_of(comparison.rows.begin(), comparison.rows.end(), [](auto& row) {
           // Bounded: the policies of a comparison.
           return std::any_of(row.entries.begin(), row.entries.end(), [](auto& entry) {
             return entry.value && entry.value->half_width;
           });
         });
}

bool is_recorded(std::string_view label) { return label == study::Recorded::kName; }

std::string_view word_of(const Sentence& sentence) {
  return sentence.verdict == Verdict::kOneRun ? std::string_view()
                                              : text_of(sentence.verdict);
}

std::string_view deciding_metric(const Comparison& comparison) {
  const auto& primary = comparison.primary;
  const bool has = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                               [&](const auto& row) { return row.metric == primary; });
  return has ? std::string_view(primary) : comparison.rows.front().metric;
}

Answer answer_of(const Comparison& comparison, Budget& budget) {
  const auto metric = deciding_metric(comparison);
  std::vector<const Row*> rows;
  budget.charge_each(comparison.rows.size() * (1 + comparison.policies.size()));
  for (const auto& row : comparison.rows) {
    if (row.metric == metric) rows.push_back(&row);
  }
  auto answer =
      rows.size() > 1 ? answer_over(comparison, rows) : answer_at(*rows.front());
  answer.lead = lead_of(comparison) + spoiled_over(comparison, rows);
  const auto more = answer.others.size();
  if (more > kOthers) {
    answer.others.resize(kOthers);
    answer.others.push_back(
        {fmt::format("and {} more", more - kOthers), Verdict::kOneRun});
  }
  return answer;
}

}  // namespace berth::report
