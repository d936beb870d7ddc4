#pragma once
// A sweep as a job array of Slurm, followed by a merge.

#include <string>
#include <vector>

namespace berth::cli {

struct SlurmSweep {
  std::string folder;  // that relative paths start from
  std::string berth;   // the program
  // Of `berth run`: options, --out among them, then "--" and the scenario.
  std::vector<std::string> arguments;
  std::string out;
  std::size_t points = 1;
  double seconds_a_point = 1.0;  // measured, on one processor
};

// A POSIX shell script that submits an array of parts of about ten minutes each and a
// job that merges them, and prints both job numbers.  It asks scontrol for the largest
// array, the longest time and the most jobs that the site allows.
[[nodiscard]] std::string slurm_script(const SlurmSweep& sweep);

}  // namespace berth::cli
