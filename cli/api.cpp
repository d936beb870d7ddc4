#include <memory>

#include "bindings/families.hpp"
#include "cli/command.hpp"

namespace berth::cli {

namespace {

struct ApiOptions {
  std::string name;
  bool meta = false;
  bool docs = false;
};

int show(const ApiOptions& options, Console& console) {
  if (options.meta && options.docs) wrong_usage("--meta or --docs, not both");
  if ((options.meta || options.docs) && !options.name.empty()) {
    wrong_usage("--meta and --docs are about everything; leave out the name");
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

Action declare_api(Syntax& syntax) {
  auto options = std::make_shared<ApiOptions>();
  syntax.option("NAME", options->name,
                "a field of the policy file, an idiom or a member, such as orders, "
                "keep_tenth or cluster:start");
  syntax.flag("--meta", options->meta, "definitions for the Lua language server");
  syntax.flag("--docs", options->docs, "the reference as a Markdown page");
  syntax.footer("Examples:\n  berth api policy\n  berth api backfillable");
  return [options](Console& console) { return show(*options, console); };
}

}  // namespace berth::cli
