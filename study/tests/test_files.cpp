#include "study/tests/test_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>

#include "bindings/sandbox/code_lines.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/common/for_each_index.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/tests/case_settings.hpp"
#include "study/tests/property.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kRunsAtOnce = 25;  // of a property, on one core

std::string cases_of(const std::string& path) {
  if (path.ends_with(kCasesEnd)) return path;
  if (path.ends_with(kPolicyEnd)) {
    return path.substr(0, path.size() - kPolicyEnd.size()).append(kCasesEnd);
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: berth test takes NAME.lua, NAME.test.lua or a folder",
                          printable_name(path)));
}

void add_folder(const std::string& path, std::vector<std::string>& files) {
  std::error_code failed;
  std::vector<std::string> found;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(path, skip, failed), end; at != end;
       at.increment(failed)) {
    if (failed) break;
    const auto name = at->path().lexically_normal().string();
    if (name.ends_with(kCasesEnd)) found.push_back(name);
  }
  if (found.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: there is no NAME.test.lua in this folder or below "
                            "(berth new policy NAME writes one)",
                            printable_name(path)));
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

// --- one file ---

struct Loaded {
  std::string path;
  std::string name;  // without folders, as messages show it
  bindings::PolicyFile cases;
  std::unique_ptr<CaseSubject> subject;
  std::vector<bindings::PolicyCase> list;
};

Loaded load(const std::string& path, const PolicyLibrary& library,
            const bindings::Limits& limits) {
  const fs::path whole(path);
  Loaded made{path, whole.filename().string(), {}, nullptr, {}};
  auto text = read_text_below(whole.parent_path().string(), path);
  made.cases = {{}, made.name, text ? *std::move(text) : read_text(path)};
  const auto stem = path.substr(0, path.size() - kCasesEnd.size());
  auto beside = stem + std::string(kPolicyEnd);
  if (beside.find('/') == std::string::npos) beside = "./" + beside;
  PolicyChoice choice{beside, {}, {}};
  const auto built_in = library.names();
  const auto name = fs::path(stem).filename().string();
  std::error_code failed;
  const bool is_built_in =
      !fs::exists(beside, failed) &&
      std::find(built_in.begin(), built_in.end(), name) != built_in.end();
  if (is_built_in) choice.name = name;
  auto file = library.find(choice);
  Scenario with;
  if (is_metric_text(file.text)) {
    // It is asked about runs of the plainest policy.
    with.run.own_metrics.push_back({choice.name});
    load_own_metrics(with, limits);
    choice.name = "fcfs";
    file = library.find(choice);
  }
  made.subject = std::make_unique<CaseSubject>(
      CaseSubject{std::move(choice), std::move(file), library, limits,
                  whole.parent_path().string(), std::move(with.run.own_metrics)});
  made.list = bindings::read_policy_cases(made.cases, limits, fields_of_cases());
  return made;
}

// --- all of them ---

// A case, or some workloads of a property.
struct Piece {
  std::size_t file;
  std::size_t number;  // of the case
  std::size_t test;    // of its outcome
  std::int64_t from = 0;
  std::int64_t to = 0;
};

class Testing {
 public:
  Testing(const PolicyLibrary& library, const TestOptions& options)
      : library_(library), options_(options) {}

