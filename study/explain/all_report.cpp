#include "study/explain/all_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "bindings/tools/run_waits.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/explain/words.hpp"
#include "study/common/file_source.hpp"

namespace berth::study {

namespace {

constexpr bindings::Limits kToolLimits{
    .time_seconds = 600, .memory_mib = 4096, .are_options = false};

// Null: no folder is named.
bindings::ToolLibrary tools_in(const std::string& folder) {
  if (folder.empty()) return nullptr;
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed)) {
    throw Error(ErrorCode::kInput,
                fmt::format("--tools {}: there is no such folder", printable(folder)));
  }
  return [folder](std::string_view name) -> std::optional<bindings::LoadedSource> {
    const auto file = std::filesystem::path(folder) / fmt::format("{}.lua", name);
    auto text = read_text_below(folder, file.string());
    if (!text) return std::nullopt;
    return bindings::LoadedSource{file.string(), std::move(*text)};
  };
}

// Under which a job waited longest; nullopt: it did not wait.
std::optional<Why> main_reason(const WaitTimes& waits, JobId job) {
  std::optional<Why> main;
  Duration most = 0;
  const auto [first, end] = waits.places_of(job);
  for (auto place = first; place < end; ++place) {
    const auto& row = waits.row(place);
    if (row.time <= most) continue;
    most = row.time;
    main = row.why;
  }
  return main;
}

// The run as a tool sees it, without results.
bindings::ToolRun run_of(const PreparedPoint& prepared, const Replay& replay) {
  auto frames = bindings::run_waits(replay.waits);
  bindings::ToolRun run;
  run.policy = replay.label;
  run.title = prepared.scenario.title;
  run.seed = prepared.point.settings.seed;
  run.machine = &prepared.point.machine;
  run.workload = prepared.point.jobs;
  run.starts = replay.starts;
  run.waits = std::move(frames.waits);
  run.blocks = std::move(frames.blocks);
  run.blockers = std::move(frames.blockers);
  return run;
}

}  // namespace

bindings::ExplainAnswer all_report(const PreparedPoint& prepared, const Replay& replay,
                                   const bindings::ExplainScript::Wanted& wanted,
                                   const std::string& tools) {
  return bindings::ExplainScript(kToolLimits, tools_in(tools))
      .all(run_of(prepared, replay), replay.waits.jobs(), wanted);
}

Parting parting(const Replay& left, const Replay& right, std::span<const Job> jobs) {
  Parting found;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    if (left.starts[i] == right.starts[i]) continue;
    found.at = std::min({found.at, left.starts[i], right.starts[i]});
  }
  if (found.at == kNever) return found;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const bool waits = jobs[i].submit <= found.at && left.starts[i] >= found.at &&
                       right.starts[i] >= found.at;
    if (!waits) continue;
    found.waiting.push_back(JobId{i});
    const bool in_left = left.starts[i] == found.at;
    const bool in_right = right.starts[i] == found.at;
    if (in_left && !in_right) found.only_left.push_back(JobId{i});
    if (in_right && !in_left) found.only_right.push_back(JobId{i});
  }
  return found;
}

std::vector<JobId> most_different(const Replay& left, const Replay& right,
                                  std::size_t count) {
  const auto difference = [&](JobId job) {
    const auto a = left.starts[index(job)];
    const auto b = right.starts[index(job)];
    return a < b ? b - a : a - b;
  };
  std::vector<JobId> all;
  for (std::uint32_t i = 0; i < left.starts.size(); ++i) {
    if (left.starts[i] != right.starts[i]) all.push_back(JobId{i});
  }
  std::stable_sort(all.begin(), all.end(),
                   [&](JobId a, JobId b) { return difference(b) < difference(a); });
  if (all.size() > count) all.resize(count);
  return all;
}

namespace {

// The line in force at this instant, where the other policy starts the job; nullptr: it
// has left the queue.
const ReasonLine* line_at(const Replay& replay, JobId job, Time at) {
  const auto& lines = replay.jobs.at(job).lines;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->from <= at && at <= line->to) return &*line;
  }
  return nullptr;
}

std::string reason_at(const Replay& replay, JobId job, Time at,
                      std::span<const Job> jobs) {
  const auto* line = line_at(replay, job, at);
  return line != nullptr ? words(line->first, jobs) : "it has left the queue";
}

}  // namespace

bindings::Page between_report(const PreparedPoint& prepared, const Replay& left,
                              const Replay& right, const Parting& parting,
                              const std::string& tools) {
  const auto jobs = std::span<const Job>(prepared.point.jobs);
  bindings::ExplainParting told{std::nullopt, parting.waiting, {}, parting.others};
  if (parting.at != kNever) told.at = parting.at;
  const auto add_starts = [&](const Replay& starts, const Replay& holds,
                              const std::vector<JobId>& which) {
    for (const JobId job : which) {
      told.starts.push_back(
          {starts.label, job, reason_at(holds, job, parting.at, jobs)});
    }
  };
  add_starts(left, right, parting.only_left);
  add_starts(right, left, parting.only_right);
  auto run = run_of(prepared, left);
  const auto other = run_of(prepared, right);
  run.others = {&other};
  return bindings::ExplainScript(kToolLimits, tools_in(tools)).between(run, told);
}

Json between_json(const Replay& left, const Replay& right, const Parting& parting,
                  std::span<const Job> jobs) {
  auto policies = Json::array();
  policies.append(left.label);
  policies.append(right.label);
  auto waiting = Json::array();
  for (const JobId job : parting.waiting) waiting.append(jobs[index(job)].id);
  auto started = Json::array();
  const auto add = [&](const Replay& starts, const Replay& holds,
                       const std::vector<JobId>& which) {
    for (const JobId job : which) {
      const auto* line = line_at(holds, job, parting.at);
      started.append({{"policy", starts.label},
                      {"job", jobs[index(job)].id},
                      {"held_by", holds.label},
                      {"reason", line != nullptr ? reason_json(line->first, jobs)
                                                 : Json(nullptr)}});
    }
  };
  add(left, right, parting.only_left);
  add(right, left, parting.only_right);
  auto waits = Json::array();
  for (const JobId job : parting.others) {
    auto both = Json::array();
    for (const auto* replay : {&left, &right}) {
      const auto start = replay->starts[index(job)];
      const auto most = main_reason(replay->waits, job);
      both.append({{"policy", replay->label},
                   {"wait", start == kNever
                                ? Json(nullptr)
                                : Json(to_seconds(start - jobs[index(job)].submit))},
                   {"mostly", most ? Json(most->record().name) : Json(nullptr)}});
    }
    waits.append({{"job", jobs[index(job)].id}, {"runs", both}});
  }
  return {{"policies", policies},
          {"differ_from",
           parting.at == kNever ? Json(nullptr) : Json(to_seconds(parting.at))},
          {"waiting", waiting},
          {"started", started},
          {"waits", waits}};
}

}  // namespace berth::study
