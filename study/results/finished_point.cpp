#include "study/results/finished_point.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/atomic_file.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/output/sha256.hpp"
#include "engine/output/summary_json.hpp"
#include "study/common/file_source.hpp"
#include "study/common/folder_name.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr auto kPoint = "point.json";
constexpr auto kFailed = "failed.json";
// Until format 2 batches were cut by the ends of jobs.
constexpr std::int64_t kPointFormat = 3;
// In the place of the checksum while it is computed.
const std::string kNoSum(64, '0');

Json json_of(const CommonJobs& common) {
  auto means = Json::object();
  for (const auto& [metric, mean] : common.means) {
    means.add(metric, {{"base", mean.base}, {"other", mean.other}});
  }
  return {{"n", common.n}, {"means", means}};
}

CommonJobs common_of(const JsonReader& json) {
  CommonJobs common;
  common.n = json.whole<decltype(common.n)>("n");
  for (const auto& [metric, mean] : json.member("means").members()) {
    common.means[metric] = {mean.number("base"), mean.number("other")};
  }
  return common;
}

Json json_of(const BatchedMetrics& batches) {
  auto json = Json::object();
  for (const auto& [metric, means] : batches) json.add(metric, means);
  return json;
}

BatchedMetrics batches_of(const JsonReader& json) {
  BatchedMetrics batches;
  for (const auto& [metric, means] : json.members()) {
    for (const auto& mean : means.elements()) {
      batches[metric].push_back(mean.number());
    }
  }
  return batches;
}

JsonReader json_in(const fs::path& file) {
  return JsonReader(file.string(), read_text(file.string()));
}

// What `read` returns; nothing where a file is not there or not as it should be.
template <class Read>
auto if_readable(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error&) {
    return {};
  }
}

// With any checksum if none is given.
bool lists(const JsonReader& manifest, const std::string& name,
           const std::optional<std::string>& checksum) {
  const auto outputs = manifest.member("outputs").elements();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return output.text("name") == name &&
           (!checksum || output.text("sha256") == *checksum);
  });
}

// Whether it has the answers of a policy to the cases of a study.
bool is_of_answers(std::string_view file) {
  const auto studies = case_studies();
  return std::any_of(studies.begin(), studies.end(), [&](const auto* study) {
    return file == fmt::format("{}.csv", study->answers);
  });
}

// Whether everything is there that the manifest lists, and that is wanted.
bool has_files(const fs::path& folder, const JsonReader& manifest,
               const Wanted& wanted) {
  if (wanted.keep == Keep::kSummary) return true;
  const auto outputs = manifest.member("outputs").elements();
  const bool has_all =
      std::any_of(outputs.begin(), outputs.end(), [](const auto& output) {
        const auto name = output.text("name");
        return name == "jobs.csv" || is_of_answers(name);
      });
  const bool has_log =
      wanted.log == Log::kOff || lists(manifest, "log.jsonl", std::nullopt);
  return has_all && has_log &&
         std::all_of(outputs.begin(), outputs.end(), [&](const auto& output) {
           const auto name = output.text("name");
           // It is read again, where the policies are compared.
           if (is_of_answers(name)) {
             return output.text("sha256") ==
                    sha256(read_text((folder / name).string()));
           }
           return fs::is_regular_file(folder / name);
         });
}

WaitsBeside::Waits waits_of(const JsonReader& json) {
  return {json.number("mean"), json.number("median"), json.number("p95")};
}

WaitsBeside waits_beside(const JsonReader& json) {
  WaitsBeside waits;
  waits.jobs = json.whole<std::int64_t>("jobs");
  waits.recorded = waits_of(json.member("recorded"));
  waits.simulated = waits_of(json.member("simulated"));
  waits.rank_correlation = json.number_or_null("rank_correlation");
  return waits;
}

// As fidelity_json() gives it.
Fidelity fidelity_of(const JsonReader& json) {
  Fidelity fidelity{waits_beside(json)};
  for (const auto& month : json.member("months").elements()) {
    fidelity.months.emplace_back(month.text("month"), waits_beside(month));
  }
  if (json.has("postponed")) fidelity.postponed = json.whole<std::int64_t>("postponed");
  return fidelity;
}

std::optional<FinishedRun> read_run(const fs::path& folder, const PlannedRun& planned,
                                    const Wanted& wanted) {
  const auto manifest = json_in(folder / "manifest.json");
  if (manifest.text("identity") != planned.identity) return std::nullopt;
  FinishedRun finished;
  finished.made_by = manifest.text("source") + manifest.member("policies").dump();
  const auto file = (folder / "summary.json").string();
  finished.summary_json = read_text(file);
  const bool has_all = lists(manifest, "summary.json", sha256(finished.summary_json)) &&
                       has_files(folder, manifest, wanted);
  if (!has_all) return std::nullopt;
  const JsonReader json(file, finished.summary_json);
  finished.run.summary = read_summary(json);
  if (const auto fidelity = json.find("fidelity")) {
    finished.run.fidelity = fidelity_of(*fidelity);
  }
  return finished;
}

