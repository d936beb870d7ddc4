#pragma once
// What a command does once its work is over: it prints, writes files, makes a report.

#include "cli/console.hpp"
#include "study/common/exit_code.hpp"

namespace berth::cli {

// The steps after a piece of work.  None of them hides how the work ended: the exit
// status is that of the first thing that went wrong, and after an interruption no step
// is taken.  Each command that prints or writes results goes through here.
class Steps {
 public:
  // `code`: how the work ended.
  Steps(int code, Console& console) : status_(code), console_(console) {}

  // One more step.  What it throws is said as a message; the steps after it are taken.
  template <class Step>
  Steps& then(const Step& step) {
    if (status_.code() == study::kInterruptedCode) return *this;
    try {
      step();
    } catch (...) {
      const auto failure = study::failure_now();
      console_.say(failure.text);
      status_.add(failure.code);
    }
    return *this;
  }

  [[nodiscard]] int code() const { return status_.code(); }

 private:
  study::ExitStatus status_;
  Console& console_;
};

}  // namespace berth::cli
