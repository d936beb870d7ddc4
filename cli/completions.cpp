#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"

namespace berth::cli {

namespace {

std::string option_words(const CLI::App& command) {
  std::string words;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) words += " --" + name;
  }
  return words.empty() ? words : words.substr(1);
}

int write(const CLI::App& command, const std::string& shell, Console& console) {
  if (shell != "bash") wrong_usage(command, "name the shell: berth completions bash");
  std::string names;
  std::string cases;
  for (const auto* other : command.get_parent()->get_subcommands({})) {
    names += (names.empty() ? "" : " ") + other->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", other->get_name(),
                         option_words(*other));
  }
  console.out << fmt::format(
      "# Put this where bash looks for completions, or: source <(berth completions "
      "bash)\n"
      "_berth() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\"\"\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{}"
      "  esac\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then words=\"{} --help --version\"\n"
      "  elif [ \"${{COMP_WORDS[COMP_CWORD-1]}}\" = --policy ]; then\n"
      "    words=$(berth policies 2>/dev/null | cut -d' ' -f1)\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F _berth berth\n",
      cases, names);
  return 0;
}

}  // namespace

Action declare_completions(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash");
  return
      [&command, shell](Console& console) { return write(command, *shell, console); };
}

}  // namespace berth::cli