  TestReport run(const std::vector<std::string>& files) {
    for (const auto& file : files) take(file);
    found_.resize(pieces_.size());
    for_each_index(pieces_.size(), options_.workers, [&](std::size_t i) { run(i); });
    // A property fails with the first of its workloads that does.
    std::map<std::size_t, std::size_t> first;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (found_[i]) first.emplace(pieces_[i].test, i);
    }
    std::vector<std::size_t> failed;
    failed.reserve(first.size());
    for (const auto& each : first) failed.push_back(each.second);
    for_each_index(failed.size(), options_.workers,
                   [&](std::size_t i) { make_small(failed[i]); });
    for (auto& [name, file] : covered_) report_.covered.push_back(std::move(file));
    return std::move(report_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void take(const std::string& path) {
    const auto name = fs::path(path).filename().string();
    try {
      files_.push_back(load(path, library_, options_.limits));
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      const auto failure = failure_now();
      report_.tests.push_back({name, {}, failure.code, failure.text + "\n"});
      return;
    }
    const auto& file = files_.back();
    if (options_.coverage) {
      const auto& policy = file.subject->file;
      covered_[policy.chunk_name] = {
          policy.chunk_name, policy.text, bindings::code_lines(policy.text), {}};
    }
    for (std::size_t i = 0; i < file.list.size(); ++i) {
      const auto& wanted = file.list[i];
      if (wanted.name.find(options_.filter) == std::string::npos) continue;
      const auto test = report_.tests.size();
      report_.tests.push_back({file.name, wanted.name});
      const auto runs = wanted.random ? wanted.random->runs : 1;
      for (std::int64_t from = 0; from < runs; from += kRunsAtOnce) {
        pieces_.push_back(
            {files_.size() - 1, i, test, from, std::min(runs, from + kRunsAtOnce)});
      }
    }
  }

  // A subject of one thread, that notes lines.
  CaseSubject subject_of(const Loaded& file, std::set<int>& lines) const {
    auto made = *file.subject;
    if (options_.coverage) {
      made.line = [&lines, name = made.file.chunk_name](std::string_view of, int line) {
        if (of == name) lines.insert(line);
      };
    }
    return made;
  }

  void cover(const Loaded& file, const std::set<int>& lines) {
    if (lines.empty()) return;
    covered_.at(file.subject->file.chunk_name).ran.insert(lines.begin(), lines.end());
  }

  void run(std::size_t index) {
    throw_if_interrupted();
    const auto& piece = pieces_[index];
    const auto& file = files_[piece.file];
    const auto begin = Clock::now();
    std::set<int> lines;
    auto subject = subject_of(file, lines);
    if (options_.print) {
      subject.print = [&](std::string_view line) {
        options_.print(fmt::format("{}: {}", file.list[piece.number].name, line));
      };
    }
    TestOutcome seen;
    std::optional<Counterexample> found;
    try {
      bindings::CaseFile cases(file.cases, options_.limits, file.list);
      if (file.list[piece.number].random) {
        found = find_failure(cases, piece.number, subject, piece.from, piece.to);
        seen.runs = (found ? found->run + 1 : piece.to) - piece.from;
      } else {
        seen.runs = 1;
        seen.says = run_case(cases, piece.number, subject);
        if (!seen.says.empty()) seen.code = static_cast<int>(ErrorCode::kAudit);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      const auto failure = failure_now();
      seen.code = failure.code;
      seen.says = fmt::format("{}: {}\n", file.list[piece.number].name, failure.text);
    }
    const std::chrono::duration<double> took = Clock::now() - begin;
    const std::lock_guard lock(mutex_);
    auto& outcome = report_.tests[piece.test];
    outcome.runs += seen.runs;
    outcome.seconds += took.count();
    if (outcome.code == 0) outcome.code = seen.code;
    outcome.says += seen.says;
    found_[index] = std::move(found);
    cover(file, lines);
  }

  // The counterexample of a property as small as can be, into its outcome.
  void make_small(std::size_t index) {
    const auto& piece = pieces_[index];
    const auto& file = files_[piece.file];
    const auto& property = file.list[piece.number];
    auto& found = *found_[index];
    const auto begin = Clock::now();
    const auto jobs = found.jobs.jobs.size();
    std::set<int> lines;
    const auto& subject = *file.subject;
    std::int64_t runs = 0;
    bindings::CaseFile cases(file.cases, options_.limits, file.list);
    shrink(found, cases, piece.number, subject, runs);
    const std::chrono::duration<double> took = Clock::now() - begin;
    auto says = fmt::format("{}: {}\n", property.name, found.says);
    says += fmt::format(
        "  workload {} of {} (seed {}), made smaller from {} jobs to {} in {} runs\n",
        found.run + 1, property.random->runs, property.random->seed + found.run, jobs,
        found.jobs.jobs.size(), runs);
    for (const auto& line : split(waits_of(found, subject))) says += "  " + line + "\n";
    auto& outcome = report_.tests[piece.test];
    outcome.code = static_cast<int>(found.code);
    outcome.says = std::move(says);
    outcome.paste = as_case(found, property);
    outcome.seconds += took.count();
  }

  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  const PolicyLibrary& library_;
  const TestOptions& options_;
  std::vector<Loaded> files_;
  std::vector<Piece> pieces_;
  std::vector<std::optional<Counterexample>> found_;  // by piece
  TestReport report_;
  std::map<std::string, CoveredFile> covered_;
  std::mutex mutex_;
};

}  // namespace

int TestReport::code() const {
  std::vector<int> codes;
  codes.reserve(tests.size());
  for (const auto& test : tests) codes.push_back(test.code);
  return worst_code(codes);
}

std::vector<std::string> test_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  if (paths.empty()) add_folder(".", files);
  for (const auto& path : paths) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
      add_folder(path, files);
    } else {
      files.push_back(cases_of(path));
    }
  }
  return files;
}

TestReport run_tests(const std::vector<std::string>& files,
                     const PolicyLibrary& library, const TestOptions& options) {
  return Testing(library, options).run(files);
}

}  // namespace berth::study
