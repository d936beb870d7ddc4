#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/output/output_file.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/policy_template.hpp"

namespace berth::cli {

namespace {

struct NewOptions {
  std::string kind;
  std::string name;
  bool is_packer = false;
};

int make_metric(const NewOptions& options, Console& console) {
  const auto built_in = metric_records();
  const bool is_taken =
      std::any_of(built_in.begin(), built_in.end(),
                  [&](const auto& record) { return record.name == options.name; });
  if (is_taken) {
    wrong_usage(
        fmt::format("'{}' is a built-in metric: choose another name", options.name));
  }
  const auto files = study::metric_files("", options.name);
  study::write_new_files(files);
  for (const auto& file : files) console.out << file.path.string() << '\n';
  console.err << fmt::format(
      "Edit {0}.lua, then:\n  berth check {0}.lua\n"
      "  berth test {0}.lua\n"
      "  berth run SCENARIO.toml --metric mean_wait,./{0}.lua   docs/tools.md\n",
      options.name);
  return 0;
}

int make(const NewOptions& options, Console& console) {
  const bool is_metric = options.kind == "metric";
  if ((options.kind != "policy" && !is_metric) || options.name.empty()) {
    wrong_usage("say what to make: berth new policy NAME, or berth new metric NAME");
  }
  if (is_metric && options.is_packer) wrong_usage("--packer makes a policy");
  if (is_metric) return make_metric(options, console);
  const auto built_in = study::PolicyLibrary::standard().names();
  if (std::find(built_in.begin(), built_in.end(), options.name) != built_in.end()) {
    wrong_usage(
        fmt::format("'{}' is a built-in policy: choose another name, for tables "
                    "would show two policies under one",
                    options.name));
  }
  const auto files = options.is_packer ? study::case_files("", options.name, "pack")
                                       : study::policy_files("", options.name);
  study::write_new_files(files);
  for (const auto& file : files) console.out << file.path.string() << '\n';
  console.err << fmt::format(
      "Edit {0}.lua, then:\n  berth run {0}.toml\n{1}", options.name,
      options.is_packer
          ? fmt::format("  berth check {}.lua\n", options.name)
          : fmt::format("  berth test {0}.lua             docs/testing.md\n"
                        "  berth watch {0}.toml           docs/watch.md\n"
                        "  berth debug {0}.toml --policy ./{0}.lua   docs/debug.md\n"
                        "  berth check {0}.lua\n",
                        options.name));
  return 0;
}

struct InitOptions {
  std::string kind;
  std::string folder;
};

int make_folder(const InitOptions& options, Console& console) {
  std::vector<std::string> kinds;
  for (const auto& [name, help] : study::starters()) {
    kinds.push_back(fmt::format("berth init {} ({})", name, help));
  }
  if (options.kind.empty()) {
    wrong_usage(fmt::format("say what to start from: {}", fmt::join(kinds, ", ")));
  }
  const std::filesystem::path folder(options.folder.empty() ? options.kind
                                                            : options.folder);
  const auto files = study::starter_files(folder, options.kind);
  make_output_folder(folder);
  study::write_new_files(files);
  for (const auto& file : files) console.out << file.path.string() << '\n';
  console.err << fmt::format(
      "Edit what is there, then:\n  berth run {0}\n  berth test {1}   "
      "docs/testing.md\n",
      files.front().path.string(), (folder / "mine.lua").string());
  return 0;
}

}  // namespace

Action declare_init(Syntax& syntax) {
  auto options = std::make_shared<InitOptions>();
  syntax.option("KIND", options->kind, "gpu: a cluster with GPUs, whole or shared");
  syntax.option("FOLDER", options->folder, "where (default: a folder of that name)");
  syntax.footer(
      "Writes a folder that runs as it is: a scenario of a machine, the tasks that it\n"
      "reads, a policy with its cases, and what an editor reads (`berth new --help`);\n"
      "never replaces a file.\n\n"
      "Examples:\n  berth init gpu\n  berth run gpu/gpu.toml\n  berth test "
      "gpu/mine.lua\n"
      "  berth init gpu cluster");
  return [options](Console& console) { return make_folder(*options, console); };
}

Action declare_new(Syntax& syntax) {
  auto options = std::make_shared<NewOptions>();
  syntax.option("KIND", options->kind, "policy | metric");
  syntax.option("NAME", options->name, "how it will be called");
  syntax.flag("--packer", options->is_packer,
              "a packer and a study of it, for packing studies");
  syntax.footer(
      "Writes NAME.lua, NAME.toml and NAME.test.lua (a packer has no cases, a metric "
      "no\n"
      "scenario), and, for a policy, where\n"
      "they are not there, .luarc.json and berth.meta.lua, by which an editor knows "
      "the\n"
      "API (`berth api --meta`), and .luacheckrc; never replaces a file.\n\n"
      "Examples:\n  berth new policy mine\n  berth new policy my_packer --packer\n  "
      "berth new metric long_small_waits");
  return [options](Console& console) { return make(*options, console); };
}

}  // namespace berth::cli
