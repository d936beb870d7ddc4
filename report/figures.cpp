#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bindings/tools/comparison_page.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "report/answer.hpp"
#include "report/bars.hpp"
#include "report/study_figures.hpp"
#include "report/words.hpp"

namespace berth::report {

namespace {

using Runs = std::vector<RunResult>;

// Unknown ones are -1 s.
Duration known(Duration duration) { return duration < 0 ? -kSecond : duration; }

// By job: how many places before it the nearest job stands that ended when it started;
// 0: none did, or it did not wait.  Most jobs that wait do so for the end of another
// one: that is shorter to say than their wait, and exact.
std::vector<std::int64_t> ends_waited_for(const std::vector<ScheduledJob>& jobs,
                                          Budget& budget) {
  budget.charge_each(2 * jobs.size());
  using End = std::pair<Time, std::int64_t>;
  std::vector<End> ends;
  ends.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& job = jobs[i];
    // Of jobs without length two could wait for each other.
    const bool can_be = job.has_ended() && job.finish > job.start;
    if (can_be) ends.emplace_back(job.finish, static_cast<std::int64_t>(i));
  }
  // And as much again to find each start among them.
  budget.charge_sort(2 * ends.size());
  std::sort(ends.begin(), ends.end());
  std::vector<std::int64_t> steps(jobs.size(), 0);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& job = jobs[i];
    if (!job.has_started() || job.start == job.submit) continue;
    const auto own = static_cast<std::int64_t>(i);
    const auto above = std::lower_bound(ends.begin(), ends.end(), End{job.start, own});
    if (above != ends.end() && above->first == job.start) {
      steps[i] = own - above->second;
    }
    if (above == ends.begin() || std::prev(above)->first != job.start) continue;
    const auto step = own - std::prev(above)->second;
    if (steps[i] == 0 || step <= -steps[i]) steps[i] = step;
  }
  return steps;
}

// What users.csv holds; without one, what summary.json holds of users.  null without
// either.
Json users_table(const RunResult& run, Budget& budget) {
  if (run.users) {
    budget.charge_each(run.users->rows.size());
    return {{"names", Json(run.users->names)}, {"rows", Json(run.users->rows)}};
  }
  if (!run.measured || run.measured->summary.users.empty()) return {};
  auto rows = Json::array();
  for (const auto& user : run.measured->summary.users) {
    budget.charge();
    rows.append(Json(std::vector<Json>{
        label_number(user.user), user.jobs, user.finished, user.mean_wait,
        user.mean_bounded_slowdown, user.processor_seconds}));
  }
  const std::vector<std::string> names{"user",
                                       "jobs",
                                       "finished",
                                       "mean_wait",
                                       "mean_bounded_slowdown",
                                       "processor_seconds"};
  return {{"names", Json(names)}, {"rows", rows}};
}

// What all runs of the same jobs share.
Json workload_columns(const JobsOfFile& of, Blocks& blocks) {
  const auto plain = [&](auto value) { return blocks.column(of.jobs, value); };
  const auto times = [&](auto value) { return blocks.times(of.jobs, value); };
  Time before = 0;
  return {{"jobs", of.jobs.size()},
          {"has_submits", of.has_submits},
          {"id", plain([](const auto& job) { return job.id; })},
          {"submit", times([&](const auto& job) {
             return job.submit - std::exchange(before, job.submit);
           })},
          {"size", plain([](const auto& job) { return job.size; })},
          {"user", plain([](const auto& job) { return label_number(job.user); })},
          {"walltime", times([](const auto& job) { return known(job.walltime); })}};
}

// Without the intervals of processors.
Json run_columns(const RunResult& run, Blocks& blocks) {
  const auto& jobs = run.jobs->jobs;
  const auto times = [&](auto value) { return blocks.times(jobs, value); };
  const auto after = ends_waited_for(jobs, blocks.budget());
  std::size_t at = 0;
  return {{"state", blocks.column(jobs, [](const auto& job) { return job.state; })},
          {"after", blocks.add(after)},
          // Of the others.
          {"wait", times([&](const auto& job) {
             const bool is_said = after[at++] == 0 && job.has_started();
             return is_said ? job.start - job.submit : 0;
           })},
          // Differences, for many jobs are as long as their walltime, or hold
          // processors for their length.
          {"spare", times([](const auto& job) {
             return known(job.walltime) - known(job.length);
           })},
          {"slower", times([](const auto& job) {
             return job.has_ended() ? job.finish - job.start - known(job.length) : 0;
           })}};
}

