#include "engine/learn/features.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/sim/machine.hpp"

namespace berth::learn {

namespace {

constexpr double kHour = 3600;
constexpr double kQuarter = 900;       // s, of one processor
constexpr double kLeastWalltime = 10;  // s, so that waits of short jobs stay small
constexpr Duration kDay = 86'400 * kSecond;

double q(double x, double h) { return x / (x + h); }

template <class Value>
constexpr JobFeature feature(std::string_view name, std::string_view formula,
                             std::string_view brief, Value value) {
  return {name, formula, brief, value,
          [](std::span<const ShownJob> jobs, const Scene& scene, float* to,
             std::size_t apart) {
            for (const auto& job : jobs) {
              *to = static_cast<float>(Value{}(job, scene));
              to += apart;
            }
          }};
}

constexpr std::array kJobFeatures{
    feature("size", "size / P", "processors asked for",
            [](const ShownJob& job, const Scene& scene) {
              return job.size / scene.processors;
            }),
    feature("walltime", "q(walltime, 3600)", "the user's estimate",
            [](const ShownJob& job, const Scene&) { return q(job.walltime, kHour); }),
    feature("wait", "q(now - submit, 3600)", "time since the submit",
            [](const ShownJob& job, const Scene&) { return q(job.wait, kHour); }),
    feature("fits", "1 if it fits now, else 0", "whether it fits",
            [](const ShownJob& job, const Scene&) { return job.fits ? 1.0 : 0.0; }),
    feature("idle_after", "(idle - size) / P if it fits, else 0",
            "what its start would leave idle",
            [](const ShownJob& job, const Scene& scene) {
              const double left = std::max(0.0, scene.idle - job.size);
              return job.fits ? left / scene.processors : 0.0;
            }),
    feature("slowdown", "q(wait / max(walltime, 10), 1)", "the wait by the estimate",
            [](const ShownJob& job, const Scene&) {
              return q(job.wait / std::max(job.walltime, kLeastWalltime), 1);
            }),
    feature("area", "q(size * walltime, 900 P)", "processor time by the estimate",
            [](const ShownJob& job, const Scene& scene) {
              return q(job.size * job.walltime, kQuarter * scene.processors);
            }),
    feature("user", "processors of the user's running jobs / P",
            "the share of the machine that its user holds",
            [](const ShownJob& job, const Scene& scene) {
              return job.held / scene.processors;
            }),
};

constexpr std::array kMachineFeatures{
    MachineFeature{"idle", "idle / P", "processors without a job",
                   [](const Scene& scene) { return scene.idle / scene.processors; }},
    MachineFeature{"queue", "q(waiting, K)", "jobs that wait",
                   [](const Scene& scene) { return q(scene.waiting, scene.shown); }},
    MachineFeature{"running", "q(running, K)", "jobs that run",
                   [](const Scene& scene) { return q(scene.running, scene.shown); }},
    MachineFeature{"day", "(now mod 86400) / 86400", "the time of the day",
                   [](const Scene& scene) { return scene.second_of_day / 86'400; }},
};

// The records that are named, in the order of the names.
template <class Record>
std::vector<const Record*> named(std::string_view names,
                                 std::span<const Record> records, const char* kind) {
  std::vector<const Record*> found;
  found.reserve(records.size());
  while (!names.empty()) {
    const auto end = std::min(names.find(','), names.size());
    const auto name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    const auto at = std::find_if(records.begin(), records.end(),
                                 [&](const auto& each) { return each.name == name; });
    const auto text = std::string(kind) + " '" + printable(name) + "'";
    if (at == records.end()) {
      std::vector<std::string_view> known;
      known.reserve(records.size());
      for (const auto& each : records) known.push_back(each.name);
      const auto near = nearest(name, known);
      throw Error(ErrorCode::kUsage,
                  "there is no " + text +
                      (near.empty() ? std::string(" (`berth api features` lists them)")
                                    : " (did you mean '" + std::string(near) + "'?)"));
    }
    if (std::find(found.begin(), found.end(), &*at) != found.end()) {
      throw Error(ErrorCode::kUsage, text + " is named twice");
    }
    found.push_back(&*at);
  }
  return found;
}

}  // namespace

std::span<const JobFeature> job_features() { return kJobFeatures; }
std::span<const MachineFeature> machine_features() { return kMachineFeatures; }

Observation::Observation(std::string_view of_job, std::string_view of_machine)
    : of_job_(named(of_job, job_features(), "feature of jobs")),
      of_machine_(named(of_machine, machine_features(), "feature of the machine")) {
  shows_users_ = std::any_of(of_job_.begin(), of_job_.end(),
                             [](const auto* each) { return each->name == "user"; });
}

Scene Observation::scene_of(const sim::World& world, std::size_t waiting,
                            std::size_t rows) const {
  return {static_cast<double>(world.machine().processors),
          static_cast<double>(world.hosts().idle()),
          static_cast<double>(waiting),
          static_cast<double>(world.running().size()),
          static_cast<double>(rows),
          to_seconds(world.now() % kDay)};
}

// Processors of running jobs by user.
void Observation::count_held(const sim::World& world) {
  held_.clear();
  for (const auto& each : world.running().releases(world.now())) {
    if (world.jobs().is_of_system(each.job)) continue;
    held_.push_back({world.jobs().job(each.job).user, each.size});
  }
  std::sort(held_.begin(), held_.end(),
            [](const Held& a, const Held& b) { return a.user < b.user; });
}

double Observation::held_by(std::int32_t user) const {
  auto at = std::lower_bound(held_.begin(), held_.end(), user,
                             [](const Held& a, std::int32_t b) { return a.user < b; });
  std::int64_t sum = 0;
  for (; at != held_.end() && at->user == user; ++at) sum += at->processors;
  return static_cast<double>(sum);
}

void Observation::show_jobs(const sim::World& world, const ShownQueue& queue) {
  shown_.clear();
  std::optional<std::int32_t> user;
  double held = 0;
  for (std::size_t i = 0; i < queue.jobs.size(); ++i) {
    const auto& job = world.jobs().job(queue.jobs[i]);
    if (shows_users_ && user != job.user) {
      user = job.user;
      held = held_by(job.user);
    }
    shown_.push_back({static_cast<double>(job.size), to_seconds(job.walltime),
                      to_seconds(world.now() - job.submit), held, queue.fits[i] != 0});
  }
}

void Observation::write(const sim::World& world, const ShownQueue& queue,
                        std::size_t rows, std::span<float> out) {
  BERTH_ASSERT(out.size() == rows * job_width() + machine_width());
  if (shows_users_) count_held(world);
  show_jobs(world, queue);
  const auto scene = scene_of(world, queue.waiting, rows);
  for (std::size_t i = 0; i < job_width(); ++i) {
    of_job_[i]->write(shown_, scene, &out[i], job_width());
  }
  const auto of_jobs = static_cast<std::ptrdiff_t>(shown_.size() * job_width());
  const auto of_machine = out.begin() + static_cast<std::ptrdiff_t>(rows * job_width());
  std::fill(out.begin() + of_jobs, of_machine, 0.0F);
  std::transform(
      of_machine_.begin(), of_machine_.end(), of_machine,
      [&](const auto* each) { return static_cast<float>(each->value(scene)); });
}

}  // namespace berth::learn
