#include "study/shadow/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/sim/job_needs.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "study/shadow/job_shape.hpp"
#include "study/shadow/past_places.hpp"
#include "study/slurm/slurm_words.hpp"

namespace berth::study {

namespace {

constexpr std::int64_t kKibPerMib = 1024;
constexpr std::int64_t kUnlimitedMinutes = std::int64_t{366} * 24 * 60;
constexpr std::size_t kMostKindsOfNodes = 8;
constexpr std::size_t kMostWaiting = 1'000'000;
// Of the jobs that are kept back so many have a place before they are let in.
constexpr std::size_t kMostKeptBack = 10'000;

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (cut_off(list, ',') == word) return true;
  }
  return false;
}

// What the jobs that run take of a node, and what it has.
struct HostState {
  const SlurmNode* node;
  std::int64_t processors = 0;
  std::int64_t memory = 0;
  Amounts kinds{};
  std::int32_t number = -1;  // of the host in the machine; -1: it is not in it
  std::int32_t taken = 0;    // of its processors, so far
};

class SnapshotMaker {
 public:
  SnapshotMaker(const ClusterState& state, const SnapshotOptions& options)
      : state_(state),
        options_(options),
        numbers_(options.numbers == nullptr ? own_numbers_ : *options.numbers),
        made_(std::make_unique<Snapshot>()) {
    made_->partition = options.partition;
    made_->version = state.version;
    made_->at = state.instant();
  }

  std::unique_ptr<Snapshot> make() {
    take_nodes();
    count_use();
    add_hosts();
    number_users();
    for (const auto& job : state_.jobs) {
      if (holds_nodes(job)) add_running(job);
    }
    const auto running = entries_.size();
    add_waiting();
    add_past(running);
    place_jobs();
    add_sentinel();
    add_columns();
    return std::move(made_);
  }

 private:
  struct ShadowEntry {
    Job job;
    ShadowJob name;
    JobShape asked;
    std::int64_t submitted;  // as Slurm says
  };

  void take_nodes() {
    for (const auto& node : state_.nodes) {
      const auto& in = node.partitions;
      if (std::find(in.begin(), in.end(), options_.partition) == in.end()) continue;
      const auto [at, is_new] = by_name_.emplace(node.name, hosts_.size());
      if (is_new) hosts_.push_back({&node});
    }
    if (!hosts_.empty()) return;
    throw Error(ErrorCode::kInput, fmt::format("the partition {} has no node",
                                               printable(options_.partition)));
  }