Json entry_of(const Comparison::Entry& entry) {
  std::vector<Json> made;
  // Bounded: two of its values.
  for (const auto* value : {&entry.value, &entry.difference}) {
    made.push_back(*value ? Json((*value)->mean) : Json());
    made.push_back(*value ? Json((*value)->half_width) : Json());
  }
  made.insert(made.end(), {entry.p_value, text_of(entry.verdict)});
  return Json(made);
}

Json sweep_of(const Comparison& comparison, Budget& budget) {
  auto rows = Json::array();
  for (const auto& row : comparison.rows) {
    auto entries = Json::array();
    budget.charge_each(2 * (1 + row.entries.size()));
    for (const auto& entry : row.entries) entries.append(entry_of(entry));
    const bool is_open =
        std::any_of(row.entries.begin(), row.entries.end(),
                    [](const auto& entry) { return !entry.warning.empty(); });
    rows.append({{"metric", row.metric},
                 {"unit", row.unit},
                 {"cell", row.cell},
                 {"open", is_open},
                 {"entries", entries}});
  }
  return {{"policies", comparison.policies}, {"keys", comparison.keys},
          {"cells", Json(comparison.cells)}, {"basis", comparison.basis},
          {"primary", comparison.primary},   {"rows", rows}};
}

// By run: the workload that it shares with others, by number.
std::vector<std::size_t> workloads_of(const Runs& runs,
                                      std::vector<std::size_t>& firsts,
                                      Budget& budget) {
  std::vector<std::size_t> numbers(runs.size(), 0);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].jobs) continue;
    budget.charge_each(firsts.size() * runs[i].jobs->jobs.size());
    const auto same = std::find_if(firsts.begin(), firsts.end(), [&](auto first) {
      return same_workload(*runs[first].jobs, *runs[i].jobs);
    });
    numbers[i] = static_cast<std::size_t>(same - firsts.begin());
    if (same == firsts.end()) firsts.push_back(i);
  }
  return numbers;
}

Json unit_figures(const UnitRows& units, Blocks& blocks) {
  Json columns = Json::object();
  add_places(columns, units.jobs, std::nullopt, blocks);
  return {{"processors", units.jobs.processors},
          {"kinds", units.jobs.kinds},
          {"lanes", lanes_of(units.rows)},
          {"columns", columns}};
}

Json run_figures(const RunResult& run, const PageOptions& options, bool binned,
                 Blocks& blocks) {
  Json made{
      {"label", run.label},
      {"processors", run.processors},
      {"timeline", run.timeline ? timeline_columns(*run.timeline, blocks) : Json()},
      {"users", users_table(run, blocks.budget())}};
  if (run.loads) made.add("loads", load_columns(*run.loads, blocks));
  if (run.rows) made.add("lanes", lanes_of(*run.rows));
  if (!run.hosts.empty()) made.add("hosts", rows_json(run.hosts));
  if (!run.jobs) return made;
  const bool draws = options.gantt != GanttData::kOff;
  made.add("places", run.jobs->has_places && draws);
  made.add("tiers", run.stretches && run.stretches->has_tiers);
  // Beyond the limit a page without a window holds no rectangle.
  std::optional<PageWindow> kept;
  if (binned) kept = options.window.value_or(PageWindow{});
  auto columns = run_columns(run, blocks);
  add_places(columns, *run.jobs, kept, blocks);
  made.add("columns", columns);
  if (run.stretches && draws) {
    made.add("stretches", stretch_columns(run, kept, blocks));
  }
  if (!run.passes.empty()) made.add("passes", pass_columns(run.passes, blocks));
  if (!run.links.empty()) made.add("links", link_columns(run.links, blocks));
  // Rows of their own stand for no processors.
  if (draws && !run.rows && !run.machine.empty()) {
    made.add("machine", machine_spans(run.machine, blocks));
  }
  if (draws && !binned && run.units) {
    made.add("units", unit_figures(*run.units, blocks));
  }
  if (binned) made.add("far", far_levels(run, blocks));
  return made;
}

