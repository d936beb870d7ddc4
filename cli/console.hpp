#pragma once
// What a command talks to: two streams, and the user at the other end of them.

#include <functional>
#include <ostream>

namespace berth::cli {

struct Console {
  std::ostream& out;  // data
  std::ostream& err;  // messages
  // Whether the user has asked to stop.  Null: never.
  std::function<bool()> interrupted = nullptr;
  // Whether `err` is a terminal on which a line of progress may move.
  bool live = false;
  // Whether a script that no limit reaches may end the process (exit 7).
  bool hard_stop = false;
};

}  // namespace berth::cli
