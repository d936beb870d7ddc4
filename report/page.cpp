#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/printable.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/output/number_text.hpp"
#include "report/answer.hpp"
#include "report/board.hpp"
#include "report/bundle.hpp"
#include "report/columns.hpp"
#include "report/figures.hpp"
#include "report/words.hpp"
#include "study/metrics/own_metrics.hpp"

namespace berth::report {

namespace {

constexpr std::string_view kGiven = "given, not judged";

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

std::string measured_text(const ClaimRow& claim) {
  if (!claim.given.empty()) return isolated(claim.given);
  if (!claim.value) return "no value";
  auto text = fmt::format("<span data-value=\"{}\">{}</span>", ratio_text(*claim.value),
                          value_words(*claim.value, {}));
  if (claim.half_width) {
    text += fmt::format(" &#177; {}", value_words(*claim.half_width, {}));
  }
  return text +
         fmt::format(" {} <small>{}</small>", html_text(claim.unit),
                     count_words(static_cast<std::int64_t>(claim.points), "point"));
}

// The class of a verdict, and the sign before its words.
std::pair<std::string_view, std::string_view> tone_of(const ClaimRow& claim) {
  constexpr std::array<std::string_view, 3> kPartly{"in the mean only",
                                                    "at some points", "other value"};
  if (!claim.given.empty()) return {"low", ""};
  if (claim.verdict == "reproduced") return {"better", "\u2713 "};
  const bool is_partly =
      std::find(kPartly.begin(), kPartly.end(), claim.verdict) != kPartly.end();
  if (is_partly) return {"warn", "\u2248 "};
  return {"worse", "\u2715 "};
}

std::string verdict_text(const ClaimRow& claim) {
  const auto [tone, sign] = tone_of(claim);
  return fmt::format("<strong class=\"{}\">{}{}</strong>", tone, sign,
                     html_text(claim.answer));
}

// The numbers that the picture of a claim is drawn from.
std::string drawn_text(const ClaimRow& claim) {
  if (!claim.given.empty()) return "";
  auto text = fmt::format(" data-tone=\"{}\"", tone_of(claim).first);
  const auto add = [&](const char* name, const std::optional<double>& number) {
    if (number) text += fmt::format(" data-{}=\"{}\"", name, ratio_text(*number));
  };
  add("value", claim.value);
  add("half", claim.half_width);
  add("number", claim.number);
  add("least", claim.least);
  add("most", claim.most);
  return text;
}

std::string band_text(const ClaimRow& claim) {
  if (!claim.least && !claim.most) return "";
  if (!claim.most) return fmt::format("at least {}", value_words(*claim.least, {}));
  if (!claim.least) return fmt::format("at most {}", value_words(*claim.most, {}));
  return fmt::format("{} to {}", value_words(*claim.least, {}),
                     value_words(*claim.most, {}));
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
        "script-src '{}'{} blob:; style-src 'unsafe-inline'; img-src data: blob:; "
        "connect-src data:; base-uri 'none'; form-action 'none'\">\n",
        script_hash(bundle.loader), extra_sources());
    put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n",
        title);
    put("<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n",
        bundle.style);
    put("<header class=\"top\">\n<h1><bdi>{}</bdi></h1>\n<p class=\"sub\">{}</p>\n"
        "</header>\n<main>\n",
        title, html_text(setting()));
    head();
    panels();
    made();
    if (options_.extra) text_ += options_.extra->section;
    put("</main>\n");
    data(bundle.script);
    put("<script>{}</script>\n", bundle.loader);
    if (options_.extra) put("<script>{}</script>\n", options_.extra->script);
    put("</body>\n</html>\n");
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

  // What the content security policy allows for its script.
  [[nodiscard]] std::string extra_sources() const {
    if (!options_.extra) return {};
    return fmt::format(" '{}' 'wasm-unsafe-eval'", script_hash(options_.extra->script));
  }