Json jobs_figures(const Results& results, const PageOptions& options, Blocks& blocks,
                  Figures& figures) {
  std::vector<std::size_t> firsts;
  const auto numbers = workloads_of(results.runs, firsts, blocks.budget());
  auto workloads = Json::array();
  // Bounded: the runs that were named.
  for (const auto first : firsts) {
    workloads.append(workload_columns(*results.runs[first].jobs, blocks));
  }
  figures.data.add("workloads", workloads);
  std::int64_t rectangles = 0;
  // Bounded: the runs that were named.
  for (const auto& run : results.runs) rectangles += rectangles_of(run);
  const bool binned =
      options.gantt == GanttData::kAuto && rectangles > options.most_rectangles;
  if (binned) {
    figures.notes.emplace_back(
        "too many rectangles for the page: the Gantt chart shows shares in use of "
        "bins; --from and --to add the rectangles of that time, --gantt exact adds "
        "all");
  }
  auto runs = Json::array();
  // Bounded: the runs that were named.
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    auto run = run_figures(results.runs[i], options, binned, blocks);
    run.add("workload", results.runs[i].jobs ? Json(numbers[i]) : Json());
    runs.append(run);
  }
  return runs;
}

// "easy 0.699, fcfs 0.581"; empty if no run has the metric.
std::string over_runs(const Runs& runs, std::string_view metric) {
  std::string text;
  // Bounded: the runs that were named.
  for (const auto& run : runs) {
    const auto* found = run.measured ? run.measured->summary.find(metric) : nullptr;
    if (found == nullptr || !found->value) continue;
    text +=
        fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", run.label, *found->value);
  }
  return text;
}

void say_of_runs(const Results& results, Figures& figures) {
  const auto& runs = results.runs;
  const auto has = [&](auto what) {
    return std::any_of(runs.begin(), runs.end(), what);
  };
  if (has([](const auto& run) { return run.timeline.has_value(); })) {
    const auto use = over_runs(runs, "utilisation");
    figures.captions["timelines"] =
        "Processors in use and jobs in the queue over time, mean and largest of each "
        "interval" +
        (use.empty() ? std::string(".") : fmt::format("; utilisation: {}.", use));
    const auto banded = std::find_if(runs.begin(), runs.end(), [](const auto& run) {
      return run.timeline && run.timeline->replications > 0;
    });
    if (banded != runs.end()) {
      figures.captions["timelines"] +=
          fmt::format(" Pale behind them: where 5 to 95 % of {} replications lie.",
                      banded->timeline->replications);
    }
  }
  if (has([](const auto& run) { return run.loads.has_value(); })) {
    figures.captions["loads"] =
        "How far parts of the machine are in use, the mean of every pixel: rows as "
        "they "
        "are named in loads.csv.";
  }
  const auto names_user = [](const auto& job) { return job.user >= 0; };
  if (has([&](const auto& run) {
        const bool is_told =
            run.users || (run.measured && !run.measured->summary.users.empty());
        return is_told || (run.jobs && std::any_of(run.jobs->jobs.begin(),
                                                   run.jobs->jobs.end(), names_user));
      })) {
    figures.captions["users"] =
        "The change of each user's mean wait against the first policy.";
  }
  if (has([](const auto& run) { return run.jobs.has_value(); })) {
    figures.captions["jobs"] = "A click or Enter opens the card of a job.";
  }
  const auto has_waits = [](const auto& run) {
    return run.jobs && run.jobs->has_submits &&
           std::any_of(run.jobs->jobs.begin(), run.jobs->jobs.end(),
                       [](const auto& job) { return job.has_ended(); });
  };
  if (has(has_waits)) {
    figures.captions["wait"] =
        "The share of the jobs that ended which waited longer than a time.";
  }
  if (has([](const auto& run) { return run.jobs && run.jobs->has_places; })) {
    auto& caption = figures.captions["gantt"];
    caption =
        "Which job had which processors when: processors from 0 at the top, time to "
        "the right.";
    if (has([](const auto& run) { return run.stretches && run.stretches->has_tiers; }))
      caption += kTiersCaption;
    if (has([](const auto& run) { return run.rows.has_value(); }))
      caption += kRowsCaption;
  }
}

}  // namespace

