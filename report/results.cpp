#include "report/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "report/bars.hpp"
#include "study/common/file_source.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::report {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostOfKind = std::int64_t{1} << 52;  // of a host

[[noreturn]] void wrong(const fs::path& file, const std::string& what) {
  throw Error(ErrorCode::kInput,
              fmt::format("{}: {}", printable_name(file.string()), what));
}

bool is_there(const fs::path& file) {
  std::error_code failed;
  return fs::exists(file, failed);
}

RowsOfHosts rows_of(const JsonReader& group) {
  RowsOfHosts made{group.text("name"), group.whole<std::int32_t>("count", 1),
                   group.whole<std::int32_t>("each", 1)};
  const auto kinds = group.find("kinds");
  if (!kinds) return made;
  // Bounded: the kinds of a group, which were read whole.
  for (const auto& [name, amount] : kinds->members()) {
    made.kinds.emplace_back(name, amount.whole_between(0, kMostOfKind));
  }
  return made;
}

void read_summary_into(const fs::path& file, RunResult& run) {
  const JsonReader json(file.string(), study::read_text(file.string()));
  auto summary = read_summary(json);
  run.label = json.text_or("policy", {});
  run.scenario = json.text_or("scenario", {});
  if (json.find("warnings")) run.warnings = json.texts("warnings");
  if (const auto audit = json.find("audit")) {
    run.made.emplace_back("rules audited, times checked",
                          std::to_string(audit->whole<std::int64_t>("checked")));
  }
  if (const auto rows = json.find("rows")) {
    // Bounded: the groups of hosts, which were read whole.
    for (const auto& one : rows->elements()) run.hosts.push_back(rows_of(one));
  }
  run.measured.emplace();
  run.measured->summary = std::move(summary);
}

// The scenario of a manifest is complete: keys that do not apply are in it, too, so
// that it is no scenario file.
void read_machine(const fs::path& file, const std::string& scenario, RunResult& run) {
  const auto read = study::parse_toml(file.string(), scenario);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  run.processors = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      read["machine"]["processors"].value_or<std::int64_t>(0), 0, kMost));
  const auto* model = find_model(read["machine"]["sharing"].value_or(std::string()));
  if (model != nullptr) run.form = model->schedules.form;
}

void read_manifest(const fs::path& file, RunResult& run) {
  const JsonReader json(file.string(), study::read_text(file.string()));
  json.need_format_1("manifest");
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) run.made.emplace_back(name, value);
  };
  add("berth", json.text_or("berth", {}));
  add("sources, SHA-256", json.text_or("source", {}));
  // Bounded: what a manifest lists, and was read whole.
  for (const auto& [name, version] : json.member("versions").members()) {
    run.made.emplace_back(name, version.text());
  }
  // Bounded: three of its lists.
  for (const auto* kind : {"policies", "inputs", "outputs"}) {
    // Bounded: what a manifest lists, and was read whole.
    for (const auto& item : json.member(kind).elements()) {
      run.made.emplace_back(fmt::format("{}, SHA-256", item.text("name")),
                            item.text("sha256"));
    }
  }
  if (json.find("unix_start")) {
    run.unix_start = json.whole<std::int64_t>("unix_start");
  }
  const auto scenario = json.text_or("scenario", {});
  run.made.emplace_back("scenario", scenario);
  read_machine(file, scenario, run);
}

UsersTable read_users(const fs::path& file, Budget& budget) {
  study::FileSource source(file.string());
  TableReader table(file.string(), lines_of(source, file.string(), budget), {{"user"}});
  UsersTable made;
  // Bounded: the columns of a table of users.
  for (std::size_t i = 0; i < table.columns(); ++i) made.names.push_back(table.name(i));
  while (table.next()) {
    budget.charge_each(made.names.size());
    auto& row = made.rows.emplace_back();
    for (std::size_t i = 0; i < made.names.size(); ++i) row.emplace_back(table.text(i));
  }
  return made;
}

Waits read_waits_of(const fs::path& file, const std::string& label, Budget& budget) {
  study::FileSource source(file.string());
  auto made = read_waits(source, file.string(), budget);
  made.label = label;
  return made;
}

