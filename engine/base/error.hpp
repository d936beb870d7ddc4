#pragma once
// The one exception type that leaves the engine.
//
// The code is also the exit status of the program.  The text is a complete message:
// place ("file:line:column: "), what is wrong, what to do.

#include <stdexcept>
#include <string>

namespace berth {

enum class ErrorCode {
  kAudit = 1,    // a rule of the model or a promise of the policy is broken
  kUsage = 2,    // unknown name or wrong argument
  kInput = 3,    // input file unreadable or wrong
  kPolicy = 4,   // policy does not load, or raised an error
  kTime = 5,     // time or work limit exceeded, or the run makes no progress
  kMemory = 6,   // memory limit of a policy exceeded
  kOutput = 8,   // result not written
  kDefect = 70,  // a bug in berth
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what)
      : std::runtime_error(what), code_(code) {}
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// For conditions that no input can violate.
#define BERTH_ASSERT(condition)                                                  \
  do {                                                                           \
    if (!(condition)) ::berth::assertion_failed(#condition, __FILE__, __LINE__); \
  } while (false)

// Throws Error{kDefect} with the condition, file and line.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace berth
