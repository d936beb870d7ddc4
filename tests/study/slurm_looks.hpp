#pragma once
// What a Slurm may say, and what a session makes of it.

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "study/shadow/shadow_session.hpp"

namespace berth::test {

class StateText final : public ByteSource {
 public:
  explicit StateText(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t capacity) override {
    const auto count = std::min(capacity, text_.size() - at_);
    std::copy_n(text_.data() + at_, count, to);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

inline void add_squeue(const std::string& text, study::ClusterState& state) {
  StateText source(text);
  Budget budget;
  study::read_squeue(source, "squeue", state, budget);
}

inline void add_sinfo(const std::string& text, study::ClusterState& state) {
  StateText source(text);
  Budget budget;
  study::read_sinfo(source, "sinfo", state, budget);
}

// A job of squeue: "id state size submit start end minutes" and further members.
// NOLINTNEXTLINE(readability-function-size): a row of a table
inline std::string job(std::int64_t id, const std::string& state, int size, int submit,
                       int start, int end, int minutes, const std::string& more = {}) {
  return fmt::format(
      R"({{"job_id":{},"job_state":"{}","state_reason":"Priority","cpus":{},)"
      R"("partition":"p","user_name":"u{}","submit_time":{},"start_time":{},)"
      R"("end_time":{},"time_limit":{}{}{}}})",
      id, state, size, id % 3, submit, start, end, minutes, more.empty() ? "" : ",",
      more);
}

inline std::string on(const std::string& node, int processors) {
  return fmt::format(
      R"("nodes":"{}","job_resources":{{"allocated_nodes":[{{"nodename":"{}","cpus":{}}}]}})",
      node, node, processors);
}

// A look at this second: two nodes of four processors.
inline study::ClusterState look_at(std::int64_t second,
                                   const std::vector<std::string>& jobs) {
  study::ClusterState state;
  add_sinfo(R"({"nodes":[{"name":"a","cpus":4,"state":"idle","partitions":["p"]},)"
            R"({"name":"b","cpus":4,"state":"mixed","partitions":["p"]}]})",
            state);
  add_squeue(fmt::format(R"({{"time":{},"jobs":[{}]}})", second, fmt::join(jobs, ",")),
             state);
  return state;
}

inline study::Scenario with_policies(std::initializer_list<const char*> names) {
  study::Scenario scenario;
  for (const auto* name : names) {
    scenario.policies.push_back(study::parse_policy_choice(name).value());
  }
  return scenario;
}

struct Shadowed {
  Shadowed(std::initializer_list<const char*> names)
      : scenario(with_policies(names)),
        library(study::PolicyLibrary::standard()),
        session({"", study::ShadowUnit::kProcessors}, scenario, library, loading) {}
  study::Scenario scenario;
  study::PolicyLibrary library;
  study::LoadingOptions loading{};
  study::ShadowSession session;
};

// "8+ on n2 (1), n4; 12 on n1 (1)".
inline std::string starts(const study::ShadowLook& look, std::size_t policy = 0) {
  std::vector<std::string> parts;
  for (const auto& start : look.decisions[policy].starts) {
    parts.push_back(fmt::format("{} on {}", look.snapshot->names[start.job].name,
                                look.snapshot->nodes_of(start.where)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// "10 no_room, 17 would_delay".
inline std::string kept(const study::ShadowLook& look, std::size_t policy = 0) {
  std::vector<std::string> parts;
  for (const auto& each : look.decisions[policy].kept) {
    parts.push_back(look.snapshot->names[each.job].name + " " + each.reason);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace berth::test
