#include "report/bundle.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "engine/base/error.hpp"
#include "study/common/file_source.hpp"

namespace berth::report {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders() {
  std::vector<fs::path> folders;
  const char* told = std::getenv("BERTH_REPORT");
  if (told != nullptr && *told != '\0') folders.emplace_back(told);
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    folders.push_back(program.parent_path().parent_path() / "share/berth/report");
  }
  folders.emplace_back(BERTH_REPORT_FOLDER);
  return folders;
}

}  // namespace

Bundle load_bundle() {
  std::string tried;
  // Bounded: three folders at most.
  for (const auto& folder : folders()) {
    std::error_code failed;
    if (fs::exists(folder / "report.js", failed)) {
      return {study::read_text((folder / "report.js").string()),
              study::read_text((folder / "loader.js").string()),
              study::read_text((folder / "report.css").string())};
    }
    tried += "\n  " + folder.string();
  }
  throw Error(
      ErrorCode::kUsage,
      "report.js is not there; set BERTH_REPORT to its folder. Looked for:" + tried);
}

}  // namespace berth::report
