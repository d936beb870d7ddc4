#include "study/policies/policy_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "study/common/file_source.hpp"
#include "study/common/share_folder.hpp"
#include "study/policies/recorded.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> standard_folders() {
  std::vector<fs::path> folders;
  const char* told = std::getenv("BERTH_POLICIES");
  if (told != nullptr && *told != '\0') folders.emplace_back(told);
  for (auto& folder : share_folders("policies")) folders.push_back(std::move(folder));
  folders.emplace_back(BERTH_POLICY_FOLDER);
  return folders;
}

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::optional<std::string> text_if_there(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return std::nullopt;
  return read_text(path.string());
}

}  // namespace

PolicyLibrary PolicyLibrary::standard() {
  std::string tried;
  for (const auto& folder : standard_folders()) {
    std::error_code failed;
    if (fs::is_directory(folder, failed)) return PolicyLibrary(folder);
    tried += "\n  " + folder.string();
  }
  throw Error(
      ErrorCode::kUsage,
      "the built-in policies are not there; set BERTH_POLICIES to their folder. "
      "Looked for:" +
          tried);
}

std::vector<std::string> PolicyLibrary::names() const {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder_, failed)) {
    if (entry.path().extension() == ".lua") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void PolicyLibrary::unknown(const PolicyChoice& choice) const {
  auto known = names();
  known.emplace_back(Recorded::kName);
  const std::vector<std::string_view> views(known.begin(), known.end());
  std::error_code failed;
  const auto as_file = choice.name + ".lua";
  const auto hint = fs::exists(as_file, failed)
                        ? fmt::format("; for the file write ./{}", as_file)
                        : did_you_mean(choice.name, views);
  const auto what = fmt::format(
      "there is no built-in policy '{}'{}; `berth policies` lists them, a file is "
      "named "
      "like ./{}.lua",
      printable(choice.name), hint, printable(choice.name));
  if (choice.place.empty()) throw Error(ErrorCode::kUsage, what);
  throw Error(ErrorCode::kInput, choice.place + "run.policies: " + what);
}

fs::path PolicyLibrary::path_of(const PolicyChoice& choice) const {
  if (choice.is_file()) return choice.name;
  return folder_ / (choice.name + ".lua");
}

bindings::PolicyFile PolicyLibrary::find(const PolicyChoice& choice) const {
  if (choice.is_file()) {
    return {choice.stem(), fs::path(choice.name).filename().string(),
            read_text(choice.name)};
  }
  auto text = is_plain(choice.name) ? text_if_there(path_of(choice)) : std::nullopt;
  if (!text) unknown(choice);
  return {choice.name, fmt::format("policies/{}.lua", choice.name), std::move(*text)};
}

std::function<std::optional<bindings::LoadedSource>(std::string_view)>
PolicyLibrary::sources_for(const PolicyChoice& choice) const {
  std::optional<fs::path> beside;
  if (choice.is_file()) beside = fs::path(choice.name).parent_path();
  return [beside, built_in = folder_](
             std::string_view name) -> std::optional<bindings::LoadedSource> {
    if (!is_plain(name)) return std::nullopt;
    const auto file = "lib/" + std::string(name) + ".lua";
    if (beside) {
      auto text = read_text_below(beside->string(), (*beside / file).string());
      if (text) return {{file, *std::move(text)}};
    }
    auto text = text_if_there(built_in / file);
    if (!text) return std::nullopt;
    return {{"policies/" + file, *std::move(text)}};
  };
}

}  // namespace berth::study
