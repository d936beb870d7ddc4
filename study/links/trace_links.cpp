#include "study/links/trace_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/links/trace_places.hpp"

namespace berth::study {

namespace {

constexpr auto kNowhere = TracePlaces::kNowhere;

void note_missing(Finding& finding, std::int64_t parent, std::int64_t child) {
  if (finding.count++ > 0) return;
  finding.first_text = fmt::format("job {}, for which job {} waits", parent, child);
}

void refuse_missing(const LinkKeys& keys, const Finding& missing) {
  if (keys.missing_parent != MissingParent::kError || missing.count == 0) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("workload.missing_parent: {}, is not there", missing.first_text));
}

void refuse_cycle(const TraceLinks& made, const Workload& workload, Budget& budget,
                  std::string_view where) {
  const auto cycle = cycle_of(made.links, workload.jobs.size(), budget);
  if (cycle.empty()) return;
  constexpr std::size_t kMostShown = 20;
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMostShown); ++i) {
    ids.push_back(workload.jobs[cycle[i]].id);
  }
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: jobs {}{} wait for each other", printable_name(where),
                  fmt::join(ids, ", "), cycle.size() > kMostShown ? ", ..." : ""));
}

// Whether the trace says that it failed (0) or was cancelled (5).
bool ended_badly(const Workload& workload, std::size_t job) {
  const auto status = workload.recorded[job].status;
  return status == 0 || status == 5;
}

// What both ways of reading leave to do.
void complete(TraceLinks& made, const Workload& workload, const LinkKeys& keys) {
  const bool is_told = keys.exit == ExitOf::kTrace && !workload.recorded.empty();
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    made.ids.push_back(workload.jobs[i].id);
    if (is_told) made.ends_badly.push_back(ended_badly(workload, i));
  }
  refuse_missing(keys, made.missing);
}

// The rows of a file of links.
class LinkReader {
 public:
  // `arrays`: null: there are none.
  LinkReader(ByteSource& source, const std::string& name, const Workload& workload,
             const TraceArrays* arrays, Budget& budget)
      : places_(workload, budget),
        workload_(workload),
        arrays_(arrays),
        table_(name, lines_of(source, name, budget),
               {{"job_id"}, {"kind"}, {"parent"}, {"delay", false}},
               "a file of dependencies has job_id, kind, parent and delay"),
        budget_(budget) {
    made_.closed.resize(workload.jobs.size());
  }

  TraceLinks read() {
    while (table_.next()) read_row();
    refuse_twice();
    return std::move(made_);
  }

 private:
  // Where a link was read.
  struct ReadLink {
    std::uint32_t child;
    std::uint32_t parent;
    LinkKind kind;
    TablePlace place;  // of the parent
    [[nodiscard]] bool is_like(const ReadLink& other) const {
      return child == other.child && parent == other.parent && kind == other.kind;
    }
    [[nodiscard]] auto order() const {
      return std::tuple(child, parent, kind, place.line);
    }
  };
  enum LinkColumn : std::size_t {
    kChildColumn,
    kKindColumn,
    kParentColumn,
    kDelayColumn
  };

  void read_row() {
    const auto child_id = table_.whole(kChildColumn);
    const auto array = array_of_row();
    const auto parent_id = array.empty() ? table_.whole(kParentColumn) : kOfArray;
    const auto kind = link_kind(table_.text(kKindColumn));
    if (!kind) {
      table_.wrong(kKindColumn,
                   fmt::format("'{}' is no kind of dependency: after, afterany, "
                               "afterok, afternotok or with",
                               printable(table_.text(kKindColumn))));
    }
    const auto child = places_.of(child_id);
    if (child == kNowhere) {
      table_.wrong(kChildColumn, fmt::format("the workload has no job {}", child_id));
    }
    if (array.empty() && child_id == parent_id)
      table_.wrong(kParentColumn, "a job cannot wait for itself");
    const auto delay = delay_of_row();
    if (!array.empty()) {
      for (const auto member : array) add({member, child, *kind, delay});
      return;
    }
    const auto parent = places_.of(parent_id);
    if (parent == kNowhere) return note_missing(made_.missing, parent_id, child_id);
    add({parent, child, *kind, delay});
  }

