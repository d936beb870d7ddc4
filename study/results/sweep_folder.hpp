#pragma once
// The folder of a sweep (--out): the points that are finished, and how others are
// added.
//
//   DIR/sweep.json                           which sweep this is
//   DIR/points/NNNN-key=value,.../LABEL/     summary.json, manifest.json, ...
//   DIR/points/NNNN-key=value,.../point.json  the policies, and what they share
//   DIR/comparison.csv                       last, once every point is finished
//
// A point is written beside its name and renamed when it is complete.  The folder is
// locked while this object lives: several processes may work in it at one time if each
// has a part of the same division.
//
// Errors  Error{kOutput} with the path and the system's reason.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "study/results/results_folder.hpp"

namespace berth::study {

// Points number, number + of, number + 2 of, ... (from 1): one of several parts.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool has(std::size_t point) const { return point % of == number - 1; }
};

class SweepFolder {
 public:
  // Makes the folder, or resumes the sweep in it.  `plan` is the text of sweep.json.
  // Throws Error{kUsage} if another process works in it, or if it holds another sweep
  // or something else and may not be replaced; what berth did not write never is.
  SweepFolder(std::filesystem::path target, std::string_view plan, Existing existing,
              const Shard& shard = {});

  // The folder of a point that is complete, or would be.
  [[nodiscard]] std::filesystem::path point(const std::string& name) const;

  // An empty folder for a point to be written; what an earlier process left of it is
  // removed.  Once kept, it replaces an older result of the point.
  [[nodiscard]] std::unique_ptr<ResultsFolder> begin(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& path() const { return target_; }

 private:
  void lock(Existing existing, const Shard& shard);

  std::filesystem::path target_;
  std::vector<std::unique_ptr<FolderLock>> locks_;
};

}  // namespace berth::study
