#pragma once
// The streams that a command writes to, and what is behind them.

#include <functional>
#include <ostream>
#include <string_view>

#include "engine/base/printable.hpp"

namespace berth::cli {

struct Console {
  std::ostream& out;  // data
  std::ostream& err;  // messages
  // Whether the user has asked the program to stop.  Empty: never.
  std::function<bool()> interrupted = nullptr;
  // Whether `err` is a terminal, on which a progress line may be overwritten.
  bool live = false;
  // Whether the process may be ended (exit status 7) if a policy runs on past its
  // limits.
  bool hard_stop = false;

  // A message of one or more lines, which may hold text from outside.
  void say(std::string_view text) { err << message_text(text) << '\n'; }
};

}  // namespace berth::cli
