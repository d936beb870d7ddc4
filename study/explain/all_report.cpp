#include "study/explain/all_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "engine/base/duration_text.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/explain/words.hpp"
#include "engine/jobs/label.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kShown = 10;

struct Sum {
  Int128 time = 0;  // ticks
  std::int64_t jobs = 0;
  std::int64_t passes = 0;
};

// Of a group of jobs.
struct GroupSum : Sum {
  std::map<Why, Int128> by_reason;
  void add(Why why, Duration more) { by_reason[why] += more; }
  // REQUIRES: one was added.
  [[nodiscard]] Why main() const {
    const auto most = std::max_element(
        by_reason.begin(), by_reason.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->first;
  }
};

struct Totals {
  GroupSum all;
  std::map<Why, Sum> by_reason;
  std::vector<Sum> by_blocker;               // by job
  std::map<std::int64_t, GroupSum> by_user;  // by number
  std::map<int, GroupSum> by_size;           // up to 2^key
};

int size_class(std::int32_t size) {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(size - 1)));
}

std::string size_words(int size) {
  const auto most = std::int64_t{1} << size;
  const auto least = most / 2 + 1;
  return least >= most ? fmt::format("{}", most) : fmt::format("{}-{}", least, most);
}

void add(GroupSum& sum, const ExplainedJob& explained) {
  Duration waited = 0;
  for (const auto& each : explained.times) {
    waited += each.time;
    sum.passes += each.passes;
    sum.add(each.why, each.time);
  }
  sum.time += waited;
  sum.jobs += waited > 0 ? 1 : 0;
}

// The times of one reason.
template <class TimeOf>
void add_reason(Totals& totals, const TimeOf& each) {
  auto& sum = totals.by_reason[each.why];
  sum.time += each.time;
  sum.passes += each.passes;
  sum.jobs += each.time > 0 ? 1 : 0;
  for (const auto& [blocker, time] : each.blockers) {
    auto& of_blocker = totals.by_blocker[index(blocker)];
    of_blocker.time += time;
    ++of_blocker.jobs;
  }
}

Totals totals_of(const Replay& replay, std::span<const Job> jobs) {
  Totals totals;
  totals.by_blocker.resize(jobs.size());
  for (const auto& [job, explained] : replay.jobs) {
    add(totals.all, explained);
    const auto& asked = jobs[index(job)];
    if (!explained.times.empty()) {
      if (asked.user != kUnknown)
        add(totals.by_user[label_number(asked.user)], explained);
      add(totals.by_size[size_class(asked.size)], explained);
    }
    for (const auto& each : explained.times) add_reason(totals, each);
  }
  return totals;
}

std::string share(Int128 part, Int128 whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %",
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// By key.
template <class Key, class OfKey>
std::vector<std::pair<Key, const OfKey*>> entries(const std::map<Key, OfKey>& sums) {
  std::vector<std::pair<Key, const OfKey*>> all;
  all.reserve(sums.size());
  for (const auto& [key, sum] : sums) all.emplace_back(key, &sum);
  return all;
}

// Those that others waited for, by job.
std::vector<std::pair<JobId, const Sum*>> entries(const std::vector<Sum>& by_blocker) {
  std::vector<std::pair<JobId, const Sum*>> all;
  for (std::uint32_t i = 0; i < by_blocker.size(); ++i) {
    if (by_blocker[i].jobs > 0) all.emplace_back(JobId{i}, &by_blocker[i]);
  }
  return all;
}

// By time, the most first; ties by key.
template <class Sums>
auto longest(const Sums& sums, std::size_t most) {
  auto all = entries(sums);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return b.second->time < a.second->time;
  });
  if (all.size() > most) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
  }
  return all;
}

std::string printed(const TextTable& table, TableForm form) {
  return form == TableForm::kText ? aligned_text(table) : markdown_table(table) + "\n";
}

TextTable reason_table(const Totals& totals) {
  TextTable table{{{"reason", "slurm", "seconds", "share", "jobs", "passes"}}, 2};
  for (const auto& [why, sum] : longest(totals.by_reason, totals.by_reason.size())) {
    const auto& record = why.record();
    table.lines.push_back({std::string(record.name),
                           record.slurm.empty() ? "-" : std::string(record.slurm),
                           grouped_seconds(sum->time),
                           share(sum->time, totals.all.time), grouped(sum->jobs),
                           grouped(sum->passes)});
  }
  return table;
}

TextTable blocker_table(const Totals& totals, std::span<const Job> jobs) {
  TextTable table{{{"job", "size", "length", "walltime", "seconds", "jobs"}}, 1};
  for (const auto& [job, sum] : longest(totals.by_blocker, kShown)) {
    const auto& asked = jobs[index(job)];
    table.lines.push_back({fmt::format("{}", asked.id), grouped(asked.size),
                           clock_text(asked.length), clock_text(asked.walltime),
                           grouped_seconds(sum->time), grouped(sum->jobs)});
  }
  return table;
}

