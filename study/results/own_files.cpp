#include "study/results/own_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/json_reading.hpp"
#include "study/common/file_source.hpp"
#include "study/results/result_files.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

constexpr std::array<std::string_view, 22> kAllNames{
    "comparison.csv",  "expectations.csv", "failed.json",   "heatmap.csv",
    "host_events.csv", "jobs.csv",         "links.csv",     "loads.csv",
    "log.jsonl",       "machine.csv",      "manifest.json", "names.csv",
    "point.json",      "policy.log",       "report.html",   "run.json",
    "stretches.csv",   "summary.json",     "sweep.json",    "timeline.csv",
    "timing.json",     "users.csv"};

// The files of cases that a study or a point of it has.
void add_files_of_cases(Names& to) {
  for (const auto* study : case_studies()) {
    to.insert(fmt::format("{}.csv", study->cases));
  }
}

Names all_names() {
  Names names(kAllNames.begin(), kAllNames.end());
  add_files_of_cases(names);
  for (const auto* study : case_studies()) {
    names.insert(fmt::format("{}.csv", study->answers));
  }
  return names;
}

struct Mark {
  const char* file;
  const char* member;  // that this program writes into it
};
constexpr Mark kRun{"run.json", "policies"};
constexpr Mark kSweep{"sweep.json", "sweep"};
constexpr std::array<Mark, 5> kMarks{{{"manifest.json", "outputs"},
                                      {"failed.json", "identity"},
                                      {"point.json", "policies"},
                                      kRun,
                                      kSweep}};

// nullopt unless the file is there and this program wrote it.
std::optional<JsonReader> read_mark(const fs::path& folder, const Mark& mark) {
  const auto file = folder / mark.file;
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) return std::nullopt;
  try {
    JsonReader json(file.string(), read_text(file.string()));
    if (!json.has("format") || !json.has(mark.member)) return std::nullopt;
    return json;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void add_listed(const JsonReader& manifest, Names& names) {
  names.insert("timing.json");
  for (const auto& output : manifest.member("outputs").elements()) {
    names.insert(output.text("name"));
  }
}

// ".jobs.csv.partial-0", as AtomicFile names a file while it is made.
std::string without_making(const std::string& name) {
  const auto end = name.find(".partial-");
  if (name.front() != '.' || end == std::string::npos) return name;
  return name.substr(1, end - 1);
}

bool is_in_points(const fs::path& folder) {
  return folder.parent_path().filename() == "points" &&
         read_mark(folder.parent_path().parent_path(), kSweep);
}

bool is_hidden(const fs::path& path) { return path.filename().string().front() == '.'; }

// "points/0001-seed=1" of a sweep, or one that was not finished.  Whatever became of
// its manifests, its files are ours by their names.
bool is_point(const fs::path& folder) {
  const auto name = folder.filename().string();
  const bool is_numbered = name.front() >= '0' && name.front() <= '9';
  return (is_numbered && is_in_points(folder)) || is_unfinished(folder);
}

class OwnFiles {
 public:
  explicit OwnFiles(const fs::path& root) { collect(root, is_point(root)); }

  // Before the folder that they are in.
  [[nodiscard]] const std::vector<fs::path>& all() const { return all_; }

  [[noreturn]] static void refuse(const fs::path& stranger) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: berth did not write it, so nothing is replaced; move "
                            "it, or give another --out",
                            printable_name(stranger.string())));
  }

 private:
  void collect(const fs::path& folder, bool in_point) {
    auto names = names_of(folder, in_point);
    for (const auto& entry : sorted(folder)) {
      std::error_code failed;
      const auto status = fs::symlink_status(entry, failed);
      if (fs::is_directory(status)) {
        collect_inner(entry, in_point, names);
      } else {
        const auto name = without_making(entry.filename().string());
        if (!fs::is_regular_file(status) || !is_ours(name, names)) refuse(entry);
      }
      all_.push_back(entry);
    }
  }

  // A folder in a folder with these names; adds those that a folder of runs may have.
  void collect_inner(const fs::path& entry, bool in_point, Names& names) {
    const bool is_run = names.count("manifest.json") != 0;
    if (is_run && entry.filename() == kPolicyFolder) return collect_scripts(entry);
    const auto before = all_.size();
    collect(entry, in_point || is_point(entry));
    const bool may_be_empty =
        in_point || names.count("sweep.json") != 0 || is_unfinished(entry);
    if (all_.size() > before) {
      names.insert({"comparison.csv", "report.html"});
      add_files_of_cases(names);
    } else if (!may_be_empty) {
      refuse(entry);
    }
  }

  // Of the folder in which a run keeps its policy: scripts, and folders of them.
  void collect_scripts(const fs::path& folder) {
    for (const auto& entry : sorted(folder)) {
      std::error_code failed;
      const auto status = fs::symlink_status(entry, failed);
      const auto name = without_making(entry.filename().string());
      if (fs::is_directory(status)) {
        collect_scripts(entry);
      } else if (!fs::is_regular_file(status) || fs::path(name).extension() != ".lua") {
        refuse(entry);
      }
      all_.push_back(entry);
    }
  }

  static bool is_ours(const std::string& name, const Names& names) {
    return names.count(name) != 0 || (!names.empty() && is_lock(name));
  }

  static bool is_lock(const std::string& name) {
    return name == ".lock" || name.rfind(".lock-", 0) == 0;
  }

  static Names names_of(const fs::path& folder, bool in_point) {
    if (in_point) return all_names();
    Names names;
    for (const auto& mark : kMarks) {
      const auto json = read_mark(folder, mark);
      if (!json) continue;
      names.emplace(mark.file);
      names.emplace("comparison.csv");
      names.emplace("report.html");
      add_files_of_cases(names);
      if (mark.file == kMarks.front().file) add_listed(*json, names);
    }
    return names;
  }

  // Folders first: comparison.csv may stand beside them.
  static std::vector<fs::path> sorted(const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      entries.push_back(entry.path());
    }
    if (failed) refuse(folder);
    const auto is_file = [](const fs::path& entry) {
      std::error_code none;
      return !fs::is_directory(fs::symlink_status(entry, none));
    };
    std::sort(entries.begin(), entries.end());
    std::stable_partition(entries.begin(), entries.end(),
                          [&](const auto& entry) { return !is_file(entry); });
    return entries;
  }

  std::vector<fs::path> all_;
};

}  // namespace