  // Machine and load in one line, from the first run.
  [[nodiscard]] std::string setting() const {
    if (results_.runs.empty()) return {};
    const auto& run = results_.runs.front();
    std::vector<std::string> parts;
    if (run.processors > 0 && !run.rows) {
      parts.push_back(count_words(run.processors, "processor"));
    }
    if (run.jobs && !run.jobs->jobs.empty()) {
      const auto& jobs = run.jobs->jobs;
      parts.push_back(count_words(static_cast<std::int64_t>(jobs.size()), "job"));
      if (run.unix_start) {
        parts.push_back(day_words(*run.unix_start + jobs.front().submit / kSecond) +
                        " to " +
                        day_words(*run.unix_start + jobs.back().submit / kSecond));
      }
    }
    const auto* load = run.measured ? run.measured->summary.find("load") : nullptr;
    if (load != nullptr && load->value) {
      parts.push_back("load " + value_words(*load->value, {}));
    }
    return fmt::format("{}", fmt::join(parts, " \u00b7 "));
  }

  void head() {
    put("<noscript><p>Charts need JavaScript; sentence, tables and warnings do "
        "not.</p></noscript>\n<p id=\"trouble\" role=\"alert\" hidden></p>\n"
        "<section id=\"answer\">\n");
    const auto sweep = comparison_of_sweep(results_, study::Rows::kUsual);
    const auto runs = comparison_of_runs(results_, study::Rows::kUsual);
    const bool is_one_cell = sweep && sweep->cells.size() == 1;
    if (sweep && !sweep->rows.empty()) put("{}", answer_html(*sweep, budget()));
    if (results_.claims) verdicts(*results_.claims);
    if (!sweep && runs) put("{}", answer_html(*runs, budget()));
    if (!sweep && !runs && !results_.claims) {
      put("<h2 class=\"sentence\" data-part=\"sentence\">Nothing is compared: these "
          "results hold no metrics</h2>\n");
    }
    const auto* board = is_one_cell ? &*sweep : runs ? &*runs : nullptr;
    if (board != nullptr) put("{}", board_html(*board, numbers_of(*board)));
    if (runs) {
      put("<details><summary>Every metric</summary>\n");
      run_table(*comparison_of_runs(results_, study::Rows::kAll));
      put("<p>* best; a value with ! depends on the length of the trace: its queue "
          "does "
          "not empty.</p>\n");
      notes(*runs);
      put("</details>\n");
    }
    if (sweep) sweep_tables(*sweep);
    warnings();
    put("</section>\n");
    if (results_.claims) claims(*results_.claims);
  }

