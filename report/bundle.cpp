#include "report/bundle.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/output/sha256.hpp"
#include "report/columns.hpp"
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

std::string script_hash(std::string_view script) {
  const auto digits = sha256(script);
  std::string bytes;
  constexpr int kHexadecimal = 16;
  // Bounded: the digits of a checksum.
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, kHexadecimal);
    bytes += static_cast<char>(value);
  }
  return "sha256-" + base64(bytes);
}

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
