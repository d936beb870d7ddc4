#include "engine/reserve/reservation_book.hpp"

#include <doctest/doctest.h>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

// A book in whole seconds over 10 processors; jobs by number.
class Desk {
 public:
  explicit Desk(const OverrunRule& rule = {})
      : book(Calendar(0, 10, nullptr, nullptr, budget), rule, budget) {}

  static Request request(std::uint32_t job, std::int32_t size, std::int64_t planned) {
    return {JobId{job}, size, seconds(planned)};
  }
  void start(std::uint32_t job, std::int32_t size, std::int64_t planned) {
    book.started(request(job, size, planned), now, now + seconds(planned));
  }
  std::optional<std::int64_t> place(std::uint32_t job, std::int32_t size,
                                    std::int64_t planned) {
    return whole(book.place(request(job, size, planned), now));
  }
  Updated update(const std::vector<Request>& members,
                 Compress when = Compress::kEarlyEnds) {
    return book.update(members, now, when);
  }
  void stop(std::uint32_t job) { book.stopped(JobId{job}, now); }
  [[nodiscard]] std::optional<std::int64_t> of(std::uint32_t job) {
    return whole(book.of(JobId{job}));
  }
  [[nodiscard]] std::optional<std::int64_t> next() { return whole(book.next(now)); }
  [[nodiscard]] std::vector<std::uint32_t> due() {
    std::vector<std::uint32_t> out;
    for (const JobId job : book.due(now)) out.push_back(index(job));
    return out;
  }
  // "3@7 4-" : job 3 moved to 7, job 4 gave up.
  std::string changes() {
    std::string text;
    for (const auto& change : book.changes()) {
      if (!text.empty()) text += ' ';
      text += std::to_string(index(change.job));
      text += change.start ? "@" + seconds_text(*change.start) : "-";
    }
    book.clear_changes();
    return text;
  }
  void at(std::int64_t second) { now = seconds(second); }

  static std::optional<std::int64_t> whole(std::optional<Time> time) {
    if (!time) return std::nullopt;
    return *time / kSecond;
  }

