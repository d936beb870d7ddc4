#include "study/runs/case_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/csv_fields.hpp"
#include "engine/output/sha256.hpp"
#include "engine/output/summary_json.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/common/time_limit.hpp"
#include "study/common/version.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

// Puts the text of the file into the specification; its checksum.
std::string read_cases(const std::string& name, CaseSpec& spec) {
  const auto path = find_input(name);
  const auto bytes = read_bytes(path);
  spec.file = path;
  spec.text = bytes.substr(byte_order_mark(bytes, path));
  return berth::sha256(bytes);
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

CasePoint::CasePoint(const Scenario& scenario, Budget& budget)
    : study_(case_study(scenario)) {
  const auto given = scenario.model_settings.find(study_.name);
  const auto settings = given != scenario.model_settings.end()
                            ? given->second
                            : study_.settings().defaults;
  CaseSpec spec{settings, static_cast<std::uint64_t>(scenario.seed), {}, {}};
  if (const auto file = case_file(scenario); !file.empty()) {
    sha256_ = read_cases(file, spec);
  }
  cases_ = study_.make(spec, budget);
}

std::unique_ptr<CasePoint> case_point(const Scenario& scenario, double seconds) {
  const auto file = case_file(scenario);
  const auto name =
      file.empty() ? fmt::format("[{}]", scenario.study) : printable_name(file);
  return within_time(seconds, name, [&](Budget& budget) {
    return std::make_unique<CasePoint>(scenario, budget);
  });
}

std::size_t cases_in(const CaseStudy& study, const std::string& path) {
  const auto settings = study.settings().defaults;
  CaseSpec spec{settings, 0, {}, {}};
  (void)read_cases(path, spec);
  Budget budget;
  return study.make(spec, budget)->size();
}

CasePoint::Result CasePoint::run(LoadedPolicy& policy,
                                 const std::function<bool()>& interrupted) {
  if (!policy.policy || !policy.policy->has_hook(study_.hook)) {
    throw Error(
        ErrorCode::kPolicy,
        fmt::format("{}: the policy has no function '{}', which a {} study "
                    "calls: return {{ {} = function({}) ... end }}",
                    policy.label, study_.hook, study_.name, study_.hook, study_.asks));
  }
  const auto hook = policy.policy->bind(study_.hook);
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  Result result{cases_->answers()};
  for (std::size_t i = 0; i < cases_->size(); ++i) {
    if (interrupted && interrupted()) throw Interrupted();
    cases_->answer(*hook, i, *result.answers);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  result.cpu_seconds = cpu_seconds() - cpu;
  return result;
}

std::string CasePoint::text_of(const CaseAnswers& answers) const {
  auto text = fmt::format("{}\n", fmt::join(study_.columns, ","));
  for (std::size_t i = 0; i < cases_->size(); ++i) {
    CsvFields told;
    cases_->tell(answers, i, told);
    std::string_view comma;
    for (const auto column : study_.columns) {
      text += comma;
      text += told.of(column);
      comma = ",";
    }
    text += '\n';
  }
  return text;
}

std::unique_ptr<CaseAnswers> CasePoint::read(std::string_view text) const {
  std::vector<TableColumn> columns;
  for (const auto column : study_.columns) columns.push_back({column});
  Budget budget;
  TableReader table(fmt::format("{}.csv", study_.answers), lines_of(text, budget),
                    columns);
  auto answers = cases_->answers();
  while (table.next()) {
    cases_->read(
        [&](std::string_view column) {
          const auto& all = study_.columns;
          const auto at = std::find(all.begin(), all.end(), column);
          return table.text(static_cast<std::size_t>(at - all.begin()));
        },
        *answers);
  }
  return answers;
}

std::string case_summary_json(const Scenario& scenario, const LoadedPolicy& policy,
                              const Summary& summary) {
  SummaryContext context;
  context.version = version();
  context.policy = policy.label;
  const auto file = scenario.file.empty() ? case_file(scenario) : scenario.file;
  context.scenario = scenario.title.empty()
                         ? std::filesystem::path(file).stem().string()
                         : scenario.title;
  context.seed = static_cast<std::uint64_t>(scenario.seed);
  return summary_json(summary, context).file_text();
}

}  // namespace berth::study
