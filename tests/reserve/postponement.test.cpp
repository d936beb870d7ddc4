#include "engine/reserve/postponement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>

#include "engine/base/random_stream.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// A machine on which some jobs run in time, some overrun and some wait.
struct Scene {
  std::vector<AvailabilityProfile::Taken> in_time;
  std::vector<Release> late;
  std::vector<Request> members;
  std::int64_t capacity;

  [[nodiscard]] Postponement::Asked at(Time now) {
    for (auto& release : late) release.at = now + kSecond;
    return {now, capacity, in_time, late, members};
  }
};

Scene random_scene(std::uint64_t seed) {
  auto stream = random_stream(seed, "test.scene");
  const auto draw = [&stream](std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream);
  };
  Scene scene{{}, {}, {}, draw(4, 20)};
  auto free = scene.capacity;
  for (std::uint32_t job = 0; job < 8; ++job) {
    const auto size = std::min(free, draw(1, 4));
    if (size == 0) break;
    free -= size;
    if (job < 2) {
      scene.late.push_back({0, JobId{job}, static_cast<std::int32_t>(size)});
    } else {
      scene.in_time.push_back({seconds(draw(3, 300)), size});
    }
  }
  std::sort(scene.in_time.begin(), scene.in_time.end(),
            [](const auto& a, const auto& b) { return a.until < b.until; });
  const auto members = draw(1, 12);
  for (std::uint32_t job = 100; job < 100 + members; ++job) {
    const auto size = static_cast<std::int32_t>(draw(1, scene.capacity));
    scene.members.push_back({JobId{job}, size, seconds(draw(1, 90))});
  }
  return scene;
}

// All reservations made from nothing.
std::vector<Time> made_from_nothing(const Postponement::Asked& asked) {
  AvailabilityProfile profile(asked.now, asked.capacity);
  for (const auto& release : asked.late) {
    profile.claim(release.size, asked.now, release.at);
  }
  for (const auto& [until, amount] : asked.in_time) {
    profile.claim(amount, asked.now, until);
  }
  std::vector<Time> starts;
  for (const auto& member : asked.members) {
    const auto start = profile.earliest(member.size, member.planned, asked.now);
    starts.push_back(start.value_or(kNever));
    if (start) profile.claim(member.size, *start, *start + member.planned);
  }
  return starts;
}

// Notes when jobs start, and nothing else.
class Starts final : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
    starts.emplace(start.who.id, start.at);
  }
  void finish(Time) override {}
  std::map<JobId, Time> starts;
};

// `random_jobs`, in another scale, so that overruns last for many passes and few things
// fall together.
std::vector<Job> long_overruns(std::uint64_t seed, std::int64_t jobs) {
  auto out = random_jobs(seed, {jobs, 8, false, true});
  auto stream = random_stream(seed, "test.scale");
  boost::random::uniform_int_distribution<std::int64_t> odd(0, 29);
  for (auto& job : out) {
    job.submit = job.submit * 30 + seconds(odd(stream));
    job.length = job.length * 30 + seconds(odd(stream));
    job.walltime = job.walltime * 30 + seconds(odd(stream));
  }
  std::sort(out.begin(), out.end(), comes_first);
  return out;
}

struct Ran {
  std::map<JobId, Time> starts;
  std::int64_t passes = 0;
  friend bool operator==(const Ran&, const Ran&) = default;
};

// Conservative backfilling; `looks` at every reservation at every pass, so that nothing
// can be put off.
Ran conservative_run(const std::vector<Job>& jobs, bool looks) {
  Ran ran;
  ScriptedPolicy policy([&](sim::Simulation& world) {
    ++ran.passes;
    (void)sim::Book(world).update(0, Compress::kEarlyEnds);
    if (looks) (void)world.book().changes();
    auto due = sim::Selection::due(0);
    while (const auto job = due.next(world)) (void)world.start(*job);
    world.wake_at(world.book().next(world.now()));
  });
  sim::Simulation simulation(a_machine(8), {}, jobs, policy);
  Starts noted;
  simulation.observe(noted);
  (void)simulation.advance(kNever);
  ran.starts = std::move(noted.starts);
  return ran;
}

}  // namespace