  void add(const JobLink& link) {
    if (link.child == link.parent) {
      table_.wrong(kParentColumn, "a job cannot wait for itself");
    }
    read_.push_back(
        {link.child, link.parent, link.kind(), table_.place(kParentColumn)});
    made_.links.push_back(link);
  }

  // The first row that repeats a link.
  void refuse_twice() {
    budget_.charge_sort(read_.size());
    std::sort(read_.begin(), read_.end(),
              [](const auto& a, const auto& b) { return a.order() < b.order(); });
    const ReadLink* again = nullptr;
    for (std::size_t i = 1; i < read_.size(); ++i) {
      const bool is_first = again == nullptr || read_[i].place.line < again->place.line;
      if (read_[i].is_like(read_[i - 1]) && is_first) again = &read_[i];
    }
    if (again == nullptr) return;
    const auto id_of = [this](std::uint32_t place) { return workload_.jobs[place].id; };
    table_.wrong(again->place,
                 fmt::format("parent: job {} waits for job {} in this way on line {} "
                             "already",
                             id_of(again->child), id_of(again->parent),
                             (again - 1)->place.line));
  }

  // The members of the array that the row names as the parent; empty: it names a job.
  [[nodiscard]] std::span<const std::uint32_t> array_of_row() {
    const auto text = table_.text(kParentColumn);
    if (!text.starts_with('@')) return {};
    if (arrays_ == nullptr) {
      table_.wrong(kParentColumn,
                   "no array is known: workload.arrays names a file of them");
    }
    const auto found = arrays_->by_name.find(text.substr(1));
    if (found == arrays_->by_name.end()) {
      table_.wrong(kParentColumn,
                   fmt::format("there is no array {}", printable(text.substr(1))));
    }
    return found->second.members;
  }

  [[nodiscard]] Duration delay_of_row() {
    if (!table_.has(kDelayColumn) || table_.text(kDelayColumn).empty()) return 0;
    const auto delay = table_.time(kDelayColumn);
    if (delay < 0 || delay > kLongestDelay) {
      table_.wrong(kDelayColumn, "a delay is from 0 to 100000000000 s");
    }
    return delay;
  }

  static constexpr std::int64_t kOfArray = -1;

  TracePlaces places_;
  const Workload& workload_;
  const TraceArrays* arrays_;
  TableReader table_;
  TraceLinks made_;
  Budget& budget_;
  std::vector<ReadLink> read_;
};

// By place of the trace, the jobs that are copies of it, in their order.
class CopiesOfPlaces {
 public:
  CopiesOfPlaces(const std::vector<std::uint32_t>& of_trace, std::size_t places)
      : begins_(places + 1), jobs_(of_trace.size()) {
    for (const auto place : of_trace) ++begins_[place + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    auto next = begins_;
    for (std::uint32_t i = 0; i < of_trace.size(); ++i) jobs_[next[of_trace[i]]++] = i;
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t place) const {
    return std::span(jobs_).subspan(begins_[place],
                                    begins_[place + 1] - begins_[place]);
  }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> jobs_;
};

// A job that ran, in the order of one user's submits.
struct SubmittedLast {
  Time end;
  std::uint32_t job;
};

// The links of one user's jobs, one by one.
class UserSession {
 public:
  // Why a job is linked as it is: the four rules.
  enum SessionRule : std::uint8_t { kAfterThought, kOfBatch, kNewSession, kAsRecorded };

  // REQUIRES: jobs by (submit, id).
  SessionRule add(std::uint32_t number, const Job& job, Duration wait, Duration gap,
                  std::vector<JobLink>& links) {
    const auto rule = link(number, job.submit, gap, links);
    const auto end = after(after(job.submit, wait), job.length);
    ends_.emplace(std::pair(end, number));
    last_ = {job.submit, number};
    return rule;
  }

