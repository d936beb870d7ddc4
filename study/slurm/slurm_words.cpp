#include "study/slurm/slurm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/workload/formats/log_text.hpp"

namespace berth::study {

namespace {

// "gpu" of "gres/gpu:a100" and of "gpu".
std::string kind_name(std::string_view text) {
  if (text.starts_with("gres/")) text.remove_prefix(5);
  return std::string(text.substr(0, text.find(':')));
}

}  // namespace

Amounts further_kinds(const SlurmJob& job) {
  Amounts amounts;
  for (const auto& kind : tres_from_log(job.wanted).kinds) {
    amounts[kind_name(kind.kind)] += kind.amount;
  }
  return amounts;
}

Amounts kinds_of_node(std::string_view text) {
  Amounts amounts;
  while (!text.empty()) {
    // A comma within brackets belongs to them.
    auto end = text.find(',');
    const auto open = text.find('(');
    if (open < end) end = text.find(',', text.find(')', open));
    auto entry = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    entry = entry.substr(0, entry.find('('));
    const auto colon = entry.rfind(':');
    const auto count = colon == entry.npos ? std::vector<std::int64_t>{}
                                           : expand_indices(entry.substr(colon + 1));
    const auto name = kind_name(entry);
    if (!name.empty()) amounts[name] += count.size() == 1 ? count.front() : 1;
  }
  return amounts;
}

std::string id_of(const SlurmJob& job) {
  if (job.array && job.index) return fmt::format("{}_{}", *job.array, *job.index);
  if (job.array && !job.indices.empty()) {
    return fmt::format("{}_[{}]", *job.array, job.indices);
  }
  if (job.group) return fmt::format("{}+{}", *job.group, job.part);
  return fmt::format("{}", job.number);
}

bool holds_nodes(const SlurmJob& job) {
  constexpr std::array<std::string_view, 5> kStates{
      "RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING", "STOPPED"};
  return std::find(kStates.begin(), kStates.end(), job.state) != kStates.end();
}

std::string_view away_words(const SlurmNode& node) {
  constexpr std::pair<std::string_view, std::string_view> kWords[]{
      {"DOWN", "down"},
      {"DRAIN", "drained"},
      {"DRAINED", "drained"},
      {"DRAINING", "drained"},
      {"FAIL", "failed"},
      {"FAILING", "failed"},
      {"ERROR", "failed"},
      {"MAINT", "in maintenance"},
      {"MAINTENANCE", "in maintenance"},
      {"RESERVED", "reserved"},
      {"NOT_RESPONDING", "does not answer"},
      {"NO_RESPOND", "does not answer"},
      {"UNKNOWN", "in no known state"},
      {"FUTURE", "not there yet"},
      {"REBOOT_ISSUED", "starting again"},
      {"POWERING_DOWN", "being switched off"},
  };
  for (const auto& [state, words] : kWords) {
    const auto& all = node.states;
    if (std::find(all.begin(), all.end(), state) != all.end()) return words;
  }
  return {};
}

bool is_out_of_service(const SlurmNode& node) {
  constexpr std::array<std::string_view, 8> kBeginnings{
      "DOWN",           "DRAIN",      "FAIL",  "MAINT",
      "NOT_RESPONDING", "NO_RESPOND", "INVAL", "POWERED_DOWN"};
  return std::any_of(node.states.begin(), node.states.end(), [&](const auto& state) {
    return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [&](auto each) { return state.starts_with(each); });
  });
}

std::string held_words(const SlurmJob& job) {
  constexpr std::string_view kInQueue[]{"",          "None",   "Priority",
                                        "Resources", "Prolog", "JobArrayTaskLimit"};
  constexpr std::pair<std::string_view, std::string_view> kWords[]{
      {"JobHeldUser", "held by its user"},
      {"JobHeldAdmin", "held by the administrator"},
      {"Dependency", "waits for another job"},
      {"DependencyNeverSatisfied", "waits for what cannot happen any more"},
      {"BeginTime", "may not begin yet"},
      {"Reservation", "waits for its reservation"},
      {"PartitionConfig", "beyond what the partition allows"},
      {"PartitionNodeLimit", "beyond what the partition allows"},
      {"PartitionTimeLimit", "beyond what the partition allows"},
      {"PartitionDown", "the partition is down"},
      {"PartitionInactive", "the partition is inactive"},
  };
  for (const auto& [reason, words] : kWords) {
    if (job.reason == reason) return std::string(words);
  }
  if (!job.reservation.empty()) return "waits for its reservation";
  const bool is_in_queue = job.reason.starts_with("ReqNodeNotAvail") ||
                           std::find(std::begin(kInQueue), std::end(kInQueue),
                                     job.reason) != std::end(kInQueue);
  return is_in_queue ? std::string() : fmt::format("held by Slurm: {}", job.reason);
}

}  // namespace berth::study
