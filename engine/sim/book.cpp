#include "engine/sim/book.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/sim/policy.hpp"

namespace berth::sim {

namespace {

// What a policy may change without it being told, at most.
constexpr std::size_t kMostChanges = std::size_t{1} << 20U;

}  // namespace

Updated Book::update(std::size_t order, Compress compress) {
  auto& book = change("book:update");
  return book.update(read(order), simulation_.world().now(), compress);
}

void Book::rebuild(std::size_t order) {
  auto& book = change("book:rebuild");
  book.rebuild(read(order), simulation_.world().now());
}

std::optional<Time> Book::place(JobId job) {
  auto& book = change("book:place");
  if (!queues(simulation_.world().jobs().state(job))) {
    throw Error(ErrorCode::kPolicy,
                "place: only a job in the queue can have a reservation");
  }
  if (!simulation_.shows(job)) return std::nullopt;
  return book.place(request(job), simulation_.world().now());
}

void Book::drop(JobId job) { change("book:drop").drop(job); }

ReservationBook& Book::change(const char* action) {
  auto& world = simulation_.parts().world;
  world.require(Phase::kDecision, action);
  auto& book = world.book();
  if (book.changes().size() >= kMostChanges) world.tell_book_changes();
  return book;
}

Request Book::request(JobId job) const {
  return {job, simulation_.world().jobs().job(job).size,
          simulation_.world().planned(job).span};
}

Members Book::read(std::size_t order) {
  const auto& queue = simulation_.queue(order);
  const auto members = simulation_.parts().world.book().members(queue.length());
  simulation_.world().decision().budget.charge_each(members.size());
  auto next = members.begin();
  queue.for_each([&next](const JobQueue::Member& member) {
    *next++ = {member.place.job, member.size, member.planned};
  });
  // Candidates that run have no reservation.
  if (order == simulation_.world().traits().candidates()) {
    next = std::remove_if(members.begin(), next, [this](const Request& each) {
      return !queues(simulation_.world().jobs().state(each.job));
    });
  }
  // Members that a limit bars now may have had one.
  const auto& orders = simulation_.orders();
  return {std::span<const Request>(members.begin(), next),
          !orders.user_of(order) && orders.limits() == nullptr};
}

}  // namespace berth::sim
