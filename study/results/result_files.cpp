#include "study/results/result_files.hpp"

#include <algorithm>

#include "engine/machines/exclusive/job_needs.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/jobs_csv.hpp"
#include "engine/output/log_jsonl.hpp"
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
                         const std::string& workload, Log log)
    : folder_(std::move(folder)) {
  const auto& model = model_of(point.machine);
  const ModelSpec spec{point.machine, point.jobs, point.attributes,
                       point.settings.seed};
  open<JobsCsv>("jobs.csv", workload, point.run.metrics.bound,
                model.network != nullptr ? model.network(spec) : nullptr);
  const auto& resources = point.machine.resources;
  if (resources.empty()) {
    open<TimelineCsv>("timeline.csv");
  } else {
    open<TimelineCsv>("timeline.csv", kinds_of(point.machine.processors, resources),
                      needs_of(spec));
  }
  const bool on_network = model.network != nullptr;
  if (has_stretches(point.machine)) {
    open<StretchesCsv>("stretches.csv", on_network
                                            ? StretchesCsv::Columns::kOfNetwork
                                            : StretchesCsv::Columns::kOfAnyMachine);
  }
  if (log == Log::kOn) open<LogJsonl>("log.jsonl");
}

bool has_stretches(const sim::Machine& machine) {
  return machine.preemption || machine.sharing != "exclusive";
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

std::vector<HashedItem> ResultFiles::written() const {
  auto all = written_;
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace berth::study