Failure read_failure(const fs::path& folder, const PlannedRun& run) {
  const auto json = json_in(folder / kFailed);
  if (json.text("identity") != run.identity) return {};
  return {json.whole<int>("code", 1), json.text("message")};
}

// Of the text with zeros in the place of the checksum.
bool has_right_sum(std::string text, const std::string& sum) {
  const auto at = text.find(sum);
  if (sum.size() != kNoSum.size() || at == std::string::npos) return false;
  return sha256(text.replace(at, sum.size(), kNoSum)) == sum;
}

// Whether its batches are not those of today.
bool has_old_batches(const JsonReader& point) {
  if (point.whole<std::int64_t>("format") >= kPointFormat) return false;
  const auto policies = point.member("policies").elements();
  return std::any_of(policies.begin(), policies.end(), [](const auto& policy) {
    return !policy.member("batches").members().empty();
  });
}

std::optional<FinishedPoint> read_runs(const fs::path& folder, const Wanted& wanted) {
  const auto text = read_text((folder / kPoint).string());
  const JsonReader json((folder / kPoint).string(), text);
  if (!has_right_sum(text, json.text("sha256"))) return std::nullopt;
  if (has_old_batches(json)) return std::nullopt;
  FinishedPoint point;
  for (const auto& policy : json.member("policies").elements()) {
    PlannedRun run{policy.text("label"), policy.text("identity"), {}};
    const auto own = folder / folder_name(run.label);
    auto result = if_readable([&] { return read_run(own, run, wanted); });
    if (result) {
      result->run.common = common_of(policy.member("common"));
      result->run.batches = batches_of(policy.member("batches"));
    }
    if (!result) run.failure = if_readable([&] { return read_failure(own, run); });
    point.results.push_back(std::move(result));
    point.runs.push_back(std::move(run));
  }
  return point;
}

}  // namespace

void write_point(const fs::path& folder, std::span<const PlannedRun> runs,
                 std::span<const ComparedRun* const> results) {
  const ComparedRun none;
  auto policies = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& result = results[i] != nullptr ? *results[i] : none;
    policies.append({{"label", runs[i].label},
                     {"identity", runs[i].identity},
                     {"common", json_of(result.common)},
                     {"batches", json_of(result.batches)}});
  }
  // First in the file, so that it is what is found there.
  const Json json{{"sha256", kNoSum}, {"format", kPointFormat}, {"policies", policies}};
  auto text = json.file_text();
  text.replace(text.find(kNoSum), kNoSum.size(), sha256(text));
  write_file(folder / kPoint, text);
}

void write_failure(const fs::path& folder, const PlannedRun& run,
                   const Failure& failure) {
  const Json json{{"format", 1},
                  {"identity", run.identity},
                  {"code", failure.code},
                  {"message", failure.text}};
  write_file(folder / kFailed, json.file_text());
}

bool is_of_old_format(const fs::path& folder) {
  if (!fs::exists(folder / kPoint)) return false;
  return if_readable([&] { return has_old_batches(json_in(folder / kPoint)); });
}

bool FinishedPoint::is_complete() const {
  return std::all_of(results.begin(), results.end(),
                     [](const auto& result) { return result.has_value(); });
}

std::optional<FinishedRun> read_finished_run(const fs::path& folder,
                                             const PlannedRun& run,
                                             const Wanted& wanted) {
  if (run.failure.code != kDone) return std::nullopt;
  return if_readable([&] { return read_run(folder, run, wanted); });
}

std::optional<FinishedPoint> read_point(const fs::path& folder, const Wanted& wanted) {
  if (!fs::exists(folder)) return std::nullopt;
  return if_readable([&] { return read_runs(folder, wanted); });
}

std::optional<FinishedPoint> read_finished(const fs::path& folder,
                                           std::span<const PlannedRun> runs,
                                           const Wanted& wanted) {
  auto point = read_point(folder, wanted);
  if (!point || !point->is_complete()) return std::nullopt;
  const auto same = [](const PlannedRun& a, const PlannedRun& b) {
    return a.label == b.label && a.identity == b.identity;
  };
  const bool is_planned = std::equal(runs.begin(), runs.end(), point->runs.begin(),
                                     point->runs.end(), same);
  if (!is_planned) return std::nullopt;
  return point;
}

}  // namespace berth::study
