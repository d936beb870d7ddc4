#pragma once
// Text that a POSIX shell reads: the only writer of it.

#include <span>
#include <string>
#include <string_view>

namespace berth {

// One word, which the shell passes on as it is: bare if no letter of it means anything
// to a shell, else in single quotes.
[[nodiscard]] std::string shell_word(std::string_view word);

// These words with blanks between: a command, or a list of arguments.
[[nodiscard]] std::string shell_words(std::span<const std::string> words);

// A word that a script knows by a name: a letter first, then letters, digits and _.
struct ShellValue {
  std::string_view name;
  std::string word;
};

// A first line that names sh, the comment, an assignment for each value, and `body`,
// which refers to the values as "$name".  REQUIRES: `comment` and `body` are constants
// of the program; a word from outside is a value.
[[nodiscard]] std::string shell_script(std::string_view comment,
                                       std::span<const ShellValue> values,
                                       std::string_view body);

}  // namespace berth
