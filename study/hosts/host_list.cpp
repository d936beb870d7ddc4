#include "study/hosts/host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/json.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/formats/log_names.hpp"
#include "engine/workload/formats/log_text.hpp"

namespace berth::study {

namespace {

constexpr std::int64_t kMostHosts = 10'000'000;  // and processors

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_' || c == '-';
}

class MachineMaker {
 public:
  MachineMaker(const HostList& list, const HostOptions& options, Budget& budget)
      : list_(list), options_(options), budget_(budget) {}

  HostMachine make() {
    made_.said = list_.notes;
    for (const auto& host : list_.hosts) {
      budget_.charge();
      check(host);
    }
    leave_out();
    if (list_.is_pool) {
      made_.processors = static_cast<std::int32_t>(processors_);
      return std::move(made_);
    }
    number_partitions();
    for (std::size_t i = 0; i < kept_.size(); ++i) add(i);
    return std::move(made_);
  }

 private:
  [[noreturn]] void refuse(const LogPlace& at, std::string_view what) const {
    refuse_log(list_.file, at, what);
  }

  void check(const ListedHost& host) {
    if (host.name.empty()) refuse(host.place, "a host without a name");
    const auto [known, is_new] = lines_.emplace(host.name, host.place.line);
    if (!is_new) {
      refuse(host.place, fmt::format("the host {} is already on line {}",
                                     printable(host.name), known->second));
    }
    if (host.processors < 1) {
      refuse(host.place,
             fmt::format("the host {} has no processors", printable(host.name)));
    }
    const bool is_possible =
        host.processors <= kMostHosts && host.count >= 1 && host.count <= kMostHosts;
    if (!is_possible) {
      refuse(host.place, fmt::format("the host {}: a machine has 1 to {} processors",
                                     printable(host.name), kMostHosts));
    }
  }

  void leave_out() {
    std::int64_t without = 0;
    for (const auto& host : list_.hosts) {
      const bool is_kept = host.takes_jobs || options_.states == HostStates::kAll;
      if (!is_kept) {
        without += host.count;
        continue;
      }
      processors_ += host.count * host.processors;
      if (processors_ > kMostHosts) {
        refuse(host.place,
               fmt::format("the hosts have more than {} processors", kMostHosts));
      }
      kept_.push_back(&host);
    }
    if (without > 0) {
      made_.said.push_back(fmt::format(
          "{} host{} left out: by {} state or flags {} down, drained, "
          "failing, in maintenance, silent or switched off",
          without, without == 1 ? " is" : "s are", without == 1 ? "its" : "their",
          without == 1 ? "it is" : "they are"));
    }
    if (!kept_.empty()) return;
    refuse({1, 1}, without > 0
                       ? "no host is left: none takes jobs (machine.hosts_states)"
                       : "there is no host in it");
  }

  // Each host is in one partition, and there are two or more; else none is taken.
  void number_partitions() {
    std::set<std::string_view> all;
    std::int64_t outside = 0;
    const ListedHost* first = nullptr;
    for (const auto* host : kept_) {
      const auto& own = host->partitions;
      all.insert(own.begin(), own.end());
      if (own.size() == 1 && !is_no_value(own.front())) continue;
      outside += host->count;
      if (first == nullptr) first = host;
    }
    if (all.size() < 2) return;
    if (outside > 0) return overlap(outside, *first);
    LogNames names;
    std::vector<std::int32_t> codes;
    codes.reserve(kept_.size());
    for (const auto* host : kept_) {
      codes.push_back(names.code(kPartitionNames, host->partitions.front()));
    }
    for (const auto code : codes) names.see(kPartitionNames, code);
    const auto legend = names.legend();
    for (const auto& each : legend[kPartitionNames])
      made_.partitions.push_back(each.name);
    for (const auto code : codes) labels_.push_back(names.label(kPartitionNames, code));
  }

  void overlap(std::int64_t count, const ListedHost& first) {
    if (options_.strict) {
      refuse(first.place, fmt::format("the host {} is not in one partition alone (an "
                                      "error because reading is strict)",
                                      printable(first.name)));
    }
    made_.said.push_back(
        fmt::format("partitions_overlap: {} host{} not in one partition alone, so none "
                    "takes only jobs of its partition",
                    count, count == 1 ? " is" : "s are"));
  }

  void add(std::size_t i) {
    const auto& host = *kept_[i];
    const auto label = labels_.empty() ? std::nullopt : std::optional(labels_[i]);
    auto kinds = host.kinds;
    std::sort(kinds.begin(), kinds.end());
    const auto [at, is_new] = groups_.emplace(
        std::tuple(host.processors, host.memory, std::move(kinds), label),
        made_.groups.size());
    if (!is_new) {
      made_.groups[at->second].count += static_cast<std::int32_t>(host.count);
      return;
    }
    made_.groups.push_back({name_of(host), static_cast<std::int32_t>(host.count),
                            static_cast<std::int32_t>(host.processors), host.memory,
                            host.kinds, label});
  }

  // Names the group that begins with this host; no two groups have one name.
  std::string name_of(const ListedHost& host) {
    constexpr std::size_t kLongestName = 48;
    auto name = host.name.substr(0, kLongestName);
    for (auto& c : name) c = is_of_word(c) && c != '-' ? c : '_';
    auto free = name;
    // Bounded: the groups there are.
    for (int i = 2; !names_.insert(free).second; ++i) {
      free = fmt::format("{}_{}", name, i);
    }
    return free;
  }

  const HostList& list_;
  const HostOptions& options_;
  Budget& budget_;
  HostMachine made_;
  std::unordered_map<std::string_view, std::int64_t> lines_;  // by name
  std::vector<const ListedHost*> kept_;
  std::int64_t processors_ = 0;
  std::vector<std::int32_t> labels_;  // of the partitions of those kept; empty: none
  std::map<
      std::tuple<std::int64_t, std::int64_t, NamedAmounts, std::optional<std::int32_t>>,
      std::size_t>
      groups_;
  std::set<std::string> names_;  // of groups
};

std::string group_text(const HostGroup& group, const HostMachine& machine) {
  auto text = fmt::format("[machine.hosts.{}]\ncount = {}\nprocessors = {}\n",
                          group.name, group.count, group.processors);
  if (group.memory > 0) text += fmt::format("memory = {}\n", gib_of(group.memory));
  std::string kinds;
  for (const auto& [kind, amount] : group.resources) {
    const bool is_bare = std::all_of(kind.begin(), kind.end(), is_of_word);
    kinds += fmt::format("{}{} = {}", kinds.empty() ? "" : ", ",
                         is_bare ? kind : Json(kind).compact(), amount);
  }
  if (!kinds.empty()) text += fmt::format("resources = {{ {} }}\n", kinds);
  if (!group.partition) return text;
  const auto number = label_number(*group.partition);
  const auto& names = machine.partitions;
  const auto name =
      names.empty() ? std::string()
                    : "  # " + printable(names[static_cast<std::size_t>(number - 1)]);
  return text + fmt::format("partition = {}{}\n", number, name);
}

}  // namespace

HostMachine machine_of(const HostList& list, const HostOptions& options,
                       Budget& budget) {
  return MachineMaker(list, options, budget).make();
}

std::string machine_text(const HostMachine& machine) {
  if (machine.processors) {
    return fmt::format("[machine]\nprocessors = {}\n", *machine.processors);
  }
  std::string text;
  for (const auto& group : machine.groups) {
    text += (text.empty() ? "" : "\n") + group_text(group, machine);
  }
  return text;
}

}  // namespace berth::study