  [[nodiscard]] HostState* host(const std::string& name) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &hosts_[found->second];
  }

  // Sums of what runs; a node may hold more than it has, where jobs share it.
  void count_use() {
    for (const auto& job : state_.jobs) {
      if (!holds_nodes(job)) continue;
      const auto kinds = further_kinds(job);
      const auto parts = static_cast<std::int64_t>(job.shares.size());
      for (const auto& share : job.shares) {
        auto* const at = host(share.node);
        if (at == nullptr) continue;
        at->processors += share.processors;
        at->memory += share.memory;
        for (const auto& [kind, amount] : kinds) at->kinds[kind] += amount / parts;
      }
    }
    for (const auto& at : hosts_) has_memory_ = has_memory_ || at.node->used_memory > 0;
    const bool is_idle = std::all_of(hosts_.begin(), hosts_.end(), [](const auto& at) {
      return at.node->used_processors == 0;
    });
    for (const auto& job : state_.jobs) {
      const auto asks = job.memory_of_node > 0 || job.memory_of_processor > 0;
      has_memory_ = has_memory_ || (is_idle && job.state == "PENDING" && asks);
    }
    has_memory_ = has_memory_ && options_.unit == ShadowUnit::kProcessors;
  }

  // The host that stands for the node; without processors: none does.
  [[nodiscard]] HostGroup group_of(const HostState& at, bool is_away) {
    HostGroup group{"node", 1};
    const auto most = [&](std::int64_t own, std::int64_t used) {
      return is_away ? used : std::max(own, used);
    };
    if (options_.unit == ShadowUnit::kNodes) {
      group.processors = is_away && at.processors == 0 ? 0 : 1;
      return group;
    }
    constexpr auto kLargest = std::int64_t{std::numeric_limits<std::int32_t>::max()};
    group.processors = static_cast<std::int32_t>(
        std::min(most(at.node->processors, at.processors), kLargest));
    if (has_memory_) group.memory = most(at.node->memory, at.memory) * kKibPerMib;
    auto kinds = kinds_of_node(at.node->resources);
    for (const auto& used : at.kinds) kinds.try_emplace(used.first, 0);
    for (const auto& [kind, own] : kinds) {
      if (group.resources.size() == kMostKindsOfNodes) break;
      const auto used = at.kinds.find(kind);
      group.resources.emplace_back(
          kind, most(own, used == at.kinds.end() ? 0 : used->second));
      kinds_.insert(kind);
    }
    return group;
  }

  void add_hosts() {
    std::int64_t first = 0;
    auto& groups = made_->resources.hosts;
    for (auto& at : hosts_) {
      const auto why = away_words(*at.node);
      if (!why.empty()) made_->away.push_back({at.node->name, std::string(why)});
      const auto group = group_of(at, !why.empty());
      if (group.processors == 0) continue;
      at.number = static_cast<std::int32_t>(made_->hosts.size());
      made_->hosts.push_back(at.node->name);
      made_->first_of_host.push_back(static_cast<std::int32_t>(first));
      first += group.processors;
      if (first >= std::numeric_limits<std::int32_t>::max()) {
        throw Error(ErrorCode::kInput,
                    fmt::format("the nodes of partition {} have more than 2147483646 "
                                "processors",
                                printable(options_.partition)));
      }
      const bool is_alike = !groups.empty() &&
                            groups.back().processors == group.processors &&
                            groups.back().memory == group.memory &&
                            groups.back().resources == group.resources;
      if (is_alike) {
        ++groups.back().count;
      } else {
        groups.push_back(group);
        groups.back().name = fmt::format("nodes{}", groups.size());
      }
    }
    made_->processors = static_cast<std::int32_t>(first);
    made_->first_of_host.push_back(made_->processors);
    if (first > 0) return;
    throw Error(ErrorCode::kInput, fmt::format("no node of partition {} is up",
                                               printable(options_.partition)));
  }

  void number_users() {
    std::set<std::string_view> users;
    std::set<std::string_view> accounts;
    for (const auto* jobs : {&state_.jobs, &options_.past}) {
      for (const auto& job : *jobs) {
        users.insert(job.user);
        accounts.insert(job.account);
      }
    }
    for (const auto name : users) (void)numbers_.user(std::string(name));
    for (const auto name : accounts) (void)numbers_.account(std::string(name));
    if (options_.usage == nullptr) return;
    auto& told = made_->usage.emplace();
    told.at = seconds(options_.usage_at);
    for (const auto& [name, usage] : *options_.usage) {
      told.by_user.emplace(numbers_.user(name), usage);
    }
  }

  [[nodiscard]] ShadowEntry entry_of(const SlurmJob& job, const JobShape& asked) {
    ShadowEntry entry;
    entry.submitted = job.submit;
    entry.job.id = job.number;
    const auto submit = job.submit == 0 ? made_->at : std::min(job.submit, made_->at);
    entry.job.submit = seconds(submit);
    entry.job.size = static_cast<std::int32_t>(asked.size);
    entry.job.walltime = seconds(job.minutes.value_or(kUnlimitedMinutes) * 60);
    entry.job.walltime_given = job.minutes.has_value();
    entry.job.length = entry.job.walltime;
    entry.job.user = numbers_.user(job.user);
    entry.job.group = numbers_.account(job.account);
    entry.name.name = id_of(job);
    entry.name.user = job.user;
    entry.name.reason = job.reason;
    entry.name.minutes = job.minutes;
    entry.asked = asked;
    return entry;
  }

  // Whether these numbers are ones that a machine can have.
  [[nodiscard]] bool is_possible(const SlurmJob& job, const JobShape& asked) {
    const bool is_right =
        asked.size <= std::numeric_limits<std::int32_t>::max() && asked.chunks >= 1 &&
        job.minutes.value_or(0) <= static_cast<std::int64_t>(kMaxSeconds) / 120;
    if (!is_right) {
      made_->remarks.push_back(fmt::format(
          "job {} is left out: its size or limit is too large", id_of(job)));
    }
    return is_right;
  }

  // The shares of a job on nodes of the machine; those elsewhere are not its matter.
  void add_running(const SlurmJob& job) {
    ShadowEntry entry;
    JobShape asked{0, 0};
    std::vector<const NodeShare*> shares;
    for (const auto& share : job.shares) {
      const auto* const at = host(share.node);
      if (at == nullptr || at->number < 0 || share.processors == 0) continue;
      shares.push_back(&share);
      asked.size += options_.unit == ShadowUnit::kNodes ? 1 : share.processors;
    }
    if (shares.empty() || !is_possible(job, {asked.size})) return;
    shape(job, shares, asked);
    if (options_.unit == ShadowUnit::kNodes && !has_own_nodes(job, shares)) return;
    entry = entry_of(job, asked);
    const auto start =
        std::clamp(seconds(job.start), entry.job.submit, seconds(made_->at));
    entry.name.start = start;
    for (const auto* share : shares) entry.name.where.insert(place(*share));
    // It runs on, however long: its end is what Slurm will say.
    entry.job.length = std::max(entry.job.walltime, seconds(made_->at) - start) +
                       seconds(kUnlimitedMinutes * 60);
    entries_.push_back(std::move(entry));
    if (job.array) ++by_array_[*job.array];
  }

  // Chunks of a job that runs: one a node where these are equal.
  void shape(const SlurmJob& job, const std::vector<const NodeShare*>& shares,
             JobShape& asked) {
    const auto nodes = static_cast<std::int64_t>(shares.size());
    if (options_.unit == ShadowUnit::kNodes) {
      asked.chunks = nodes;
      return;
    }
    const bool is_even =
        std::all_of(shares.begin(), shares.end(), [&](const auto* share) {
          return share->processors == shares.front()->processors;
        });
    asked.chunks = is_even ? nodes : asked.size;
    const auto of_chunk = asked.size / asked.chunks;
    asked.memory = std::numeric_limits<std::int64_t>::max();
    for (const auto* share : shares) {
      const auto memory = share->memory * of_chunk / share->processors;
      asked.memory = std::min(asked.memory, memory);
    }
    const auto all = static_cast<std::int64_t>(job.shares.size());
    for (const auto& [kind, amount] : further_kinds(job)) {
      asked.kinds[kind] = amount / all * nodes / asked.chunks;
    }
  }

  // Whether no other job has one of the nodes; a node is one job's with this unit.
  bool has_own_nodes(const SlurmJob& job, const std::vector<const NodeShare*>& shares) {
    const bool is_alone =
        std::all_of(shares.begin(), shares.end(),
                    [&](const auto* share) { return host(share->node)->taken == 0; });
    if (!is_alone) {
      made_->remarks.push_back(fmt::format(
          "job {} is left out: it shares a node with another one, which counts as "
          "taken by that",
          id_of(job)));
    }
    return is_alone;
  }

  Interval place(const NodeShare& share) {
    auto& at = *host(share.node);
    const auto count = options_.unit == ShadowUnit::kNodes
                           ? 1
                           : static_cast<std::int32_t>(share.processors);
    const auto first =
        made_->first_of_host[static_cast<std::size_t>(at.number)] + at.taken;
    at.taken += count;
    return {first, first + count - 1};
  }

  // Tasks that stand by themselves count for the limit of their array, so that the
  // records of many tasks come last.
  void add_waiting() {
    std::map<std::int64_t, std::vector<const SlurmJob*>> groups;
    std::vector<const SlurmJob*> arrays;
    for (const auto& job : state_.jobs) {
      if (job.state != "PENDING") continue;
      if (job.group) {
        groups[*job.group].push_back(&job);
      } else if (has_word(job.partition, options_.partition)) {
        if (job.indices.empty()) add_waiting(job);
        if (!job.indices.empty()) arrays.push_back(&job);
      }
    }
    for (const auto* array : arrays) add_array(*array);
    for (const auto& [number, parts] : groups) add_parts(number, parts);
  }

  void add_outside(std::string name, const SlurmJob& job, std::string why) {
    if (absent_.size() < kMostKeptBack) {
      absent_.push_back(entry_of(job, {}));
      absent_.back().name.name = name;
      absent_.back().name.is_absent = true;
    }
    made_->outside.push_back({std::move(name), job.user, std::move(why)});
  }

  void add_waiting(const SlurmJob& job) {
    const auto held = held_words(job);
    if (!held.empty()) return add_outside(id_of(job), job, held);
    add_queued(job);
  }

  void add_queued(const SlurmJob& job) {
    const auto asked = asked_by(job, options_.unit);
    if (!is_possible(job, asked)) return;
    if (entries_.size() > kMostWaiting) return add_outside(id_of(job), job, "too many");
    entries_.push_back(entry_of(job, asked));
    if (job.array) ++by_array_[*job.array];
  }

  // One record stands for many tasks, of which so many may run at once.
  void add_array(const SlurmJob& job) {
    const auto indices = expand_indices(job.indices);
    if (indices.empty()) {
      made_->remarks.push_back(
          fmt::format("array {} is left out: '{}' names no tasks, "
                      "or too many",
                      job.number, printable(job.indices)));
      return;
    }
    const auto held = held_words(job);
    auto left = job.most_at_once == 0 ? std::numeric_limits<std::int64_t>::max()
                                      : job.most_at_once - by_array_[*job.array];
    for (const auto index : indices) {
      auto one = job;
      one.index = index;
      one.indices.clear();
      one.number = next_number_++;
      if (!held.empty()) {
        add_outside(id_of(one), job, held);
      } else if (left-- <= 0) {
        add_outside(id_of(one), job,
                    fmt::format("its array runs {} at once", job.most_at_once));
      } else {
        add_queued(one);
      }
    }
  }

  // `running`: the entries that run, which come first.
  void add_past(std::size_t running) {
    PastPlaces places(made_->processors);
    for (std::size_t i = 0; i < running; ++i) {
      places.hold(entries_[i].name.where, *entries_[i].name.start);
    }
    std::vector<const SlurmJob*> past;
    for (const auto& job : options_.past) {
      if (job.end <= made_->at && job.start < job.end) past.push_back(&job);
    }
    std::stable_sort(past.begin(), past.end(),
                     [](const auto* a, const auto* b) { return a->start < b->start; });
    for (const auto* job : past) add_past(*job, places);
  }

  // Nothing if it had no processors of this machine that are free for it.
  void add_past(const SlurmJob& job, PastPlaces& places) {
    std::vector<PastPlaces::NodePart> parts;
    JobShape asked{0, 0};
    for (const auto& share : job.shares) {
      const auto* const at = host(share.node);
      if (at == nullptr || at->number < 0 || share.processors == 0) continue;
      const auto* const first =
          &made_->first_of_host[static_cast<std::size_t>(at->number)];
      const auto count = std::min<std::int64_t>(
          options_.unit == ShadowUnit::kNodes ? 1 : share.processors,
          made_->processors);
      parts.push_back({first[0], first[1], static_cast<std::int32_t>(count)});
      asked.size += count;
    }
    asked.chunks = asked.size;
    if (parts.empty() || !is_possible(job, asked)) return;
    const PastPlaces::PastSpan span{seconds(job.start), seconds(job.end)};
    auto where = places.take(parts, span);
    if (!where) return;
    auto entry = entry_of(job, asked);
    entry.job.submit = std::min(entry.job.submit, span.start);
    entry.job.length = span.end - span.start;
    entry.job.walltime = std::max(entry.job.walltime, entry.job.length);
    entry.name.start = span.start;
    entry.name.end = span.end;
    entry.name.where = std::move(*where);
    entries_.push_back(std::move(entry));
  }

  // Parts that start together are one job, of as many processors as all of them.
  void add_parts(std::int64_t number, const std::vector<const SlurmJob*>& parts) {
    auto whole = *parts.front();
    whole.part = 0;
    whole.most_nodes = whole.memory_of_node = 0;
    whole.processors_together = 1;
    whole.number = number;
    whole.processors = whole.nodes = 0;
    bool is_here = false;
    bool is_elsewhere = false;
    std::string held;
    for (const auto* part : parts) {
      const bool is_ours = has_word(part->partition, options_.partition);
      is_here = is_here || is_ours;
      is_elsewhere = is_elsewhere || !is_ours;
      whole.processors += part->processors;
      whole.nodes += part->nodes;
      whole.memory_of_processor =
          std::max({whole.memory_of_processor, part->memory_of_processor,
                    share_of(part->memory_of_node * part->nodes, part->processors)});
      if (!part->minutes || !whole.minutes) {
        whole.minutes.reset();
      } else {
        whole.minutes = std::max(*whole.minutes, *part->minutes);
      }
      if (held.empty()) held = held_words(*part);
    }
    if (!is_here) return;
    const auto name = fmt::format("{}+", number);
    if (is_elsewhere) held = "has parts in several partitions";
    if (!held.empty()) return add_outside(name, whole, held);
    const auto before = entries_.size();
    add_queued(whole);
    if (entries_.size() > before) entries_.back().name.name = name;
  }

  // A job of which the queue and the past both tell is the one that is in the queue.
  void drop_doubles() {
    std::set<SessionNumbers::JobKey> seen;
    std::erase_if(entries_, [&](const ShadowEntry& entry) {
      if (seen.emplace(entry.name.name, entry.submitted).second) return false;
      if (entry.name.end) return true;
      made_->remarks.push_back(fmt::format(
          "job {} stands twice in the queue: the second is left out", entry.name.name));
      return true;
    });
  }

  void place_jobs() {
    drop_doubles();
    std::vector<ShadowEntry*> all;
    all.reserve(entries_.size() + absent_.size());
    for (auto* entries : {&entries_, &absent_}) {
      for (auto& entry : *entries) all.push_back(&entry);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
      return comes_first(a->job, b->job);
    });
    std::vector<std::size_t> places;
    places.reserve(all.size());
    for (auto* entry : all) {
      places.push_back(
          numbers_.place({entry->name.name, entry->submitted}, entry->job));
    }
    made_->names.resize(numbers_.size());
    made_->jobs.reserve(numbers_.size() + 1);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      made_->jobs.push_back(numbers_.seen(i));
      made_->jobs.back().size = made_->processors + 1;
      made_->names[i].is_absent = true;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i]->name.is_absent || !has_time(*all[i])) continue;
      made_->jobs[places[i]] = all[i]->job;
      made_->names[places[i]] = std::move(all[i]->name);
    }
  }

  // The submit that a job has in the session may be later than its own.  False: it is
  // behind its end.
  static bool has_time(ShadowEntry& entry) {
    auto& [job, name, asked, submitted] = entry;
    if (!name.start) return true;
    name.start = std::max(*name.start, job.submit);
    if (!name.end) return true;
    job.length = *name.end - *name.start;
    return job.length > 0;
  }

  // Whether a node has some of it; that none has is said once.
  bool has_kind(const std::string& kind) {
    if (kinds_.contains(kind)) return true;
    if (missing_.insert(kind).second) {
      made_->remarks.push_back(fmt::format(
          "jobs ask for {}, which no node has: it is left aside", printable(kind)));
    }
    return false;
  }

  void add_columns() {
    std::map<std::int64_t, std::vector<double>> chunks;
    std::map<std::string, std::map<std::int64_t, std::vector<double>>> kinds;
    for (const auto& entry : entries_) {
      const auto& asked = entry.asked;
      const auto put = [&](auto& column, std::int64_t amount) {
        column[entry.job.id] = {static_cast<double>(amount)};
      };
      put(chunks, asked.chunks);
      if (has_memory_) put(kinds["memory"], asked.memory * kKibPerMib);
      for (const auto& [kind, amount] : asked.kinds) {
        if (has_kind(kind)) put(kinds[kind], amount);
      }
    }
    made_->columns = std::make_shared<JobColumns>(made_->jobs);
    made_->columns->add(kChunksColumn, chunks);
    for (const auto& [kind, values] : kinds) {
      made_->columns->add(kKindColumns + kind, values);
    }
  }

  // A run lasts as long as a job is still to come.
  void add_sentinel() {
    Job last;
    last.id = std::numeric_limits<std::int64_t>::max();
    last.submit = seconds(made_->at + 1);
    last.length = last.walltime = kSecond;
    last.user = label_code(0);
    made_->jobs.push_back(last);
  }

  const ClusterState& state_;
  const SnapshotOptions& options_;
  SessionNumbers own_numbers_;
  SessionNumbers& numbers_;
  std::unique_ptr<Snapshot> made_;
  std::vector<HostState> hosts_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::int64_t, std::int64_t> by_array_;  // that run or may, by array
  std::set<std::string> kinds_;                    // of the nodes, besides memory
  std::set<std::string> missing_;                  // kinds that jobs ask for
  std::vector<ShadowEntry> entries_;
  std::vector<ShadowEntry> absent_;  // kept back
  std::int64_t next_number_ = SessionNumbers::kFirstOwnId;
  bool has_memory_ = false;
};

}  // namespace

std::size_t Snapshot::running() const {
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(),
                    [](const auto& name) { return name.start && !name.end; }));
}

std::size_t Snapshot::waiting() const {
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [](const auto& name) { return name.waits(); }));
}

std::unique_ptr<Snapshot> take_snapshot(const ClusterState& state,
                                        const SnapshotOptions& options) {
  return SnapshotMaker(state, options).make();
}

}  // namespace berth::study
