#pragma once
// A sweep as a job array of Slurm, followed by a merge.

#include <string>
#include <vector>

namespace berth::cli {

struct SlurmSweep {
  std::string folder;  // that relative paths start from
  std::string berth;   // the program
  std::vector<std::string>
      arguments;  // of `berth run`: the scenario, --out and the rest
  std::string out;
  std::size_t points = 1;
  double seconds_a_point = 1.0;  // measured, on one processor
};

// A POSIX shell script that submits an array of parts of about ten minutes each and a
// job that merges them, and prints both job numbers.  It asks scontrol for the largest
// array, the longest time and the most jobs that the site allows.
[[nodiscard]] std::string slurm_script(const SlurmSweep& sweep);

// In single quotes: one word of a POSIX shell.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace berth::cli