  // By policy: its run in the page, else its own place.
  [[nodiscard]] std::vector<std::size_t> numbers_of(const Comparison& of) const {
    std::vector<std::size_t> numbers;
    const auto& runs = results_.runs;
    numbers.reserve(of.policies.size());
    // Bounded: the policies of a comparison.
    for (std::size_t i = 0; i < of.policies.size(); ++i) {
      const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& run) {
        return run.label == of.policies[i];
      });
      const auto number = static_cast<std::size_t>(found - runs.begin());
      numbers.push_back(found == runs.end() ? i : number);
    }
    return numbers;
  }

  // The table of the deciding metric in sight, the others behind it.
  void sweep_tables(const Comparison& sweep) {
    const auto first = deciding_metric(sweep);
    const bool is_board = sweep.cells.size() == 1;
    if (!is_board) sweep_table(sweep, first);
    put("<details id=\"sweep-comparison\"><summary>Every metric of the "
        "sweep</summary>\n");
    std::string_view before;
    for (const auto& row : sweep.rows) {
      budget().charge();
      const bool is_new = row.metric != before && (is_board || row.metric != first);
      if (is_new) sweep_table(sweep, row.metric);
      before = row.metric;
    }
    notes(sweep);
    put("</details>\n");
  }

  // How many claims had which verdict.
  void verdicts(const ClaimsResults& claims) {
    std::vector<std::string> words;  // in the order of the claims
    // Bounded: the claims, which were charged for as they were read.
    for (const auto& claim : claims.claims) {
      words.push_back(claim.given.empty() ? claim.verdict : std::string(kGiven));
    }
    const auto of = [&](std::string_view word) {
      return std::count(words.begin(), words.end(), word);
    };
    const auto judged = std::ssize(words) - of(kGiven);
    put("<h2 class=\"sentence\" data-part=\"sentence\">{} of {} {} <strong "
        "class=\"better\">reproduced</strong>",
        of("reproduced"), count_words(judged, "judged claim"),
        judged == 1 ? "is" : "are");
    if (const auto opposite = of("opposite"); opposite > 0) {
      put("; {} {} out opposite", opposite, opposite == 1 ? "comes" : "come");
    }
    put("</h2>\n<p class=\"lead\">");
    // Bounded: the claims, which were charged for as they were read.
    for (auto word = words.begin(); word != words.end(); ++word) {
      if (std::find(words.begin(), word, *word) != word) continue;
      put("<span><b>{}</b> {}</span> ", of(*word), html_text(*word));
    }
    put("</p>\n");
  }

  void claims(const ClaimsResults& claims) {
    panels_.emplace_back("claims");
    put("<section id=\"claims\" class=\"panel\">\n<h2>Claims</h2>\n<p>{}</p>\n",
        isolated(claims.paper));
    lines(claims.found);
    put("<p class=\"note\">band: what the paper states; diamond: its value; dot: what "
        "was "
        "measured, with its interval; line: 0</p>\n<div class=\"chart\" "
        "data-chart=\"claims\"></div>\n<div class=\"wide\" tabindex=\"0\"><table "
        "class=\"claims\">\n<thead><tr><th>claim</th>"
        "<th>what is claimed</th><th>the paper</th><th>picture</th><th>measured</th>"
        "<th>its bounds</th><th>size</th><th>verdict</th><th>notes</th></tr></thead>\n"
        "<tbody>\n");
    // Bounded: the claims, which were charged for as they were read.
    for (const auto& claim : claims.claims) {
      put("<tr data-claim=\"{}\"><th scope=\"row\">{}</th><td>{}{}</td><td>{}</td>"
          "<td class=\"picture\"{}></td><td>{}</td><td>{}</td><td>{}</td>"
          "<td>{}</td><td>{}</td></tr>\n",
          html_text(claim.id), isolated(claim.id), isolated(claim.says),
          claim.is_own ? " (not of the paper)" : "",
          claim.number ? value_words(*claim.number, {}) : "", drawn_text(claim),
          measured_text(claim), band_text(claim), html_text(claim.size),
          verdict_text(claim),
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

  void run_table(const Comparison& runs) {
    put("<div class=\"wide\" tabindex=\"0\"><table "
        "id=\"all-metrics\">\n<thead><tr><th>metric</th><th>unit</th>");
    // Bounded: the policies of a run.
    for (const auto& policy : runs.policies) {
      put("<th class=\"number\">{}</th>", isolated(policy));
    }
    put("</tr></thead>\n<tbody>\n");
    // Bounded: the metrics that are known.
    for (const auto& row : runs.rows) {
      put("<tr data-metric=\"{0}\"><th scope=\"row\">{0}</th><td>{1}</td>",
          html_text(row.metric), row.unit);
      // Bounded: the policies of a run.
      for (const auto& entry : row.entries) {
        const bool is_best = entry.best && !is_recorded(entry.policy);
        value_cell(row, entry, is_best ? " *" : "");
      }
      put("</tr>\n");
    }
    put("</tbody>\n</table></div>\n");
  }

  void value_cell(const Comparison::Row& row, const Comparison::Entry& entry,
                  std::string_view mark) {
    if (!entry.value) {
      put("<td>-</td>");
      return;
    }
    put("<td data-value=\"{}\">{}{}{}</td>", ratio_text(entry.value->mean),
        value_html(row, entry), mark, entry.warning.empty() ? "" : " !");
  }

  void sweep_table(const Comparison& sweep, std::string_view metric) {
    std::vector<const Comparison::Row*> rows;
    budget().charge_each(sweep.rows.size());
    for (const auto& row : sweep.rows) {
      if (row.metric == metric) rows.push_back(&row);
    }
    put("<div class=\"wide\" tabindex=\"0\"><table class=\"sweep\">\n<caption>{}"
        "</caption>\n<thead><tr>",
        html_text(metric_words(metric)));
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

  // The value of the base, then verdicts with differences to it.
  void sweep_row(const Comparison& sweep, const Comparison::Row& row) {
    put("<tr data-metric=\"{}\">", html_text(row.metric));
    budget().charge_each(sweep.cells[row.cell].size() + row.entries.size());
    for (const auto& value : sweep.cells[row.cell]) {
      put("<th scope=\"row\">{}</th>", html_text(value));
    }
    // Bounded: the policies, which were charged for above.
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      const auto& entry = row.entries[i];
      const auto exact = entry.value ? ratio_text(entry.value->mean) : std::string();
      put("<td data-value=\"{0}\" title=\"{0} {1}\">{2}</td>", exact, row.unit,
          i == 0 ? value_html(row, entry) : against_html(row, entry));
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

  // Each once, with the policies that it concerns; of none what it is about is said.
  void warnings() {
    using Warning = std::pair<std::string, std::vector<std::string>>;
    std::vector<Warning> all;
    const auto add = [&all](const std::string& text) -> Warning& {
      const auto found = std::find_if(
          all.begin(), all.end(), [&](const auto& one) { return one.first == text; });
      if (found != all.end()) return *found;
      return all.emplace_back(text, std::vector<std::string>());
    };
    // Bounded: the warnings of the report.
    for (const auto& line : results_.warnings) add(line);
    // Bounded: the runs that were named.
    for (const auto& run : results_.runs) {
      // Bounded: the warnings of one run.
      for (const auto& line : run.warnings) add(line).second.push_back(run.label);
    }
    if (has_other_workloads()) {
      add("the results are of different workloads: their jobs are not compared one by "
          "one");
    }
    // Bounded: what the page leaves out.
    for (const auto& line : figures_.notes) add(line);
    if (all.empty()) return;
    put("<details id=\"warnings\" data-part=\"warnings\"><summary class=\"chip\">"
        "\u25b2 {}</summary>\n<ul>\n",
        count_words(static_cast<std::int64_t>(all.size()), "warning"));
    // Bounded: the warnings of the runs that were named.
    for (const auto& [line, labels] : all) {
      const bool is_of_all = labels.size() > 1 && labels.size() == results_.runs.size();
      const auto whose = is_of_all ? std::string("all policies")
                                   : fmt::format("{}", fmt::join(labels, ", "));
      put("<li>{} <small>{}</small></li>\n", isolated(line), isolated(whose));
    }
    put("</ul>\n</details>\n");
  }

  [[nodiscard]] bool has_other_workloads() const {
    const RunResult* first = nullptr;
    for (const auto& run : results_.runs) {
      if (!run.jobs) continue;
      if (first == nullptr) first = &run;
      budget().charge_each(run.jobs->jobs.size());
      if (!same_workload(*first->jobs, *run.jobs)) return true;
    }
    return false;
  }

  void panels() {
    struct Chart {
      const char* name;
      const char* id;  // of its section
      const char* heading;
      std::string_view needs;  // said where it is not shown; empty: not said
    };
    constexpr std::string_view kJobs =
        "needs jobs.csv, which a sweep writes with --keep-jobs";
    constexpr std::string_view kUsers = "needs jobs with users";
    constexpr std::array kCharts{
        Chart{"timelines", "queue", "Queue and use",
              "needs timeline.csv, which berth run writes"},
        Chart{"gantt", "schedule", "Schedule",
              "needs the column allocated_resources of jobs.csv, which a sweep writes "
              "with --keep-jobs"},
        Chart{"loads", "links", "Loads", ""},
        Chart{"jobs", "jobs", "Jobs", kJobs},
        Chart{"users", "users", "Users", kUsers},
        Chart{"wait", "wait", "Waits", kJobs},
        Chart{"waits", "waits", "Why jobs waited",
              "needs waits.csv: berth explain RUN --out RUN"},
        Chart{"paper_figures", "paper_figures", "Figures of the paper", ""},
        Chart{"sweep", "sweep", "Curves", ""},
        Chart{"differences", "differences", "Differences", ""}};
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
          chart.id, chart.heading, chart.name, html_text(caption->second));
    }
    put("<section id=\"about\">\n<h2>About</h2>\n");
    if (absent.empty() || (results_.runs.empty() && !results_.sweep)) return;
    put("<h3>Not shown</h3>\n<ul>\n{}</ul>\n", absent);
  }

  void made() {
    put("<details><summary>Versions, checksums, scenarios, definitions</summary>\n");
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

std::string isolated(std::string_view text) {
  constexpr std::size_t kLong = 20;  // characters: a cell of the board may scroll them
  return fmt::format("<bdi{}>{}</bdi>", text.size() > kLong ? " tabindex=\"0\"" : "",
                     html_text(text));
}

Json write_page(const Results& results, const PageOptions& options, Sink& sink,
                Budget& budget) {
  return Page(results, options, budget).write(sink);
}

}  // namespace berth::report
