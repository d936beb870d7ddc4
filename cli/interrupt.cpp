#include "cli/interrupt.hpp"

#include <csignal>

namespace berth::cli {

namespace {

// A signal handler can reach nothing but a variable of the whole program.
volatile std::sig_atomic_t stop_asked = 0;

void on_interrupt(int) { stop_asked = 1; }

}  // namespace

void catch_interrupt() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return stop_asked != 0; }

}  // namespace berth::cli
