#include "engine/sim/book.hpp"

#include "engine/base/error.hpp"

namespace berth::sim {

Updated Book::update(std::size_t order, Compress compress) {
  return simulation_.book().update(members(order), late(), simulation_.now(), compress);
}

void Book::rebuild(std::size_t order) {
  simulation_.book().rebuild(members(order), late(), simulation_.now());
}

std::optional<Time> Book::place(JobId job) {
  if (!queues(simulation_.jobs().state(job))) {
    throw Error(ErrorCode::kPolicy,
                "place: only a job in the queue can have a reservation");
  }
  return simulation_.book().place(request(job), simulation_.now());
}

Request Book::request(JobId job) const {
  return {job, simulation_.jobs().job(job).size,
          after(simulation_.thaw_time(job), simulation_.planned_left(job))};
}

std::vector<Request> Book::members(std::size_t order) const {
  const auto& queue = simulation_.queue(order);
  std::vector<Request> out;
  out.reserve(queue.length());
  for (auto at = queue.head(); at; at = queue.next(&*at))
    out.push_back(request(at->job));
  return out;
}

std::vector<Release> Book::late() const {
  std::vector<Release> out;
  simulation_.running().overrun(simulation_.now(), out);
  return out;
}

}  // namespace berth::sim