 private:
  SessionRule link(std::uint32_t number, Time submit, Duration gap,
                   std::vector<JobLink>& links) const {
    const auto behind = ends_.upper_bound({submit, kNowhere});
    const bool has_ended = behind != ends_.begin();
    const auto ended = has_ended ? *std::prev(behind) : std::pair(Time{0}, kNowhere);
    if (has_ended && submit - ended.first <= gap) {
      links.push_back(
          {ended.second, number, LinkKind::kAfterAny, submit - ended.first});
      return kAfterThought;
    }
    if (last_.job != kNowhere && submit - last_.end <= gap) {
      links.push_back({last_.job, number, LinkKind::kWith, submit - last_.end});
      return kOfBatch;
    }
    if (!has_ended) return kAsRecorded;
    links.push_back({ended.second, number, LinkKind::kAfterAny, 0});
    return kNewSession;
  }

  std::set<std::pair<Time, std::uint32_t>> ends_;  // of equal ends the last job is last
  SubmittedLast last_{0, kNowhere};                // its submit
};

TraceLinks links_of_swf(const Workload& workload, const LinkKeys& keys,
                        Budget& budget) {
  const TracePlaces places(workload, budget);
  TraceLinks made;
  made.closed.resize(workload.jobs.size());
  for (const auto& [job, parent, think] : workload.preceding) {
    const auto child = places.of(job);
    const auto before = places.of(parent);
    if (child == before) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: job {} names itself as its preceding job",
                              printable_name(workload.source), job));
    }
    if (before == kNowhere) {
      note_missing(made.missing, parent, job);
      continue;
    }
    made.closed[child] = think != kUnknown;
    made.links.push_back({before, child, LinkKind::kAfterAny,
                          std::clamp<Duration>(think, 0, kLongestDelay)});
  }
  complete(made, workload, keys);
  refuse_cycle(made, workload, budget, workload.source);
  return made;
}

TraceLinks links_of_file(const Workload& workload, const LinkKeys& keys,
                         const TraceArrays* arrays, Budget& budget) {
  const auto name = find_input(keys.dependencies);
  FileSource file(name);
  GzipSource unpacked(file, name, budget);
  auto made = read_links(unpacked, name, workload, arrays, budget);
  complete(made, workload, keys);
  return made;
}

}  // namespace

TraceLinks read_links(ByteSource& source, const std::string& name,
                      const Workload& workload, const TraceArrays* arrays,
                      Budget& budget) {
  auto made = LinkReader(source, name, workload, arrays, budget).read();
  refuse_cycle(made, workload, budget, name);
  return made;
}

std::string wrong_links(const Scenario& scenario, bool has_csv_trace) {
  const auto& keys = scenario.workload;
  const auto& links = keys.links;
  const bool has_arrays = !links.arrays.empty();
  if (!links.moves() && !has_arrays) return {};
  const std::string_view key = links.has_links() ? "workload.dependencies"
                               : links.moves()   ? "workload.feedback"
                                                 : "workload.arrays";
  const std::array<std::pair<bool, std::string_view>, 5> others{{
      {links.has_links() && links.feedback != Feedback::kNone,
       "workload.feedback, which makes links of its own"},
      {!keys.mix.empty(), "workload.mix, whose traces have jobs of the same numbers"},
      {keys.arrivals == ArrivalTimes::kFill, "workload.arrivals = \"fill\""},
      {scenario.run.expectations,
       "run.expectations, which needs submits that do not depend on the schedule"},
      {links.moves() && scenario.run.measure == Measure::kSteady,
       "run.measure = \"steady\", whose window lies between times of submit"},
  }};
  for (const auto& [is_set, other] : others) {
    if (is_set) return fmt::format("{}: it cannot stand beside {}", key, other);
  }
  if (!links.moves()) return {};
  const bool is_swf = !keys.trace.empty() && !has_csv_trace;
  if (is_swf || (links.has_links() && !links.are_of_swf())) return {};
  return fmt::format("{}: only an SWF trace says what this needs", key);
}

