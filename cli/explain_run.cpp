#include "cli/explain_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "cli/progress.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/shell_text.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"

namespace berth::cli {

namespace fs = std::filesystem;

namespace {

// A path that no command takes for an option.
std::string as_operand(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

}  // namespace

ExplainedRun::ExplainedRun(const std::string& name, const std::string& policy,
                           const ExplainOptions& options, Console& console)
    : anyway_(options.anyway), console_(console) {
  if (console.hard_stop) limits_.hard_stop_seconds = 2;
  open(name, policy, options);
}

void ExplainedRun::open(const std::string& name, const std::string& policy,
                        const ExplainOptions& options) {
  study::Scenario scenario;
  std::vector<std::string> words{"berth", "explain"};
  std::error_code failed;
  if (fs::is_directory(name, failed)) {
    const auto& run = options.run;
    if (!run.trace.empty() || !run.form.format.empty() || !run.form.time_zone.empty() ||
        !run.processors.empty() || !run.hosts.empty() || !run.policies.empty() ||
        !run.settings.empty() || !run.seed.empty()) {
      wrong_usage(
          "a folder of results says what was run: --trace, --format, --time-zone, "
          "--processors, --hosts, --policy, --set and --seed are for a scenario; --try "
          "says what to change");
    }
    const auto folder = policy.empty() ? fs::path(name) : fs::path(name) / policy;
    folder_ = study::read_run_folder(folder, options.inputs);
    scenario = folder_->scenario;
    library_ = folder_->library;
    words.push_back(as_operand(folder.string()));
  } else {
    auto run = options.run;
    run.scenario = name;
    scenario = scenario_of(run);
    if (!policy.empty()) {
      auto choice = study::parse_policy_choice(policy);
      if (!choice) wrong_usage("--between: " + choice.reason());
      scenario.policies = {std::move(choice.value())};
    }
    library_ = study::PolicyLibrary::standard();
    if (!name.empty()) words.push_back(as_operand(name));
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) words.insert(words.end(), {option, value});
    };
    add("--trace", run.trace);
    add("--format", run.form.format);
    add("--time-zone", run.form.time_zone);
    add("--processors", run.processors);
    add("--hosts", run.hosts);
    for (const auto& each : run.policies) add("--policy", each);
    for (const auto& each : run.settings) add("--set", each);
    add("--seed", run.seed);
  }
  command_ = plain_text(shell_words(words), Newlines::kEscape);
  require_one_run(scenario, "explain");
  if (scenario.policies.size() != 1) {
    wrong_usage("name the one policy to explain: --policy easy");
  }
  study::ReadingOptions reading;
  reading.keep_recorded = study::replays(scenario);
  Budget budget;
  auto workload = study::prepare_workload(scenario, reading, budget);
  prepared_ =
      std::make_unique<study::PreparedPoint>(std::move(scenario), std::move(workload));
}

JobId ExplainedRun::job(const std::string& number) const {
  std::int64_t id = 0;
  const auto* end = number.data() + number.size();
  const auto [at, code] = std::from_chars(number.data(), end, id);
  if (code != std::errc() || at != end) {
    wrong_usage(
        fmt::format("'{}' is no job: jobs are named by their numbers in the "
                    "trace",
                    printable(number)));
  }
  std::optional<std::int64_t> below;
  std::optional<std::int64_t> above;
  const auto all = jobs();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].id == id) return JobId{i};
    if (all[i].id < id && (!below || *below < all[i].id)) below = all[i].id;
    if (all[i].id > id && (!above || all[i].id < *above)) above = all[i].id;
  }
  auto text = fmt::format("job {} is not in this run", id);
  if (below || above) {
    text +=
        fmt::format("; the nearest: {}{}{}", below ? fmt::format("{}", *below) : "",
                    below && above ? ", " : "", above ? fmt::format("{}", *above) : "");
  }
  for (const auto& [rule, finding] : prepared_->workload->loaded.workload.left_out) {
    text += fmt::format("; {} line{} of the trace left out: {}", finding.count,
                        finding.count == 1 ? " was" : "s were", rule);
  }
  throw Error(ErrorCode::kUsage, text);
}

study::Replay ExplainedRun::replay(const study::ReplayOptions& options,
                                   const std::optional<study::PolicyChoice>& other) {
  auto scenario = prepared_->scenario;
  if (other) scenario.policies = {*other};
  study::LoadingOptions loading;
  loading.limits = limits_;
  const auto& library = other ? study::PolicyLibrary::standard() : library_.value();
  auto loaded = std::move(study::load_policies(scenario, library, loading).front());
  if (loaded->failure.code != study::kDone) {
    throw Error(static_cast<ErrorCode>(loaded->failure.code), loaded->failure.text);
  }
  if (!other) check_same(*loaded);
  Progress progress(console_.err, console_.live);
  auto shown = options;
  shown.watch.progress = [&](std::size_t submitted, std::size_t of) {
    progress.show("jobs under " + loaded->label, submitted, of);
  };
  auto made = study::replay(*prepared_, *loaded, shown);
  progress.clear();
  if (!other && options.change.is_empty()) compare(made);
  return made;
}

void ExplainedRun::check_same(const study::LoadedPolicy& policy) {
  if (!folder_ || !notes_.empty()) return;
  notes_ = study::differences(*folder_, policy, prepared_->workload->loaded.sha256);
  if (notes_.empty() || anyway_) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: this is not the run that it holds (--anyway goes on):\n"
                  "  {}",
                  printable_name(folder_->path.string()), fmt::join(notes_, "\n  ")));
}

// The jobs in detail with the rows of the folder.
void ExplainedRun::compare(const study::Replay& replay) const {
  if (!folder_ || !notes_.empty()) return;
  const auto file = folder_->path / "jobs.csv";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return;
  study::FileSource source(file.string());
  Budget budget;
  enum : std::size_t { kJob, kStart };
  TableReader table(file.string(), lines_of(source, file.string(), budget),
                    {{"job_id"}, {"starting_time"}});
  std::map<std::int64_t, const ExplainedJob*> wanted;
  for (const auto& each : replay.jobs) {
    wanted[jobs()[index(each.first)].id] = &each.second;
  }
  while (table.next()) {
    const auto found = wanted.find(table.whole(kJob));
    if (found == wanted.end()) continue;
    const auto& begin = found->second->begin;
    const auto again = begin ? seconds_text(begin->at) : std::string();
    if (again != table.text(kStart)) {
      throw Error(ErrorCode::kAudit,
                  fmt::format("{}: job {} started at {}, and made again at {}",
                              printable_name(file.string()), found->first,
                              printable(table.text(kStart)), again));
    }
  }
}

}  // namespace berth::cli
