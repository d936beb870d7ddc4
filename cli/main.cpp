#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "cli/interrupt.hpp"
#include "cli/standard_streams.hpp"

namespace berth::cli {

namespace {

int start(int argc, char** argv) {
  open_missing_streams();
  // What they tell comes back as the result of a write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  catch_interrupt();

  const std::vector<std::string> args(argv + 1, argv + argc);
  StandardOutput buffer;
  std::ostream out(&buffer);
  Console console{out, std::cerr, was_interrupted, shows_progress(), true};
  const int code = run(args, console);
  out.flush();
  if (!buffer.problem().empty()) {
    std::cerr << "standard output: " << buffer.problem() << '\n';
    return kOutputFailed;
  }
  return code;
}

}  // namespace

}  // namespace berth::cli

int main(int argc, char** argv) { return berth::cli::start(argc, argv); }
