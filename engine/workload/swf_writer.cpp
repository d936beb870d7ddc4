#include "engine/workload/swf_writer.hpp"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;

std::string time_text(Duration time, bool known) {
  return known ? seconds_text(time) : "-1";
}

std::string heading_text(const Workload& workload, const SwfHeading& heading) {
  std::string text = "; Version: 2.2\n";
  const auto line = [&](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "; {}: {}\n", key, value);
  };
  if (!heading.computer.empty()) line("Computer", escaped(heading.computer));
  line("MaxJobs", workload.jobs.size());
  line("MaxRecords", workload.jobs.size());
  if (workload.processors) line("MaxProcs", *workload.processors);
  if (workload.unix_start) line("UnixStartTime", *workload.unix_start);
  // Bounded: the notes that the caller gives.
  for (const std::string& note : heading.notes) line("Note", escaped(note));
  return text;
}

void append_job(std::string& text, const Job& job, const Recorded& recorded) {
  fmt::format_to(std::back_inserter(text),
                 "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} -1 -1\n", job.id,
                 seconds_text(job.submit), time_text(recorded.wait, recorded.wait >= 0),
                 seconds_text(job.length), recorded.allocated, recorded.cpu_time,
                 recorded.used_memory_kib, job.size,
                 time_text(job.walltime, job.walltime_given),
                 std::int64_t{job.memory_kib}, recorded.status, label_number(job.user),
                 label_number(job.group), label_number(job.executable),
                 label_number(job.queue_class), label_number(job.partition));
}

}  // namespace

void write_swf(const Workload& workload, const SwfHeading& heading,
               const TextSink& sink, Budget& budget) {
  std::string text = heading_text(workload, heading);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    budget.charge(kUnitsOfSwfLine);
    append_job(text, workload.jobs[i],
               workload.recorded.empty() ? Recorded{} : workload.recorded[i]);
    if (text.size() < kPiece) continue;
    sink(text);
    text.clear();
  }
  sink(text);
}

}  // namespace berth
