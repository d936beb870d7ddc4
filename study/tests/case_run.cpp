#include "study/tests/case_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/explain/words.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/links/trace_links.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/single_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/tests/case_settings.hpp"

namespace berth::study {

namespace {

using bindings::PolicyCase;

std::string path_below(const std::string& folder, const std::string& path) {
  const std::filesystem::path given(path);
  return given.is_absolute() ? path : (std::filesystem::path(folder) / given).string();
}

PolicyChoice choice_of(const std::string& text, const CaseSubject& subject,
                       const std::string& name) {
  auto choice = parse_policy_choice(text);
  if (!choice) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: versus: {}", name, choice.reason()));
  }
  auto made = std::move(choice.value());
  if (made.is_file()) {
    made.name = path_below(subject.folder.empty() ? "." : subject.folder, made.name);
  }
  return made;
}

std::string time_text(std::optional<Time> at) {
  return at ? seconds_text(*at) : std::string("never");
}

}  // namespace

// --- what a case runs on ---

CaseBench::CaseBench(const PolicyCase& wanted, const CaseSubject& subject)
    : case_(wanted), subject_(subject) {
  const bool is_input = !wanted.scenario.empty() || !wanted.trace.empty();
  is_input ? take_input() : take_jobs();
  auto choice = subject.choice;
  choice.parameters = wanted.parameters;
  policy_ = is_input ? maker_of_input(choice, true) : maker(choice, true);
  point_.run.own_metrics = subject.metrics;
  if (wanted.versus.empty()) return;
  const auto other = choice_of(wanted.versus, subject, wanted.name);
  versus_ = is_input ? maker_of_input(other, false) : maker(other, false);
}

void CaseBench::take_jobs() {
  jobs_ = case_.jobs;
  std::sort(jobs_.begin(), jobs_.end(), comes_first);
  scenario_ = scenario_of(case_);
  point_ = make_point(scenario_, *case_.processors, jobs_);
  auto columns = std::make_shared<JobColumns>(jobs_);
  check_needs();
  for (const auto& [name, values] : case_.needs) {
    const auto texts = case_.texts.find(name);
    columns->add(
        name, values,
        texts == case_.texts.end() ? std::vector<std::string>() : texts->second);
  }
  point_.attributes = std::move(columns);
}

// A need is a number or a text, as the machine reads it; the machine says what is wrong
// with a text.
void CaseBench::check_needs() const {
  if (case_.needs.empty()) return;
  const auto form = needs_form_of(scenario_);
  const auto refuse_need = [&](std::string_view name, std::string_view what) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: needs: {}: {}", case_.name, name, what));
  };
  for (const auto& [keeps, values] : case_.needs) {
    const auto is_of = [&key = keeps](const auto& each) { return each.keeps == key; };
    const auto column = std::find_if(form.columns.begin(), form.columns.end(), is_of);
    const auto name = std::string_view(keeps).substr(std::string_view("needs.").size());
    const bool is_text = column != form.columns.end() && column->is_text;
    const auto texts = case_.texts.find(keeps);
    const std::size_t given = texts == case_.texts.end() ? 0 : texts->second.size();
    if (is_text ? given < values.size() : given > 0) {
      refuse_need(name, is_text ? "is a text" : "is a number");
    }
    for (std::size_t i = 0; i < given; ++i) {
      auto number = static_cast<double>(i);
      const auto wrong = column->check ? column->check(number, texts->second[i]) : "";
      if (!wrong.empty()) refuse_need(name, wrong);
    }
  }
}

void CaseBench::take_input() {
  Scenario scenario;
  if (!case_.scenario.empty()) {
    scenario = load_scenario(path_below(subject_.folder, case_.scenario));
    scenario.policies.clear();
  } else {
    scenario = scenario_of(case_);
    (void)set_setting(scenario, "workload.trace",
                      path_below(subject_.folder, case_.trace));
  }
  Budget budget;
  auto workload = prepare_workload(scenario, {}, budget);
  refuse_links(workload->loaded.links, "cases");
  prepared_ = std::make_unique<PreparedPoint>(std::move(scenario), std::move(workload));
  point_ = prepared_->point;
}

PolicyMaker CaseBench::maker(const PolicyChoice& choice, bool is_subject) const {
  bindings::PolicyOptions options;
  options.limits = subject_.limits;
  options.parameters = choice.parameters;
  options.library = subject_.library.sources_for(choice);
  if (is_subject) {
    options.print = subject_.print;
    options.line = subject_.line;
  }
  const auto file = is_subject ? subject_.file : subject_.library.find(choice);
  return
      [file, options] { return std::make_shared<bindings::LuaPolicy>(file, options); };
}

PolicyMaker CaseBench::maker_of_input(const PolicyChoice& choice, bool is_subject) {
  const auto load = [this, choice, is_subject] {
    auto scenario = prepared_->scenario;
    scenario.policies = {choice};
    LoadingOptions options;
    options.limits = subject_.limits;
    if (is_subject) options.line = subject_.line;
    auto loaded = std::move(load_policies(scenario, subject_.library, options).front());
    if (loaded->failure.code != kDone) {
      throw Error(static_cast<ErrorCode>(loaded->failure.code), loaded->failure.text);
    }
    return std::shared_ptr<LoadedPolicy>(std::move(loaded));
  };
  // The machine is that which the policy asks for.
  if (is_subject) point_ = point_for(prepared_->point, *load());
  return [load] {
    auto loaded = load();
    auto& decider = loaded->decider();
    return std::shared_ptr<sim::Policy>(std::move(loaded), &decider);
  };
}

// --- what is expected ---

