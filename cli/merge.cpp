#include <fmt/format.h>

#include <memory>

#include "cli/run_options.hpp"
#include "cli/steps.hpp"
#include "engine/base/printable.hpp"
#include "study/results/sweep_merge.hpp"
#include "study/scenario/settings_door.hpp"

namespace berth::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  bool mark_missing = false;
  RunOptions results;  // only --out, --force and how to print
};

// Into --out, and the comparison; the comparison alone into the one part.
void write(const study::MergedSweep& merged,
           const std::vector<std::filesystem::path>& parts, const RunOptions& results) {
  std::filesystem::path out = results.out;
  if (!out.empty()) {
    study::write_merged(
        merged, out,
        results.force ? study::Existing::kReplace : study::Existing::kRefuse);
  } else if (parts.size() == 1) {
    out = parts.front();
  }
  if (!out.empty()) study::write_comparison(out, merged.scenario, merged.outcome);
}

int merge(const MergeOptions& options, Console& console) {
  const auto& results = options.results;
  if (options.parts.empty()) {
    wrong_usage("name the folders of the parts: berth merge DIR...");
  }
  check_options(results, console);
  const std::vector<std::filesystem::path> parts(options.parts.begin(),
                                                 options.parts.end());
  const auto gaps = options.mark_missing ? study::Gaps::kMark : study::Gaps::kRefuse;
  const auto merged = study::merge_sweep(parts, gaps);
  for (const auto& missing : merged.missing) {
    console.err << "missing: " << printable(missing) << '\n';
  }
  auto scenario = merged.scenario;
  if (!results.metrics.empty()) {
    study::set_option(scenario, "run.metrics", results.metrics, "--metric");
  }
  return Steps(merged.failed_code(), console)
      .then([&] { write(merged, parts, results); })
      .then([&] { print_results(results, scenario, merged.outcome, console); })
      .code();
}

}  // namespace

Action declare_merge(Syntax& syntax) {
  auto options = std::make_shared<MergeOptions>();
  auto& results = options->results;
  syntax.words("DIR", options->parts, "the folders of the parts, or the one");
  syntax.flag("--mark-missing", options->mark_missing,
              "accept points without a result; their cells have no mean");
  syntax.option("--out", results.out,
                "folder for all points and comparison.csv (none: the one DIR)");
  syntax.flag("--force", results.force, "replace the results in --out");
  declare_printing(syntax, results);
  syntax.footer(
      "Where a run of the sweep failed, the exit status is that of its failure.\n\n"
      "Example:\n  berth merge part1 part2 --out results");
  return [options](Console& console) { return merge(*options, console); };
}

}  // namespace berth::cli
