#pragma once
// Numbers for the names of users, groups, programs, queues and partitions in a log.

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/workload/formats/log.hpp"

namespace berth {

// Whether `a` comes first where runs of digits compare as numbers and all else by
// bytes; texts that are equal so compare by bytes.
[[nodiscard]] bool comes_naturally_before(std::string_view a, std::string_view b);

// The labels of a job, by kNameKinds.
[[nodiscard]] inline std::array<std::int32_t*, kNameKinds.size()> labels_of(Job& job) {
  return {&job.user, &job.group, &job.executable, &job.queue_class, &job.partition};
}

inline constexpr std::size_t kPartitionNames = 4;  // in kNameKinds

class LogNames {
 public:
  // While records are read: a code of the name; kUnknown for one that is none.
  [[nodiscard]] std::int32_t code(std::size_t kind, std::string_view name);
  // Then, over the jobs in their order: a job has this code.
  void see(std::size_t kind, std::int32_t code);
  // Then, once: the numbers; a kind whose names all are numbers below 2^31 keeps them
  // and has no legend.
  [[nodiscard]] std::array<std::vector<LogName>, kNameKinds.size()> legend();
  // Then: the label of a job (label.hpp).
  [[nodiscard]] std::int32_t label(std::size_t kind, std::int32_t code) const;

 private:
  struct OfKind {
    std::unordered_map<std::string, std::int32_t> codes;
    std::vector<std::int32_t> numbers;  // by code; 0: not seen
    std::vector<std::int32_t> seen;     // codes, in order
  };
  std::array<OfKind, kNameKinds.size()> kinds_;
};

}  // namespace berth