std::optional<Comparison> comparison_of_runs(const Results& results, study::Rows rows) {
  std::vector<ComparedCell> cells(1);
  // Bounded: the runs that were named.
  for (const auto& run : results.runs) {
    if (!run.measured) continue;
    cells.front().policies.push_back({run.label, {&*run.measured}, false});
  }
  // What the log recorded is no base.
  auto& policies = cells.front().policies;
  std::stable_partition(policies.begin(), policies.end(),
                        [](const auto& policy) { return !is_recorded(policy.label); });
  if (cells.front().policies.empty()) return std::nullopt;
  const CompareOptions options{.layout = Layout::kRun, .own = results.own_metrics};
  auto names = all_metrics(cells);
  if (rows == study::Rows::kUsual) {
    const auto usual = default_metrics(cells);
    names.assign(usual.begin(), usual.end());
    // Bounded: the metrics of one user.
    for (const auto& own : options.own) names.push_back(own.name);
  }
  auto comparison = compare(cells, names, options);
  comparison.notes = bindings::notes_on(comparison, cells, sim::Overrun::kRunOn);
  return comparison;
}

// Verdicts are those of comparison.csv, which judges every metric: a table of some of
// them alone would judge less strictly.
std::optional<Comparison> comparison_of_sweep(const Results& results,
                                              study::Rows rows) {
  if (!results.sweep) return std::nullopt;
  const auto& scenario = results.sweep->scenario;
  const auto& outcome = results.sweep->outcome;
  auto all = study::comparison_of(scenario, outcome, study::Rows::kAll);
  if (rows == study::Rows::kAll) return all;
  std::map<std::pair<std::string, std::size_t>, const Comparison::Row*> judged;
  // Bounded: the rows of a comparison, for which its makers charged.
  for (const auto& row : all.rows)
    judged.emplace(std::pair(row.metric, row.cell), &row);
  auto usual = study::comparison_of(scenario, outcome, rows);
  usual.comparisons = all.comparisons;
  // Bounded: again the rows.
  for (auto& row : usual.rows) {
    const auto same = judged.find(std::pair(row.metric, row.cell));
    if (same != judged.end()) row = *same->second;
  }
  return usual;
}

namespace {

void add_sweep_figures(const Results& results, Figures& figures, Budget& budget) {
  const auto sweep = comparison_of_sweep(results, study::Rows::kAll);
  if (!sweep) return;
  figures.data.add("sweep", sweep_of(*sweep, budget));
  figures.captions["sweep"] = fmt::format(
      "Means over the replications with their intervals: {}; filled where the verdict "
      "says better or worse, a ring where no difference to {} is shown.",
      sweep->basis, printable(sweep->policies.front()));
  figures.captions["differences"] = fmt::format(
      "Differences to {}, paired by replication: an interval that covers 0 shows no "
      "difference.",
      printable(sweep->policies.front()));
  if (const auto missing = results.sweep->missing.size(); missing > 0) {
    // Bounded: the two charts.
    for (const auto* name : {"sweep", "differences"}) {
      figures.captions[name] +=
          fmt::format(" Incomplete: {} of its results are missing.", missing);
    }
  }
}

}  // namespace

Figures figures_of(const Results& results, const PageOptions& options, Blocks& blocks) {
  Figures figures;
  auto& budget = blocks.budget();
  figures.data = Json::object();
  figures.data.add("format", 1);
  const auto runs = jobs_figures(results, options, blocks, figures);
  figures.data.add("runs", runs);
  const auto& all = results.runs;
  const auto dated = std::find_if(all.begin(), all.end(),
                                  [](const auto& run) { return !!run.unix_start; });
  figures.data.add("unix_start",
                   dated == all.end() ? Json() : Json(*dated->unix_start));
  add_sweep_figures(results, figures, budget);
  say_of_runs(results, figures);
  add_study_figures(results, figures, blocks);
  return figures;
}

}  // namespace berth::report
