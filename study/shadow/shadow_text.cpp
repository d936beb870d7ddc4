// What a shadow shows, in words and as JSON.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/duration_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/text_table.hpp"
#include "study/shadow/shadow_session.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kMostRows = 30;

std::string plural(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string limit_text(const ShadowJob& job) {
  return job.minutes ? human_time(static_cast<double>(*job.minutes) * 60) : "none";
}

std::string joined(const std::vector<std::string>& parts, std::string_view none) {
  return parts.empty() ? std::string(none) : fmt::format("{}", fmt::join(parts, ", "));
}

std::string head_text(const ShadowLook& look) {
  const auto& at = *look.snapshot;
  const auto running = static_cast<std::int64_t>(at.running());
  const auto waiting = static_cast<std::int64_t>(at.waiting());
  const auto count = static_cast<std::int64_t>(at.hosts.size());
  return fmt::format(
      "look {}, {} UTC, {}partition {}\n{} on {}; {}, {}, {} outside the "
      "queue\n",
      look.number, date_text(at.at),
      at.version.empty() ? std::string()
                         : fmt::format("Slurm {}, ", printable(at.version)),
      printable(at.partition), plural(at.processors, "processor", "processors"),
      plural(count, "node", "nodes"), plural(running, "job runs", "jobs run"),
      plural(waiting, "waits", "wait"), at.outside.size());
}

std::string away_text(const Snapshot& at) {
  std::vector<std::string> parts;
  for (const auto& node : at.away) {
    if (parts.size() == kMostRows) break;
    parts.push_back(fmt::format("{} ({})", printable(node.name), node.why));
  }
  if (parts.size() < at.away.size()) parts.push_back("...");
  return parts.empty() ? "" : fmt::format("takes no job: {}\n", fmt::join(parts, ", "));
}

std::string starts_text(const Snapshot& at, const ShadowDecision& decision) {
  std::vector<std::string> parts;
  for (const auto& start : decision.starts) {
    if (parts.size() == kMostRows) break;
    parts.push_back(
        fmt::format("{} on {}", at.names[start.job].name, at.nodes_of(start.where)));
  }
  if (parts.size() < decision.starts.size()) {
    parts.push_back(fmt::format("and {} more", decision.starts.size() - parts.size()));
  }
  return fmt::format(
      "{} would start now: {}\n", decision.policy,
      parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; ")));
}

std::string decided(const Snapshot& at, const ShadowDecision& decision,
                    std::size_t job) {
  if (decision.starts_job(job)) return "starts";
  const auto* const kept = decision.kept_job(job);
  return kept == nullptr ? "" : at.in_names(kept->words);
}

// A line a job that waits: what Slurm says, and what each policy.
std::string waiting_text(const ShadowLook& look) {
  const auto& at = *look.snapshot;
  TextTable table;
  table.lines.push_back({"job", "user", "size", "limit", "Slurm"});
  for (const auto& decision : look.decisions) {
    table.lines.front().push_back(decision.policy);
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < at.names.size(); ++i) {
    const auto& job = at.names[i];
    if (!job.waits()) continue;
    if (table.lines.size() > kMostRows) {
      ++left;
      continue;
    }
    table.lines.push_back({job.name, printable(job.user),
                           fmt::format("{}", at.jobs[i].size), limit_text(job),
                           job.reason.empty() ? "None" : printable(job.reason)});
    for (const auto& decision : look.decisions) {
      table.lines.back().push_back(decided(at, decision, i));
    }
  }
  if (table.lines.size() == 1) return {};
  table.words = table.lines.front().size();
  auto text = aligned_text(table);
  if (left > 0) text += fmt::format("and {} more; --json has all\n", left);
  return text;
}

std::string outside_text(const Snapshot& at) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& job : at.outside) by_reason[job.why].push_back(job.name);
  std::string text;
  for (auto& [why, names] : by_reason) {
    const auto all = names.size();
    names.resize(std::min(all, kMostRows));
    text += fmt::format("outside the queue, {}: {}{}\n", printable(why),
                        joined(names, ""), all > kMostRows ? ", ..." : "");
  }
  return text;
}

