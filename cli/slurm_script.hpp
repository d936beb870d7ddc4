#pragma once
// A sweep as a job array of Slurm, with a merge behind it.

#include <string>
#include <vector>

namespace berth::cli {

struct SlurmSweep {
  std::string folder;  // where relative paths begin
  std::string berth;   // the program
  std::vector<std::string>
      arguments;  // of `berth run`: the scenario, --out and the rest
  std::string out;
  std::size_t points = 1;
  double seconds_a_point = 1.0;  // measured, on one processor
};

// A POSIX shell script.  Run on a machine that submits jobs, it makes an array of parts
// of about ten minutes each and a job that merges them, and prints both numbers.  The
// largest array, the longest time and the most jobs of the site are asked of scontrol
// when it runs.
[[nodiscard]] std::string slurm_script(const SlurmSweep& sweep);

// In single quotes, so that a shell reads it as one word.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace berth::cli
