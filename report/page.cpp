#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/base/duration_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/output/number_text.hpp"
#include "engine/output/sha256.hpp"
#include "report/bundle.hpp"
#include "report/columns.hpp"
#include "report/figures.hpp"
#include "study/metrics/own_metrics.hpp"

namespace berth::report {

namespace {

// A label or another text from outside; its direction does not reach its surroundings.
std::string isolated(std::string_view text) {
  constexpr std::size_t kLong = 60;  // characters: it may have to be scrolled
  return fmt::format("<bdi{}>{}</bdi>", text.size() > kLong ? " tabindex=\"0\"" : "",
                     html_text(text));
}

// What a script-src of the content security policy calls this script.
std::string script_hash(std::string_view script) {
  const auto digits = sha256(script);
  std::string bytes;
  constexpr int kHexadecimal = 16;
  // Bounded: the digits of a checksum.
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, kHexadecimal);
    bytes += static_cast<char>(value);
  }
  return "sha256-" + base64(bytes);
}

std::string title_of(const Results& results, const PageOptions& options) {
  if (!options.title.empty()) return options.title;
  if (!results.runs.empty()) {
    const auto& scenario = results.runs.front().scenario;
    return scenario.empty() ? std::string("berth") : scenario;
  }
  if (results.claims && !results.claims->title.empty()) return results.claims->title;
  if (!results.sweep) return "berth";
  return results.sweep_title.empty() ? std::string("Sweep") : results.sweep_title;
}

std::vector<double> means_of(const Comparison::Row& row) {
  std::vector<double> means;
  // Bounded: the policies of a comparison.
  for (const auto& entry : row.entries) {
    if (entry.value) means.push_back(entry.value->mean);
  }
  return means;
}

// What stands beside a value: why it is not comparable, in a sweep else the verdict.
std::string beside(const Comparison::Entry& entry, Layout layout) {
  const bool has_verdict = layout == Layout::kSweep && entry.verdict != Verdict::kBase;
  const auto text = !entry.not_comparable.empty() ? entry.not_comparable
                    : has_verdict                 ? std::string(text_of(entry.verdict))
                                                  : std::string();
  return text.empty() ? text : fmt::format(" <small>{}</small>", text);
}

// A cell of a comparison table; the exact number is its data-value.  A run's best is
// bold, in a sweep what is better than the first policy.
std::string value_cell(const Comparison::Row& row, const Comparison::Entry& entry,
                       int decimals, Layout layout) {
  if (!entry.value) return "<td>-</td>";
  auto text = display(entry.value->mean, decimals);
  if (entry.value->half_width) {
    text += " &#177; " + display(entry.value->half_width, decimals);
  }
  if (entry.best) text = fmt::format("<strong>{} *</strong>", text);
  if (layout == Layout::kSweep && entry.verdict == Verdict::kBetter) {
    text = fmt::format("<strong>{}</strong>", text);
  }
  if (!entry.warning.empty()) text += " !";
  if (row.unit == "s" && entry.value->mean >= 60) {
    text += fmt::format(" <small>{}</small>", human_time(entry.value->mean));
  }
  return fmt::format("<td data-value=\"{}\">{}{}</td>", ratio_text(entry.value->mean),
                     text, beside(entry, layout));
}

std::string measured_text(const ClaimRow& claim) {
  if (!claim.given.empty()) return isolated(claim.given);
  if (!claim.value) return "no value";
  const auto decimals = decimals_for(std::vector{*claim.value});
  auto text = fmt::format("<span data-value=\"{}\">{}</span>", ratio_text(*claim.value),
                          display(*claim.value, decimals));
  if (claim.half_width) {
    text += fmt::format(" &#177; {}", display(claim.half_width, decimals));
  }
  return text + fmt::format(" {} <small>{} points</small>", html_text(claim.unit),
                            claim.points);
}

std::string band_text(const ClaimRow& claim) {
  if (!claim.least && !claim.most) return "";
  if (!claim.most) return fmt::format("at least {}", ratio_text(*claim.least));
  if (!claim.least) return fmt::format("at most {}", ratio_text(*claim.most));
  return fmt::format("{} to {}", ratio_text(*claim.least), ratio_text(*claim.most));
}

class Page {
 public:
  Page(const Results& results, const PageOptions& options, Budget& budget)
      : results_(results),
        options_(options),
        blocks_(budget),
        figures_(figures_of(results, options, blocks_)) {}

