#include "engine/sim/book.hpp"

#include "engine/base/error.hpp"

namespace berth::sim {

Updated Book::update(std::size_t order, Compress compress) {
  return simulation_.book().update(read(order), simulation_.now(), compress);
}

void Book::rebuild(std::size_t order) {
  simulation_.book().rebuild(read(order), simulation_.now());
}

std::optional<Time> Book::place(JobId job) {
  if (!queues(simulation_.jobs().state(job))) {
    throw Error(ErrorCode::kPolicy,
                "place: only a job in the queue can have a reservation");
  }
  return simulation_.book().place(request(job), simulation_.now());
}

Request Book::request(JobId job) const {
  return {job, simulation_.jobs().job(job).size, simulation_.world().planned_span(job)};
}

std::span<const Request> Book::read(std::size_t order) {
  const auto& queue = simulation_.queue(order);
  const auto members = simulation_.book().members(queue.length());
  auto next = members.begin();
  queue.for_each([&next](const JobQueue::Member& member) {
    *next++ = {member.place.job, member.size, member.planned};
  });
  return members;
}

}  // namespace berth::sim