std::optional<TraceLinks> trace_links(const LinkKeys& keys, const Workload& workload,
                                      const TraceArrays* arrays, Budget& budget) {
  if (!keys.has_links()) return std::nullopt;
  return keys.are_of_swf() ? links_of_swf(workload, keys, budget)
                           : links_of_file(workload, keys, arrays, budget);
}

std::shared_ptr<const JobLinks> links_of_jobs(TraceLinks of, Workload& workload,
                                              const LinkKeys& keys, Budget& budget) {
  const auto jobs = workload.jobs.size();
  budget.charge_each(jobs + of.links.size());
  const CopiesOfPlaces copies(workload.of_trace, of.closed.size());
  std::vector<JobLink> links;
  links.reserve(of.links.size());
  std::vector<bool> closed(jobs);
  for (const auto& link : of.links) {
    const auto parents = copies.of(link.parent);
    const auto children = copies.of(link.child);
    budget.charge_each(children.size());
    const auto both = std::min(children.size(), parents.size());
    for (std::size_t i = 0; i < both; ++i) {
      closed[children[i]] = of.closed[link.child];
      links.push_back({parents[i], children[i], link.kind(), link.delay()});
    }
    for (auto i = both; i < children.size(); ++i) {
      note_missing(of.missing, of.ids[link.parent], workload.jobs[children[i]].id);
    }
  }
  refuse_missing(keys, of.missing);
  if (of.missing.count > 0) workload.repairs["missing_parent"] = of.missing;
  if (links.empty()) return nullptr;
  std::vector<bool> bad;
  for (std::uint32_t i = 0; i < jobs && !of.ends_badly.empty(); ++i) {
    bad.push_back(of.ends_badly[workload.of_trace[i]]);
  }
  return std::make_shared<const JobLinks>(std::move(links), std::move(closed),
                                          std::move(bad), keys.never_satisfied);
}

void refuse_links(const std::shared_ptr<const JobLinks>& links, std::string_view does) {
  if (links == nullptr) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: not yet where jobs wait for others "
                          "(workload.dependencies, workload.feedback)",
                          does));
}

SessionLinks links_by_sessions(Workload& workload, const LinkKeys& keys,
                               Budget& budget) {
  const auto& jobs = workload.jobs;
  budget.charge_sort(jobs.size());
  std::map<std::int32_t, UserSession> users;
  const auto& place = workload.of_trace;
  const std::size_t places = jobs.empty() ? 0 : place.back() + 1;
  TraceLinks made{
      {}, std::vector<bool>(places), {}, std::vector<std::int64_t>(places), {}};
  if (keys.exit == ExitOf::kTrace) made.ends_badly.resize(places);
  std::array<std::int64_t, 4> rules{};
  Finding unknown;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    auto wait = workload.recorded[i].wait;
    if (wait < 0) {
      ++unknown.count;
      wait = 0;
    }
    auto rule = UserSession::kAsRecorded;
    if (jobs[i].user != kUnknown) {
      rule = users[jobs[i].user].add(place[i], jobs[i], wait, keys.session_gap,
                                     made.links);
    }
    made.closed[place[i]] =
        rule == UserSession::kAfterThought || rule == UserSession::kOfBatch;
    made.ids[place[i]] = jobs[i].id;
    if (!made.ends_badly.empty()) made.ends_badly[place[i]] = ended_badly(workload, i);
    ++rules[rule];
  }
  if (users.empty()) {
    throw Error(ErrorCode::kInput,
                "workload.feedback: no job names a user, so there are no sessions");
  }
  if (unknown.count > 0) workload.repairs["no_recorded_wait"] = unknown;
  auto told = fmt::format(
      "feedback by sessions: {} jobs are submitted after another has ended and the "
      "user has thought, {} with the one before, {} begin a session, {} come as "
      "recorded",
      rules[UserSession::kAfterThought], rules[UserSession::kOfBatch],
      rules[UserSession::kNewSession], rules[UserSession::kAsRecorded]);
  return {std::move(made), std::move(told)};
}

}  // namespace berth::study
