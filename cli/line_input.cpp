#include "cli/line_input.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "engine/base/interrupt.hpp"

#ifdef BERTH_LIBEDIT
#include <editline/readline.h>
#endif

namespace berth::cli {

#ifdef BERTH_LIBEDIT

namespace {

// libedit asks through plain functions.
std::vector<std::string_view>& completions() {
  static std::vector<std::string_view> words;
  return words;
}

// The words that begin with `text`, one a call; the first call has state 0.
char* next_word(const char* text, int state) {
  static std::size_t at = 0;
  if (state == 0) at = 0;
  const auto& words = completions();
  while (at < words.size()) {
    const auto word = words[at++];
    if (word.starts_with(text)) return ::strdup(std::string(word).c_str());
  }
  return nullptr;
}

char** complete(const char* text, int start, int) {
  rl_attempted_completion_over = 1;  // no names of files
  if (start > 0) return nullptr;
  return rl_completion_matches(text, next_word);
}

}  // namespace

LineInput::LineInput(std::string prompt, const std::vector<std::string_view>& words)
    : prompt_(std::move(prompt)), is_terminal_(::isatty(STDIN_FILENO) == 1) {
  if (!is_terminal_) return;
  completions() = words;
  rl_attempted_completion_function = complete;
  using_history();
}

LineInput::~LineInput() { completions().clear(); }

std::optional<std::string> LineInput::next() {
  if (is_terminal_) {
    char* line = ::readline(prompt_.c_str());
    if (line == nullptr) return std::nullopt;
    std::string text(line);
    std::free(line);
    if (!text.empty()) add_history(text.c_str());
    return text;
  }
  std::string text;
  if (!std::getline(std::cin, text)) return std::nullopt;
  return text;
}

#else

LineInput::LineInput(std::string prompt, const std::vector<std::string_view>&)
    : prompt_(std::move(prompt)), is_terminal_(::isatty(STDIN_FILENO) == 1) {}

LineInput::~LineInput() = default;

std::optional<std::string> LineInput::next() {
  if (is_terminal_) std::cout << prompt_ << std::flush;
  std::string text;
  if (!std::getline(std::cin, text)) return std::nullopt;
  return text;
}

#endif

}  // namespace berth::cli
