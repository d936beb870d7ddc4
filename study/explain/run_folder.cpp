#include "study/explain/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/output/sha256.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/common/version.hpp"
#include "study/results/result_files.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

std::string shown(const fs::path& path) { return printable_name(path.string()); }

// The folders below that hold a run: "easy, fcfs".
std::string runs_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const bool is_hidden = entry.path().filename().string().front() == '.';
    if (!is_hidden && fs::exists(entry.path() / "manifest.json", failed)) {
      names.push_back(printable(entry.path().filename().string()));
    }
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

JsonReader read_manifest(const fs::path& folder) {
  const auto file = folder / "manifest.json";
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    const auto below = runs_below(folder);
    throw Error(
        ErrorCode::kUsage,
        below.empty()
            ? fmt::format("{}: holds no run of berth: there is no manifest.json",
                          shown(folder))
            : fmt::format("{}: holds several runs; name one of its folders: {}",
                          shown(folder), below));
  }
  return JsonReader(file.string(), read_text(file.string()));
}

std::vector<HashedFile> items(const JsonReader& list) {
  std::vector<HashedFile> all;
  for (const auto& each : list.elements()) {
    all.push_back({each.text("name"), each.text("sha256")});
  }
  return all;
}

// The folder where the policy's texts are: the run's own, else that of the program.
PolicyLibrary library_of(const fs::path& folder) {
  const auto built_in = folder / kPolicyFolder / "policies";
  std::error_code failed;
  if (fs::is_directory(built_in, failed)) return PolicyLibrary(built_in);
  return PolicyLibrary::standard();
}

class Inputs {
 public:
  Inputs(const fs::path& folder, const fs::path& given)
      : remembered_(remembered_inputs(folder)) {
    if (!given.empty()) places_ = {given};
    const auto whole = fs::absolute(folder).lexically_normal();
    const auto self = whole.has_filename() ? whole : whole.parent_path();
    places_.insert(places_.end(),
                   {self, self.parent_path(), self.parent_path().parent_path(), "."});
  }

  [[nodiscard]] std::string find(const std::string& name) const {
    if (name.empty() || name == "-") return name;
    std::vector<fs::path> others;
    for (const auto& place : places_) others.push_back(place / name);
    if (const auto at = remembered_.find(name); at != remembered_.end()) {
      others.emplace_back(at->second);
    }
    try {
      return find_input(others.front().string(), std::span(others).subspan(1));
    } catch (const Error& error) {
      throw Error(error.code(),
                  fmt::format("{}; --inputs DIR says where it is", error.what()));
    }
  }

 private:
  InputPaths remembered_;
  std::vector<fs::path> places_;
};

void use_kept_policy(const fs::path& folder, const Inputs& inputs, Scenario& scenario) {
  auto& choice = scenario.policies.front();
  if (!choice.is_file()) return;
  const auto name = fs::path(choice.name).filename();
  const auto kept = folder / kPolicyFolder / name;
  std::error_code failed;
  choice.name = fs::exists(kept, failed) ? kept.string() : inputs.find(name.string());
}

std::string differs(std::string_view what, std::string_view now,
                    std::string_view then) {
  return fmt::format("{}: its SHA-256 is {}, in the manifest {}", what,
                     now.empty() ? "missing" : now, then.empty() ? "missing" : then);
}

}  // namespace

RunFolder read_run_folder(const fs::path& path, const fs::path& inputs) {
  const auto manifest = read_manifest(path);
  const auto text = manifest.text("scenario");
  RunFolder made{path,
                 read_scenario((path / "manifest.json").string(), text),
                 library_of(path),
                 manifest.text("source"),
                 items(manifest.member("policies")),
                 items(manifest.member("inputs"))};
  if (made.scenario.is_of_cases()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: a {} study has no queue: there is nothing to explain",
                            shown(path), made.scenario.study));
  }
  if (made.scenario.policies.size() != 1) {
    manifest.member("scenario").fail("is not of one policy, as berth wrote it");
  }
  const Inputs places(path, inputs);
  made.scenario.file.clear();
  rename_inputs(made.scenario,
                [&](const std::string& name) { return places.find(name); });
  use_kept_policy(path, places, made.scenario);
  return made;
}

std::vector<std::string> differences(const RunFolder& folder,
                                     const LoadedPolicy& policy,
                                     const std::optional<std::string>& input) {
  std::vector<std::string> found;
  if (folder.source != source_sha256()) {
    found.push_back(differs("this program", source_sha256(), folder.source));
  }
  const auto find = [](const std::vector<HashedFile>& all, const std::string& name) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto& each) { return each.name == name; });
    return at == all.end() ? std::string() : at->sha256;
  };
  if (policy.policy) {
    for (const auto& source : policy.policy->sources()) {
      const auto now = sha256(source.text);
      const auto then = find(folder.policies, source.name);
      if (now != then) found.push_back(differs(printable(source.name), now, then));
    }
  }
  if (input && !folder.inputs.empty() && folder.inputs.front().sha256 != *input) {
    const auto& listed = folder.inputs.front();
    found.push_back(differs(printable(listed.name), *input, listed.sha256));
  }
  return found;
}

}  // namespace berth::study