// Where the policies differ, for two or more.
std::string differences_text(const ShadowLook& look) {
  if (look.decisions.size() < 2) return {};
  const auto& at = *look.snapshot;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < at.names.size() && parts.size() <= kMostRows; ++i) {
    std::vector<std::string> who;
    for (const auto& decision : look.decisions) {
      if (decision.starts_job(i)) who.push_back(decision.policy);
    }
    if (who.empty() || who.size() == look.decisions.size()) continue;
    parts.push_back(fmt::format("{} ({})", at.names[i].name, fmt::join(who, ", ")));
  }
  return fmt::format("started by some policies alone: {}\n", joined(parts, "no job"));
}

Json decision_json(const Snapshot& at, const ShadowDecision& decision) {
  auto starts = Json::array();
  for (const auto& start : decision.starts) {
    starts.append({{"job", at.names[start.job].name},
                   {"nodes", at.nodes_of(start.where)},
                   {"because", start.because}});
  }
  auto kept = Json::array();
  for (const auto& each : decision.kept) {
    kept.append({{"job", at.names[each.job].name},
                 {"reason", each.reason},
                 {"squeue", each.squeue},
                 {"words", at.in_names(each.words)}});
  }
  return {{"policy", decision.policy}, {"starts", starts}, {"waits", kept}};
}

std::string instant_text(const std::optional<std::int64_t>& at) {
  return at ? date_text(*at) : "-";
}

}  // namespace

std::string Snapshot::nodes_of(const IntervalSet& where) const {
  std::vector<std::int64_t> counts(hosts.size());
  for (const auto& part : where.intervals()) {
    for (auto each = part.first; each <= part.last; ++each) {
      const auto behind =
          std::upper_bound(first_of_host.begin(), first_of_host.end(), each);
      ++counts[static_cast<std::size_t>(behind - first_of_host.begin() - 1)];
    }
  }
  std::string text;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto all = first_of_host[i + 1] - first_of_host[i];
    text += fmt::format("{}{}", text.empty() ? "" : ", ", printable(hosts[i]));
    if (counts[i] != all) text += fmt::format(" ({})", counts[i]);
  }
  return text;
}

std::string Snapshot::in_names(std::string_view words) const {
  std::string text;
  for (std::size_t next = 0; next < words.size();) {
    const auto digits =
        std::min(words.find_first_not_of("0123456789", next), words.size()) - next;
    if (digits == 0) {
      text += words[next++];
    } else {
      text += named(words.substr(next, digits), text);
      next += digits;
    }
  }
  return text;
}

// A number of a reason, behind the words before it.
std::string Snapshot::named(std::string_view number, std::string_view before) const {
  constexpr std::size_t kDigitsOfArray = 13;
  constexpr std::size_t kDigitsOfTime = 10;
  constexpr std::array<std::string_view, 4> kBeforeTimes{" at ", "ends ", "from ",
                                                         "until "};
  const auto value = number.size() <= kDigitsOfArray ? expand_indices(number)
                                                     : std::vector<std::int64_t>{};
  if (value.size() != 1) return std::string(number);
  if (number.size() == kDigitsOfArray) {
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& each) {
      return each.id == value.front();
    });
    const auto place = static_cast<std::size_t>(job - jobs.begin());
    if (place < names.size()) return names[place].name;
  }
  const bool is_time =
      number.size() == kDigitsOfTime &&
      std::any_of(kBeforeTimes.begin(), kBeforeTimes.end(),
                  [&](const auto words) { return before.ends_with(words); });
  return is_time ? date_text(value.front()) : std::string(number);
}

