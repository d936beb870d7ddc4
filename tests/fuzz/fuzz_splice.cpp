// Bytes as a list of cuttings from good and hostile policies, pasted together and run.
//
// Promises: the run ends well, or as an error of the policy, a time or a memory limit;
// a good policy in the same process gives the same result behind it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "bindings/sandbox/watchdog.hpp"
#include "tests/fuzz/checked_run.hpp"
#include "tests/fuzz/expect.hpp"

using namespace berth;
using fuzz::Bytes;
using fuzz::expect;
using fuzz::Setup;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// By file name, so that an input means the same on every machine.
std::vector<Lines> read_sources() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root = BERTH_SOURCE_DIR;
  for (const char* folder : {"policies", "tests/fuzz/lines"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() == ".lua") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  std::vector<Lines> sources;
  for (const auto& file : files) sources.push_back(lines_of(file));
  expect(!sources.empty(), "there are lines to splice");
  return sources;
}

const std::vector<Lines>& sources() {
  static const std::vector<Lines> all = read_sources();
  return all;
}

Setup make_setup() {
  Setup setup;
  setup.machine.processors = 8;
  setup.machine.preemption = true;
  setup.settings.seed = 5;
  setup.settings.shares.emplace();
  setup.settings.idle_passes_in_a_row = 1000;
  setup.limits.time_seconds = 0.2;
  setup.limits.memory_mib = 16;
  setup.limits.work_units = 400'000;
  setup.limits.run_work_units = 2'000'000;
  for (std::int64_t i = 0; i < 20; ++i) {
    Job job;
    job.id = i + 1;
    job.submit = seconds(i * i % 23);
    job.size = static_cast<std::int32_t>(1 + i * 5 % 8);
    job.length = seconds(3 + i * 7 % 19);
    job.walltime = job.length + seconds(i % 4);
    job.user = static_cast<std::int32_t>(i % 3);
    setup.jobs.push_back(job);
  }
  std::sort(setup.jobs.begin(), setup.jobs.end(), comes_first);
  return setup;
}

const Setup& setup() {
  static const Setup made = make_setup();
  return made;
}

// Without a clock: how long a good run takes depends on who else is at work.
const Setup& good_setup() {
  static const Setup made = [] {
    Setup setup = make_setup();
    setup.limits.time_seconds = 0;
    return setup;
  }();
  return made;
}

// Some lines in a row of one file.
std::string cutting(Bytes& bytes) {
  const Lines& lines = sources()[bytes.byte() % sources().size()];
  if (lines.empty()) return "";
  const std::size_t first = bytes.byte() % lines.size();
  const std::size_t count =
      std::min<std::size_t>(1 + bytes.below(24), lines.size() - first);
  std::string text;
  for (std::size_t i = first; i < first + count; ++i) text += lines[i] + "\n";
  return text;
}

std::string cuttings(Bytes& bytes) {
  std::string text;
  for (int i = 0; i < 12 && !bytes.empty(); ++i) text += cutting(bytes);
  return text;
}

// Cuttings as a file, or as the body of one function of a policy that is otherwise
// good.
std::string policy_from(Bytes& bytes) {
  const int frame = bytes.below(5);
  const auto text = cuttings(bytes);
  constexpr std::string_view kFirstFit =
      "schedule = function(queue, cluster) for job in queue:fitting() do "
      "cluster:start(job) end end";
  switch (frame) {
    case 0:
      return fmt::format("return {{ schedule = function(queue, cluster)\n{}\nend }}",
                         text);
    case 1:
      return fmt::format("return {{ {}, on_submit = function(job, cluster)\n{}\nend }}",
                         kFirstFit, text);
    case 2:
      return fmt::format(
          "return {{ {}, order = 'o', orders = {{ o = function(job)\n{}\nend }} }}",
          kFirstFit, text);
    case 3:
      return fmt::format(
          "return {{ schedule = function(queue, cluster)\npcall(function()\n{}\nend)\n"
          "for job in queue:fitting() do cluster:start(job) end\nend }}",
          text);
    default: return text;
  }
}

std::string good_policy() {
  std::string text;
  const std::filesystem::path root = BERTH_SOURCE_DIR;
  for (const auto& line : lines_of(root / "policies/easy.lua")) text += line + "\n";
  return text;
}

const fuzz::Ending& good_ending() {
  static const fuzz::Ending ending = fuzz::run_alone(good_setup(), good_policy());
  expect(ending.code == 0, "the good policy is good", ending.message);
  return ending;
}

void check_good_run() {
  static const std::string policy = good_policy();
  const auto now = fuzz::run_alone(good_setup(), policy);
  expect(now == good_ending(), "a good run is as ever", now.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto watchdog =
      bindings::shared_watchdog();  // one thread for all inputs
  (void)good_ending();
  Bytes bytes(data, size);
  (void)fuzz::run_alone(setup(), policy_from(bytes));
  check_good_run();
  return 0;
}