TEST_SUITE("reserve/postponement") {
  TEST_CASE("a rebuild is put off where who waits for an overrun only moves along") {
    Scene scene{
        {{seconds(500), 2}}, {{0, JobId{0}, 6}}, {{JobId{1}, 8, seconds(9)}}, 10};
    Postponement postponed;
    REQUIRE(postponed.begin(scene.at(seconds(100))));
    CHECK(postponed.is_pending(seconds(100)));
    CHECK(postponed.next() == seconds(101));
    const auto asked = scene.at(seconds(101));
    CHECK(postponed.goes_on(asked.members, asked.late, asked.now));
    CHECK(postponed.is_pending(seconds(101)));
    CHECK_FALSE(postponed.is_pending(seconds(100)));
    postponed.made();
    CHECK_FALSE(postponed.is_pending());
    const auto behind = scene.at(seconds(102));
    CHECK(postponed.goes_on(behind.members, behind.late, behind.now));
  }

  TEST_CASE("it is not where somebody is due, or nobody waits for the overrun") {
    Postponement postponed;
    Scene due{{}, {{0, JobId{0}, 6}}, {{JobId{1}, 4, seconds(9)}}, 10};
    CHECK_FALSE(postponed.begin(due.at(seconds(100))));
    Scene others{
        {{seconds(500), 4}}, {{0, JobId{0}, 6}}, {{JobId{1}, 10, seconds(9)}}, 10};
    CHECK_FALSE(postponed.begin(others.at(seconds(100))));
  }

  TEST_CASE("it goes on for one grace after the other, and with the same jobs") {
    const auto begun = [](Postponement& postponed, Scene& scene) {
      scene = {
          {{seconds(500), 2}}, {{0, JobId{0}, 6}}, {{JobId{1}, 8, seconds(9)}}, 10};
      return postponed.begin(scene.at(seconds(100)));
    };
    Postponement postponed;
    Scene scene;
    REQUIRE(begun(postponed, scene));
    auto asked = scene.at(seconds(102));
    CHECK_FALSE(postponed.goes_on(asked.members, asked.late, asked.now));
    REQUIRE(begun(postponed, scene));
    scene.members.push_back({JobId{2}, 9, seconds(9)});
    asked = scene.at(seconds(101));
    CHECK_FALSE(postponed.goes_on(asked.members, asked.late, asked.now));
    REQUIRE(begun(postponed, scene));
    scene.late.push_back({0, JobId{7}, 1});
    asked = scene.at(seconds(101));
    CHECK_FALSE(postponed.goes_on(asked.members, asked.late, asked.now));
    REQUIRE(begun(postponed, scene));
    postponed.end();
    scene.late.pop_back();
    asked = scene.at(seconds(101));
    CHECK_FALSE(postponed.goes_on(asked.members, asked.late, asked.now));
  }

  TEST_CASE("at every pass that is put off, what is made from nothing has only moved") {
    std::int64_t begun = 0;
    std::int64_t passed = 0;
    std::int64_t moved = 0;
    std::int64_t astray = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
      CAPTURE(seed);
      auto scene = random_scene(seed);
      Postponement postponed;
      if (!postponed.begin(scene.at(seconds(1)))) continue;
      ++begun;
      auto before = made_from_nothing(scene.at(seconds(1)));
      for (Time now = seconds(2); now < seconds(200); now += kSecond) {
        const auto asked = scene.at(now);
        if (!postponed.goes_on(asked.members, asked.late, now)) break;
        ++passed;
        const auto starts = made_from_nothing(asked);
        REQUIRE(*std::min_element(starts.begin(), starts.end()) == postponed.next());
        for (std::size_t i = 0; i < starts.size(); ++i) {
          const bool stays = starts[i] == before[i];
          astray += stays || starts[i] == before[i] + kSecond ? 0 : 1;
          moved += stays ? 0 : 1;
        }
        REQUIRE(astray == 0);
        before = starts;
      }
    }
    CHECK(begun > 50);
    CHECK(passed > 3000);
    CHECK(moved > 3000);
  }

  TEST_CASE("who looks at each pass sees the schedule of who never looks") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      const auto jobs = long_overruns(seed, 120);
      CHECK(conservative_run(jobs, true) == conservative_run(jobs, false));
    }
  }

  TEST_CASE("made up for, the book is the one that was never put off") {
    std::int64_t compared = 0;
    bool same = true;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      CAPTURE(seed);
      auto scene = random_scene(seed);
      ReservationBook lazy(0, scene.capacity);
      ReservationBook eager(0, scene.capacity);
      for (auto* book : {&lazy, &eager}) {
        for (const auto& [at, job, size] : scene.late) {
          book->started({job, size, kSecond}, 0, kSecond / 2);
        }
        std::uint32_t job = 10;
        for (const auto& [until, amount] : scene.in_time) {
          book->started({JobId{job++}, static_cast<std::int32_t>(amount), until}, 0,
                        until);
        }
      }
      for (Time now = kSecond; now < seconds(40); now += kSecond) {
        const auto asked = scene.at(now);
        std::vector<Release> late(asked.late.begin(), asked.late.end());
        for (std::uint32_t job = 10; const auto& [until, amount] : asked.in_time) {
          if (until <= now)
            late.push_back(
                {now + kSecond, JobId{job}, static_cast<std::int32_t>(amount)});
          ++job;
        }
        const auto answer =
            eager.update(asked.members, late, now, Compress::kEarlyEnds);
        REQUIRE(lazy.update(asked.members, late, now, Compress::kEarlyEnds) == answer);
        (void)eager.changes();
        REQUIRE(lazy.next(now) == eager.next(now));
        std::vector<JobId> due;
        std::vector<JobId> wanted;
        lazy.due(now, due);
        eager.due(now, wanted);
        REQUIRE(due == wanted);
        if (static_cast<std::uint64_t>(now / kSecond) % 7 != seed % 7) continue;
        for (const auto& member : asked.members) {
          same = same && lazy.of(member.job) == eager.of(member.job);
          ++compared;
        }
        for (const Time t : {now, now + kSecond, now + seconds(30)}) {
          same = same && lazy.free_at(t, now) == eager.free_at(t, now);
        }
        REQUIRE(same);
      }
    }
    CHECK(compared > 3000);
  }
}
