#include "study/debug/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/explain/words.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/jobs/label.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kMostLines = 40;

std::size_t order_named(const sim::Simulation& simulation, const std::string& name) {
  const auto& traits = simulation.world().traits();
  if (name.empty() || name == "default") return traits.default_order;
  if (name == "arrival") return 0;
  std::vector<std::string_view> known{"arrival", "default"};
  for (std::size_t i = 0; i < traits.orders.size(); ++i) {
    if (traits.orders[i].name == name) return i + 1;
    known.push_back(traits.orders[i].name);
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("there is no order '{}'{}", printable(name),
                          did_you_mean(name, known)));
}

const Job& job_of(const sim::Simulation& simulation, JobId job) {
  return simulation.world().jobs().job(job);
}

std::string more(std::size_t count) {
  return count > kMostLines ? fmt::format("  and {} more\n", count - kMostLines)
                            : std::string();
}

}  // namespace

std::string queue_text(const sim::Simulation& simulation, const std::string& order) {
  const auto queue = simulation.orders().all(order_named(simulation, order));
  if (!queue.head()) return "no job waits\n";
  std::string text;
  std::size_t count = 0;
  for (auto at = queue.head(); at; at = queue.next(&*at)) {
    if (++count > kMostLines) continue;
    const auto& job = job_of(simulation, at->job);
    text += fmt::format("  job {}: size {}, walltime {}, since {}{}\n", job.id,
                        job.size, seconds_text(job.walltime), seconds_text(job.submit),
                        simulation.world().jobs().state(at->job) == JobState::kSuspended
                            ? ", suspended"
                            : "");
  }
  return text + more(count);
}

std::string running_text(const sim::Simulation& simulation) {
  const auto& world = simulation.world();
  const auto all = world.running().releases(world.now());
  if (all.empty()) return "no job runs\n";
  std::string text;
  std::size_t lines = 0;
  for (const auto& each : all) {
    if (lines++ == kMostLines) break;
    if (world.jobs().is_of_system(each.job)) {
      text += fmt::format("  the system: size {}, expected to end at {}\n", each.size,
                          seconds_text(each.at));
      continue;
    }
    text += fmt::format("  job {}: size {}, since {}, expected to end at {}\n",
                        job_of(simulation, each.job).id, each.size,
                        seconds_text(world.jobs()[each.job].attempt_start),
                        seconds_text(each.at));
  }
  return text + more(world.running().size());
}

std::string machine_text(const sim::Simulation& simulation) {
  const auto& world = simulation.world();
  return fmt::format("{} of {} processors idle, {} jobs run, {} wait; pass {} at {}\n",
                     world.hosts().idle(), world.machine().processors,
                     world.running().size(), simulation.orders().all(0).length(),
                     world.decision().number, seconds_text(world.now()));
}

std::string plans_text(const sim::Simulation& simulation) {
  std::string text;
  for (const auto& plan : simulation.plans().all()) {
    text += fmt::format("  job {} starts at {}, {} processors spare\n",
                        job_of(simulation, plan.job).id, seconds_text(plan.start),
                        plan.spare);
  }
  return text.empty() ? "this pass has no plan\n" : text;
}

std::string book_text(const sim::Simulation& simulation) {
  const auto* book = simulation.world().book_if_used();
  if (book == nullptr) return "the policy keeps no book\n";
  std::vector<std::pair<Time, JobId>> starts;
  const auto queue = simulation.orders().all(0);
  for (auto at = queue.head(); at; at = queue.next(&*at)) {
    if (const auto start = book->of(at->job)) starts.emplace_back(*start, at->job);
  }
  if (starts.empty()) return "the book is empty\n";
  std::sort(starts.begin(), starts.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostLines, starts.size()); ++i) {
    const auto& job = job_of(simulation, starts[i].second);
    text += fmt::format("  job {}: size {}, reserved at {}\n", job.id, job.size,
                        seconds_text(starts[i].first));
  }
  return text + more(starts.size());
}

