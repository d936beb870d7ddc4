#include "study/common/share_folder.hpp"

#include <dlfcn.h>

#include <string>

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// Empty: this code is part of the program.
fs::path own_library() {
  static const char kHere = 0;
  Dl_info found{};
  if (dladdr(&kHere, &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code failed;
  auto file = fs::canonical(found.dli_fname, failed);
  const bool is_library = file.filename().string().find(".so") != std::string::npos;
  return failed || !is_library ? fs::path() : file;
}

}  // namespace

std::vector<fs::path> share_folders(std::string_view name) {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& prefix) {
    folders.push_back(prefix / "share/berth" / name);
  };
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) add(program.parent_path().parent_path());
  const auto library = own_library();
  if (library.empty()) return folders;
  add(library.parent_path().parent_path());
  add(library.parent_path().parent_path().parent_path());
  return folders;
}

}  // namespace berth::study
