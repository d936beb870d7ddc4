// The scripts by which shells ask the program what may be typed.
#include <array>
#include <memory>

#include "cli/command.hpp"

namespace berth::cli {

namespace {

// bash breaks words also at ":" and "=", and replaces only what is behind the last one:
// the words are split at blanks here, and what bash keeps is taken off the answers.
constexpr auto kBash =
    R"(# Put this where bash looks for completions, or: source <(berth completions bash)
_berth() {
  local line=${COMP_LINE:0:COMP_POINT} words word kept reply glob
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=("")
  word=${words[-1]#[\"\']}
  kept=${word%"${2#[\"\']}"}
  COMPREPLY=()
  while IFS=$'\t' read -r reply _; do
    case $reply in
    :nospace) compopt -o nospace ;;
    :files*)
      compopt -o filenames
      read -ra words <<<"${reply#:files}"
      while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(
        compgen -d -- "$2"
        for glob in "${words[@]:-*}"; do compgen -f -X "!$glob" -- "$2"; done | sort -u) ;;
    *) [[ ${reply#"$kept"} == "$2"* ]] && COMPREPLY+=("${reply#"$kept"}") ;;
    esac
  done < <("${1/#\~/${HOME-}}" __complete $((${#words[@]} - 1)) "${words[@]}" 2>/dev/null)
}
complete -F _berth berth
)";

constexpr auto kZsh = R"(#compdef berth
# Put this as _berth into a folder of $fpath, or: source <(berth completions zsh)
_berth() {
  local line; local -a typed found shown glue
  typed=("${(@Q)words[1,CURRENT-1]}" "$PREFIX")
  for line in "${(@f)$(berth __complete $((CURRENT - 1)) "${typed[@]}" 2>/dev/null)}"; do
    case $line in
      :nospace) glue=(-S '') ;;
      :files*)
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files ${${line#:files}:+-g "${line#:files }"} ;;
      *$'\t'*) found+=("${line%%$'\t'*}"); shown+=("${line/$'\t'/  -- }") ;;
    esac
  done
  (( $#found )) && compadd -Q -l -d shown "${glue[@]}" -- "${found[@]}"
}
if [[ $funcstack[1] == _berth ]]; then _berth "$@"; else compdef _berth berth; fi
)";

constexpr auto kFish =
    R"(# Put this into ~/.config/fish/completions/berth.fish, or: berth completions fish | source
function __berth_complete
  set -l before (commandline -opc)
  set -l word (commandline -ct)
  for line in (berth __complete (count $before) $before "$word" 2>/dev/null)
    switch $line
      case ':nospace' # fish adds no blank behind = : and .
      case ':files*'
        set -l kept (string match -r -- '^--[^=]*=' "$word")
        set -l rest (string replace -- "$kept" '' "$word")
        set -l found (__fish_complete_suffix "$rest" (string replace -r '.*[* ]' '' -- $line))
        string replace -r -- '^' "$kept" $found
      case '*'
        printf '%s\n' $line
    end
  end
end
complete -c berth -f -a '(__berth_complete)'
)";

int write_completions(const std::string& shell, Console& console) {
  constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};
  constexpr std::array kScripts{kBash, kZsh, kFish};
  if (shell.empty()) wrong_usage("name the shell: berth completions bash");
  console.out << kScripts[choice_option("SHELL", shell, kShells)];
  return 0;
}

}  // namespace

Action declare_completions(Syntax& syntax) {
  auto shell = std::make_shared<std::string>();
  syntax.option("SHELL", *shell, "bash | zsh | fish");
  return [shell](Console& console) { return write_completions(*shell, console); };
}

}  // namespace berth::cli
