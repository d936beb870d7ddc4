// Lines typed on a terminal: a pseudo-terminal, with LineInput in a process of its own.

#include "cli/line_input.hpp"

#include <doctest/doctest.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

// Everything that comes until the end, or until it ends in `until`.
std::string read_until(int from, std::string_view until) {
  std::string text;
  char next = 0;
  while (::read(from, &next, 1) == 1) {
    text += next;
    if (!until.empty() && text.ends_with(until)) break;
  }
  return text;
}

// The prompt is written before the terminal is set to single keys.
void wait_for_prompt(int terminal) {
  CHECK(read_until(terminal, "> ").ends_with("> "));
#ifdef BERTH_LIBEDIT
  termios settings{};
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(::tcgetattr(terminal, &settings) == 0);
  } while ((settings.c_lflag & ICANON) != 0);
#endif
}

// What the lines read are, each behind a space, if these keys are typed: each part at a
// prompt of its own.
std::string lines_of(const std::vector<std::string>& parts) {
  std::array<int, 2> answer{};
  REQUIRE(::pipe(answer.data()) == 0);
  int terminal = -1;
  const auto child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    std::string text;
    {
      berth::cli::LineInput input("> ", {"step", "queue"});
      while (const auto line = input.next()) text += " " + *line;
      if (!input.is_terminal()) text = "no terminal";
    }
    const auto written = ::write(answer[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(answer[1]);
  for (const auto& keys : parts) {
    wait_for_prompt(terminal);
    CHECK(::write(terminal, keys.data(), keys.size()) ==
          static_cast<ssize_t>(keys.size()));
  }
  const auto text = read_until(answer[0], "");
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  ::close(answer[0]);
  ::close(terminal);
  return text;
}

}  // namespace

TEST_SUITE("cli/line input") {
  TEST_CASE("on a terminal each line is read, until Ctrl-D") {
    CHECK(lines_of({"step\n", "queue 3\n", "\x04"}) == " step queue 3");
  }

#ifdef BERTH_LIBEDIT
  TEST_CASE("Tab completes the first word, and Ctrl-P brings back the line before") {
    CHECK(lines_of({"st\t3\n", "\x10\n", "\x04"}) == " step 3 step 3");
  }
#endif
}
