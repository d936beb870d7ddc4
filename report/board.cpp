#include "report/board.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/output/number_text.hpp"
#include "report/page.hpp"
#include "report/words.hpp"

// Bounded in this file: the policies and metrics of one comparison.

namespace berth::report {

namespace {

using Entry = Comparison::Entry;
using Row = Comparison::Row;

constexpr std::size_t kColumns = 6;  // of metrics

std::string_view class_of(Verdict verdict) {
  if (verdict == Verdict::kBetter) return "better";
  return verdict == Verdict::kWorse ? "worse" : "plain";
}

std::string sentence_html(const Sentence& sentence) {
  const auto word = word_of(sentence);
  auto text = html_text(sentence.before);
  if (!word.empty()) {
    text += fmt::format("<strong class=\"{}\">{}</strong>", class_of(sentence.verdict),
                        word);
  }
  return text + html_text(sentence.after);
}

// The deciding metric first; how much was offered is the same for all and stays out.
std::vector<const Row*> columns_of(const Comparison& comparison) {
  const auto deciding = deciding_metric(comparison);
  std::vector<const Row*> columns;
  columns.reserve(comparison.rows.size());
  for (const auto& row : comparison.rows) {
    if (row.metric == "load") continue;
    const auto at = row.metric == deciding ? columns.begin() : columns.end();
    columns.insert(at, &row);
  }
  if (columns.size() > kColumns) columns.resize(kColumns);
  return columns;
}

// Better than the base by the verdict; of one run the best, where values differ.
bool has_dot(const Comparison& comparison, const Row& row, const Entry& entry) {
  if (is_recorded(entry.policy)) return false;
  if (!is_one_run(comparison)) return entry.verdict == Verdict::kBetter;
  return entry.best &&
         std::any_of(row.entries.begin(), row.entries.end(), [](const auto& other) {
           return !other.best && !is_recorded(other.policy);
         });
}

std::string cell_html(const Comparison& comparison, const Row& row,
                      const Entry& entry) {
  if (!entry.value) {
    return fmt::format("<td class=\"number\" data-metric=\"{}\">-</td>",
                       html_text(row.metric));
  }
  const auto exact = ratio_text(entry.value->mean);
  auto text = fmt::format(
      "<td class=\"number\" data-metric=\"{}\" data-value=\"{}\" title=\"{} {}\" "
      "data-verdict=\"{}\"",
      html_text(row.metric), exact, exact, row.unit, text_of(entry.verdict));
  if (entry.difference && entry.not_comparable.empty()) {
    text += fmt::format(" data-difference=\"{}\"", ratio_text(entry.difference->mean));
    if (entry.difference->half_width) {
      text +=
          fmt::format(" data-half=\"{}\"", ratio_text(*entry.difference->half_width));
    }
  }
  text += '>';
  const auto value = value_html(row, entry);
  if (!has_dot(comparison, row, entry)) return text + value + "</td>";
  const auto* why = is_one_run(comparison) ? "best" : "better by the verdict";
  return fmt::format(
      "{}<i class=\"dot\" role=\"img\" aria-label=\"{}\"></i><strong>{}"
      "</strong></td>",
      text, why, value);
}

std::string key_html(const Comparison& comparison) {
  const auto base = html_text(comparison.policies.front());
  const bool is_one = is_one_run(comparison);
  bool has_dots = false;
  for (const auto& row : comparison.rows) {
    for (const auto& entry : row.entries) {
      has_dots = has_dots || has_dot(comparison, row, entry);
    }
  }
  auto text = fmt::format("<p class=\"key\"><span>{}: difference to {}{}</span>",
                          is_one ? "marks" : "marks and whiskers", base,
                          is_one ? "" : ", paired, with its interval");
  if (has_dots) {
    text += fmt::format("<span><i class=\"dot\"></i>{}</span>",
                        is_one ? "best of this run"
                               : fmt::format("better than {} by the verdict", base));
  }
  return text + "</p>\n";
}

std::string row_html(const Comparison& comparison,
                     const std::vector<const Row*>& columns, std::size_t policy,
                     std::size_t number) {
  const auto& deciding = *columns.front();
  const auto& entry = deciding.entries[policy];
  auto text = fmt::format(
      "<tr data-number=\"{}\" data-recorded=\"{}\"><th scope=\"row\">{}</th><td "
      "class=\"picture\"></td><td class=\"against\">{}</td>",
      number, is_recorded(entry.policy) ? 1 : 0, isolated(entry.policy),
      against_html(deciding, entry));
  for (const auto* row : columns) {
    text += cell_html(comparison, *row, row->entries[policy]);
  }
  return text + "</tr>\n";
}

}  // namespace

std::string value_html(const Row& row, const Entry& entry) {
  if (!entry.value) return "-";
  auto text = value_words(entry.value->mean, row.unit);
  if (entry.value->half_width) {
    text += fmt::format(" <small>\u00b1 {}</small>",
                        value_words(*entry.value->half_width, row.unit));
  }
  if (!entry.not_comparable.empty()) {
    text += fmt::format(" <small>{}</small>", html_text(entry.not_comparable));
  }
  return text;
}

std::string against_html(const Row& row, const Entry& entry) {
  if (entry.verdict == Verdict::kBase) return "<small>base</small>";
  const bool is_log = is_recorded(entry.policy);
  if (!entry.difference || !entry.not_comparable.empty()) {
    return fmt::format("<small>{}</small>",
                       html_text(entry.not_comparable.empty() ? text_of(entry.verdict)
                                                              : entry.not_comparable));
  }
  auto text = difference_words(entry.difference->mean, row.unit);
  if (entry.difference->half_width) {
    text += " \u00b1 " + value_words(*entry.difference->half_width, row.unit);
  }
  if (is_log) return fmt::format("{} <small>from the log</small>", text);
  if (entry.verdict == Verdict::kOneRun) return text;
  return fmt::format("<strong class=\"{}\">{}</strong> <small>{}</small>",
                     class_of(entry.verdict), text_of(entry.verdict), text);
}

std::string answer_html(const Comparison& comparison, Budget& budget) {
  const auto answer = answer_of(comparison, budget);
  auto text = fmt::format(
      "<h2 class=\"sentence\" data-part=\"sentence\">{}</h2>\n<p class=\"lead\">{}",
      sentence_html(answer.headline), html_text(answer.lead));
  if (is_one_run(comparison)) {
    text +=
        " <b>One run: no interval.</b> <code>workload.shake = 60</code> with 5 seeds, "
        "or <code>run.batches</code>, shows how sure this is.";
  }
  for (const auto& other : answer.others) {
    text += fmt::format(" <span>{}.</span>", sentence_html(other));
  }
  return text + "</p>\n";
}

std::string board_html(const Comparison& comparison,
                       const std::vector<std::size_t>& numbers) {
  const auto columns = columns_of(comparison);
  auto text = fmt::format(
      "<div class=\"wide\" tabindex=\"0\"><table id=\"metrics\" class=\"board\" "
      "data-part=\"metrics\">\n<thead><tr><th>policy</th><th class=\"picture\" "
      "data-part=\"picture\"></th><th class=\"against\">against {}</th>",
      isolated(comparison.policies.front()));
  for (const auto* row : columns) {
    text += fmt::format(
        "<th class=\"number\" data-metric=\"{}\" data-unit=\"{}\">{}</th>",
        html_text(row->metric), row->unit, html_text(metric_words(row->metric)));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < comparison.policies.size(); ++i) {
    text += row_html(comparison, columns, i, numbers[i]);
  }
  return text + "</tbody>\n</table></div>\n" + key_html(comparison);
}

}  // namespace berth::report
