// Whole runs of the program.
//
// bench_process BERTH [REPEATS] : BERTH is the program; medians of three times that
// many turns, 7 unless given.  Works in a temporary folder.

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

struct Spent {
  double wall_seconds;
  double peak_bytes;
};

// Runs a command and discards its output; ends this program if it fails.
Spent run(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t quiet{};
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&quiet, STDOUT_FILENO, STDERR_FILENO);
  const auto before = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 0;
  rusage usage{};
  const bool ran = posix_spawnp(&child, words.front(), &quiet, nullptr, words.data(),
                                environ) == 0 &&
                   wait4(child, &status, 0, &usage) == child && status == 0;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - before;
  posix_spawn_file_actions_destroy(&quiet);
  if (!ran) {
    fmt::print(stderr, "bench_process: {} failed\n", fmt::join(command, " "));
    std::exit(1);
  }
  return {wall.count(), static_cast<double>(usage.ru_maxrss) * 1024};
}

void print(const std::string& row, double measured, double goal) {
  fmt::print("{:<48} {:>10.2f} / {:<6.1f}\n", row, measured, goal);
  std::fflush(stdout);
}

void start_up(const std::string& berth, int repeats) {
  std::vector<double> more;
  for (int i = 0; i < 3 * repeats; ++i) {
    more.push_back(run({berth, "policies"}).wall_seconds - run({"true"}).wall_seconds);
  }
  print("berth policies, ms more than `true`", 1000 * bench::median(more), 5);
}

void whole_process(const std::string& berth, const fs::path& folder, int repeats) {
  const auto trace = bench::kth_path();
  if (!trace) return fmt::print("no KTH trace: its row is left out\n");
  const auto once = bench::kth(1);
  const auto alone = bench::lua(once, "easy");
  std::vector<double> reading_and_simulation;
  std::vector<double> whole;
  for (int i = 0; i < 3 * repeats; ++i) {
    const double reading =
        run({"sh", "-c", "gzip -dc '" + trace->string() + "' | wc -l"}).wall_seconds;
    reading_and_simulation.push_back(reading + alone.seconds());
    whole.push_back(run({berth, "run", "--trace", trace->string(), "--policy", "easy",
                         "--out", (folder / "kth").string(), "--force"})
                        .wall_seconds);
  }
  print("berth run --trace KTH / (gzip | wc + simulation)",
        bench::median_ratio(whole, reading_and_simulation), 3);
}

// Many jobs of this trace exceed their walltime.
void overruns(const std::string& berth, int repeats) {
  const auto trace = bench::lanl_path();
  if (!trace) return fmt::print("no LANL-CM5 trace: its row is left out\n");
  bench::Seconds conservative;
  bench::Seconds easy;
  const auto seconds = [&](const char* policy) {
    return run({berth, "run", "--trace", trace->string(), "--policy", policy})
        .wall_seconds;
  };
  for (int i = 0; i < repeats; ++i) {
    easy.push_back(seconds("easy"));
    conservative.push_back(seconds("conservative"));
  }
  print("berth run, LANL-CM5, conservative / easy",
        bench::median_ratio(conservative, easy), 8);
}

double peak(const std::string& berth, const fs::path& folder, std::int64_t jobs) {
  const auto trace = (folder / fmt::format("l{}.swf", jobs)).string();
  (void)run({berth, "generate", "lublin", "--jobs", std::to_string(jobs),
             "--processors", "1024", "--load", "0.8", "--seed", "7", "-o", trace});
  return run({berth, "run", "--trace", trace, "--policy", "easy", "--out",
              (folder / fmt::format("l{}", jobs)).string(), "--force", "--no-audit"})
      .peak_bytes;
}

void memory(const std::string& berth, const fs::path& folder) {
  constexpr std::int64_t kJobs = 1'000'000;
  constexpr double kBase = 16.0 * 1024 * 1024;
  print("bytes a job beyond 16 MiB, 1M jobs from SWF",
        (peak(berth, folder, kJobs) - kBase) / static_cast<double>(kJobs), 96);
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 2 ? std::atoi(arguments[2]) : 7;
  if (count < 2 || repeats < 1) {
    fmt::print(stderr, "bench_process BERTH [REPEATS]: the program; at least 1\n");
    return 2;
  }
  const std::string berth = fs::absolute(arguments[1]).string();
  const auto folder =
      fs::temp_directory_path() / fmt::format("berth-bench-{}", getpid());
  fs::create_directory(folder);
  fmt::print("{:<48} {:>10} / {:<6}\n", "", "measured", "goal");
  start_up(berth, repeats);
  whole_process(berth, folder, repeats);
  overruns(berth, repeats);
  memory(berth, folder);
  fs::remove_all(folder);
  return 0;
}
