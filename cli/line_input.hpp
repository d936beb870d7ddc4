#pragma once
// Lines that a user types: with history and completion where berth was built with
// libedit and standard input is a terminal, else as they come.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

class LineInput {
 public:
  // `words` complete the first word of a line.
  LineInput(std::string prompt, const std::vector<std::string_view>& words);
  ~LineInput();
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  // nullopt: the end.  Ctrl-C gives an empty line.
  [[nodiscard]] std::optional<std::string> next();

 private:
  std::string prompt_;
  bool is_terminal_;
};

}  // namespace berth::cli