TableLine group_line(const std::string& name, const GroupSum& sum, Int128 whole) {
  return {name, std::string(sum.main().record().name), grouped_seconds(sum.time),
          share(sum.time, whole), grouped(sum.jobs)};
}

TextTable user_table(const Totals& totals) {
  TextTable table{{{"user", "most of it", "seconds", "share", "jobs"}}, 2};
  for (const auto& [user, sum] : longest(totals.by_user, kShown)) {
    table.lines.push_back(group_line(fmt::format("{}", user), *sum, totals.all.time));
  }
  return table;
}

TextTable size_table(const Totals& totals) {
  TextTable table{{{"size", "most of it", "seconds", "share", "jobs"}}, 2};
  for (const auto& [size, sum] : totals.by_size) {
    table.lines.push_back(group_line(size_words(size), sum, totals.all.time));
  }
  return table;
}

const ReasonTime* main_reason(const ExplainedJob& explained) {
  const auto most =
      std::max_element(explained.times.begin(), explained.times.end(),
                       [](const auto& a, const auto& b) { return a.time < b.time; });
  return most == explained.times.end() || most->time == 0 ? nullptr : &*most;
}

}  // namespace

std::string all_report(const Replay& replay, std::span<const Job> jobs,
                       TableForm form) {
  const auto totals = totals_of(replay, jobs);
  const auto explained = static_cast<std::int64_t>(replay.jobs.size());
  auto text = fmt::format("{} jobs under {}: {} waited, {} s in all\n\n",
                          grouped(explained), replay.label, grouped(totals.all.jobs),
                          grouped_seconds(totals.all.time));
  if (totals.by_reason.empty()) return text;
  text += printed(reason_table(totals), form);
  const auto blockers = blocker_table(totals, jobs);
  if (blockers.lines.size() > 1) {
    text += "\njobs that others waited for longest\n\n" + printed(blockers, form);
  }
  if (!totals.by_user.empty()) {
    text += "\nby user\n\n" + printed(user_table(totals), form);
  }
  return text + "\nby size\n\n" + printed(size_table(totals), form);
}

Json all_json(const Replay& replay, std::span<const Job> jobs) {
  const auto totals = totals_of(replay, jobs);
  const auto values = [](const Sum& sum) {
    return Json{{"seconds", total_seconds(sum.time)},
                {"jobs", sum.jobs},
                {"passes", sum.passes}};
  };
  auto reasons = Json::object();
  for (const auto& [why, sum] : totals.by_reason) {
    reasons.add(why.record().name, values(sum));
  }
  auto blockers = Json::array();
  for (const auto& [job, sum] : longest(totals.by_blocker, kShown)) {
    blockers.append({{"job", jobs[index(job)].id},
                     {"seconds", total_seconds(sum->time)},
                     {"jobs", sum->jobs}});
  }
  auto users = Json::object();
  for (const auto& [user, sum] : totals.by_user) {
    users.add(fmt::format("{}", user), values(sum));
  }
  auto sizes = Json::object();
  for (const auto& [size, sum] : totals.by_size) {
    sizes.add(size_words(size), values(sum));
  }
  return {{"policy", replay.label},
          {"jobs", replay.jobs.size()},
          {"waited", totals.all.jobs},
          {"seconds", total_seconds(totals.all.time)},
          {"reasons", reasons},
          {"blockers", blockers},
          {"users", users},
          {"sizes", sizes}};
}

std::string waits_csv(const Replay& replay, std::span<const Job> jobs) {
  std::string text = "job_id,reason,passes,seconds,first,last,blocker\n";
  for (const auto& [job, explained] : replay.jobs) {
    for (const auto& each : explained.times) {
      const auto blocker = each.blocker();
      text += fmt::format(
          "{},{},{},{},{},{},{}\n", jobs[index(job)].id, each.why.record().name,
          each.passes, seconds_text(each.time), seconds_text(each.first),
          seconds_text(each.last),
          blocker ? fmt::format("{}", jobs[index(*blocker)].id) : std::string());
    }
  }
  return text;
}

Parting parting(const Replay& left, const Replay& right, std::span<const Job> jobs) {
  Parting found;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    if (left.starts[i] == right.starts[i]) continue;
    found.at = std::min({found.at, left.starts[i], right.starts[i]});
  }
  if (found.at == kNever) return found;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const bool waits = jobs[i].submit <= found.at && left.starts[i] >= found.at &&
                       right.starts[i] >= found.at;
    if (!waits) continue;
    found.waiting.push_back(JobId{i});
    const bool in_left = left.starts[i] == found.at;
    const bool in_right = right.starts[i] == found.at;
    if (in_left && !in_right) found.only_left.push_back(JobId{i});
    if (in_right && !in_left) found.only_right.push_back(JobId{i});
  }
  return found;
}