bool holds_results(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return false;
  if (fs::is_empty(folder, failed)) return true;
  const bool has_mark =
      std::any_of(kMarks.begin(), kMarks.end(),
                  [&](const Mark& mark) { return !!read_mark(folder, mark); });
  return has_mark || fs::exists(folder / "comparison.csv", failed);
}

void check_all_ours(const fs::path& folder) { static_cast<void>(OwnFiles(folder)); }

void check_claims_ours(const fs::path& folder) {
  constexpr Mark kClaims{"claims.json", "claims"};
  const auto file = folder / kClaims.file;
  std::error_code failed;
  const bool is_there = fs::exists(fs::symlink_status(file, failed));
  if (is_there && !read_mark(folder, kClaims)) OwnFiles::refuse(file);
}

// "points/.0001-seed=1.partial" of a sweep, ".easy.partial" of a run.
bool is_unfinished(const fs::path& folder) {
  const auto end = folder.extension();
  if (!is_hidden(folder) || (end != ".partial" && end != ".replaced")) return false;
  return is_in_points(folder) || read_mark(folder.parent_path(), kRun);
}

void remove_ours_below(const fs::path& folder, const Stays& stays) {
  const OwnFiles own(folder);
  const auto top = std::distance(folder.begin(), folder.end());
  for (const auto& path : own.all()) {
    const auto entry = *std::next(path.begin(), top);
    if (stays && stays(entry)) continue;
    std::error_code failed;
    fs::remove(path, failed);
    if (!failed) continue;
    throw Error(ErrorCode::kOutput,
                fmt::format("{}: cannot be removed: {}", printable_name(path.string()),
                            failed.message()));
  }
}

void remove_results_in(const fs::path& folder) {
  remove_ours_below(folder, [](const fs::path& entry) {
    return is_hidden(entry) || entry == kRun.file;
  });
}

}  // namespace berth::study
