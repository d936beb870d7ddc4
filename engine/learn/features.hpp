#pragma once
// What an agent sees of the machine and of the jobs that wait: one record a feature
// (docs/environment.md#features).
//
// Values       0 to 1, made by + - * / alone, so that they have the same bits on every
//              machine.  q(x, h) = x / (x + h) keeps what has no bound below 1.
// Determinism  Nothing that a policy must not know: no feature reads a length.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/jobs/job.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::learn {

// The machine at one decision.
struct Scene {
  double processors;
  double idle;
  double waiting;  // jobs
  double running;  // jobs
  double shown;    // jobs at most
  double second_of_day;
};

// A job of the queue at that decision; times in seconds.
struct ShownJob {
  double size;
  double walltime;
  double wait;
  double held;  // processors of the running jobs of its user
  bool fits;
};

struct JobFeature {
  std::string_view name;
  std::string_view formula;
  std::string_view brief;
  double (*value)(const ShownJob&, const Scene&);
  // The values of some jobs, from one to the next `apart` floats.
  void (*write)(std::span<const ShownJob> jobs, const Scene&, float* to,
                std::size_t apart);
};

struct MachineFeature {
  std::string_view name;
  std::string_view formula;
  std::string_view brief;
  double (*value)(const Scene&);
};

[[nodiscard]] std::span<const JobFeature> job_features();
[[nodiscard]] std::span<const MachineFeature> machine_features();

// The first jobs of the queue, of which `fits` tells which fit now.
struct ShownQueue {
  std::span<const JobId> jobs;
  std::span<const std::uint8_t> fits;
  std::size_t waiting;  // jobs in all
};

// Some features, in the order in which they are shown.
class Observation {
 public:
  // Names, with commas between them; none: "".  Throws Error{kUsage} with the nearest
  // name for one that is not there, or is named twice.
  Observation(std::string_view of_job, std::string_view of_machine);

  [[nodiscard]] std::size_t job_width() const { return of_job_.size(); }
  [[nodiscard]] std::size_t machine_width() const { return of_machine_.size(); }
  // Writes a row for each job that is shown, rows of zeros up to `rows`, then the
  // machine.
  // REQUIRES: out.size() == rows * job_width() + machine_width().
  // Cost: a step for each value, and where users are shown one for each running job.
  void write(const sim::World& world, const ShownQueue& queue, std::size_t rows,
             std::span<float> out);

 private:
  [[nodiscard]] Scene scene_of(const sim::World& world, std::size_t waiting,
                               std::size_t rows) const;
  void show_jobs(const sim::World& world, const ShownQueue& queue);
  void count_held(const sim::World& world);
  [[nodiscard]] double held_by(std::int32_t user) const;

  struct Held {
    std::int32_t user;
    std::int64_t processors;
  };
  std::vector<const JobFeature*> of_job_;
  std::vector<const MachineFeature*> of_machine_;
  bool shows_users_ = false;
  std::vector<ShownJob> shown_;
  std::vector<Held> held_;  // by user, where they are shown; all without one are one
};

}  // namespace berth::learn
