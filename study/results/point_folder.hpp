#pragma once
// The folder of a point of a study: a policy of a run, or a point of a sweep.  It is
// written under a hidden name, and gets its own when it is complete.
//
// Removed and replaced is only what this program wrote: see own_files.hpp.

#include <filesystem>
#include <string>

#include "engine/base/leftovers.hpp"

namespace berth::study {

class PointFolder {
 public:
  // An empty folder at `partial`; what an earlier process left there is removed.  Once
  // kept it stands at `target`, or, where that is the folder in which `partial` is, its
  // files do.  Throws Error{kUsage} if something in either is not ours, and
  // Error{kOutput} where the folder cannot be made.
  PointFolder(std::filesystem::path target, std::filesystem::path partial);
  // Removes what was not kept.
  ~PointFolder();
  PointFolder(const PointFolder&) = delete;
  PointFolder& operator=(const PointFolder&) = delete;

  // Where to write.
  [[nodiscard]] const std::filesystem::path& path() const { return partial_; }
  // A folder for one of several policies; made if it does not exist.
  [[nodiscard]] std::filesystem::path make(const std::string& name) const;
  // Removes a part; of the whole, what is in it.
  void drop(const std::filesystem::path& part) const;
  // Puts it into place, instead of what an earlier run left there.  Throws
  // Error{kOutput}.
  void keep();

 private:
  void rename_whole() const;
  void move_files() const;

  std::filesystem::path target_;
  std::filesystem::path partial_;
  Leftover leftover_;
  bool kept_ = false;
};

}  // namespace berth::study
