#pragma once
// What of a folder this program wrote, and how that is removed.
//
// Of a folder are ours
//   manifest.json   of this program, the files that it lists, timing.json
//   failed.json, point.json, run.json, sweep.json of this program
//   comparison.csv, report.html, locks  beside one of these, or beside folders that are
//   ours
//   in the folder of a point, finished or not, all files of these names
//   what a stopped process left of such a file
// A folder that is not ours, a file of another name, a link and a device are a
// stranger's: nothing is removed where there is one.

#include <filesystem>
#include <functional>

namespace berth::study {

// Whether there is an empty folder, or one that has a file of ours at its top.
[[nodiscard]] bool holds_results(const std::filesystem::path& folder);

// Returns if everything below `folder` is ours.  Throws Error{kUsage} naming the first
// file, by path, that is not.
void check_all_ours(const std::filesystem::path& folder);

// Returns if there is no claims.json in `folder`, or one that this program wrote.
// Throws Error{kUsage} otherwise.
void check_claims_ours(const std::filesystem::path& folder);

// Whether this is a folder of a point that was not finished, or that was being
// replaced, by its name and by what it stands in.
[[nodiscard]] bool is_unfinished(const std::filesystem::path& folder);

// Removes everything below `folder`, but the entries at its top that stay (null: none).
// Throws as check_all_ours(), before anything is removed, and Error{kOutput}.
using Stays = std::function<bool(const std::filesystem::path& entry)>;
void remove_ours_below(const std::filesystem::path& folder, const Stays& stays = {});

// Removes the results that stand in the folder of a run itself; what says which run it
// is, and what is under way, stays.  Throws likewise.
void remove_results_in(const std::filesystem::path& folder);

}  // namespace berth::study
