#pragma once
// The streams that a command writes to, and what is behind them.

#include <cstddef>
#include <functional>
#include <ostream>
#include <string_view>

#include "engine/base/printable.hpp"
#include "engine/output/sink.hpp"

namespace berth::cli {

// Standard output as a place for text.
class StreamSink final : public Sink {
 public:
  explicit StreamSink(std::ostream& out) : out_(out) {}
  void write(std::string_view text) override { out_ << text; }

 private:
  std::ostream& out_;
};

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
  // Of the terminal that `out` is; else 80.
  std::size_t columns = 80;
  // Whether `out` is a terminal that shows colours, and the user has not refused them.
  bool colour = false;

  // A message of one or more lines, which may hold text from outside.
  void say(std::string_view text) { err << message_text(text) << '\n'; }
};

}  // namespace berth::cli
