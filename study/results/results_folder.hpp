#pragma once
// A folder of results: written beside its final path, renamed when it is complete.
//
// Removed and replaced is only what this program wrote: see own_files.hpp.

#include <filesystem>
#include <memory>
#include <string>

#include "study/results/folder_lock.hpp"

namespace berth::study {

enum class Existing : std::uint8_t { kRefuse, kReplace };

class ResultsFolder {
 public:
  // Of --out: makes an empty folder beside `target`, and locks `target`.  Throws
  // Error{kUsage} if another process does, or if `target` exists and may not be
  // replaced: only an empty folder ever is, and one in which all is ours.  Throws
  // Error{kOutput} where the folder cannot be made.
  ResultsFolder(const std::filesystem::path& target, Existing existing);
  // Of a point: writes into `partial`, which this process made; `target` is replaced.
  // Throws Error{kUsage} if something in `target` is not ours.
  ResultsFolder(std::filesystem::path target, std::filesystem::path partial);
  // Removes what was not kept.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // Where to write.
  [[nodiscard]] const std::filesystem::path& path() const { return partial_; }
  // A folder for one of several policies; made if it does not exist.
  [[nodiscard]] std::filesystem::path make(const std::string& name) const;
  // Removes a part; of the whole, what is in it.
  void drop(const std::filesystem::path& part) const;
  // Renames into place.  Throws Error{kOutput}, also if something has come to stand
  // there that may not be replaced; then the results stay at path().
  void keep();

 private:
  std::filesystem::path target_;
  std::filesystem::path partial_;
  std::unique_ptr<FolderLock> lock_{};  // of --out
  Existing existing_ = Existing::kReplace;
  bool kept_ = false;
};

}  // namespace berth::study
