#include "study/shadow/shadow_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/slurm/slurm_words.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kMostPast = 10'000;
// Jobs that may have been seen, besides those that there are.
constexpr std::size_t kMostSeen = 50'000;

bool has_run(const SlurmJob& job) { return job.state != "PENDING" && job.start > 0; }

// It was cancelled before it had a node; its times are those of that.
bool never_ran(const SlurmJob& job) {
  return job.state != "PENDING" && !holds_nodes(job) && job.shares.empty();
}

// As it waited before it was started.
SlurmJob waiting(SlurmJob job) {
  job.state = "PENDING";
  job.reason = "Resources";
  job.start = job.end = 0;
  job.node_list.clear();
  job.shares.clear();
  return job;
}

void count(std::optional<std::int64_t> own, std::optional<std::int64_t> slurm,
           ShadowAgreement::PolicyCounts& counts) {
  if (own && (!slurm || *own < *slurm)) {
    ++counts.policy_first;
  } else if (own) {
    ++counts.same;
  } else if (slurm) {
    ++counts.slurm_first;
  }
}

}  // namespace

std::string partition_of(const ClusterState& state, const std::string& wanted) {
  std::set<std::string> all;
  for (const auto& node : state.nodes) {
    all.insert(node.partitions.begin(), node.partitions.end());
  }
  if (wanted.empty() && all.size() == 1) return *all.begin();
  if (all.contains(wanted)) return wanted;
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& name : all) names.push_back(printable(name));
  if (wanted.empty()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("the nodes are in {} partitions: name one by --partition: {}",
                    all.size(), fmt::join(names, ", ")));
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("there is no partition {}; there is {}", printable(wanted),
                          fmt::join(names, ", ")));
}

ShadowLook ShadowSession::take(const ClusterState& state) {
  if (looks_ > 0 && state.instant() < last_.instant()) {
    throw Error(ErrorCode::kInput,
                fmt::format("look {} is of an earlier time than the one before it",
                            looks_ + 1));
  }
  if (looks_ == 0) {
    wanted_.partition = partition_of(state, wanted_.partition);
    from_ = state.instant();
  }
  ByName now;
  for (const auto& job : state.jobs) now.insert_or_assign(id_of(job), job);
  note_ended(state, now);
  const bool is_anew = begin_anew();
  if (looks_ > 0) ask_between(state, now);
  if (state.usage) {
    usage_ = state.usage;
    usage_at_ = state.instant();
  }
  ShadowLook look;
  look.number = looks_ + 1;
  look.snapshot = take_snapshot(state, options_at(state.instant()));
  look.decisions = ask(*look.snapshot);
  note(*look.snapshot, look.decisions);
  if (looks_ == 0) note_unknown(look);
  if (is_anew) {
    look.snapshot->remarks.emplace_back(
        "so many jobs have been seen that what policies kept was dropped");
  }
  ++looks_;
  asked_.reset();
  there_ = look.snapshot->outside.size();
  for (const auto& job : look.snapshot->names) there_ += job.is_absent ? 0 : 1;
  last_ = state;
  before_ = std::move(now);
  return look;
}

bool ShadowSession::begin_anew() {
  if (numbers_.size() <= kMostSeen + 2 * there_) return false;
  numbers_ = {};
  policies_.forget();
  return true;
}

void ShadowSession::note_unknown(ShadowLook& look) const {
  for (const auto& decision : look.decisions) {
    std::vector<std::string_view> what;
    if (decision.has_reservations) what.emplace_back("its reservations");
    if (decision.counts_usage && !usage_) what.emplace_back("the use by users");
    if (what.empty()) continue;
    look.snapshot->remarks.push_back(
        fmt::format("what {} would have kept from before the session is not known: {}",
                    decision.policy, fmt::join(what, ", ")));
  }
}

std::vector<ShadowDecision> ShadowSession::ask(const Snapshot& snapshot) {
  auto made = policies_.ask(snapshot);
  if (labels_.empty()) {
    for (const auto& decision : made) labels_.push_back(decision.policy);
  }
  return made;
}

// A job that Slurm lists no longer has ended at some time since the last look.
void ShadowSession::note_ended(const ClusterState& state, const ByName& now) {
  const auto note = [&](const std::string& name, SlurmJob job, std::int64_t end) {
    job.end = end;
    if (job.start > 0 && job.start < end && !job.shares.empty()) {
      ended_.insert_or_assign({end, name}, std::move(job));
    }
  };
  for (const auto& [name, job] : now) {
    if (has_run(job) && !holds_nodes(job)) note(name, job, job.end);
  }
  for (const auto& [name, job] : before_) {
    if (holds_nodes(job) && !now.contains(name)) note(name, job, state.instant());
  }
  while (ended_.size() > kMostPast) ended_.erase(ended_.begin());
}

