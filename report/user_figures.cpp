#include "report/user_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/jobs/label.hpp"
#include "report/bars.hpp"

namespace berth::report {

namespace {

using Runs = std::vector<RunResult>;

constexpr std::size_t kShown = 20;  // users
constexpr std::size_t kTimes = 60;  // bins

struct Sum {
  double value = 0.0;
  std::int64_t n = 0;
  void add(double of) {
    value += of;
    ++n;
  }
  [[nodiscard]] double mean() const {
    return n > 0 ? value / static_cast<double>(n) : 0.0;
  }
};

// Users with the largest of `by`, ties by user; at most kShown.
std::vector<std::int32_t> largest(const std::map<std::int32_t, double>& by,
                                  Budget& budget) {
  budget.charge_each(by.size());
  budget.charge_sort(by.size());
  std::vector<std::pair<double, std::int32_t>> order;
  order.reserve(by.size());
  for (const auto& [user, value] : by) order.emplace_back(-value, user);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : LabelLess()(a.second, b.second);
  });
  if (order.size() > kShown) order.resize(kShown);
  std::vector<std::int32_t> users;
  users.reserve(order.size());
  for (const auto& entry : order) users.push_back(entry.second);
  return users;
}

std::vector<std::int64_t> numbers(const std::vector<std::int32_t>& users) {
  std::vector<std::int64_t> all;
  all.reserve(users.size());
  // Bounded: the users that are shown, at most kShown.
  for (const auto user : users) all.push_back(label_number(user));
  return all;
}

// Of jobs that ended and name a user.
std::map<std::int32_t, Sum> mean_waits(const RunResult& run, Budget& budget) {
  std::map<std::int32_t, Sum> by_user;
  if (!run.jobs) return by_user;
  budget.charge_each(run.jobs->jobs.size());
  for (const auto& job : run.jobs->jobs) {
    if (job.user < 0 || !job.has_ended()) continue;
    if (const auto wait = job.wait()) by_user[job.user].add(*wait);
  }
  return by_user;
}

std::vector<std::int32_t> worst_hit(const Runs& runs, Budget& budget) {
  std::map<std::int32_t, double> worst;
  for (const auto& run : runs) {
    for (const auto& [user, sum] : mean_waits(run, budget)) {
      budget.charge();
      auto& most = worst[user];
      most = std::max(most, sum.mean());
    }
  }
  return largest(worst, budget);
}

std::int64_t held(const Bar& bar) {
  std::int64_t processors = 0;
  // Bounded: the places of a bar, for which each_bar() charges.
  for (const auto& part : bar.places) processors += part.last - part.first + 1;
  return processors;
}

// kTimes equal bins of the time of all runs.
struct Times {
  double from = 0.0;
  double width = 1.0;
  [[nodiscard]] std::size_t bin(double at) const {
    const auto number = std::floor((at - from) / width);
    return static_cast<std::size_t>(
        std::clamp(number, 0.0, static_cast<double>(kTimes - 1)));
  }
};

Times times_of(const Runs& runs, Budget& budget) {
  Time from = kNever;
  Time to = 0;
  for (const auto& run : runs) {
    if (!run.jobs || run.jobs->jobs.empty()) continue;
    from = std::min(from, run.jobs->jobs.front().submit);
    to = std::max(to, run.jobs->jobs.back().submit);
    each_bar(run, budget, [&](const Bar& bar) { to = std::max(to, bar.to); });
  }
  if (from >= to) return {};
  return {to_seconds(from), to_seconds(to - from) / static_cast<double>(kTimes)};
}

// By user and bin.
struct UserTimes {
  std::vector<double> used;  // processor seconds
  std::vector<Sum> waits;    // of jobs by submit
};

UserTimes user_times(const RunResult& run, const Times& times,
                     const std::map<std::int32_t, std::size_t>& rows, Budget& budget) {
  UserTimes made{std::vector<double>(rows.size() * kTimes, 0.0),
                 std::vector<Sum>(rows.size() * kTimes)};
  const auto& jobs = run.jobs->jobs;
  each_bar(run, budget, [&](const Bar& bar) {
    const auto row = rows.find(jobs[bar.job].user);
    if (row == rows.end() || bar.to <= bar.from) return;
    // A file without places says how many processors a job had.
    const auto processors =
        static_cast<double>(bar.places.empty() ? jobs[bar.job].size : held(bar));
    const auto from = to_seconds(bar.from);
    const auto to = to_seconds(bar.to);
    // Bounded: the bins of time, kTimes of them.
    for (auto i = times.bin(from); i <= times.bin(to); ++i) {
      const auto left = times.from + static_cast<double>(i) * times.width;
      const auto width = std::min(to, left + times.width) - std::max(from, left);
      if (width > 0) made.used[row->second * kTimes + i] += processors * width;
    }
  });
  budget.charge_each(jobs.size());
  for (const auto& job : jobs) {
    const auto row = rows.find(job.user);
    if (row == rows.end() || !job.has_ended() || !job.has_submit) continue;
    made.waits[row->second * kTimes + times.bin(to_seconds(job.submit))].add(
        *job.wait());
  }
  return made;
}

