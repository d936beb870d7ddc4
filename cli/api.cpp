#include <memory>

#include "bindings/meta.hpp"
#include "cli/command.hpp"

namespace berth::cli {

namespace {

struct Options {
  std::string name;
  bool meta = false;
  bool docs = false;
};

int show(const CLI::App& command, const Options& options, Console& console) {
  if (options.meta && options.docs) wrong_usage(command, "--meta or --docs, not both");
  if ((options.meta || options.docs) && !options.name.empty()) {
    wrong_usage(command, "--meta and --docs are about everything; leave out the name");
  }
  if (options.meta) {
    console.out << bindings::api_definitions();
  } else if (options.docs) {
    console.out << bindings::api_page();
  } else {
    console.out << bindings::api_text(options.name);
  }
  return 0;
}

}  // namespace

Action declare_api(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("NAME", options->name,
                     "one member, such as start or cluster:start");
  command.add_flag("--meta", options->meta, "definitions for the Lua language server");
  command.add_flag("--docs", options->docs, "the reference as a Markdown page");
  command.footer("Example:\n  berth api backfillable");
  return [&command, options](Console& console) {
    return show(command, *options, console);
  };
}

}  // namespace berth::cli
