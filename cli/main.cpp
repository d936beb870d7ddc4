// The process around the command line: its standard streams and signals.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.hpp"
#include "engine/base/interrupt.hpp"
#include "study/common/exit_code.hpp"

namespace berth::cli {

namespace {

constexpr int kOutputFailed = 8;

// Opens /dev/null for a standard stream that was closed before the program started, so
// that no file opened later gets its number.  What is printed on a closed standard
// output fails as it would without; messages without a reader are lost.
void open_missing_streams() {
  constexpr std::array kModes{O_RDONLY, O_RDONLY, O_WRONLY};
  for (int number = 0; number <= 2; ++number) {
    const bool is_closed = ::fcntl(number, F_GETFD) == -1 && errno == EBADF;
    // The lowest free number is this one.
    const auto mode = kModes.at(static_cast<std::size_t>(number));
    if (is_closed && ::open("/dev/null", mode) != number) return;
  }
}

// Whether escape sequences and carriage returns work there.
bool is_live_terminal(int stream) {
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return ::isatty(stream) == 1 && !is_dumb;
}

// https://no-color.org: set and not empty.
bool refuses_colour() {
  const char* wish = std::getenv("NO_COLOR");
  return wish != nullptr && *wish != '\0';
}

std::size_t columns_of_output() {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kLeast = 40;
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1) return kUsual;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::max<std::size_t>(kLeast, size.ws_col);
}

// Standard output.  Output that is lost is a failure, whatever the reason; that nothing
// reads a pipe any more is known to its reader, and not said.
class StandardOutput final : public std::streambuf {
 public:
  StandardOutput() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  // The number of the error by which output was lost; 0 if none was.
  [[nodiscard]] int problem() const { return problem_; }

 protected:
  int_type overflow(int_type next) override {
    write_out();
    if (traits_type::eq_int_type(next, traits_type::eof())) return 0;
    *pptr() = traits_type::to_char_type(next);
    pbump(1);
    return next;
  }

  int sync() override {
    write_out();
    return 0;
  }

 private:
  void write_out() {
    const char* at = pbase();
    while (at < pptr() && problem_ == 0) {
      const auto written =
          ::write(STDOUT_FILENO, at, static_cast<std::size_t>(pptr() - at));
      if (written >= 0) {
        at += written;
      } else if (errno != EINTR) {
        problem_ = errno;
      }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

  std::array<char, 65536> buffer_{};
  int problem_ = 0;
};

// The first signal asks the program to stop, the second ends it.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { request_interrupt(); };
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Under nohup the end of the terminal is ignored, and stays so.
  struct sigaction inherited {};
  const bool is_known = sigaction(SIGHUP, nullptr, &inherited) == 0;
  if (is_known && inherited.sa_handler == SIG_IGN) return;
  sigaction(SIGHUP, &action, nullptr);
}

int start(int argc, char** argv) {
  open_missing_streams();
  // Both are reported as the result of a write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  catch_interrupts();

  const std::vector<std::string> args(argv + 1, argv + argc);
  StandardOutput buffer;
  std::ostream out(&buffer);
  Console console{out,
                  std::cerr,
                  interrupt_requested,
                  is_live_terminal(STDERR_FILENO),
                  true,
                  columns_of_output(),
                  is_live_terminal(STDOUT_FILENO) && !refuses_colour()};
  study::ExitStatus status(run(args, console));
  out.flush();
  if (buffer.problem() != 0) {
    if (buffer.problem() != EPIPE) {
      std::cerr << "standard output: " << std::strerror(buffer.problem()) << '\n';
    }
    status.add(kOutputFailed);
  }
  return status.code();
}

}  // namespace

}  // namespace berth::cli

int main(int argc, char** argv) { return berth::cli::start(argc, argv); }