  Budget budget;
  ReservationBook book;
  Time now = 0;
};

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_SUITE("reserve/reservation_book") {
  TEST_CASE("a job is placed at the earliest start that running jobs leave") {
    Desk desk;
    desk.start(1, 6, 6);
    desk.start(2, 3, 7);
    CHECK(desk.place(3, 8, 5) == 7);
    CHECK(desk.place(4, 2, 4) == 0 + 6);
    CHECK(desk.place(5, 1, 6) == 0);
    CHECK(desk.changes() == "3@7 4@6 5@0");
    CHECK(desk.changes().empty());
  }

  TEST_CASE("a reservation holds its place against those made later") {
    Desk desk;
    CHECK(desk.place(1, 10, 5) == 0);
    CHECK(desk.place(2, 10, 5) == 5);
    CHECK(desk.place(3, 1, 1) == 10);
    CHECK(desk.of(2) == 5);
    CHECK(desk.of(9) == std::nullopt);
  }

  TEST_CASE("placing a job again replaces its reservation") {
    Desk desk;
    desk.place(1, 10, 5);
    desk.place(2, 10, 5);
    desk.book.drop(JobId{1});
    CHECK(desk.of(2) == 5);
    CHECK(desk.place(2, 10, 5) == 0);
    CHECK(desk.next() == std::nullopt);
    CHECK(desk.changes() == "1@0 2@5 1- 2@0");
  }

  TEST_CASE("placing a job where it already is changes nothing") {
    Desk desk;
    desk.place(1, 10, 5);
    CHECK(desk.changes() == "1@0");
    CHECK(desk.place(1, 10, 5) == 0);
    CHECK(desk.changes().empty());
  }

  TEST_CASE("a job wider than the machine gets no reservation") {
    Desk desk;
    CHECK(desk.place(1, 11, 5) == std::nullopt);
    CHECK(desk.of(1) == std::nullopt);
    CHECK(desk.changes().empty());
  }

  TEST_CASE("dropping a job without a reservation changes nothing") {
    Desk desk;
    desk.book.drop(JobId{4});
    CHECK(desk.changes().empty());
  }

  TEST_CASE("due are reservations of now and before, next is the first behind now") {
    Desk desk;
    desk.place(2, 10, 5);
    desk.place(1, 10, 5);
    desk.place(3, 10, 5);
    CHECK(desk.due() == Numbers{2});
    CHECK(desk.next() == 5);
    desk.at(5);
    CHECK(desk.due() == Numbers{2, 1});
    CHECK(desk.next() == 10);
    desk.at(11);
    CHECK(desk.due() == Numbers{2, 1, 3});
    CHECK(desk.next() == std::nullopt);
  }

  TEST_CASE("a start uses up the reservation and holds until the planned end") {
    Desk desk;
    desk.place(1, 6, 5);
    desk.start(1, 6, 5);
    CHECK(desk.of(1) == std::nullopt);
    CHECK(desk.place(2, 5, 1) == 5);
    CHECK(desk.book.free_at(seconds(4), 0) == 4);
    CHECK(desk.book.free_at(seconds(5), 0) == 5);
  }

  TEST_CASE("no new member and no early end: nothing is done") {
    Desk desk;
    desk.start(1, 10, 5);
    const std::vector members{Desk::request(2, 10, 5)};
    CHECK(desk.update(members) == Updated::kPlaced);
    CHECK(desk.update(members) == Updated::kUnchanged);
    desk.at(5);
    desk.stop(1);  // at its planned end, not early
    CHECK(desk.update(members) == Updated::kUnchanged);
    CHECK(desk.of(2) == 5);
  }

  TEST_CASE("an early end lets all members move forward, in order") {
    Desk desk;
    desk.start(1, 10, 9);
    const std::vector members{Desk::request(2, 6, 5), Desk::request(3, 6, 5),
                              Desk::request(4, 4, 9)};
    CHECK(desk.update(members) == Updated::kPlaced);
    CHECK(desk.changes() == "2@9 3@14 4@9");
    desk.at(4);
    desk.stop(1);
    CHECK(desk.update(members) == Updated::kCompressed);
    // Job 3 is looked at while 2 is at 4 and 4 still at 9: 9..14 holds 6 + 4.
    CHECK(desk.changes() == "2@4 3@9 4@4");
    CHECK(desk.update(members) == Updated::kUnchanged);
  }

  TEST_CASE("compress in every pass finds the holes which one compression leaves") {
    Desk desk;
    desk.start(1, 5, 9);
    const std::vector members{Desk::request(2, 7, 8), Desk::request(5, 2, 8)};
    desk.start(3, 5, 8);
    CHECK(desk.update(members) == Updated::kPlaced);
    CHECK(desk.of(2) == 9);
    CHECK(desk.of(5) == 8);  // in front of job 2: 5 + 2 up to 9, then 7 + 2
    desk.at(5);
    desk.stop(1);
    CHECK(desk.update(members) == Updated::kCompressed);
    CHECK(desk.of(2) == 8);
    CHECK(desk.of(5) == 5);
    CHECK(desk.update(members, Compress::kEveryPass) == Updated::kCompressed);
    CHECK(desk.of(2) == 8);
  }

  TEST_CASE("a promise that was missed rebuilds everything in order") {
    Desk desk;
    desk.start(1, 10, 5);
    const std::vector members{Desk::request(2, 10, 5), Desk::request(3, 10, 5)};
    (void)desk.update(members);
    desk.at(6);
    desk.stop(1);
    // Job 2 was not started at 5: both are placed anew, here in another order.
    const std::vector turned{members[1], members[0]};
    CHECK(desk.update(turned) == Updated::kRebuilt);
    CHECK(desk.of(3) == 6);
    CHECK(desk.of(2) == 11);
  }

  TEST_CASE("reservations behind a late job move on when its expected end passes") {
    Desk desk({seconds(1), 2});
    desk.start(1, 6, 6);
    const std::vector members{Desk::request(2, 8, 5)};
    (void)desk.update(members);
    CHECK(desk.of(2) == 6);
    for (const auto& [now, expected] : {std::pair{6, 7}, {7, 8}, {8, 10}, {10, 14}}) {
      desk.at(now);
      CHECK(desk.update(members) == Updated::kRebuilt);
      CHECK(desk.of(2) == expected);
      CHECK(desk.update(members) == Updated::kUnchanged);
    }
    desk.at(14);
    desk.stop(1);  // at an expected end: not early
    CHECK(desk.update(members) == Updated::kUnchanged);
    CHECK(desk.due() == Numbers{2});
  }

  TEST_CASE("a late job that ends between two expected ends leads to compression") {
    Desk desk;
    desk.start(1, 6, 6);
    const std::vector members{Desk::request(2, 8, 5)};
    (void)desk.update(members);
    desk.at(6);
    CHECK(desk.update(members) == Updated::kRebuilt);
    CHECK(desk.of(2) == 66);
    desk.at(9);
    desk.stop(1);
    CHECK(desk.update(members) == Updated::kCompressed);
    CHECK(desk.of(2) == 9);
  }

  TEST_CASE("so it does where no update was asked for since its planned end") {
    Desk desk;
    desk.start(1, 6, 6);
    desk.at(9);
    desk.stop(1);
    CHECK(desk.update({}) == Updated::kCompressed);
  }

  TEST_CASE("a job whose end is due now is not late, nor is one that waits for it") {
    Desk desk({seconds(60), 2, seconds(1)});
    desk.start(1, 6, 6);
    const std::vector members{Desk::request(2, 8, 5)};
    (void)desk.update(members);
    desk.at(6);
    CHECK(desk.update(members) == Updated::kUnchanged);
    CHECK(desk.due() == Numbers{2});
    desk.stop(1);
    CHECK(desk.update(members) == Updated::kUnchanged);
  }

  TEST_CASE("a late job that no reservation waits for rebuilds nothing") {
    Desk desk;
    desk.start(1, 2, 6);
    desk.start(2, 8, 90);
    const std::vector members{Desk::request(3, 8, 5)};
    (void)desk.update(members);
    CHECK(desk.of(3) == 90);
    desk.at(6);
    CHECK(desk.update(members) == Updated::kUnchanged);
    CHECK(desk.book.free_at(seconds(65), desk.now) == 0);
    CHECK(desk.book.free_at(seconds(66), desk.now) == 2);
  }

  TEST_CASE("a start on reserved processors makes the next update rebuild") {
    Desk desk;
    desk.start(1, 5, 5);
    const std::vector members{Desk::request(2, 10, 5)};
    (void)desk.update(members);
    CHECK(desk.of(2) == 5);
    desk.start(3, 5, 20);  // there is room now, but not behind 5
    CHECK(desk.update(members) == Updated::kRebuilt);
    CHECK(desk.of(2) == 20);
    CHECK(desk.update(members) == Updated::kUnchanged);
    desk.at(3);
    desk.stop(3);  // early: the whole machine is free at 5 again
    CHECK(desk.update(members) == Updated::kCompressed);
    CHECK(desk.of(2) == 5);
  }

  TEST_CASE("a job that stops where it had no claim releases none") {
    Desk desk;
    desk.start(1, 5, 5);
    (void)desk.place(2, 10, 5);
    desk.start(3, 5, 20);
    desk.at(1);
    desk.stop(3);
    CHECK(desk.book.free_at(desk.now, desk.now) == 5);
    CHECK(desk.book.free_at(seconds(5), desk.now) == 0);
    CHECK(desk.book.free_at(seconds(10), desk.now) == 10);
  }

  TEST_CASE("a suspended job gives back the rest of its claim and is placed anew") {
    Desk desk;
    desk.start(1, 10, 20);
    const std::vector before{Desk::request(2, 4, 3)};
    (void)desk.update(before);
    CHECK(desk.of(2) == 20);
    desk.at(5);
    desk.stop(1);
    const std::vector both{Desk::request(1, 10, 15), Desk::request(2, 4, 3)};
    CHECK(desk.update(both) == Updated::kCompressed);
    CHECK(desk.of(1) == 5);
    CHECK(desk.of(2) == 20);
  }

  TEST_CASE("a rebuild tells only of members that moved") {
    Desk desk;
    desk.start(1, 10, 5);
    const std::vector members{Desk::request(2, 10, 5), Desk::request(3, 10, 5)};
    (void)desk.update(members);
    (void)desk.changes();
    desk.book.rebuild(members, desk.now);
    CHECK(desk.changes().empty());
    const std::vector turned{members[1], members[0]};
    desk.book.rebuild(turned, desk.now);
    CHECK(desk.changes() == "3@5 2@10");
  }

  TEST_CASE("the profile answers from the time asked for, reservations included") {
    Desk desk;
    desk.start(1, 4, 10);
    (void)desk.place(2, 10, 5);
    CHECK(desk.book.earliest(6, seconds(10), 0, 0) == 0);
    CHECK(desk.book.earliest(6, seconds(11), 0, 0) == seconds(15));
    CHECK(desk.book.earliest(6, seconds(10), 1, 0) == seconds(15));
    CHECK(desk.book.earliest(11, seconds(1), 0, 0) == std::nullopt);
  }

  // Job 1 has 6 of 10 until 20.  In an earlier book job 2 was to have 8 at 30, and job
  // 3 the other 4 from 5 on until then, beside job 1.
  TEST_CASE("reservations of an earlier book are made again as they were") {
    Desk desk;
    desk.start(1, 6, 20);
    const auto again = [&](std::uint32_t job, std::int32_t size, std::int64_t planned,
                           std::int64_t start) {
      return desk.book.restore(Desk::request(job, size, planned), seconds(start),
                               desk.now);
    };
    CHECK(again(3, 4, 25, 5));
    CHECK(again(2, 8, 10, 30));
    CHECK(desk.changes() == "3@5 2@30");
    CHECK(desk.update({Desk::request(2, 8, 10), Desk::request(3, 4, 25)}) ==
          Updated::kUnchanged);
    SUBCASE("one for which there is no room any more lets the book be rebuilt") {
      CHECK_FALSE(again(4, 3, 10, 30));
      CHECK_FALSE(desk.of(4));
      CHECK(desk.update({Desk::request(2, 8, 10), Desk::request(3, 4, 25),
                         Desk::request(4, 3, 10)}) == Updated::kRebuilt);
      // In order: 2 when job 1 has ended, 3 at once, 4 when both have.
      CHECK(desk.of(2) == 20);
      CHECK(desk.of(3) == 30);
      CHECK(desk.of(4) == 0);
    }
    SUBCASE("so does one that lies before now") {
      desk.at(3);
      CHECK_FALSE(again(4, 1, 10, 2));
      CHECK(desk.update({Desk::request(2, 8, 10), Desk::request(3, 4, 25)}) ==
            Updated::kRebuilt);
    }
  }
}
