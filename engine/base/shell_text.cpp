#include "engine/base/shell_text.hpp"

#include <algorithm>

namespace berth {

namespace {

// A leading = means a command to some shells, a leading - an option to most commands.
bool is_bare(std::string_view word) {
  constexpr std::string_view kMarks = "@%+=:,./-_";
  const auto is_plain = [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  };
  return !word.empty() && word.front() != '=' &&
         std::all_of(word.begin(), word.end(), is_plain);
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (is_bare(word)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

std::string shell_words(std::span<const std::string> words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string shell_script(std::string_view comment, std::span<const ShellValue> values,
                         std::string_view body) {
  std::string text = "#!/bin/sh\n";
  text += comment;
  for (const auto& [name, word] : values) {
    text.append(name).append("=").append(shell_word(word)).append("\n");
  }
  return text += body;
}

}  // namespace berth
