#include "engine/workload/mix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/transform.hpp"

namespace berth {

namespace {

// The numbers of one kind that are taken.
struct Taken {
  std::int64_t largest = 0;

  // What to add to numbers of which `smallest` is the smallest.
  [[nodiscard]] std::int64_t shift(std::int64_t smallest) const {
    return largest == 0 ? 0 : largest + 1 - std::min<std::int64_t>(smallest, 1);
  }
};

void begin_at_zero(std::vector<Job>& jobs, Budget& budget) {
  budget.charge_each(jobs.size());
  const Time first = jobs.front().submit;
  for (auto& job : jobs) job.submit -= first;
}

void add_findings(const std::map<std::string, Finding>& from,
                  std::map<std::string, Finding>& to) {
  // Bounded: the classes of findings.
  for (const auto& [name, finding] : from) {
    auto& sum = to[name];
    sum.count += finding.count;
    if (sum.first_text.empty()) sum.first_text = finding.first_text;
  }
}

class Mixer {
 public:
  explicit Mixer(Budget& budget) : budget_(budget) {}

  void add(const Workload& trace) {
    // In two passes; those of all traces in one.
    budget_.charge_each(2 * trace.jobs.size() + trace.recorded.size());
    std::int64_t smallest_user = kLargestLabel;
    for (const auto& job : trace.jobs) {
      if (job.user != kUnknown)
        smallest_user = std::min(smallest_user, label_number(job.user));
    }
    const auto ids = ids_.shift(1);
    const auto users = users_.shift(smallest_user);
    for (auto job : trace.jobs) {
      if (job.id > std::numeric_limits<std::int64_t>::max() - ids ||
          label_number(job.user) > kLargestLabel - users) {
        throw Error(ErrorCode::kInput,
                    fmt::format("{}: numbers of jobs or users are too large to be "
                                "shifted behind those of another trace",
                                printable_name(trace.source)));
      }
      job.id += ids;
      if (job.user != kUnknown) job.user = label_code(label_number(job.user) + users);
      made_.jobs.push_back(job);
    }
    budget_.charge_each(made_.jobs.size());
    for (const auto& job : made_.jobs) {
      ids_.largest = std::max(ids_.largest, job.id);
      users_.largest = std::max(users_.largest, label_number(job.user));
    }
    for (const auto& record : trace.recorded) made_.recorded.push_back(record);
    made_.name += (made_.name.empty() ? "" : " + ") + trace.name;
    if (made_.source.empty()) made_.source = trace.source;
    made_.jobs_read += trace.jobs_read;
    add_findings(trace.left_out, made_.left_out);
    add_findings(trace.repairs, made_.repairs);
  }

  [[nodiscard]] Workload take() {
    put_in_order(made_, budget_);
    return std::move(made_);
  }

 private:
  Budget& budget_;
  Workload made_;
  Taken ids_;
  Taken users_;
};

}  // namespace

Workload mix(std::vector<Workload> traces, std::span<const double> loads,
             std::int32_t processors, Budget& budget,
             std::optional<std::int32_t> widest) {
  Time end = kNever - 1;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    reach_load(traces[i], processors, loads[i], budget, widest);
    begin_at_zero(traces[i].jobs, budget);
    end = std::min(end, traces[i].jobs.back().submit);
  }
  Mixer mixer(budget);
  for (auto& trace : traces) {
    keep_window(trace, 0, end + 1, budget);
    trace.lines.clear();
    mixer.add(trace);
  }
  return mixer.take();
}

}  // namespace berth
