#pragma once
// A policy, or a metric, to start from: commented, complete, with its test.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::study {

struct NewFile {
  std::filesystem::path path;
  std::string text;
};

// NAME.lua, NAME.test.lua and NAME.toml in `folder`, and of these what is not there:
// .luarc.json and berth.meta.lua, by which an editor knows the calls of the API, and
// .luacheckrc.  Throws Error{kUsage}
// for a name that is not made of a-z, 0-9 and _, or does not begin with a letter.
[[nodiscard]] std::vector<NewFile> policy_files(const std::filesystem::path& folder,
                                                std::string_view name);
// NAME.lua, a metric of one's own, and NAME.test.lua.  Throws likewise.
[[nodiscard]] std::vector<NewFile> metric_files(const std::filesystem::path& folder,
                                                std::string_view name);
// The same as policy_files() of a policy that answers cases by this field of its file
// ("pack"): NAME.lua and NAME.toml, a study of it.  REQUIRES: a machine has such a
// field.
[[nodiscard]] std::vector<NewFile> case_files(const std::filesystem::path& folder,
                                              std::string_view name,
                                              std::string_view field);

// The folders to start from that machines offer, in their order: name, and what it is.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> starters();
// The files of the one of this name in `folder`, the scenario first; and, as of
// policy_files(), what an editor reads.  Throws Error{kUsage} for an unknown name,
// listing those there are.
[[nodiscard]] std::vector<NewFile> starter_files(const std::filesystem::path& folder,
                                                 std::string_view name);

// Writes them all or none.  Throws Error{kUsage} if one already exists,
// Error{kOutput}.
void write_new_files(const std::vector<NewFile>& files);

}  // namespace berth::study