SnapshotOptions ShadowSession::options_at(std::int64_t instant) {
  SnapshotOptions options{wanted_.partition, wanted_.unit};
  options.numbers = &numbers_;
  options.usage = usage_ ? &*usage_ : nullptr;
  options.usage_at = usage_at_;
  for (const auto& [when, job] : ended_) {
    if (when.first <= instant) options.past.push_back(job);
  }
  return options;
}

// Asks at each second at which Slurm started something since the last look.
void ShadowSession::ask_between(const ClusterState& state, const ByName& now) {
  std::map<std::int64_t, std::vector<const SlurmJob*>> started;
  for (const auto& [name, job] : now) {
    const auto there = before_.find(name);
    const bool ran_before = there != before_.end() && has_run(there->second) &&
                            there->second.start == job.start;
    if (!has_run(job) || never_ran(job) || ran_before) continue;
    if (job.start > state.instant() || (asked_ && job.start <= *asked_)) continue;
    // A look is not at one moment of its second: what began in it may be news.
    if (job.start >= last_.instant()) started[job.start].push_back(&job);
  }
  for (const auto& [instant, jobs] : started) {
    const auto snapshot =
        take_snapshot(state_at(instant, state, now), options_at(instant));
    std::set<std::string> here;
    for (const auto& job : snapshot->names) {
      if (!job.is_absent) here.insert(job.name);
    }
    note(*snapshot, ask(*snapshot));
    asked_ = instant;
    for (const auto* job : jobs) {
      const auto name = job->group ? fmt::format("{}+", *job->group) : id_of(*job);
      if (here.contains(name)) outcome(name, job->user).slurm = instant;
    }
  }
}

// Right before what Slurm started at this second: what ended by then has left.
ClusterState ShadowSession::state_at(std::int64_t instant, const ClusterState& state,
                                     const ByName& now) const {
  ClusterState made;
  made.version = state.version;
  made.at = instant;
  made.nodes = last_.nodes;
  for (const auto& [name, job] : now) {
    if (job.submit > instant) continue;
    const auto there = before_.find(name);
    if (job.state == "PENDING") {
      made.jobs.push_back(job);
    } else if (never_ran(job)) {
      const bool waits = there != before_.end() && job.end > instant;
      if (waits) made.jobs.push_back(there->second);
    } else if (job.start >= instant) {
      made.jobs.push_back(waiting(job));
    } else if (holds_nodes(job) || job.end > instant) {
      made.jobs.push_back(job);
      made.jobs.back().state = "RUNNING";
    }
  }
  return made;
}

ShadowOutcome& ShadowSession::outcome(const std::string& job, const std::string& user) {
  auto& made = outcomes_[job];
  made.job = job;
  made.user = user;
  made.policies.resize(labels_.size());
  return made;
}

void ShadowSession::note(const Snapshot& snapshot,
                         const std::vector<ShadowDecision>& decisions) {
  for (std::size_t policy = 0; policy < decisions.size(); ++policy) {
    for (const auto& start : decisions[policy].starts) {
      const auto& job = snapshot.names[start.job];
      auto& first = outcome(job.name, job.user).policies[policy];
      if (!first) first = snapshot.at;
    }
  }
}

ShadowAgreement ShadowSession::agreement() const {
  ShadowAgreement made;
  made.looks = looks_;
  made.from = from_;
  made.to = last_.instant();
  for (const auto& label : labels_) made.counts.push_back({label});
  for (const auto& [name, outcome] : outcomes_) {
    made.jobs.push_back(outcome);
    made.starts += outcome.slurm ? 1 : 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      count(outcome.policies[i], outcome.slurm, made.counts[i]);
    }
  }
  const auto first_of = [](const ShadowOutcome& outcome) {
    auto first = outcome.slurm.value_or(std::numeric_limits<std::int64_t>::max());
    for (const auto& own : outcome.policies)
      first = std::min(first, own.value_or(first));
    return first;
  };
  std::stable_sort(
      made.jobs.begin(), made.jobs.end(),
      [&](const auto& a, const auto& b) { return first_of(a) < first_of(b); });
  return made;
}

}  // namespace berth::study
