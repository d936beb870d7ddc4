#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/claims/claims_run.hpp"
#include "study/common/exit_code.hpp"

namespace berth::cli {

namespace {

struct Options {
  std::string folder;
  std::string out;
  std::string workers;
  std::vector<std::string> ids;
  bool no_audit = false;
  bool dry_run = false;
  bool json = false;
};

study::StudyOptions how_to_run(const Options& options, const Console& console) {
  study::StudyOptions how;
  how.audit = options.no_audit ? study::Audit::kOff : study::Audit::kOn;
  how.workers = std::max(1U, std::thread::hardware_concurrency());
  if (!options.workers.empty()) {
    how.workers = static_cast<std::size_t>(whole_option("-j", options.workers, 1));
  }
  how.interrupted = console.interrupted;
  if (!options.out.empty()) how.out = options.out;
  return how;
}

int show_plan(const study::ClaimsPlan& plan, std::size_t workers, Console& console) {
  for (const auto& sweep : plan.sweeps) {
    console.out << fmt::format("{}: {} points, {} runs, about {}\n",
                               printable(sweep.name), sweep.points, sweep.runs,
                               human_time(sweep.seconds));
  }
  console.out << fmt::format("about {} on {} cores\n", human_time(plan.seconds),
                             workers);
  return study::kDone;
}

void show(const study::ClaimsOutcome& outcome, bool json, Console& console) {
  if (json) {
    console.out << study::claims_json(outcome).file_text();
    return;
  }
  if (!outcome.file.title.empty()) console.out << "# " << outcome.file.title << "\n\n";
  if (!outcome.file.paper.empty()) console.out << outcome.file.paper << ".\n\n";
  console.out << study::claims_table(outcome);
}

int claims(const Options& options, Console& console) {
  if (options.folder.empty()) {
    wrong_usage("name a folder: berth claims scenarios/papers/two-tier");
  }
  auto how = how_to_run(options, console);
  const auto library = study::PolicyLibrary::standard();
  auto file = study::load_claims(options.folder, options.ids);
  if (options.dry_run) {
    return show_plan(study::plan_claims(options.folder, file, library, how),
                     how.workers, console);
  }
  study::ClaimsOutcome outcome;
  {
    Progress progress(console.err, console.live);
    progress.expect("points", study::sweeps_of(file).size());
    how.progress = [&progress](std::string_view sweep, std::size_t points,
                               std::size_t of) { progress.show(sweep, points, of); };
    outcome = study::run_claims(options.folder, std::move(file), library, how);
  }
  show(outcome, options.json, console);
  const auto wrong = study::unexpected(outcome);
  for (const auto& line : wrong) console.err << line << '\n';
  return wrong.empty() ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

}  // namespace

Action declare_claims(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.option("FOLDER", options->folder,
                "with claims.toml and the scenarios that it names (docs/claims.md)");
  syntax.repeated("--claim", options->ids, "only this claim, by its id; once for each");
  syntax.option("--out", options->out,
                "folder for the results of each sweep; points that are finished "
                "there are not run again");
  syntax.option("-j", options->workers,
                "points that run side by side (one for each processor)");
  syntax.flag("--no-audit", options->no_audit, "do not check the rules of the model");
  syntax.flag("--dry-run", options->dry_run,
              "check the names and say how long it takes, by a tenth of one point of "
              "each sweep");
  syntax.flag("--json", options->json, "the verdicts as JSON");
  syntax.footer(
      "Exit status 1 if a claim has another verdict than it expects.\n\n"
      "Example:\n  berth claims scenarios/papers/two-tier --out results");
  return [options](Console& console) { return claims(*options, console); };
}

}  // namespace berth::cli