namespace {

// Why the job did not start when it was to, or how it could start before.
std::string reason_of_start(const TestedRun& run, JobId job,
                            std::optional<Time> expected) {
  const auto& seen = run.jobs()[index(job)];
  const bool is_late = expected && (!seen.start || *expected < *seen.start);
  if (is_late) {
    const auto why = run.why(seen.job->id, *expected);
    if (!why) return {};
    return fmt::format("  at {}: {}\n", seconds_text(*expected), why->words);
  }
  const auto& begin = run.explained(job).begin;
  return begin ? fmt::format("  at {}: {}\n", seconds_text(begin->at),
                             words(*begin, run.workload()))
               : std::string();
}

// "job 1 was rejected: it needs 8 gpu, no host has more than 2".
std::string rejection_text(std::int64_t number, const TestedRun::Rejected& rejected) {
  const auto words = plain_text(rejected.words, Newlines::kEscape);
  const auto by = rejected.by_machine
                      ? std::string()
                      : " by the policy at " + seconds_text(rejected.at);
  return fmt::format("job {} was rejected{}{}{}", number, by, words.empty() ? "" : ": ",
                     words);
}

class Comparison {
 public:
  Comparison(const PolicyCase& wanted, const TestedRun& run)
      : case_(wanted), run_(run) {}

  std::string text() {
    for (const auto& [number, expected] : case_.starts) {
      const auto job = run_.find(number);
      const auto& seen = run_.jobs()[index(job)];
      if (seen.start == expected) continue;
      if (const auto* rejected = run_.rejected(job)) {
        add(fmt::format("{}; expected to start at {}",
                        rejection_text(number, *rejected), time_text(expected)));
        continue;
      }
      add(fmt::format("job {} starts at {}, expected {}", number, time_text(seen.start),
                      time_text(expected)));
      text_ += reason_of_start(run_, job, expected);
    }
    for (const auto& [number, expected] : case_.ends) {
      const auto& seen = run_.jobs()[index(run_.find(number))];
      if (seen.finish == expected) continue;
      if (const auto* rejected = run_.rejected(run_.find(number))) {
        add(fmt::format("{}; expected to end at {}", rejection_text(number, *rejected),
                        time_text(expected)));
        continue;
      }
      add(fmt::format("job {} ends at {}, expected {}", number, time_text(seen.finish),
                      time_text(expected)));
    }
    compare_order();
    for (const auto& expected : case_.why) compare(expected);
    return std::move(text_);
  }

 private:
  void add(const std::string& what) {
    text_ += fmt::format("{}: {}\n", case_.name, what);
  }

  // Of the jobs that are named.
  void compare_order() {
    std::vector<std::int64_t> seen;
    for (const JobId job : run_.order()) {
      const auto number = run_.jobs()[index(job)].job->id;
      const auto& wanted = case_.order;
      if (std::find(wanted.begin(), wanted.end(), number) != wanted.end()) {
        seen.push_back(number);
      }
    }
    if (seen == case_.order) return;
    add(fmt::format("jobs start in the order {}, expected {}", fmt::join(seen, ", "),
                    fmt::join(case_.order, ", ")));
    const auto [at, other] =
        std::mismatch(seen.begin(), seen.end(), case_.order.begin(), case_.order.end());
    if (at == seen.end() || other == case_.order.end()) return;
    const auto first = run_.jobs()[index(run_.find(*at))].start;
    text_ += reason_of_start(run_, run_.find(*other), first);
  }

  void compare(const bindings::ExpectedReason& expected) {
    const auto seen = run_.why(expected.job, expected.at);
    const auto name = seen ? std::string(seen->name) : "none";
    if (name == expected.why) return;
    const auto at =
        expected.at ? fmt::format(" at {}", seconds_text(*expected.at)) : std::string();
    add(fmt::format("the reason of job {}{} is {}, expected {}", expected.job, at, name,
                    printable(expected.why)));
    if (seen) text_ += fmt::format("  {}\n", seen->words);
  }

  const PolicyCase& case_;
  const TestedRun& run_;
  std::string text_;
};

}  // namespace

std::string differences(const PolicyCase& wanted, const TestedRun& run) {
  return Comparison(wanted, run).text();
}

std::string run_case(bindings::CaseFile& file, std::size_t number,
                     const CaseSubject& subject) {
  const auto& wanted = file.cases()[number];
  const CaseBench bench(wanted, subject);
  const auto run = bench.run(bench.policy());
  auto text = differences(wanted, run);
  const auto add = [&](const std::string& says) {
    if (!says.empty()) text += fmt::format("{}: {}\n", wanted.name, says);
  };
  if (wanted.has_check) {
    add(file.ask(number, bindings::CaseFile::Function::kCheck, run, nullptr));
  }
  if (wanted.has_holds) add(judge(file, number, wanted, subject));
  return text;
}

std::string judge(bindings::CaseFile& file, std::size_t number, const PolicyCase& jobs,
                  const CaseSubject& subject) {
  const CaseBench bench(jobs, subject);
  const auto run = bench.run(bench.policy());
  const auto& wanted = file.cases()[number];
  const auto& all = file.cases();
  auto asked = number;
  for (std::size_t i = 0; i < all.size() && !wanted.property.empty(); ++i) {
    if (all[i].name == wanted.property && all[i].property.empty()) asked = i;
  }
  std::unique_ptr<TestedRun> other;
  if (bench.versus()) other = std::make_unique<TestedRun>(bench.run(bench.versus()));
  return file.ask(asked, bindings::CaseFile::Function::kHolds, run, other.get());
}

}  // namespace berth::study
