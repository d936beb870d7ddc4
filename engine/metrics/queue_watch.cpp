#include "engine/metrics/queue_watch.hpp"

namespace berth {

void QueueWatch::enter(Place place, const Job& job) {
  order_.insert({place, job.size, job.walltime});
  sizes_.add(job.size);
  backlog_ += Int128{job.size} * job.length;
}

void QueueWatch::leave(Place place, const Job& job) {
  order_.erase(place);
  sizes_.remove(job.size);
  backlog_ -= Int128{job.size} * job.length;
}

void QueueWatch::move(Place from, double key) {
  order_.erase(from);
  // Only places matter here: sizes are kept apart.
  order_.insert({{key, from.job}, 1, 0});
}

}  // namespace berth