std::string job_text(const sim::Simulation& simulation, JobId id) {
  const auto& job = job_of(simulation, id);
  const auto state = simulation.world().jobs().state(id);
  auto text = fmt::format("job {} is {}: size {}, walltime {}, submitted at {}", job.id,
                          name(state), job.size, clock_text(job.walltime),
                          seconds_text(job.submit));
  if (job.user != kUnknown) text += fmt::format(", user {}", label_number(job.user));
  const auto* entry = simulation.world().jobs().find(id);
  if (entry != nullptr && entry->first_start != kNever) {
    text += fmt::format(", started at {}", seconds_text(entry->first_start));
  }
  if (state == JobState::kRunning && entry->planned_end != kNever) {
    text += fmt::format(", planned to end at {}", seconds_text(entry->planned_end));
  }
  return text + "\n";
}

// --- records ---

namespace {

class RecordWords {
 public:
  explicit RecordWords(const sim::Simulation& simulation) : simulation_(simulation) {}

  std::string operator()(const sim::SubmitRecord& of) const {
    return fmt::format("job {} is submitted: size {}, walltime {}", of.who.job->id,
                       of.who.job->size, seconds_text(of.who.job->walltime));
  }
  std::string operator()(const sim::RejectRecord& of) const {
    return told(of.who, of.by_machine ? "is rejected by the machine" : "is rejected",
                of.because);
  }
  std::string operator()(const sim::StartRecord& of) const {
    return told(of.who, of.resumed ? "resumes" : "starts", of.because);
  }
  std::string operator()(const sim::SuspendRecord& of) const {
    return told(of.who, "is suspended", of.because);
  }
  std::string operator()(const sim::ChangeRecord& of) const {
    using Effect = sim::ChangeRecord::Effect;
    const auto* what = of.effect == Effect::kShares     ? "gets another share"
                       : of.effect == Effect::kSwaps    ? "changes place"
                       : of.effect == Effect::kRestarts ? "begins anew elsewhere"
                                                        : "moves";
    return told(of.who, what, of.because);
  }
  std::string operator()(const sim::UnfreezeRecord& of) const {
    return told(of.who, "is no longer frozen", {});
  }
  std::string operator()(const sim::RateRecord& of) const {
    return told(of.who, fmt::format("runs at rate {:.4g}", of.rate), {});
  }
  std::string operator()(const sim::EndRecord& of) const {
    return told(of.who, of.who.entry->state == JobState::kFailed ? "is killed" : "ends",
                {});
  }
  std::string operator()(const sim::HostRecord& of) const {
    if (of.is_up) return fmt::format("host {} is up", of.host);
    return fmt::format("host {} {}, expected back at {}", of.host,
                       of.drains ? "drains" : "goes down", seconds_text(of.until));
  }
  std::string operator()(const sim::WindowRecord& of) const {
    using Change = sim::WindowRecord::Event;
    return fmt::format("window {} {}", printable(of.window->name),
                       of.event == Change::kAnnounced ? "is announced"
                       : of.event == Change::kBegins  ? "begins"
                                                      : "ends");
  }
  std::string operator()(const sim::HitRecord& of) const {
    return told(
        of.who,
        of.returns ? "loses a host and all that it has done" : "loses a host and fails",
        {});
  }
  std::string operator()(const sim::ReturnRecord& of) const {
    return told(of.who, "waits again", {});
  }
  std::string operator()(const sim::LeftRecord& of) const {
    return told(of.who, "is left over", {});
  }
  std::string operator()(const sim::PlanRecord& of) const {
    return fmt::format("a plan: job {} at {}, {} spare", number(of.job),
                       seconds_text(of.start), of.spare);
  }
  std::string operator()(const sim::ReservationRecord& of) const {
    if (!of.start)
      return fmt::format("job {} gives up its reservation", number(of.job));
    return fmt::format("job {} is reserved at {}", number(of.job),
                       seconds_text(*of.start));
  }
  std::string operator()(const sim::PassRecord& of) const {
    return fmt::format("pass {} is over, {} action{}", of.number, of.actions,
                       of.actions == 1 ? "" : "s");
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  static std::string told(const sim::Subject& who, std::string_view what,
                          std::string_view because) {
    auto text = fmt::format("job {} {}", who.job->id, what);
    if (!because.empty()) text += fmt::format(": \"{}\"", printable(because));
    return text;
  }
  [[nodiscard]] std::int64_t number(JobId job) const {
    return simulation_.world().jobs().job(job).id;
  }

  const sim::Simulation& simulation_;
};

}  // namespace

std::string record_text(const sim::Record& record, const sim::Simulation& simulation) {
  return std::visit(RecordWords(simulation), record);
}

}  // namespace berth::study
