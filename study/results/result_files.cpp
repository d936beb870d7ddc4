#include "study/results/result_files.hpp"

#include <algorithm>

#include "engine/hosts/host_ranges.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/jobs_csv.hpp"
#include "engine/output/loads_csv.hpp"
#include "engine/output/log_jsonl.hpp"
#include "engine/output/machine_csv.hpp"
#include "engine/output/stretches_csv.hpp"
#include "engine/output/timeline_csv.hpp"

namespace berth::study {

template <class Writer, class... Args>
void ResultFiles::open(const char* name, Args&&... args) {
  auto part = std::make_unique<Part>(folder_ / name);
  part->writer = std::make_unique<Writer>(part->sink, std::forward<Args>(args)...);
  parts_.push_back(std::move(part));
}

ResultFiles::ResultFiles(std::filesystem::path folder, const Point& point,
                         MachineMeasure* measure, const std::string& workload, Log log)
    : folder_(std::move(folder)) {
  open<JobsCsv>("jobs.csv", workload, point.run.metrics.bound, measure,
                QueueTimes{point.releases.get(), point.run.metrics.requeue_delay,
                           point.run.metrics.has_checkpoints});
  open<TimelineCsv>("timeline.csv", measure);
  if (const auto* loads = dynamic_cast<const MachineLoads*>(measure)) {
    open<LoadsCsv>("loads.csv", *loads);
  }
  if (has_stretches(point.machine)) {
    std::vector<std::string_view> columns;
    for (const auto& column : model_of(point.machine).place_columns) {
      columns.push_back(column.name);
    }
    open<StretchesCsv>("stretches.csv", std::move(columns));
  }
  const auto& machine = point.machine;
  const auto& life = machine.life;
  const bool has_failures = life.failures != nullptr;
  if (has_failures || life.events != nullptr || life.windows != nullptr) {
    open<MachineCsv>("machine.csv", host_ranges(machine.processors, machine.resources));
  }
  if (has_failures) {
    const bool is_pool = machine.resources.hosts.empty();
    open<HostEventsCsv>("host_events.csv", is_pool ? "processors" : "hosts");
  }
  if (log == Log::kOff) return;
  open<LogJsonl>("log.jsonl",
                 log == Log::kWithLimits ? point.settings.limits : nullptr);
}

bool has_stretches(const sim::Machine& machine) {
  return machine.preemption || machine.sharing != "exclusive" ||
         machine.life.has_events();
}

std::vector<sim::Observer*> ResultFiles::watchers() const {
  std::vector<sim::Observer*> all;
  for (const auto& part : parts_) all.push_back(part->writer.get());
  return all;
}

void ResultFiles::commit() {
  for (const auto& part : parts_) {
    part->file.commit();
    written_.push_back({part->file.target().filename().string(), part->sink.digest()});
  }
  parts_.clear();
}

void ResultFiles::write(const std::string& name,
                        const std::function<void(Sink&)>& print) {
  AtomicFile file(folder_ / name);
  HashedSink sink(file);
  print(sink);
  file.commit();
  written_.push_back({name, sink.digest()});
}

void ResultFiles::add(const std::string& name, std::string_view text) {
  add_unlisted(name, text);
  written_.push_back({name, sha256(text)});
}

void ResultFiles::add_unlisted(const std::string& name, std::string_view text) {
  const auto file = folder_ / name;
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  write_file(file, text);
}

std::vector<HashedFile> ResultFiles::written() const {
  auto all = written_;
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace berth::study
