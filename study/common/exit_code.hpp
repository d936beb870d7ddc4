#pragma once
// The exit status of a program run, and which of several counts.

#include <exception>
#include <span>
#include <string>

#include "engine/base/interrupt.hpp"

namespace berth::study {

inline constexpr int kDone = 0;
inline constexpr int kDefectCode = 70;
inline constexpr int kInterruptedCode = 130;

using berth::Interrupted;

// How a piece of work ended: the exit status, and the message for the user.
struct Failure {
  int code = kDone;
  std::string text;
};

// What an exception that was caught means; the text as message_text() gives it.  What
// the system refuses is no defect: lack of memory or threads is a limit, of files or of
// room for them a failure of output.  REQUIRES: called inside a catch block.
[[nodiscard]] Failure failure_now();

// The exit status of work in several steps: that of the first step that went wrong,
// whatever the steps after it do.
class ExitStatus {
 public:
  explicit ExitStatus(int code = kDone) : code_(code) {}

  // One more step has ended with this status.
  void add(int code) {
    if (code_ == kDone) code_ = code;
  }
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

// The first that occurs of 70, 130, 8, 1, 7, 6, 5, 4, 3, 2; 0 if none does.
[[nodiscard]] int worst_code(std::span<const int> codes);

}  // namespace berth::study