std::string look_text(const ShadowLook& look) {
  const auto& at = *look.snapshot;
  auto text = head_text(look) + away_text(at);
  for (const auto& remark : at.remarks) text += fmt::format("note: {}\n", remark);
  for (const auto& decision : look.decisions) text += starts_text(at, decision);
  return text + differences_text(look) + waiting_text(look) + outside_text(at);
}

Json look_json(const ShadowLook& look) {
  const auto& at = *look.snapshot;
  auto waiting = Json::array();
  for (std::size_t i = 0; i < at.names.size(); ++i) {
    const auto& job = at.names[i];
    if (!job.waits()) continue;
    waiting.append({{"job", job.name},
                    {"user", job.user},
                    {"size", at.jobs[i].size},
                    {"minutes", job.minutes},
                    {"slurm", job.reason}});
  }
  auto outside = Json::array();
  for (const auto& job : at.outside) {
    outside.append({{"job", job.name}, {"user", job.user}, {"why", job.why}});
  }
  auto away = Json::array();
  for (const auto& node : at.away) {
    away.append({{"node", node.name}, {"why", node.why}});
  }
  auto decisions = Json::array();
  for (const auto& decision : look.decisions) {
    decisions.append(decision_json(at, decision));
  }
  return {{"look", look.number},         {"time", at.at},
          {"slurm", at.version},         {"partition", at.partition},
          {"processors", at.processors}, {"nodes", at.hosts},
          {"running", at.running()},     {"waiting", waiting},
          {"outside", outside},          {"away", away},
          {"notes", at.remarks},         {"policies", decisions}};
}

std::string agreement_text(const ShadowAgreement& agreement) {
  auto text =
      fmt::format("{} from {} to {} UTC; Slurm started {} since the first\n",
                  plural(agreement.looks, "look", "looks"), date_text(agreement.from),
                  date_text(agreement.to), plural(agreement.starts, "job", "jobs"));
  TextTable table;
  table.words = 1;
  table.lines.push_back({"policy", "same second", "policy first", "Slurm first"});
  for (const auto& counts : agreement.counts) {
    table.lines.push_back({counts.policy, fmt::format("{}", counts.same),
                           fmt::format("{}", counts.policy_first),
                           fmt::format("{}", counts.slurm_first)});
  }
  text += aligned_text(table);
  TextTable jobs;
  jobs.lines.push_back({"job", "user", "Slurm"});
  for (const auto& counts : agreement.counts) {
    jobs.lines.front().push_back(counts.policy);
  }
  jobs.words = jobs.lines.front().size();
  std::size_t left = 0;
  for (const auto& job : agreement.jobs) {
    const bool differs = std::any_of(job.policies.begin(), job.policies.end(),
                                     [&](const auto& own) { return own != job.slurm; });
    if (!differs) continue;
    if (jobs.lines.size() > kMostRows) {
      ++left;
      continue;
    }
    jobs.lines.push_back({job.job, printable(job.user), instant_text(job.slurm)});
    for (const auto& own : job.policies) jobs.lines.back().push_back(instant_text(own));
  }
  if (jobs.lines.size() > 1)
    text += "\nstarted at different instants\n" + aligned_text(jobs);
  if (left > 0) text += fmt::format("and {} more; --json has all\n", left);
  return text;
}

Json agreement_json(const ShadowAgreement& agreement) {
  auto counts = Json::array();
  for (const auto& each : agreement.counts) {
    counts.append({{"policy", each.policy},
                   {"same", each.same},
                   {"policy_first", each.policy_first},
                   {"slurm_first", each.slurm_first}});
  }
  auto jobs = Json::array();
  for (const auto& job : agreement.jobs) {
    jobs.append({{"job", job.job},
                 {"user", job.user},
                 {"slurm", job.slurm},
                 {"policies", job.policies}});
  }
  return {{"looks", agreement.looks},   {"from", agreement.from}, {"to", agreement.to},
          {"starts", agreement.starts}, {"agreement", counts},    {"jobs", jobs}};
}

}  // namespace berth::study
