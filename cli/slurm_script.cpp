#include "cli/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

constexpr auto kScript = R"(#!/bin/sh
# Submits a sweep of {points} points to Slurm: an array of parts of about ten minutes,
# then a merge.  A point took {seconds:.3g} s here, on one processor.  Submitted again, it resumes
# where it stopped.  More options for sbatch go into SBATCH_PARTITION and the like.
set -eu
cd {folder}
berth={berth}
out={out}
points={points}
parts={parts}
minutes={minutes}       # asked for by each part

# What the site allows.
setting() {{ scontrol show config | awk -v key="$1" '$1 == key {{ print $3 }}'; }}
array=$(setting MaxArraySize)
jobs=$(setting MaxJobCount)
longest=$(scontrol show partition ${{SBATCH_PARTITION:+"$SBATCH_PARTITION"}} |
  awk 'match($0, /MaxTime=[^ ]*/) {{
    text = substr($0, RSTART + 8, RLENGTH - 8)
    if (text !~ /^[0-9]/) next
    days = 0
    if (split(text, half, "-") == 2) {{ days = half[1]; text = half[2] }}
    n = split(text, part, ":")
    left = n == 3 ? part[1] * 60 + part[2] : part[1]
    left += days * 1440
    if (!least || left < least) least = left
  }} END {{ print least + 0 }}')
most=$((${{array:-1001}} - 1))
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

mkdir -p "$out.slurm"
array=$(sbatch --parsable --job-name=berth-sweep --ntasks=1 --cpus-per-task=1 \
  --time="$minutes" --array=1-"$parts" --output="$out.slurm/part-%a.log" <<PART
#!/bin/sh
exec "$berth" run {arguments} -j 1 --shard "\$SLURM_ARRAY_TASK_ID/$parts"
PART
)
merge=$(sbatch --parsable --job-name=berth-merge --ntasks=1 --cpus-per-task=1 \
  --time={merge_minutes} --dependency=afterany:"$array" --output="$out.slurm/merge.log" <<MERGE
#!/bin/sh
exec "$berth" merge "$out"
MERGE
)
echo "parts: job $array, 1 to $parts; merge: job $merge; messages and table: $out.slurm"
)";

// Inside a here-document, where $, ` and \ mean something.
std::string for_here_document(const std::string& word) {
  std::string text;
  for (const char c : shell_quoted(word)) {
    if (c == '$' || c == '`' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

std::string slurm_script(const SlurmSweep& sweep) {
  const auto a_part = points_a_part(sweep);
  const auto parts = (sweep.points + a_part - 1) / a_part;
  const double seconds = sweep.seconds_a_point * static_cast<double>(a_part);
  const double minutes = std::max(kLeastMinutes, std::ceil(kSpare * seconds / 60));
  std::string arguments;
  for (const auto& word : sweep.arguments) {
    arguments += (arguments.empty() ? "" : " ") + for_here_document(word);
  }
  return fmt::format(kScript, fmt::arg("points", sweep.points),
                     fmt::arg("seconds", sweep.seconds_a_point),
                     fmt::arg("folder", shell_quoted(sweep.folder)),
                     fmt::arg("berth", shell_quoted(sweep.berth)),
                     fmt::arg("out", shell_quoted(sweep.out)), fmt::arg("parts", parts),
                     fmt::arg("minutes", minutes),
                     fmt::arg("merge_minutes", kLeastMinutes),
                     fmt::arg("arguments", arguments));
}

}  // namespace berth::cli