JobsOfFile read_jobs_of(const std::string& file, const PlacesOfFile& places,
                        Budget& budget) {
  study::FileSource source(file);
  GzipSource unpacked(source, file, budget);
  return read_jobs(unpacked, file, places, budget);
}

// Parts of hosts have rows of their own, units of further kinds beside those of
// processors.  Stretches are drawn on hosts, so that they are left out where each job
// is one, of which its row of jobs tells all.
void add_rows(RunResult& run, Budget& budget) {
  const auto& jobs = run.jobs->jobs;
  if (run.jobs->parts.empty()) return;
  budget.charge_each(jobs.size());
  const auto started = std::count_if(jobs.begin(), jobs.end(),
                                     [](const auto& job) { return job.has_started(); });
  if (run.stretches && std::ssize(run.stretches->stretches) != started) return;
  if (run.form == PlaceForm::kSet) {
    auto& units = run.units.emplace(UnitRows{*run.jobs, {}});
    units.rows = *draw_parts(units.jobs, budget);
    return;
  }
  run.stretches.reset();
  run.rows = draw_parts(*run.jobs, budget);
  if (run.rows) run.processors = run.jobs->processors;
}

RunResult read_run(const fs::path& folder, std::vector<std::string>& warnings,
                   Budget& budget) {
  RunResult run;
  run.folder = folder;
  read_summary_into(folder / "summary.json", run);
  if (is_there(folder / "manifest.json")) {
    read_manifest(folder / "manifest.json", run);
  }
  const PlacesOfFile places{
      run.form, run.processors > 0 ? std::optional(run.processors) : std::nullopt,
      run.form == PlaceForm::kSet ? run.hosts : std::vector<RowsOfHosts>{}};
  if (is_there(folder / "jobs.csv")) {
    run.jobs = read_jobs_of((folder / "jobs.csv").string(), places, budget);
    run.processors = std::max(run.processors, run.jobs->processors);
  } else {
    warnings.push_back(fmt::format(
        "{} has no jobs.csv: no panels of jobs; --keep-jobs writes it in a sweep",
        run.label));
  }
  if (is_there(folder / "timeline.csv")) {
    run.timeline = read_timeline(folder / "timeline.csv", budget);
  }
  if (is_there(folder / "loads.csv")) {
    run.loads = read_loads((folder / "loads.csv").string(), budget);
  }
  if (is_there(folder / "users.csv")) {
    run.users = read_users(folder / "users.csv", budget);
  }
  if (run.jobs && is_there(folder / "stretches.csv")) {
    const auto file = (folder / "stretches.csv").string();
    study::FileSource source(file);
    run.stretches = read_stretches(source, file, *run.jobs, places, budget);
    if (run.stretches->has_tiers) add_tiers(run, budget);
  }
  if (run.jobs && is_there(folder / "machine.csv")) {
    run.machine =
        read_machine_spans((folder / "machine.csv").string(), run.processors, budget);
  }
  if (run.jobs && is_there(folder / "links.csv")) {
    run.links = read_links_of((folder / "links.csv").string(), *run.jobs, budget);
  }
  if (run.jobs && is_there(folder / "log.jsonl")) {
    run.passes = read_passes((folder / "log.jsonl").string(), budget);
  }
  if (run.jobs) add_rows(run, budget);
  return run;
}

// The policies of a run in the order of comparison.csv, others after them by name.
std::vector<fs::path> policy_folders(const fs::path& folder, Budget& budget) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    budget.charge();
    const bool is_hidden = entry.path().filename().string().front() == '.';
    if (is_hidden) continue;  // a run that is not finished
    if (is_there(entry.path() / "summary.json")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> labels_in_order(const fs::path& folder, Budget& budget) {
  std::vector<std::string> labels;
  if (!is_there(folder / "comparison.csv")) return labels;
  const auto file = (folder / "comparison.csv").string();
  study::FileSource source(file);
  TableReader table(file, lines_of(source, file, budget), {{"policy"}});
  while (table.next()) {
    budget.charge_each(labels.size());
    const std::string label(table.text(0));
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) break;
    labels.push_back(label);
  }
  return labels;
}

