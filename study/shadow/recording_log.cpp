#include "study/shadow/recording_log.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "engine/workload/formats/slurm_record.hpp"
#include "study/hosts/host_formats.hpp"
#include "study/shadow/slurm_source.hpp"
#include "study/slurm/slurm_words.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// The texts of one record, which stay where they are.
class RecordTexts {
 public:
  explicit RecordTexts(SlurmCells& cells) : cells_(cells) {}
  void set(SlurmField field, std::string text) {
    if (text.empty()) return;
    auto& kept = texts_[field];
    kept = std::move(text);
    cells_.set(field, kept);
  }
  void set_time(SlurmField field, std::int64_t seconds) {
    if (seconds > 0) set(field, fmt::format("{}", seconds));
  }

 private:
  SlurmCells& cells_;
  std::map<SlurmField, std::string> texts_;
};

std::string memory_of(const SlurmJob& job) {
  if (job.memory_of_processor > 0) return fmt::format("{}Mc", job.memory_of_processor);
  if (job.memory_of_node > 0) return fmt::format("{}Mn", job.memory_of_node);
  return {};
}

void add(const SlurmJob& job, std::int64_t line, SlurmReader& reader) {
  using enum SlurmField;
  SlurmCells cells;
  RecordTexts texts(cells);
  cells.line = line;
  texts.set(kJobIdRaw, fmt::format("{}", job.number));
  texts.set(kJobId, id_of(job));
  texts.set(kUser, job.user);
  texts.set(kAccount, job.account);
  texts.set(kPartition, job.partition);
  texts.set(kState, job.state);
  texts.set_time(kSubmit, job.submit);
  const bool has_begun = job.state != "PENDING";
  if (has_begun) texts.set_time(kStart, job.start);
  const bool has_ended =
      has_begun && job.state != "RUNNING" && job.state != "SUSPENDED";
  if (has_ended) texts.set_time(kEnd, job.end);
  texts.set(kTimelimitRaw,
            job.minutes ? fmt::format("{}", *job.minutes) : std::string("UNLIMITED"));
  texts.set(kReqCpus, fmt::format("{}", job.processors));
  texts.set(kNNodes, fmt::format("{}", job.nodes));
  texts.set(kReqMem, memory_of(job));
  texts.set(kReqTres, job.wanted);
  texts.set(kNodeList, job.node_list);
  reader.add(cells);
}

}  // namespace

JobLog read_recording_as_log(const fs::path& folder, const LogOptions& options,
                             Budget& budget) {
  SlurmRecording recording(folder);
  std::map<std::string, SlurmJob>
      jobs;  // by id: an array's tasks get numbers of their own
  while (const auto state = recording.next()) {
    budget.charge_each(state->jobs.size());
    // The tasks that waited together are now fewer, or none.
    std::erase_if(jobs, [](const auto& each) { return !each.second.indices.empty(); });
    for (const auto& job : state->jobs) jobs.insert_or_assign(id_of(job), job);
  }
  LogBuilder builder(options, LogBuilder::Clock::kCalendar, budget);
  SlurmReader reader(options, builder);
  std::int64_t line = 0;
  for (const auto& [id, job] : jobs) add(job, ++line, reader);
  return reader.finish();
}

HostList read_recording_as_hosts(const fs::path& folder, Budget& budget) {
  SlurmRecording recording(folder);
  HostList list{folder.string()};
  while (const auto state = recording.next()) {
    budget.charge_each(state->nodes.size());
    list.hosts.clear();
    for (const auto& node : state->nodes) list.hosts.push_back(host_of(node));
  }
  return list;
}

}  // namespace berth::study