std::vector<JobId> most_different(const Replay& left, const Replay& right,
                                  std::size_t count) {
  const auto difference = [&](JobId job) {
    const auto a = left.starts[index(job)];
    const auto b = right.starts[index(job)];
    return a < b ? b - a : a - b;
  };
  std::vector<JobId> all;
  for (std::uint32_t i = 0; i < left.starts.size(); ++i) {
    if (left.starts[i] != right.starts[i]) all.push_back(JobId{i});
  }
  std::stable_sort(all.begin(), all.end(),
                   [&](JobId a, JobId b) { return difference(b) < difference(a); });
  if (all.size() > count) all.resize(count);
  return all;
}

namespace {

std::string numbers(const std::vector<JobId>& which, std::span<const Job> jobs) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(which.size(), kNamed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", jobs[index(which[i])].id);
  }
  return which.size() > kNamed ? text + ", ..." : text;
}

// The line in force at this instant, where the other policy starts the job; nullptr: it
// has left the queue.
const ReasonLine* line_at(const Replay& replay, JobId job, Time at) {
  const auto& lines = replay.jobs.at(job).lines;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->from <= at && at <= line->to) return &*line;
  }
  return nullptr;
}

std::string reason_at(const Replay& replay, JobId job, Time at,
                      std::span<const Job> jobs) {
  const auto* line = line_at(replay, job, at);
  return line != nullptr ? words(line->first, jobs) : "it has left the queue";
}

}  // namespace

std::string between_report(const Replay& left, const Replay& right,
                           const Parting& parting, std::span<const Job> jobs,
                           TableForm form) {
  const bool is_text = form == TableForm::kText;
  const auto* bullet = is_text ? "  " : "* ";
  if (parting.at == kNever) {
    return fmt::format("{} and {} start every job at the same time\n", left.label,
                       right.label);
  }
  auto text = fmt::format(
      "{} and {} differ from {} on; {} job{} waiting then: {}\n", left.label,
      right.label, seconds_text(parting.at), parting.waiting.size(),
      parting.waiting.size() == 1 ? "" : "s", numbers(parting.waiting, jobs));
  if (!is_text) text += '\n';
  const auto add_started = [&](const Replay& starts, const Replay& holds,
                               const std::vector<JobId>& which) {
    for (const JobId id : which) {
      const auto& job = jobs[index(id)];
      text += fmt::format("{}{} starts job {} (size {}, walltime {})\n", bullet,
                          starts.label, job.id, job.size, clock_text(job.walltime));
      text += fmt::format("    under {}:\n      {}\n", holds.label,
                          reason_at(holds, id, parting.at, jobs));
    }
  };
  add_started(left, right, parting.only_left);
  add_started(right, left, parting.only_right);
  if (parting.others.empty()) return text;
  TextTable table{{{"job", left.label, "mostly", right.label, "mostly"}}, 1};
  const auto cells = [&](const Replay& replay, JobId job, TableLine& line) {
    const auto start = replay.starts[index(job)];
    const auto* most = main_reason(replay.jobs.at(job));
    line.push_back(start == kNever ? "never"
                                   : grouped_seconds(start - jobs[index(job)].submit));
    line.push_back(most == nullptr ? "-" : std::string(most->why.record().name));
  };
  for (const JobId job : parting.others) {
    TableLine line{fmt::format("{}", jobs[index(job)].id)};
    cells(left, job, line);
    cells(right, job, line);
    table.lines.push_back(std::move(line));
  }
  return text + "\nwaits that differ most, in seconds\n\n" +
         (is_text ? aligned_text(table) : markdown_table(table));
}

Json between_json(const Replay& left, const Replay& right, const Parting& parting,
                  std::span<const Job> jobs) {
  auto policies = Json::array();
  policies.append(left.label);
  policies.append(right.label);
  auto waiting = Json::array();
  for (const JobId job : parting.waiting) waiting.append(jobs[index(job)].id);
  auto started = Json::array();
  const auto add = [&](const Replay& starts, const Replay& holds,
                       const std::vector<JobId>& which) {
    for (const JobId job : which) {
      const auto* line = line_at(holds, job, parting.at);
      started.append({{"policy", starts.label},
                      {"job", jobs[index(job)].id},
                      {"held_by", holds.label},
                      {"reason", line != nullptr ? reason_json(line->first, jobs)
                                                 : Json(nullptr)}});
    }
  };
  add(left, right, parting.only_left);
  add(right, left, parting.only_right);
  auto waits = Json::array();
  for (const JobId job : parting.others) {
    auto both = Json::array();
    for (const auto* replay : {&left, &right}) {
      const auto start = replay->starts[index(job)];
      const auto* most = main_reason(replay->jobs.at(job));
      both.append({{"policy", replay->label},
                   {"wait", start == kNever
                                ? Json(nullptr)
                                : Json(to_seconds(start - jobs[index(job)].submit))},
                   {"mostly",
                    most != nullptr ? Json(most->why.record().name) : Json(nullptr)}});
    }
    waits.append({{"job", jobs[index(job)].id}, {"runs", both}});
  }
  return {{"policies", policies},
          {"differ_from",
           parting.at == kNever ? Json(nullptr) : Json(to_seconds(parting.at))},
          {"waiting", waiting},
          {"started", started},
          {"waits", waits}};
}

}  // namespace berth::study
