#include "engine/sim/book.hpp"

#include "engine/base/error.hpp"

namespace berth::sim {

Updated Book::update(std::size_t order, Compress compress) {
  const auto& [members, late] = read(order);
  return simulation_.book().update(members, late, simulation_.now(), compress);
}

void Book::rebuild(std::size_t order) {
  const auto& [members, late] = read(order);
  simulation_.book().rebuild(members, late, simulation_.now());
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
          simulation_.world().planned_span(job)};
}

const ReservationBook::Lists& Book::read(std::size_t order) {
  auto& lists = simulation_.book().lists();
  lists.members.clear();
  simulation_.queue(order).for_each([&lists](const JobQueue::Member& member) {
    lists.members.push_back({member.place.job, member.size, member.planned});
  });
  simulation_.world().running().overrun(simulation_.now(), lists.late);
  return lists;
}

}  // namespace berth::sim
