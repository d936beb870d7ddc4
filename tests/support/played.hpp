#pragma once
// A scenario of a few jobs through the command line: the trace and the files beside it
// are written to a folder, and the schedule is read from jobs.csv.

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

namespace berth::test {

struct TraceRow {
  std::int64_t submit;
  std::int64_t size;
  std::int64_t length;
  std::int64_t walltime = 0;  // 0: the length
  std::int64_t user = 1;
  std::int64_t memory_kib = -1;  // of each processor
  std::int64_t partition = -1;
  std::int64_t group = -1;
};

// Jobs are numbered from 1.
[[nodiscard]] inline std::string swf_text(const std::vector<TraceRow>& rows) {
  std::string text;
  std::size_t id = 0;
  for (const auto& row : rows) {
    text += fmt::format("{} {} -1 {} {} -1 -1 {} {} {} 1 {} {} -1 -1 {} -1 -1\n", ++id,
                        row.submit, row.length, row.size, row.size,
                        row.walltime == 0 ? row.length : row.walltime, row.memory_kib,
                        row.user, row.group, row.partition);
  }
  return text;
}

// The cells of a CSV file by column, row by row.
[[nodiscard]] inline std::map<std::string, std::vector<std::string>> columns_of(
    const std::string& csv) {
  std::map<std::string, std::vector<std::string>> columns;
  std::vector<std::string> names;
  std::istringstream lines(csv);
  std::string line;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    if (names.empty()) {
      names = cells;
      continue;
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      columns[names[i]].push_back(cells[i]);
  }
  return columns;
}

class PlayedScenario {
 public:
  // `scenario` names jobs.swf and, with needs, needs.csv.
  PlayedScenario(const std::vector<TraceRow>& rows, const std::string& scenario,
                 const std::string& needs = {}) {
    (void)folder_.file("jobs.swf", swf_text(rows));
    if (!needs.empty()) (void)folder_.file("needs.csv", needs);
    scenario_ = folder_.file("case.toml", scenario);
  }

  // Runs one policy under full audit into a folder of its own.
  Said run(const std::string& policy, const std::vector<std::string>& more = {}) {
    out_ = (folder_.path() / fmt::format("out{}", ++runs_)).string();
    std::vector<std::string> args{"run",     scenario_, "--policy", policy,
                                  "--audit", "full",    "--out",    out_};
    args.insert(args.end(), more.begin(), more.end());
    return berth_says(args);
  }
  // A file of the last run.
  [[nodiscard]] std::string text(const std::string& file) const {
    return text_of_file(std::filesystem::path(out_) / file);
  }
  // "0-10 6-11": start and end of the jobs of the last run, from this number on.
  [[nodiscard]] std::string spans(std::size_t from = 1) const {
    auto jobs = columns_of(text("jobs.csv"));
    std::map<std::size_t, std::string> by_id;
    for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
      by_id[std::stoul(jobs["job_id"][i])] =
          jobs["starting_time"][i] + "-" + jobs["finish_time"][i];
    }
    std::string all;
    for (const auto& [id, span] : by_id) {
      if (id >= from) all += (all.empty() ? "" : " ") + span;
    }
    return all;
  }
  // The folder of the last run.
  [[nodiscard]] const std::string& out() const { return out_; }
  [[nodiscard]] const std::string& scenario() const { return scenario_; }
  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  std::string scenario_;
  std::string out_;
  int runs_ = 0;
};

}  // namespace berth::test
