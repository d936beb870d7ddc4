#include "cli/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/shell_text.hpp"

namespace berth::cli {

namespace {

constexpr double kSecondsAPart = 600;
constexpr double kSpare = 3;         // times the measured time are asked for
constexpr double kLeastMinutes = 5;  // ... but at least this

// Whole points, as many as fit into ten minutes.
std::size_t points_a_part(const SlurmSweep& sweep) {
  const double fit = std::floor(kSecondsAPart / std::max(sweep.seconds_a_point, 1e-6));
  const auto most = static_cast<double>(sweep.points);
  return static_cast<std::size_t>(std::clamp(fit, 1.0, most));
}

constexpr auto kComment =
    R"(# Submits a sweep to Slurm: an array of parts of about ten minutes, then a merge.
# Submitted again, it resumes where it stopped.  More options for sbatch go into
# SBATCH_PARTITION and the like.
)";

constexpr auto kBody = R"(
# points     of the sweep; one took $seconds s here, on one processor
# parts      jobs of the array
# minutes    asked for by each part
# part, merge  the scripts of the jobs; that of a part is told how many there are
set -eu
cd -- "$folder"

# What the site allows.
setting() { scontrol show config | awk -v key="$1" '$1 == key { print $3 }'; }
array=$(setting MaxArraySize)
jobs=$(setting MaxJobCount)
longest=$(scontrol show partition ${SBATCH_PARTITION:+"$SBATCH_PARTITION"} |
  awk 'match($0, /MaxTime=[^ ]*/) {
    text = substr($0, RSTART + 8, RLENGTH - 8)
    if (text !~ /^[0-9]/) next
    days = 0
    if (split(text, half, "-") == 2) { days = half[1]; text = half[2] }
    n = split(text, piece, ":")
    left = n == 3 ? piece[1] * 60 + piece[2] : piece[1]
    left += days * 1440
    if (!least || left < least) least = left
  } END { print least + 0 }')
most=$((${array:-1001} - 1))
[ -z "$jobs" ] || [ "$most" -lt "$jobs" ] || most=$((jobs - 1))
if [ "$parts" -gt "$most" ]; then
  minutes=$((minutes * (parts / most + 1)))
  parts=$most
fi
if [ "$longest" -gt 0 ] && [ "$minutes" -gt "$longest" ]; then
  echo "parts may take $minutes minutes, the partition ends them after $longest;" \
    "send the script again until the sweep is complete" >&2
  minutes=$longest
fi

mkdir -p -- "$logs"
array=$(printf '%s\n' "$part" |
  awk -v parts="$parts" 'NR == 2 { print "parts=" parts } { print }' |
  sbatch --parsable --job-name=berth-sweep --ntasks=1 --cpus-per-task=1 \
    --time="$minutes" --array=1-"$parts" --output="$logs/part-%a.log")
merge=$(printf '%s\n' "$merge" |
  sbatch --parsable --job-name=berth-merge --ntasks=1 --cpus-per-task=1 \
    --time="$merge_minutes" --dependency=afterany:"$array" --output="$logs/merge.log")
printf '%s\n' "parts: job $array, 1 to $parts; merge: job $merge; messages and table: $logs"
)";

// Slurm reads % and \ in the name of a file of messages as marks of its own.
std::string folder_of_messages(const std::string& out) {
  auto name = out + ".slurm";
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '%' || c == '\\'; }, '_');
  return name;
}

}  // namespace

std::string slurm_script(const SlurmSweep& sweep) {
  const auto a_part = points_a_part(sweep);
  const auto parts = (sweep.points + a_part - 1) / a_part;
  const double seconds = sweep.seconds_a_point * static_cast<double>(a_part);
  const double minutes = std::max(kLeastMinutes, std::ceil(kSpare * seconds / 60));
  const auto part =
      fmt::format("exec {} run -j 1 --shard \"$SLURM_ARRAY_TASK_ID/$parts\" {}",
                  shell_word(sweep.berth), shell_words(sweep.arguments));
  const std::vector<std::string> merge{"exec", sweep.berth, "merge", "--", sweep.out};
  const std::vector<ShellValue> values{
      {"folder", sweep.folder},
      {"logs", folder_of_messages(sweep.out)},
      {"points", fmt::format("{}", sweep.points)},
      {"seconds", fmt::format("{:.3g}", sweep.seconds_a_point)},
      {"parts", fmt::format("{}", parts)},
      {"minutes", fmt::format("{}", minutes)},
      {"merge_minutes", fmt::format("{}", kLeastMinutes)},
      {"part", shell_script("", {}, part)},
      {"merge", shell_script("", {}, shell_words(merge))}};
  return shell_script(kComment, values, kBody);
}

}  // namespace berth::cli
