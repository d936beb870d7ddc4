#include "study/shadow/job_shape.hpp"

#include <algorithm>

namespace berth::study {

JobShape asked_by(const SlurmJob& job, ShadowUnit unit) {
  JobShape asked;
  if (unit == ShadowUnit::kNodes) {
    asked.size = asked.chunks = job.nodes;
    return asked;
  }
  const auto kinds = further_kinds(job);
  const auto together = std::max<std::int64_t>(job.processors_together, 1);
  const bool is_by_nodes =
      job.most_nodes > 0 || job.memory_of_node > 0 || !kinds.empty();
  asked.size = asked.chunks = job.processors;
  if (is_by_nodes && job.processors % job.nodes == 0) {
    asked.chunks = job.nodes;
  } else if (!is_by_nodes && job.processors % together == 0) {
    asked.chunks = job.processors / together;
  }
  asked.memory = job.memory_of_node > 0
                     ? share_of(job.memory_of_node * job.nodes, asked.chunks)
                     : job.memory_of_processor * (asked.size / asked.chunks);
  for (const auto& [kind, amount] : kinds) {
    asked.kinds[kind] = share_of(amount, asked.chunks);
  }
  return asked;
}

}  // namespace berth::study
