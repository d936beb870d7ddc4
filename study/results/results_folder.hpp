#pragma once
// A folder of results: written beside its final path, renamed when it is complete.

#include <filesystem>
#include <string>

namespace berth::study {

enum class Existing : std::uint8_t { kRefuse, kReplace };

// Whether there is an empty folder, or one with results of berth.
[[nodiscard]] bool holds_results(const std::filesystem::path& folder);

class ResultsFolder {
 public:
  // Of --out: makes an empty folder beside `target`.  Throws Error{kUsage} if `target`
  // exists and may not be replaced: only a folder of results (it holds manifest.json,
  // comparison.csv or sweep.json) or an empty one ever is.  Throws Error{kOutput} where
  // the folder cannot be made.
  ResultsFolder(const std::filesystem::path& target, Existing existing);
  // Of a point: writes into `partial`, which must exist; `target` is replaced.
  ResultsFolder(std::filesystem::path target, std::filesystem::path partial)
      : target_(std::move(target)), partial_(std::move(partial)) {}
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
  // Renames into place.  Throws Error{kOutput}.
  void keep();

 private:
  std::filesystem::path target_;
  std::filesystem::path partial_;
  bool kept_ = false;
};

}  // namespace berth::study