// A cell is [jobs by submit, mean wait or null, mean processors in use].
Json user_time_cells(const UserTimes& of, const Times& times, Budget& budget) {
  auto cells = Json::array();
  budget.charge_each(of.used.size());
  for (std::size_t i = 0; i < of.used.size(); ++i) {
    auto cell = Json::array();
    cell.append(of.waits[i].n);
    cell.append(of.waits[i].n > 0 ? Json(of.waits[i].mean()) : Json());
    cell.append(of.used[i] / times.width);
    cells.append(cell);
  }
  return cells;
}

// The users who had most processor time in any run.
std::vector<std::int32_t> busiest(const Runs& runs, Budget& budget) {
  std::map<std::int32_t, double> most;
  for (const auto& run : runs) {
    if (!run.jobs) continue;
    std::map<std::int32_t, double> by_user;
    each_bar(run, budget, [&](const Bar& bar) {
      const auto& job = run.jobs->jobs[bar.job];
      if (job.user < 0 || job.size <= 0) return;
      by_user[job.user] += to_seconds(bar.to - bar.from) * job.size;
    });
    for (const auto& [user, value] : by_user) {
      budget.charge();
      most[user] = std::max(most[user], value);
    }
  }
  return largest(most, budget);
}

void add_user_times(const Runs& runs, Figures& figures, Budget& budget) {
  const auto users = busiest(runs, budget);
  if (users.empty()) return;
  std::map<std::int32_t, std::size_t> rows;
  // Bounded: the users that are shown, at most kShown.
  for (const auto user : users) rows.emplace(user, rows.size());
  const auto times = times_of(runs, budget);
  auto of_runs = Json::array();
  for (const auto& run : runs) {
    of_runs.append(
        run.jobs ? user_time_cells(user_times(run, times, rows, budget), times, budget)
                 : Json::array());
  }
  figures.data.add("user_times", {{"users", Json(numbers(users))},
                                  {"bins", kTimes},
                                  {"from", times.from},
                                  {"width", times.width},
                                  {"runs", of_runs}});
  figures.captions["user_times"] = fmt::format(
      "When the {} users with most processor time ran and waited; user {} had the "
      "most.",
      users.size(), label_number(users.front()));
}

}  // namespace

Json users_table(const RunResult& run, Budget& budget) {
  auto names = Json::array();
  auto rows = Json::array();
  if (run.users) {
    budget.charge_each(run.users->rows.size());
    for (const auto& row : run.users->rows) rows.append(Json(row));
    return {{"names", Json(run.users->names)}, {"rows", rows}};
  }
  if (!run.measured || run.measured->summary.users.empty()) return {};
  // Bounded: the six columns.
  for (const auto* name : {"user", "jobs", "finished", "mean_wait",
                           "mean_bounded_slowdown", "processor_seconds"}) {
    names.append(name);
  }
  for (const auto& user : run.measured->summary.users) {
    budget.charge();
    auto row = Json::array();
    row.append(label_number(user.user));
    row.append(user.jobs);
    row.append(user.finished);
    row.append(user.mean_wait);
    row.append(user.mean_bounded_slowdown);
    row.append(user.processor_seconds);
    rows.append(row);
  }
  return {{"names", names}, {"rows", rows}};
}

void add_user_figures(const Results& results, Figures& figures, Budget& budget) {
  const auto& runs = results.runs;
  const auto worst = worst_hit(runs, budget);
  if (!worst.empty()) {
    figures.captions["users"] =
        fmt::format("Who waited longest: user {}, by mean wait under any policy.",
                    label_number(worst.front()));
  } else if (std::any_of(runs.begin(), runs.end(), [](const auto& run) {
               return run.measured && !run.measured->summary.users.empty();
             })) {
    figures.captions["users"] = "The mean wait of every user with a finished job.";
  }
  add_user_times(runs, figures, budget);
}

}  // namespace berth::report
