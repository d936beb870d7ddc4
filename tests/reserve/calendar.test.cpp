// The calendar of a machine with hosts against docs/model.md#kinds written down
// literally: the reference adds up what is claimed at each question.

#include "engine/reserve/calendar.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <memory>
#include <set>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/reserve/room_profiles.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Place = std::vector<HostChunks>;

struct Claim {
  JobId job;
  Time from;
  Time to;
  Place place;
};

class Reference {
 public:
  explicit Reference(const SeveralKinds& machine) : machine_(machine) {}

  std::vector<Claim> claims;

  [[nodiscard]] Place place(JobId job, Time start, Time end) const {
    const auto need = machine_.need(job);
    for (std::size_t kind = 0; kind < machine_.kinds().size(); ++kind) {
      if (machine_.kinds()[kind].is_on_hosts) continue;
      if (least(kind, -1, start, end) < need[kind]) return {};
    }
    Place place;
    std::int64_t left = need.chunks;
    for (std::int32_t host = 0; host < hosts(); ++host) {
      const auto here = std::min(left, chunks(need, host, start, end));
      if (here > 0) place.push_back({host, static_cast<std::int32_t>(here)});
      left -= std::max(std::int64_t{0}, here);
    }
    return left > 0 ? Place() : place;
  }

  [[nodiscard]] std::optional<Time> earliest(JobId job, Duration length,
                                             Time from) const {
    for (const Time start : instants(from)) {
      if (!place(job, start, start + length).empty()) return start;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Time> earliest_of(std::int64_t processors,
                                                Duration length, Time from) const {
    for (const Time start : instants(from)) {
      std::int64_t sum = 0;
      for (std::int32_t host = 0; host < hosts(); ++host) {
        sum += least(0, host, start, start + length);
      }
      if (sum >= processors) return start;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::int32_t hosts() const {
    return static_cast<std::int32_t>(machine_.room().hosts());
  }
  [[nodiscard]] std::set<Time> instants(Time from) const {
    std::set<Time> all{from};
    for (const auto& claim : claims) {
      if (claim.from > from) all.insert(claim.from);
      if (claim.to > from) all.insert(claim.to);
    }
    return all;
  }
  [[nodiscard]] std::int64_t chunks(const Need& need, std::int32_t host, Time start,
                                    Time end) const {
    if (!machine_.room().may_use(need, host)) return 0;
    std::int64_t most = need.chunks;
    for (std::size_t kind = 0; kind < machine_.kinds().size(); ++kind) {
      if (!machine_.kinds()[kind].is_on_hosts || need[kind] == 0) continue;
      most = std::min(most, least(kind, host, start, end) / need[kind]);
    }
    return most;
  }
  // Of a host, or machine-wide.
  [[nodiscard]] std::int64_t least(std::size_t kind, std::int32_t host, Time start,
                                   Time end) const {
    const auto size =
        host < 0 ? machine_.kinds()[kind].capacity : machine_.size_on(host, kind);
    auto least = size;
    for (const Time t : instants(start)) {
      if (t >= end) break;
      auto free = size;
      for (const auto& claim : claims) {
        if (claim.from > t || claim.to <= t) continue;
        const auto amount = machine_.need(claim.job)[kind];
        if (host < 0) free -= amount;
        for (const auto& at : claim.place) {
          if (at.host == host) free -= amount * at.chunks;
        }
      }
      least = std::min(least, free);
    }
    return least;
  }

  const SeveralKinds& machine_;
};

// A site on which jobs come, start as reserved, and end early or when planned.
class Site {
 public:
  static constexpr std::uint32_t kJobs = 40;

  explicit Site(std::uint64_t seed)
      : stream_(random_stream(seed, "test.calendar")),
        machine_(make_machine()),
        profiles_(new RoomProfiles(*machine_, 0, budget_, seed % 2 == 0 ? 0 : 256)),
        calendar_(0, machine_->kinds().front().capacity, machine_.get(),
                  std::unique_ptr<HostProfiles>(profiles_), budget_),
        reference_(*machine_) {}

  // One instant at which everything is asked.
  void step() {
    now_ += draw(0, 6);
    calendar_.advance(now_);
    start_and_end();
    calendar_.begin_round();
    for (auto& held : reserved_) compress(held);
    for (auto more = draw(0, 3); more > 0 && next_ < kJobs; --more) arrive();
    const auto processors = draw(1, 30);
    CHECK(calendar_.earliest_of(processors, 4, now_) ==
          reference_.earliest_of(processors, 4, now_));
  }
  [[nodiscard]] bool is_over() const { return next_ == kJobs && reserved_.empty(); }
  [[nodiscard]] int moves() const { return moves_; }

 private:
  struct Held {
    JobId job;
    Time start;
    Duration length;
  };

  [[nodiscard]] Request request(JobId job, Duration length) const {
    return {job, size_of(job), length};
  }
  [[nodiscard]] std::int32_t size_of(JobId job) const {
    return static_cast<std::int32_t>(machine_->need_in_all(job, 0));
  }

  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream_);
  }

  // Processors, memory, accelerators on some hosts alone; licences machine-wide; hosts
  // of one partition.
  std::unique_ptr<Exclusive> make_machine() {
    Resources resources;
    resources.hosts = {{"thin", 2, 4, 10, {}},
                       {"fat", 1, 6, 30, {{"gpu", 2}}},
                       {"own", 1, 4, 10, {{"gpu", 1}}, 1}};
    resources.wide = {{"licence", 5}};
    const auto kinds = kinds_of(0, resources);
    auto needs = std::make_shared<Needs>(kinds.size());
    for (std::uint32_t job = 0; job < kJobs; ++job) {
      std::vector<std::int64_t> amounts;
      for (const auto& kind : kinds) {
        const bool is_rare = kind.name == "gpu" || kind.name == "licence";
        const auto most = kind.name == "memory" ? 8 : 3;
        amounts.push_back(is_rare && draw(0, 2) > 0 ? 0 : draw(1, most));
      }
      const auto gpu = std::find_if(kinds.begin(), kinds.end(), [](const auto& kind) {
        return kind.name == "gpu";
      });
      auto& gpus = amounts[static_cast<std::size_t>(gpu - kinds.begin())];
      gpus = std::min<std::int64_t>(gpus, 1);
      const auto chunks = gpus > 0 ? 1 : draw(1, 3);
      needs->add(amounts, static_cast<std::int32_t>(chunks), draw(0, 2) == 0 ? 1 : -1);
    }
    return std::make_unique<Exclusive>(
        static_cast<std::int32_t>(processors_of(resources)), resources, needs,
        Pick::kLowest);
  }

  // Those that are due start; some of those that run end.
  void start_and_end() {
    std::erase_if(reserved_, [&](const Held& held) { return held.start <= now_; });
    std::erase_if(reference_.claims, [&](const Claim& claim) {
      if (claim.to <= now_) {
        calendar_.forget(claim.job);
        return true;
      }
      if (claim.from > now_ || draw(0, 3) > 0) return false;
      calendar_.release(claim.job, size_of(claim.job), now_, claim.to);
      calendar_.forget(claim.job);
      return true;
    });
  }

  std::vector<Claim>::iterator claim_of(JobId job) {
    return std::find_if(reference_.claims.begin(), reference_.claims.end(),
                        [job](const Claim& claim) { return claim.job == job; });
  }

  void compress(Held& held) {
    const auto own = claim_of(held.job);
    const auto claim = *own;
    reference_.claims.erase(own);
    const auto start = reference_.earliest(held.job, held.length, now_);
    REQUIRE((start && *start <= held.start));
    const bool fits_now = *start == now_;
    const auto asked = request(held.job, held.length);
    CHECK(calendar_.fits_at(asked, now_, held.start) == fits_now);
    const Time earlier = calendar_.earlier(asked, held.start);
    if (*start == held.start) {
      CHECK(earlier == kNever);
      reference_.claims.push_back(claim);
      return;
    }
    REQUIRE(earlier == *start);
    ++moves_;
    calendar_.move(asked, held.start, *start);
    held.start = *start;
    note(held);
  }

  void arrive() {
    const auto job = static_cast<JobId>(next_++);
    const Duration length = draw(1, 15);
    const auto start = calendar_.earliest(request(job, length), now_);
    CHECK(start == reference_.earliest(job, length, now_));
    if (!start) return;
    calendar_.reserve(request(job, length), *start);
    reserved_.push_back({job, *start, length});
    note(reserved_.back());
  }

  // That the calendar has just reserved so.
  void note(const Held& held) {
    const Time end = held.start + held.length;
    const auto place = reference_.place(held.job, held.start, end);
    const auto named = profiles_->place_of(held.job);
    CHECK(std::equal(place.begin(), place.end(), named.begin(), named.end()));
    reference_.claims.push_back({held.job, held.start, end, place});
  }

  RandomEngine stream_;
  std::unique_ptr<Exclusive> machine_;
  Budget budget_;
  RoomProfiles* profiles_;  // of the calendar
  Calendar calendar_;
  Reference reference_;
  Time now_ = 0;
  std::uint32_t next_ = 0;
  std::vector<Held> reserved_;
  int moves_ = 0;
};

}  // namespace

TEST_SUITE("reserve/calendar") {
  TEST_CASE("starts and hosts are those of trying every instant and every host") {
    int moves = 0;
    for (std::uint64_t seed = 1; seed <= rounds(300); ++seed) {
      CAPTURE(seed);
      Site site(seed);
      while (!site.is_over()) site.step();
      moves += site.moves();
    }
    CHECK(moves > 1'000);
  }

  TEST_CASE("a reservation moves to another host that gains room while it would run") {
    // Two hosts of two processors.  Job 0 has both of host 0 until 10, job 3 one of
    // host 1 until 12; job 1, 15 long, has one of host 0 from 10 on, job 2 both of host
    // 1 from 12 to 20.  At 5 job 2 is given up: host 1 gained room from 12 on alone,
    // and job 1 fits there at once.
    Resources resources;
    resources.hosts = {{"a", 2, 2}};
    auto needs = std::make_shared<Needs>(1);
    for (const int processors : {2, 1, 2, 1}) needs->add({processors}, 1, -1);
    const Exclusive machine(4, resources, needs, Pick::kLowest);
    Budget budget;
    auto* profiles = new RoomProfiles(machine, 0, budget);  // of the calendar
    Calendar calendar(0, 4, &machine, std::unique_ptr<HostProfiles>(profiles), budget);
    calendar.reserve({JobId{0}, 2, 10}, 0);
    calendar.reserve({JobId{3}, 1, 12}, 0);
    calendar.reserve({JobId{1}, 1, 15}, 10);
    calendar.reserve({JobId{2}, 2, 8}, 12);
    calendar.advance(5);
    calendar.begin_round();
    CHECK(calendar.earlier({JobId{1}, 1, 15}, 10) == kNever);
    calendar.release(JobId{2}, 2, 12, 20);
    calendar.begin_round();
    CHECK(calendar.earlier({JobId{1}, 1, 15}, 10) == 5);
    calendar.move({JobId{1}, 1, 15}, 10, 5);
    CHECK(profiles->place_of(JobId{1}).front() == HostChunks{1, 1});
  }
}
