#pragma once
// The one exception that leaves the engine.
//
// The code is the exit status the command line gives it; the text is complete: place
// first ("file:line:column: "), then what is wrong and what to do about it.

#include <stdexcept>
#include <string>

namespace berth {

enum class ErrorCode {
  kAudit = 1,    // an invariant of the model does not hold
  kUsage = 2,    // asked for something that does not exist
  kInput = 3,    // an input file that cannot be read or is wrong
  kPolicy = 4,   // a policy that does not load, or broke a rule
  kTime = 5,     // time or work limit, or a run that stands still
  kMemory = 6,   // memory limit of a policy
  kOutput = 8,   // a result that could not be written
  kDefect = 70,  // our own mistake
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what)
      : std::runtime_error(what), code_(code) {}
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// Our own mistake: no input may reach it.
#define BERTH_ASSERT(condition)                                                  \
  do {                                                                           \
    if (!(condition)) ::berth::assertion_failed(#condition, __FILE__, __LINE__); \
  } while (false)

// Throws Error{kDefect} naming the condition and the place.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace berth
