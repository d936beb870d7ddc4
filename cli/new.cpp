#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/policy_template.hpp"

namespace berth::cli {

namespace {

struct NewOptions {
  std::string kind;
  std::string name;
  bool is_packer = false;
};

int make(const NewOptions& options, Console& console) {
  if (options.kind != "policy" || options.name.empty()) {
    wrong_usage("say what to make: berth new policy NAME");
  }
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

}  // namespace

Action declare_new(Syntax& syntax) {
  auto options = std::make_shared<NewOptions>();
  syntax.option("KIND", options->kind, "policy");
  syntax.option("NAME", options->name, "how it will be called");
  syntax.flag("--packer", options->is_packer,
              "a packer and a study of it, for packing studies");
  syntax.footer(
      "Writes NAME.lua, NAME.toml and NAME.test.lua (a packer has no cases), and, "
      "where\n"
      "they are not there, .luarc.json and berth.meta.lua, by which an editor knows "
      "the\n"
      "API (`berth api --meta`), and .luacheckrc; never replaces a file.\n\n"
      "Examples:\n  berth new policy mine\n  berth new policy my_packer --packer");
  return [options](Console& console) { return make(*options, console); };
}

}  // namespace berth::cli
