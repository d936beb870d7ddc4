#pragma once
// The files of one policy's run, written while it runs.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/machine_measure.hpp"
#include "engine/output/atomic_file.hpp"
#include "engine/output/manifest.hpp"
#include "engine/output/sha256.hpp"
#include "engine/output/sink.hpp"
#include "engine/sim/observer.hpp"
#include "study/inputs/prepared_point.hpp"

namespace berth::study {

// Where a run keeps the texts of its policy and libraries, in its folder.
inline constexpr auto kPolicyFolder = "policy";

enum class Log : std::uint8_t { kOff, kOn, kWithLimits };

enum class Keep : std::uint8_t {
  kAll,      // jobs.csv, timeline.csv and the rest
  kSummary,  // summary.json and manifest.json
};

// Whether a run on this machine keeps stretches.csv: on one on which jobs may be
// suspended, moved or slowed down, or on which hosts go down.
[[nodiscard]] bool has_stretches(const sim::Machine& machine);

class ResultFiles {
 public:
  // jobs.csv and timeline.csv; loads.csv where `measure` has them; stretches.csv where
  // jobs may be suspended or share; machine.csv where something happens to the machine
  // itself, and host_events.csv where failures are drawn; log.jsonl on request.
  // `measure`: of the run, may be null. Throws Error{kOutput}.
  ResultFiles(std::filesystem::path folder, const Point& point, MachineMeasure* measure,
              const std::string& workload, Log log);

  // None of these.
  explicit ResultFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The writers, as observers of the run.
  [[nodiscard]] std::vector<sim::Observer*> watchers() const;
  // Gives the files above their final names.  REQUIRES: the run is over.
  void commit();
  // One more file, printed piece by piece.
  void write(const std::string& name, const std::function<void(Sink&)>& print);
  // One more file, whole.
  void add(const std::string& name, std::string_view text);
  // A file that is not part of the result, so that its checksum is not kept; its folder
  // is made if it is not there.
  void add_unlisted(const std::string& name, std::string_view text);

  // All files so far with their checksums, by name.
  [[nodiscard]] std::vector<HashedFile> written() const;

 private:
  struct Part {
    explicit Part(const std::filesystem::path& path) : file(path), sink(file) {}
    AtomicFile file;
    HashedSink sink;
    std::unique_ptr<sim::Observer> writer;
  };
  template <class Writer, class... Args>
  void open(const char* name, Args&&... args);

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<HashedFile> written_;
};

}  // namespace berth::study
