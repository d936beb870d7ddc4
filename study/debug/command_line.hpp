#pragma once
// The commands of a debugging session, and how their words are read.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/time.hpp"

namespace berth::study {

struct DebugCommand {
  std::string_view name;
  std::string_view arguments;
  std::string_view help;
};
// In the order of the help.
[[nodiscard]] std::span<const DebugCommand> debug_commands();

// The name of the command that the word begins, the first of several.  Throws
// Error{kUsage} with the nearest.
[[nodiscard]] std::string_view command_of(const std::string& word);

// The first word of a line, and what follows it, without blanks around it.
[[nodiscard]] std::pair<std::string, std::string> split_word(const std::string& line);

// Throw Error{kUsage}: the text, or that `text` is none; `of` names what it is for.
[[noreturn]] void wrong(const std::string& what);
[[nodiscard]] std::int64_t whole_of(const std::string& text, const char* of);
[[nodiscard]] Time time_of(const std::string& text, const char* of);

}  // namespace berth::study
