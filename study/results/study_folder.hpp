#pragma once
// The folder of a study (--out): the points that are finished, and how others are
// added.
//
//                       a run                        a sweep
//   which study it is   DIR/run.json                 DIR/sweep.json
//   a point             DIR/LABEL/ of a policy; DIR  DIR/points/NNNN-key=value,.../
//                       itself where it is alone
//   last                DIR/comparison.csv           DIR/comparison.csv
//
// A point is written beside its name and renamed when it is complete, so that a process
// that ends, however it ends, leaves whole points, and the next one goes on.  The
// folder is locked while this object lives: several processes may work in it at one
// time if each has a part of the same division of a sweep.
//
// Errors  Error{kOutput} with the path and the system's reason, and, before anything is
//         written, where too few files can be opened.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/output/atomic_file.hpp"
#include "study/results/folder_lock.hpp"
#include "study/results/point_folder.hpp"

namespace berth::study {

using berth::Existing;

// Points number, number + of, number + 2 of, ... (from 1): one of several parts.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool has(std::size_t point) const { return point % of == number - 1; }
};

// Where the points of a study stand in its folder.
enum class PointPlace : std::uint8_t {
  kInPoints,  // of a sweep
  kInFolder,  // of a run of several policies
  kItself,    // of a run of one
};

class StudyFolder {
 public:
  // Makes the folder, or resumes the study in it.  `plan` is the text that says which
  // study it is.  Throws Error{kUsage} if another process works in it, or if it holds
  // another study or something else and may not be replaced; what berth did not write
  // never is.
  StudyFolder(const std::filesystem::path& target, PointPlace place,
              std::string_view plan, Existing existing, const Shard& shard = {});
  // A folder of a run without a finished point is removed.
  ~StudyFolder();
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  // The folder of a point that is complete, or would be.
  [[nodiscard]] std::filesystem::path point(const std::string& name) const;

  // An empty folder for a point to be written; what an earlier process left of it is
  // removed.  Once kept, it replaces an older result of the point.
  [[nodiscard]] std::unique_ptr<PointFolder> begin(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& path() const { return target_; }

 private:
  [[nodiscard]] std::filesystem::path plan_file() const;
  void check_length() const;
  void check_target(std::string_view plan, Existing existing) const;
  void lock(Existing existing, const Shard& shard);
  void remove_unfinished() const;

  std::filesystem::path target_;
  PointPlace place_;
  bool made_ = false;  // by this object
  std::vector<std::unique_ptr<FolderLock>> locks_;
};

}  // namespace berth::study
