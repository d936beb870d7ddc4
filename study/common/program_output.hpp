#pragma once
// What another program prints, run without a shell.

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::study {

struct ProgramOutput {
  enum class ProgramEnd : std::uint8_t {
    kEnded,     // by itself: `status`
    kNotThere,  // there is no such program, or it may not be run
    kTooLate,   // it was killed
    kTooLong,   // likewise
  };
  ProgramEnd how = ProgramEnd::kNotThere;
  int status = 0;      // 0: it says that all went well; of a signal 128 and its number
  std::string text{};  // of its standard output
  std::string complaint{};  // the first 2,000 bytes of its standard error

  [[nodiscard]] bool is_good() const {
    return how == ProgramEnd::kEnded && status == 0;
  }
};

struct ProgramLimits {
  std::chrono::milliseconds time;
  std::size_t bytes = 1U << 20U;  // of its standard output
};

// Runs the program that the path finds; its standard input is empty, and it lacks these
// variables of the environment.  Throws Interrupted; the program is killed then.
[[nodiscard]] ProgramOutput output_of_program(
    std::vector<std::string> words, const ProgramLimits& limits,
    std::span<const std::string_view> without = {});

}  // namespace berth::study
