#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "cli/explain_run.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/explain/words.hpp"
#include "engine/output/output_file.hpp"
#include "study/explain/all_report.hpp"
#include "study/explain/job_report.hpp"
#include "study/links/trace_links.hpp"

namespace berth::cli {

namespace {

constexpr int kFormat = 1;
constexpr auto kWaits = "waits.csv";

study::TableForm form_of(const ExplainOptions& options) {
  return options.markdown ? study::TableForm::kMarkdown : study::TableForm::kText;
}

bool is_number(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
}

// "4711,4712" and "4711" "4712".
std::vector<std::string> listed(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (const auto& text : given) {
    std::size_t at = 0;
    while (at <= text.size()) {
      const auto end = std::min(text.find(',', at), text.size());
      all.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return all;
}

struct Tried {
  study::Change change;
  std::optional<study::PolicyChoice> policy{};
};

void read_try(const std::string& text, Tried& tried) {
  const auto equals = text.find('=');
  const auto key = text.substr(0, equals);
  const auto value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto option = "--try " + key;
  auto& change = tried.change;
  if (key == "walltime") {
    change.walltime = ticks_from_seconds(seconds_option(option, value));
    if (!change.walltime || *change.walltime <= 0) {
      throw Error(ErrorCode::kUsage, option + ": must be above 0");
    }
  } else if (key == "submit") {
    change.submit = ticks_from_seconds(seconds_option(option, value));
    if (!change.submit) throw Error(ErrorCode::kUsage, option + ": out of range");
  } else if (key == "size") {
    constexpr std::int64_t kMost = 1'000'000'000;
    change.size = static_cast<std::int32_t>(whole_option(option, value, 1, kMost));
  } else if (key == "policy") {
    auto choice = study::parse_policy_choice(value);
    if (!choice) wrong_usage("--try policy: " + choice.reason());
    tried.policy = std::move(choice.value());
  } else {
    wrong_usage(
        fmt::format("--try: '{}' is none of walltime=SECONDS, size=N, "
                    "submit=SECONDS, policy=NAME",
                    printable(text)));
  }
}

void say_notes(const ExplainedRun& run, Console& console) {
  for (const auto& note : run.notes()) console.say("not the same run: " + note);
}

study::ReplayOptions replay_options(const ExplainOptions& options, Console& console) {
  study::ReplayOptions made;
  made.what.each_pass = options.passes;
  made.watch.interrupted = console.interrupted;
  return made;
}

// --- a change ---

int show_change(ExplainedRun& run, const std::vector<JobId>& jobs,
                const ExplainOptions& options, Console& console) {
  Tried tried;
  for (const auto& text : options.tries) read_try(text, tried);
  auto& change = tried.change;
  const bool is_of_job = change.walltime || change.size || change.submit;
  if (is_of_job && jobs.size() != 1) {
    wrong_usage("--try walltime, size and submit are of one job: name it");
  }
  if (is_of_job) change.job = jobs.front();
  for (const auto& number : listed(options.without)) {
    change.without.push_back(run.job(number));
  }
  auto made = replay_options(options, console);
  made.to_the_end = true;
  made.what.in_detail = jobs;
  const auto before = run.replay(made);
  made.change = change;
  for (const JobId job : change.without) {
    const auto at =
        std::find(made.what.in_detail.begin(), made.what.in_detail.end(), job);
    if (at != made.what.in_detail.end()) made.what.in_detail.erase(at);
  }
  const auto after = run.replay(made, tried.policy);
  say_notes(run, console);
  const auto job = jobs.empty() ? std::nullopt : std::optional(jobs.front());
  if (options.json) {
    console.out << Json{{"format", kFormat},
                        {"change", study::change_json(before, after, job, run.jobs())}}
                       .file_text();
    return study::kDone;
  }
  console.out << study::change_report(before, after, change, job, run.jobs());
  std::vector<Job> all(run.jobs().begin(), run.jobs().end());
  if (change.walltime) all[index(*change.job)].walltime = *change.walltime;
  if (change.size) all[index(*change.job)].size = *change.size;
  if (change.submit) all[index(*change.job)].submit = *change.submit;
  for (const auto& [number, explained] : after.jobs) {
    console.out << "\n"
                << study::job_report(explained, after.label, all, run.command(),
                                     form_of(options));
  }
  return study::kDone;
}

// --- jobs ---

int show_jobs(ExplainedRun& run, const std::vector<JobId>& jobs,
              const ExplainOptions& options, Console& console) {
  auto made = replay_options(options, console);
  made.what.in_detail = jobs;
  const auto replay = run.replay(made);
  say_notes(run, console);
  if (options.json) {
    auto list = Json::array();
    for (const JobId job : jobs) {
      list.append(study::job_json(replay.jobs.at(job), run.jobs()));
    }
    console.out << Json{
        {"format", kFormat},
        {"policy", replay.label},
        {"jobs", list}}.file_text();
    return study::kDone;
  }
  bool is_first = true;
  for (const JobId job : jobs) {
    if (!is_first) console.out << "\n";
    is_first = false;
    console.out << study::job_report(replay.jobs.at(job), replay.label, run.jobs(),
                                     run.command(), form_of(options));
  }
  return study::kDone;
}

// --- all jobs ---

// Evenly spaced among all.
std::vector<JobId> sample_of(const std::string& text, std::size_t jobs) {
  const auto wanted = static_cast<std::size_t>(whole_option("--sample", text, 1));
  std::vector<JobId> all;
  const auto count = std::min(wanted, jobs);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(JobId{static_cast<std::uint32_t>(i * jobs / count)});
  }
  return all;
}

int show_all(ExplainedRun& run, const ExplainOptions& options, Console& console) {
  auto made = replay_options(options, console);
  made.what.all = true;
  made.to_the_end = true;
  if (!options.sample.empty()) {
    made.what.sample = sample_of(options.sample, run.jobs().size());
  }
  const std::filesystem::path folder = options.run.out;
  std::optional<OutputFile> waits;
  if (!folder.empty()) {
    waits.emplace(folder / kWaits,
                  options.run.force ? Existing::kReplace : Existing::kRefuse);
  }
  const auto replay = run.replay(made);
  say_notes(run, console);
  const auto answer = study::all_report(
      run.prepared(), replay, {options.json, waits.has_value()}, options.tools);
  if (waits) {
    const auto& files = answer.files.parts;
    if (files.size() != 1 || files.front().file.name != kWaits) {
      throw Error(ErrorCode::kPolicy,
                  "explain.lua: expected waits.csv among its files");
    }
    make_output_folder(folder);
    waits->write(bindings::as_csv(files.front().file));
    waits->commit();
  }
  console.out << (options.json ? answer.json.value_or(as_json(answer.page)).file_text()
                  : options.markdown ? as_markdown(answer.page)
                                     : as_text(answer.page));
  return study::kDone;
}

// --- two policies ---

struct Pair {
  ExplainedRun left;
  ExplainedRun right;
};

void show_jobs_between(Pair& runs, study::ReplayOptions made,
                       const std::vector<std::string>& numbers,
                       const ExplainOptions& options, Console& console) {
  const auto& jobs = runs.left.jobs();
  for (const auto& number : numbers) {
    made.what.in_detail.push_back(runs.left.job(number));
  }
  const auto left = runs.left.replay(made);
  const auto right = runs.right.replay(made);
  const auto json_of = [&](const auto& replay, JobId job) {
    return Json{{"policy", replay.label},
                {"job", study::job_json(replay.jobs.at(job), jobs)}};
  };
  auto list = Json::array();
  for (const JobId job : made.what.in_detail) {
    if (options.json) {
      auto both = Json::array();
      both.append(json_of(left, job));
      both.append(json_of(right, job));
      list.append(both);
    } else {
      console.out << study::side_by_side(left, right, job, jobs, form_of(options));
    }
  }
  if (options.json) {
    console.out << Json{{"format", kFormat}, {"jobs", list}}.file_text();
  }
}

void show_parting(Pair& runs, study::ReplayOptions made, const ExplainOptions& options,
                  Console& console) {
  constexpr std::size_t kShown = 10;
  constexpr std::size_t kColumns = 80;
  // A wait would have to begin at two releases, one of each run.
  study::refuse_links(runs.left.prepared().point.links, "explain --between");
  const auto& jobs = runs.left.jobs();
  auto left = runs.left.replay(made);
  auto right = runs.right.replay(made);
  auto parting = study::parting(left, right, jobs);
  parting.others = study::most_different(left, right, kShown);
  made.what.in_detail = parting.only_left;
  made.what.in_detail.insert(made.what.in_detail.end(), parting.only_right.begin(),
                             parting.only_right.end());
  made.what.sample = parting.others;
  std::sort(made.what.sample->begin(), made.what.sample->end());
  left = runs.left.replay(made);
  right = runs.right.replay(made);
  say_notes(runs.left, console);
  say_notes(runs.right, console);
  if (options.json && options.tools.empty()) {
    auto json = study::between_json(left, right, parting, jobs);
    json.add("format", kFormat);
    console.out << json.file_text();
    return;
  }
  const auto page =
      study::between_report(runs.left.prepared(), left, right, parting, options.tools);
  console.out << (options.json       ? as_json(page).file_text()
                  : options.markdown ? as_markdown(page)
                                     : as_text(page, {.columns = kColumns}));
}

int show_between(const std::string& name, const std::string& second,
                 const std::vector<std::string>& numbers, const ExplainOptions& options,
                 Console& console) {
  Pair runs{{name, options.between, options, console},
            {name, second, options, console}};
  auto made = replay_options(options, console);
  made.to_the_end = true;
  if (numbers.empty()) {
    show_parting(runs, made, options, console);
  } else {
    show_jobs_between(runs, made, numbers, options, console);
  }
  return study::kDone;
}

// --- the command ---

// Options that would say nothing here.
void check_ignored(const ExplainOptions& options, bool has_jobs) {
  const bool has_change = !options.tries.empty() || !options.without.empty();
  const bool is_of_runs = !has_jobs && !has_change;
  const bool is_of_all = is_of_runs && options.between.empty();
  if (options.json && options.markdown) wrong_usage("--json and --markdown: use one");
  if (!options.between.empty() && has_change) {
    wrong_usage("--between and --try or --without: use one");
  }
  if (!options.run.out.empty() && !is_of_all) {
    wrong_usage("--out is for a run without jobs named");
  }
  if (options.run.force && options.run.out.empty()) {
    wrong_usage("--force needs --out DIR");
  }
  if (!options.sample.empty() && !is_of_all) {
    wrong_usage("--sample is for a run without jobs named");
  }
  if (!options.tools.empty() && !is_of_runs) {
    wrong_usage("--tools is for a run without jobs named");
  }
  if (options.passes && is_of_all) wrong_usage("--passes is for jobs: name some");
}

// Whether the first word is the run; beside --trace it may also be a job.
bool names_run(const std::vector<std::string>& words, const std::string& trace) {
  if (words.empty()) return false;
  std::error_code failed;
  return trace.empty() ||
         (!is_number(words.front()) && std::filesystem::exists(words.front(), failed));
}

int explain(const ExplainOptions& options, Console& console) {
  auto words = options.words;
  std::string name;
  if (names_run(words, options.run.trace)) {
    name = words.front();
    words.erase(words.begin());
  }
  if (name.empty() && options.run.trace.empty()) {
    wrong_usage(
        "name a run: a folder of results, a scenario, or --trace FILE "
        "--policy NAME; then the jobs");
  }
  // With --between the first word is the second policy.
  check_ignored(options, words.size() > (options.between.empty() ? 0U : 1U));
  if (!options.between.empty()) {
    if (!options.run.form.repairs.empty()) {
      wrong_usage("--repairs and --between: use one");
    }
    if (words.empty() || is_number(words.front())) {
      wrong_usage(
          "--between takes two policies: berth explain RUN --between easy "
          "conservative");
    }
    const auto second = words.front();
    words.erase(words.begin());
    return show_between(name, second, words, options, console);
  }
  ExplainedRun run(name, "", options, console);
  write_repairs(options.run.form, run.prepared().scenario, false, console);
  std::vector<JobId> jobs;
  jobs.reserve(words.size());
  for (const auto& word : words) jobs.push_back(run.job(word));
  const bool has_change = !options.tries.empty() || !options.without.empty();
  if (has_change) return show_change(run, jobs, options, console);
  if (jobs.empty()) return show_all(run, options, console);
  return show_jobs(run, jobs, options, console);
}

}  // namespace

Action declare_explain(Syntax& syntax) {
  auto options = std::make_shared<ExplainOptions>();
  auto& run = options->run;
  syntax.words("RUN|JOB", options->words,
               "a folder of results or a scenario, then the numbers of jobs; without "
               "jobs: where all waiting time went");
  syntax.flag("--passes", options->passes, "a line for each pass");
  syntax.repeated(
      "--try", options->tries,
      "walltime=S, size=N, submit=S of the job, or policy=NAME: runs it, and "
      "says what that changes");
  syntax.repeated("--without", options->without, "leave this job out; once for each");
  syntax.option("--between", options->between,
                "A B: where two policies part, and which waits differ most");
  syntax.option("--sample", options->sample, "of all jobs only N, evenly spaced");
  syntax.option("--out", run.out, "of all jobs: folder for waits.csv");
  syntax.option(
      "--tools", options->tools,
      "without jobs: folder whose explain.lua makes the report (docs/tools.md)");
  syntax.flag("--force", run.force, "replace waits.csv there");
  syntax.flag("--json", options->json, "the same as JSON");
  syntax.flag("--markdown", options->markdown, "tables in Markdown");
  syntax.option("--inputs", options->inputs, "folder where the run's inputs are");
  syntax.flag("--anyway", options->anyway,
              "go on if program, policy or input are not those of the run");
  syntax.option("--trace", run.trace, "an SWF trace, as of berth run");
  declare_log_form(syntax, "--format", run.form);
  syntax.option("--processors", run.processors, "likewise");
  syntax.option("--hosts", run.hosts, "likewise");
  syntax.repeated("--policy", run.policies, "likewise");
  syntax.repeated("--set", run.settings, "likewise");
  syntax.option("--seed", run.seed, "likewise");
  syntax.footer(
      "Examples:\n"
      "  berth explain results/easy 4711\n"
      "  berth explain results/easy 4711 --try walltime=8000\n"
      "  berth explain --trace KTH.swf.gz --policy easy --out waits\n"
      "  berth explain results --between easy conservative");
  return [options](Console& console) { return explain(*options, console); };
}

}  // namespace berth::cli
