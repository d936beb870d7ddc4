#include "engine/audit/waiting_line.hpp"

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <set>
#include <utility>

#include "engine/base/random_stream.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

namespace {

// The job at the head; nullopt if no job waits.
std::optional<std::uint32_t> head(WaitingLine& line) {
  const auto* const member = line.head();
  return member == nullptr ? std::nullopt : std::optional(index(member->job));
}

}  // namespace

TEST_SUITE("audit/waiting_line") {
  TEST_CASE("an empty line has no head") {
    WaitingLine line;
    CHECK_FALSE(head(line));
    line.leave(JobId{3}, 0);
    CHECK_FALSE(head(line));
  }

  TEST_CASE("in the order of arrival the head is who came first and has not left") {
    WaitingLine line;
    for (std::uint32_t job = 0; job < 5; ++job) line.join({0, JobId{job}, 1});
    line.leave(JobId{1}, 0);
    CHECK(head(line) == 0);
    line.leave(JobId{0}, 0);
    CHECK(head(line) == 2);
    line.leave(JobId{4}, 0);
    line.leave(JobId{2}, 0);
    CHECK(head(line) == 3);
    line.leave(JobId{3}, 0);
    CHECK_FALSE(head(line));
  }

  TEST_CASE("the head is right however many left before and behind it") {
    for (const std::uint32_t stays : {2U, 3U, 10U}) {  // every so-manieth at first
      CAPTURE(stays);
      WaitingLine line;
      std::set<std::uint32_t> in;
      std::vector<std::uint32_t> hints;
      for (std::uint32_t job = 0; job < 2'000; ++job) {
        hints.push_back(line.join({0, JobId{job}, 1}));
        in.insert(job);
      }
      for (std::uint32_t job = 1; job < 1'500; ++job) {
        if (job % stays == 0) continue;
        line.leave(JobId{job}, 0, hints[job]);
        in.erase(job);
        CHECK(head(line) == *in.begin());
      }
      while (!in.empty()) {
        CHECK(head(line) == *in.begin());
        line.leave(JobId{*in.begin()}, 0, hints[*in.begin()]);
        in.erase(in.begin());
      }
      CHECK_FALSE(head(line));
    }
  }

  TEST_CASE("who comes back stands where its key and number say") {
    WaitingLine line;
    for (std::uint32_t job = 0; job < 3; ++job) line.join({0, JobId{job}, 1});
    line.leave(JobId{0}, 0);
    CHECK(head(line) == 1);
    line.join({0, JobId{0}, 1});
    CHECK(head(line) == 0);
    line.leave(JobId{0}, 0);
    line.join({7, JobId{0}, 1});
    line.leave(JobId{1}, 0);
    line.leave(JobId{2}, 0);
    CHECK(head(line) == 0);
  }

  TEST_CASE("who comes back as he was ten thousand times is in once") {
    WaitingLine line;
    line.join({5, JobId{7}, 1});
    for (int i = 0; i < 10'000; ++i) {
      line.join({3, JobId{1}, 1});
      line.leave(JobId{1}, 3);
    }
    CHECK(head(line) == 7);
    line.join({3, JobId{1}, 1});
    CHECK(head(line) == 1);
    line.leave(JobId{1}, 3);
    CHECK(head(line) == 7);
    line.leave(JobId{7}, 5);
    CHECK(head(line) == std::nullopt);
  }

  TEST_CASE("the head is that of a sorted set, whatever the keys") {
    for (const std::int64_t keys : {1, 2, 50}) {
      CAPTURE(keys);
      auto stream = random_stream(static_cast<std::uint64_t>(keys), "test.line");
      const auto draw = [&stream](std::int64_t most) {
        return boost::random::uniform_int_distribution<std::int64_t>(0, most)(stream);
      };
      WaitingLine line;
      std::set<std::pair<double, std::uint32_t>> wanted;
      std::uint32_t next = 0;
      for (std::int64_t step = 0; step < 4000; ++step) {
        const bool comes =
            wanted.size() < 2 || (step / 500 % 2 == 0 ? draw(2) > 0 : draw(2) == 0);
        // Sometimes a job that was in the line before.
        const bool is_back = draw(9) == 0 && next > 0;
        const auto job = is_back ? static_cast<std::uint32_t>(draw(next - 1)) : next++;
        const auto known = [&](const auto& each) { return each.second == job; };
        const auto there = std::find_if(wanted.begin(), wanted.end(), known);
        if (comes && there == wanted.end()) {
          const auto key = static_cast<double>(draw(keys - 1));
          line.join({key, JobId{job}, 1});
          wanted.emplace(key, job);
        } else if (!wanted.empty()) {
          const auto leaves = std::next(
              wanted.begin(), draw(static_cast<std::int64_t>(wanted.size()) - 1));
          line.leave(JobId{leaves->second}, leaves->first);
          wanted.erase(leaves);
        }
        const auto first =
            wanted.empty() ? std::nullopt : std::optional(wanted.begin()->second);
        REQUIRE(head(line) == first);
      }
      CHECK(next > 1000);
    }
  }
}