class Reading {
 public:
  Reading(const Sources& sources, Budget& budget)
      : sources_(sources), budget_(budget) {}

  Results read() {
    // Bounded: the folders of the command line.
    for (const auto& folder : sources_.folders) add_folder(folder);
    // Bounded: the files of the command line.
    for (const auto& file : sources_.schedules) add_schedule(file);
    if (results_.sweep) add_replications();
    name_apart();
    return std::move(results_);
  }

 private:
  void add_own_metrics(const fs::path& plan) {
    const JsonReader json(plan.string(), study::read_text(plan.string()));
    auto& all = results_.own_metrics;
    // Bounded: the metrics of one user.
    for (auto& own : study::records_of(study::own_metrics_in(json))) {
      const bool is_new = std::none_of(all.begin(), all.end(), [&](const auto& other) {
        return other.name == own.name;
      });
      if (is_new) all.push_back(std::move(own));
    }
  }

  void add_folder(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) {
      wrong(folder, "is no folder of results; a schedule is given as --jobs FILE");
    }
    if (is_there(folder / "run.json")) add_own_metrics(folder / "run.json");
    if (is_there(folder / "claims.json")) {
      add_claims(folder);
    } else if (is_there(folder / "sweep.json")) {
      add_sweep(folder);
    } else if (is_there(folder / "summary.json")) {
      add_run(folder);
    } else {
      const auto parts = policy_folders(folder, budget_);
      if (parts.empty() && is_there(folder / "waits.csv")) {
        results_.waits.push_back(
            read_waits_of(folder / "waits.csv", folder.filename().string(), budget_));
        return;
      }
      if (parts.empty()) {
        wrong(folder,
              "holds no results: neither summary.json, nor policies with one, nor "
              "sweep.json, claims.json or waits.csv; make them by berth run --out");
      }
      const auto first = results_.runs.size();
      // Bounded: the policies of a run, whose files charge.
      for (const auto& part : parts) add_run(part);
      sort_runs(first, labels_in_order(folder, budget_));
    }
  }

  void add_run(const fs::path& folder) {
    results_.runs.push_back(read_run(folder, results_.warnings, budget_));
    if (!is_there(folder / "waits.csv")) return;
    results_.waits.push_back(
        read_waits_of(folder / "waits.csv", results_.runs.back().label, budget_));
  }

  void add_claims(const fs::path& folder) {
    if (results_.claims) {
      throw Error(ErrorCode::kUsage, "two folders of claims: one page shows one");
    }
    const auto file = (folder / "claims.json").string();
    results_.claims = read_claims_results(file, study::read_text(file), budget_);
  }

  void sort_runs(std::size_t first, const std::vector<std::string>& labels) {
    const auto place = [&](const RunResult& run) {
      return std::find(labels.begin(), labels.end(), run.label) - labels.begin();
    };
    std::stable_sort(results_.runs.begin() + static_cast<std::ptrdiff_t>(first),
                     results_.runs.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }

  void add_sweep(const fs::path& folder) {
    if (results_.sweep) {
      throw Error(ErrorCode::kUsage,
                  "two sweeps: one page shows one; `berth merge` joins parts of one");
    }
    results_.sweep = study::merge_sweep({folder}, study::Gaps::kMark);
    const auto file = (folder / "sweep.json").string();
    const JsonReader plan(file, results_.sweep->plan);
    const auto scenario = study::parse_toml(file, plan.text_or("scenario", {}));
    results_.sweep_title = scenario["title"].value_or(std::string());
    const auto& missing = results_.sweep->missing;
    if (!missing.empty()) {
      results_.warnings.push_back(fmt::format(
          "the sweep is not complete: {} of its points or runs have no result (first: "
          "{}); cells that lack one have no mean",
          missing.size(), printable(missing.front())));
    }
  }

  // Bands of those runs that are of the sweep, over the replications that have kept
  // their timelines, too.
  void add_replications() {
    const study::SweepGrid grid(results_.sweep->scenario);
    const auto& folders = results_.sweep->folders;
    for (auto& run : results_.runs) {
      budget_.charge_each(2 * folders.size());
      if (!run.timeline) continue;
      std::error_code failed;
      // Bounded: the points, which were charged for above.
      const auto own = std::find_if(folders.begin(), folders.end(), [&](auto& folder) {
        return folder.filename() == run.folder.parent_path().filename() &&
               fs::equivalent(folder, run.folder.parent_path(), failed);
      });
      if (own == folders.end()) continue;
      const auto at = grid.where(static_cast<std::size_t>(own - folders.begin()));
      std::vector<fs::path> files;
      // Bounded: the points, which were charged for above.
      for (std::size_t i = 0; i < folders.size(); ++i) {
        const auto other = grid.where(i);
        if (other.cell != at.cell || other.variant != at.variant) continue;
        auto file = folders[i] / run.folder.filename() / "timeline.csv";
        if (is_there(file)) files.push_back(std::move(file));
      }
      if (files.size() > 1) add_bands(*run.timeline, files, budget_);
    }
  }

  void add_schedule(const std::string& file) {
    RunResult run;
    run.label = fs::path(file).filename().string();
    study::FileSource stored(file);
    study::ScheduleSource source(stored, file, sources_.reading, budget_);
    run.jobs = read_jobs(source, file, {PlaceForm::kSet, sources_.processors}, budget_,
                         source.layout());
    if (!shares_places(*run.jobs)) refuse_overlaps(*run.jobs, file, budget_);
    run.scenario = run.label;
    set_size(run, source.processors());
    add_rows(run, budget_);
    results_.runs.push_back(std::move(run));
  }

  // Whether columns of a machine tell that several jobs may be in one place, and where
  // there each of them is.
  static bool shares_places(const JobsOfFile& of) {
    const auto is_there = [&](const audit::PlaceColumn& column) {
      return !column.is_needed || std::find(of.columns.begin(), of.columns.end(),
                                            column.name) != of.columns.end();
    };
    const auto all = sharing_models();
    return std::any_of(all.begin(), all.end(), [&](const ModelRecord& model) {
      const auto& columns = model.place_columns;
      return model.shares_processors && model.schedules.columns_tell_places &&
             std::all_of(columns.begin(), columns.end(), is_there);
    });
  }

  // `said`: what the file says of its machine; 0: nothing.
  void set_size(RunResult& run, std::int32_t said) {
    const auto used = std::max(run.jobs->processors, most_in_use(*run.jobs, budget_));
    if (sources_.processors || said > 0) {
      run.processors = sources_.processors.value_or(std::max(said, used));
      return;
    }
    run.processors = std::max(used > 0 ? used : most_in_use(*run.jobs, budget_, 1), 1);
    results_.warnings.push_back(fmt::format(
        "{}: the machine is taken to have {} processors, {}; --processors says how "
        "many "
        "it has",
        run.label, run.processors,
        used > 0 ? "as many as were ever used"
                 : "one for each job that ran at once, for no column says what a job "
                   "had"));
  }

  // Equal labels get the number of the run, from 1.
  void name_apart() {
    auto& runs = results_.runs;
    std::vector<std::string> labels;
    labels.reserve(runs.size());
    // Each with all others.
    budget_.charge_each(runs.size() * (runs.size() + 1));
    for (const auto& run : runs) labels.push_back(run.label);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (std::count(labels.begin(), labels.end(), labels[i]) < 2) continue;
      runs[i].label = fmt::format("{} ({})", labels[i], i + 1);
    }
  }

  const Sources& sources_;
  Budget& budget_;
  Results results_;
};

}  // namespace

Results read_results(const Sources& sources, Budget& budget) {
  return Reading(sources, budget).read();
}

bool same_workload(const JobsOfFile& a, const JobsOfFile& b) {
  return std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), b.jobs.end(),
                    [](const ScheduledJob& x, const ScheduledJob& y) {
                      return x.id == y.id && x.submit == y.submit && x.size == y.size &&
                             x.user == y.user && x.walltime == y.walltime;
                    });
}

}  // namespace berth::report
