#pragma once
// The folder behind --out: filled beside its name, and under it only once complete.

#include <filesystem>

namespace berth::study {

enum class Existing : std::uint8_t { kRefuse, kReplace };

// Whether there is an empty folder, or one with results of berth.
[[nodiscard]] bool holds_results(const std::filesystem::path& folder);

class ResultsFolder {
 public:
  // Makes an empty folder beside `target`.  Throws Error{kUsage} if `target` is there
  // already and may not be replaced: only a folder of results (it holds manifest.json,
  // comparison.csv or sweep.json) or an empty one ever is.  Throws Error{kOutput} where
  // the folder cannot be made.
  ResultsFolder(const std::filesystem::path& target, Existing existing);
  // Removes what was not kept.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // Where to write.
  [[nodiscard]] const std::filesystem::path& path() const { return partial_; }
  // A folder for one of several policies; made if it is not there.
  [[nodiscard]] std::filesystem::path make(const std::string& name) const;
  // Takes back what was written into a part, or into the whole.
  void drop(const std::filesystem::path& part) const;
  // Renames into place.  Throws Error{kOutput}.
  void keep();

 private:
  std::filesystem::path target_;
  std::filesystem::path partial_;
  bool kept_ = false;
};

}  // namespace berth::study