  Json write(Sink& sink) {
    const auto bundle = load_bundle();
    const auto title = html_text(title_of(results_, options_));
    put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "script-src '{}' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
        "connect-src data:; base-uri 'none'; form-action 'none'\">\n",
        script_hash(bundle.loader));
    put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n",
        title);
    put("<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n",
        bundle.style);
    put("<header>\n<h1><bdi>{}</bdi></h1>\n", title);
    head();
    put("</header>\n<main>\n");
    panels();
    made();
    put("</main>\n");
    data(bundle.script);
    put("<script>{}</script>\n</body>\n</html>\n", bundle.loader);
    sink.write(text_);
    auto runs = Json::array();
    // Bounded: the runs that were named.
    for (const auto& run : results_.runs) {
      runs.append({{"label", run.label},
                   {"processors", run.processors},
                   {"jobs", run.jobs ? Json(run.jobs->jobs.size()) : Json()}});
    }
    return {{"format", 1},
            {"bytes", text_.size()},
            {"panels", Json(panels_)},
            {"runs", runs},
            {"warnings", Json(results_.warnings)}};
  }

 private:
  [[nodiscard]] Budget& budget() const { return blocks_.budget(); }

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void head() {
    put("<noscript><p>Charts need JavaScript; head, tables and warnings do "
        "not.</p></noscript>\n<p id=\"trouble\" role=\"alert\" hidden></p>\n");
    if (const auto runs = comparison_of_runs(results_, study::Rows::kUsual)) {
      put("<section id=\"comparison\">\n<h2>Comparison</h2>\n");
      verdicts(*runs);
      run_table(*runs, "metrics");
      put("<p>* best; a value with ! depends on the length of the trace: its queue "
          "does "
          "not empty.</p>\n");
      notes(*runs);
      put("<details><summary>Every metric</summary>\n");
      run_table(*comparison_of_runs(results_, study::Rows::kAll), "all-metrics");
      put("</details>\n");
      put("</section>\n");
    }
    if (const auto sweep = comparison_of_sweep(results_, study::Rows::kUsual)) {
      put("<section id=\"sweep-comparison\">\n<h2>Comparison of the sweep</h2>\n");
      put("<p>{}.</p>\n", html_text(sweep->basis));
      std::string_view before;
      for (const auto& row : sweep->rows) {
        budget().charge();
        if (row.metric != before) sweep_table(*sweep, row.metric);
        before = row.metric;
      }
      notes(*sweep);
      put("</section>\n");
    }
    if (results_.claims) claims(*results_.claims);
    warnings();
  }

  void claims(const ClaimsResults& claims) {
    put("<section id=\"claims-table\">\n<h2>Claims</h2>\n<p>{}</p>\n",
        isolated(claims.paper));
    lines(claims.found);
    put("<div class=\"wide\" tabindex=\"0\"><table "
        "class=\"claims\">\n<thead><tr><th>claim</th>"
        "<th>what is claimed</th><th>the paper</th><th>measured</th><th>its "
        "bounds</th><th>size</th>"
        "<th>verdict</th>"
        "<th>notes</th></tr></thead>\n<tbody>\n");
    // Bounded: the claims, which were charged for as they were read.
    for (const auto& claim : claims.claims) {
      put("<tr data-claim=\"{}\"><th scope=\"row\">{}</th><td>{}{}</td><td>{}</td>"
          "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          html_text(claim.id), isolated(claim.id), isolated(claim.says),
          claim.is_own ? " (not of the paper)" : "",
          claim.number ? ratio_text(*claim.number) : "", measured_text(claim),
          band_text(claim), html_text(claim.size), html_text(claim.answer),
          isolated(fmt::format("{}", fmt::join(claim.notes, "; "))));
    }
    put("</tbody>\n</table></div>\n");
    if (!claims.assumptions.empty()) put("<p>For all claims:</p>\n");
    lines(claims.assumptions);
    put("</section>\n");
  }

  void lines(const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    put("<ul>\n");
    // Bounded: the lines of a paper's claims.
    for (const auto& line : texts) put("<li>{}</li>\n", isolated(line));
    put("</ul>\n");
  }

  // In words, for the metrics that have a better side.
  void verdicts(const Comparison& runs) {
    if (runs.policies.size() < 2) return;
    put("<ul class=\"verdicts\">\n");
    // Bounded: the metrics, and the policies of a run.
    for (const auto& row : runs.rows) {
      if (row.better == Better::kNeither) continue;
      // Bounded: the policies of a run.
      for (std::size_t i = 1; i < row.entries.size(); ++i) verdict(row, i);
    }
    put("</ul>\n");
  }

  void verdict(const Comparison::Row& row, std::size_t i) {
    const auto& entry = row.entries[i];
    if (!entry.improvement || *entry.improvement == 0.0) return;
    put("<li>{}: {} is {:.1f} % {} than {}</li>\n", row.metric, isolated(entry.policy),
        std::abs(*entry.improvement), *entry.improvement > 0 ? "better" : "worse",
        isolated(row.entries.front().policy));
  }

  void run_table(const Comparison& runs, const char* id) {
    put("<div class=\"wide\" tabindex=\"0\"><table "
        "id=\"{}\">\n<thead><tr><th>metric</th>"
        "<th>unit</th>",
        id);
    // Bounded: the policies of a run.
    for (const auto& policy : runs.policies) {
      put("<th class=\"number\">{}</th>", isolated(policy));
    }
    put("</tr></thead>\n<tbody>\n");
    // Bounded: the metrics that are known.
    for (const auto& row : runs.rows) {
      const auto decimals = decimals_for(means_of(row));
      put("<tr data-metric=\"{0}\"><th scope=\"row\">{0}</th><td>{1}</td>",
          html_text(row.metric), row.unit);
      // Bounded: the policies of a run.
      for (const auto& entry : row.entries) {
        put("{}", value_cell(row, entry, decimals, runs.layout));
      }
      put("</tr>\n");
    }
    put("</tbody>\n</table></div>\n");
  }

  void sweep_table(const Comparison& sweep, std::string_view metric) {
    std::vector<const Comparison::Row*> rows;
    budget().charge_each(sweep.rows.size());
    for (const auto& row : sweep.rows) {
      if (row.metric == metric) rows.push_back(&row);
    }
    put("<div class=\"wide\" tabindex=\"0\"><table class=\"sweep\">\n<caption>{} "
        "({})</caption>\n"
        "<thead><tr>",
        html_text(metric), rows.front()->unit);
    // Bounded: the axes of a sweep.
    for (const auto& key : sweep.keys) put("<th>{}</th>", html_text(key));
    // Bounded: the policies of a sweep.
    for (const auto& policy : sweep.policies) {
      put("<th class=\"number\">{}</th>", isolated(policy));
    }
    put("</tr></thead>\n<tbody>\n");
    for (const auto* row : rows) sweep_row(sweep, *row);
    put("</tbody>\n</table></div>\n");
  }

  void sweep_row(const Comparison& sweep, const Comparison::Row& row) {
    put("<tr data-metric=\"{}\">", html_text(row.metric));
    budget().charge_each(sweep.cells[row.cell].size() + row.entries.size());
    for (const auto& value : sweep.cells[row.cell]) {
      put("<th scope=\"row\">{}</th>", html_text(value));
    }
    const auto decimals = decimals_for(means_of(row));
    for (const auto& entry : row.entries) {
      put("{}", value_cell(row, entry, decimals, sweep.layout));
    }
    put("</tr>\n");
  }

  void notes(const Comparison& of) {
    if (of.notes.empty()) return;
    put("<ul class=\"notes\">\n");
    // Bounded: the notes on a comparison.
    for (const auto& note : of.notes) put("<li>{}</li>\n", html_text(note));
    put("</ul>\n");
  }

  void warnings() {
    std::vector<std::string> lines = results_.warnings;
    // Bounded: the runs that were named.
    for (const auto& run : results_.runs) {
      // Bounded: the warnings of one run.
      for (const auto& warning : run.warnings) {
        const auto line = run.label + ": " + warning;
        lines.push_back(line);
      }
    }
    bool differ = false;
    const RunResult* first = nullptr;
    for (const auto& run : results_.runs) {
      if (!run.jobs) continue;
      if (first == nullptr) first = &run;
      budget().charge_each(run.jobs->jobs.size());
      differ = differ || !same_workload(*first->jobs, *run.jobs);
    }
    if (differ) {
      lines.emplace_back(
          "the results are of different workloads: their jobs are not compared one by "
          "one");
    }
    lines.insert(lines.end(), figures_.notes.begin(), figures_.notes.end());
    if (lines.empty()) return;
    put("<section id=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n");
    // Bounded: the warnings of the runs that were named.
    for (const auto& line : lines) put("<li>{}</li>\n", isolated(line));
    put("</ul>\n</section>\n");
  }

  void panels() {
    struct Chart {
      const char* name;
      const char* heading;
      std::string_view needs;  // said where it is not shown; empty: not said
    };
    constexpr std::string_view kJobs =
        "needs jobs.csv, which a sweep writes with --keep-jobs";
    constexpr std::string_view kUsers = "needs jobs with users";
    constexpr std::array kCharts{
        Chart{"timelines", "Timelines", "needs timeline.csv, which berth run writes"},
        Chart{"gantt", "Gantt chart",
              "needs the column allocated_resources of jobs.csv, which a sweep writes "
              "with --keep-jobs"},
        Chart{"wait", "Distribution of waits", kJobs},
        Chart{"response", "Distribution of responses", kJobs},
        Chart{"bounded_slowdown", "Distribution of bounded slowdowns", kJobs},
        Chart{"heatmap", "Size and walltime", kJobs},
        Chart{"user_times", "Users over time", kUsers},
        Chart{"week", "Hours of the week",
              "needs a trace whose header says when it begins (UnixStartTime)"},
        Chart{"users", "Users", kUsers},
        Chart{"waits", "Why jobs waited",
              "needs waits.csv: berth explain RUN --out RUN"},
        Chart{"claims", "Claims", ""},
        Chart{"paper_figures", "Figures of the paper", ""},
        Chart{"sweep", "Sweep", ""},
        Chart{"differences", "Paired differences", ""},
        Chart{"jobs", "Jobs", kJobs}};
    // Without them no other cause is known.
    const bool has_no_jobs =
        results_.sweep && std::none_of(results_.runs.begin(), results_.runs.end(),
                                       [](const auto& run) { return !!run.jobs; });
    std::string absent;
    // Bounded: the charts of a page.
    for (const auto& chart : kCharts) {
      const auto caption = figures_.captions.find(chart.name);
      const bool is_off =
          options_.gantt == GanttData::kOff && std::string_view(chart.name) == "gantt";
      if (caption == figures_.captions.end() || is_off) {
        const bool needs_jobs = has_no_jobs && !chart.needs.empty();
        const auto why = is_off       ? "is left out by --gantt off"
                         : needs_jobs ? kJobs
                                      : chart.needs;
        if (!why.empty()) absent += fmt::format("<li>{} {}</li>\n", chart.heading, why);
        continue;
      }
      panels_.emplace_back(chart.name);
      put("<section id=\"{}\" class=\"panel\">\n<h2>{}</h2>\n<figure>\n"
          "<div class=\"chart\" data-chart=\"{}\"></div>\n<figcaption>{}</figcaption>\n"
          "</figure>\n</section>\n",
          chart.name, chart.heading, chart.name, html_text(caption->second));
    }
    if (absent.empty() || (results_.runs.empty() && !results_.sweep)) return;
    put("<section id=\"absent\">\n<h2>Not shown</h2>\n<ul>\n{}</ul>\n</section>\n",
        absent);
  }

  void made() {
    put("<section id=\"made\">\n<h2>How it was made</h2>\n<details><summary>Versions, "
        "checksums, scenarios, definitions</summary>\n");
    // Bounded: the runs that were named.
    for (const auto& run : results_.runs) {
      if (run.made.empty()) continue;
      put("<h3>{}</h3>\n<dl>\n", isolated(run.label));
      // Bounded: what a manifest lists.
      for (const auto& [name, value] : run.made) {
        const bool is_long = value.find('\n') != std::string::npos;
        put("<dt>{}</dt><dd>{}{}{}</dd>\n", isolated(name),
            is_long ? "<pre tabindex=\"0\">" : "", html_text(value),
            is_long ? "</pre>" : "");
      }
      put("</dl>\n");
    }
    definitions();
    put("</details>\n</section>\n");
  }

  void definitions() {
    put("<h3>Definitions</h3>\n<p>a: submit, S: first start, C: end, L: length, n: "
        "size, W: window, tau: 10 s unless the scenario says otherwise. Quantiles are "
        "linear between neighbours (type 7).</p>\n<dl>\n");
    // Bounded: the metrics that are known.
    for (const auto& record : metric_records()) {
      put("<dt>{}</dt><dd>{} <code>{}</code></dd>\n", record.name,
          html_text(record.brief), html_text(record.formula));
    }
    const auto own = results_.sweep
                         ? study::records_of(results_.sweep->scenario.run.own_metrics)
                         : results_.own_metrics;
    // Bounded: the metrics of one user.
    for (const auto& record : own) {
      put("<dt>{}</dt><dd>{}</dd>\n", record.name, html_text(record.brief));
    }
    put("</dl>\n");
  }

  // The figures, the columns, the script; base64 holds nothing that HTML could misread.
  void data(std::string_view script) {
    if (options_.window) {
      figures_.data.add("window", std::vector{to_seconds(options_.window->from),
                                              to_seconds(options_.window->to)});
    }
    const auto figures = blocks_.add(figures_.data.compact());
    const auto number = blocks_.add(script);
    const auto& texts = blocks_.texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      budget().charge_each(1 + texts[i].size() / 16);
      const auto id = i == figures  ? "figures"
                      : i == number ? "script"
                                    : fmt::format("block-{}", i);
      put("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id,
          texts[i]);
    }
  }

  const Results& results_;
  const PageOptions& options_;
  Blocks blocks_;
  Figures figures_;
  std::vector<std::string> panels_;  // that have a chart
  std::string text_;
};

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  // Bounded: one text, which is in the page once or twice and was charged for as it
  // was read.
  for (const auto c : plain_text(text, Newlines::kKeep)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

Json write_page(const Results& results, const PageOptions& options, Sink& sink,
                Budget& budget) {
  return Page(results, options, budget).write(sink);
}

}  // namespace berth::report
