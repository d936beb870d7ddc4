#include "engine/share/shares.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<ResourceKind> kProcessors{{"processors", 8, false}};

Job of_user(std::int32_t user, std::int32_t size, std::int32_t group = kUnknown) {
  auto job = a_job(1, 0, size, 1);
  job.user = user;
  job.group = group;
  return job;
}

// The job holds its processors in this span of seconds.
void hold(Shares& shares, const Job& job, std::int64_t from, std::int64_t to) {
  shares.submitted(job);
  shares.holds(job, seconds(from));
  shares.releases(job, seconds(to));
}

double usage(const Shares& shares, std::int32_t user, std::int64_t now) {
  return shares.usage(*shares.find(user), seconds(now));
}

double factor(const Shares& shares, std::int32_t user, std::int64_t now) {
  return shares.factor(*shares.find(user), seconds(now));
}

ShareSettings half_life(std::int64_t of) {
  ShareSettings settings;
  settings.half_life = seconds(of);
  return settings;
}

constexpr std::int64_t kDay = 86'400;

// One charge, for the closed form.
struct Charged {
  double processors;
  double from;
  double to;
};

// Sums of positive terms: no digits are lost where much has faded.
long double faded(const std::vector<Charged>& charges, Time now, Duration half_life) {
  long double sum = 0;
  for (const auto& each : charges) {
    const auto halves = [&](long double span) {
      return span * kSecond / static_cast<long double>(half_life);
    };
    const long double end = static_cast<long double>(now) / kSecond - each.to;
    const long double held = -std::expm1(-halves(each.to - each.from) * std::log(2.0L));
    sum += each.processors * (static_cast<long double>(half_life) / kSecond) /
           std::log(2.0L) * held * std::exp2(-halves(end));
  }
  return sum;
}

struct Charges {
  Shares shares;
  std::vector<std::vector<Charged>> of;  // by user
  Time end = 0;
};

// Each user but every seventh has held one to three jobs at whole seconds, the first
// ones at once.
Charges charges_of(std::int32_t users, std::int64_t life, std::mt19937& random) {
  Charges made{Shares(half_life(life), kProcessors), {}};
  struct Change {
    std::int64_t at;
    Job job;
    bool ends;
  };
  std::vector<Change> changes;
  made.of.resize(static_cast<std::size_t>(users));
  for (std::int32_t user = 0; user < users; ++user) {
    made.shares.submitted(of_user(user, 1));
    const auto jobs = user % 7 == 6 ? 0 : 1 + random() % 3;
    for (std::uint32_t i = 0; i < jobs; ++i) {
      const auto job = of_user(user, static_cast<std::int32_t>(1 + random() % 64));
      const auto from = static_cast<std::int64_t>(random() % 1000 * i);
      const std::int64_t to = from + 1 + static_cast<std::int64_t>(random() % 5000);
      changes.push_back({from, job, false});
      changes.push_back({to, job, true});
      made.of[static_cast<std::size_t>(user)].push_back({static_cast<double>(job.size),
                                                         static_cast<double>(from),
                                                         static_cast<double>(to)});
      made.end = std::max(made.end, seconds(to));
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return a.at != b.at ? a.at < b.at : a.ends < b.ends;
  });
  for (const auto& [at, job, ends] : changes) {
    ends ? made.shares.releases(job, seconds(at)) : made.shares.holds(job, seconds(at));
  }
  return made;
}

// Usage, standing and rank of all users against the closed form.
void check_against_closed_form(const Charges& charges, Time now, Duration life) {
  const auto users = static_cast<Shares::Number>(charges.of.size());
  std::vector<std::pair<long double, Shares::Number>> order;
  double worst = 0;
  for (Shares::Number user = 0; user < users; ++user) {
    auto wanted = faded(charges.of[user], now, life);
    if (wanted < 0x1p-1000L) wanted = 0;
    const double own = charges.shares.usage(user, now);
    REQUIRE((own == 0) == (wanted == 0));
    REQUIRE((charges.shares.standing(user, now) == 0) == (wanted == 0));
    if (wanted > 0) {
      worst = std::max(worst, std::abs(static_cast<double>(own / wanted - 1)));
    }
    order.emplace_back(wanted, user);
  }
  CHECK(worst < 1e-11);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& [less, before] = order[i - 1];
    const auto& [more, behind] = order[i];
    if (more <= less * (1 + 1e-10L)) continue;  // these cannot be told apart
    CHECK(charges.shares.rank(before, now) < charges.shares.rank(behind, now));
  }
}

double closed_form(const std::vector<Charged>& charges, double now, double half_life) {
  long double sum = 0;
  for (const auto& each : charges) {
    if (half_life == 0) {
      sum += static_cast<long double>(each.processors) * (each.to - each.from);
      continue;
    }
    const long double to =
        std::exp2(-static_cast<long double>(now - each.to) / half_life);
    const long double from =
        std::exp2(-static_cast<long double>(now - each.from) / half_life);
    sum += each.processors * half_life / std::log(2.0L) * (to - from);
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST_SUITE("share/shares") {
  TEST_CASE("a factor at one instant follows newcomers, and what is told of usage") {
    Shares shares(half_life(kDay), kProcessors);
    hold(shares, of_user(1, 2), 0, 100);
    CHECK(factor(shares, 1, 100) == 0.5);  // all of the usage, all of the weight
    shares.submitted(of_user(2, 1));
    CHECK(factor(shares, 1, 100) == 0.25);  // half of the weight
    CHECK(factor(shares, 2, 100) == 1);
    const auto before = usage(shares, 1, 100);
    shares.told({{2, before}}, seconds(100));
    CHECK(factor(shares, 1, 100) == 0.5);  // half of both
    CHECK(factor(shares, 2, 100) == 0.5);
  }

  TEST_CASE("usage fades with the half-life, and so do the factors of two users") {
    Shares shares(half_life(3600), kProcessors);
    hold(shares, of_user(1, 4), 0, 3600);
    const auto second = of_user(2, 1);
    shares.submitted(second);
    // The charges of two users do not depend on each other's order.
    Shares other(half_life(3600), kProcessors);
    other.submitted(of_user(1, 4));
    hold(other, second, 0, 7200);
    CHECK(usage(shares, 1, 7200) == doctest::Approx(5193.702147).epsilon(1e-9));
    CHECK(usage(other, 2, 7200) == doctest::Approx(3895.276610).epsilon(1e-9));

    Shares both(half_life(3600), kProcessors);
    both.submitted(of_user(1, 4));
    both.submitted(second);
    both.holds(of_user(1, 4), 0);
    both.holds(second, 0);
    both.releases(of_user(1, 4), seconds(3600));
    CHECK(factor(both, 1, 7200) == doctest::Approx(0.452862).epsilon(1e-6));
    CHECK(factor(both, 2, 7200) == doctest::Approx(0.552045).epsilon(1e-6));
    CHECK(both.rank(*both.find(2), seconds(7200)) == 1);
    CHECK(both.rank(*both.find(1), seconds(7200)) == 2);
  }

  TEST_CASE("a thousand processor seconds halve in seven days") {
    for (const auto& [days, left] :
         {std::pair(3.5, 707.106781), std::pair(7.0, 500.0), std::pair(14.0, 250.0)}) {
      Shares shares(half_life(7 * kDay), kProcessors);
      hold(shares, of_user(1, 1000), 0, 1);
      const auto now = seconds(1) + std::llround(days * kDay * kSecond);
      // The second in which they were charged is short against the half-life.
      CHECK(shares.usage(0, now) == doctest::Approx(left).epsilon(1e-6));
    }
  }

  TEST_CASE("F34: usage halves in each half-life, however many have passed") {
    Shares shares(half_life(50), kProcessors);
    hold(shares, of_user(1, 2), 0, 100);
    CHECK(usage(shares, 1, 100) == doctest::Approx(108.202128).epsilon(1e-8));
    CHECK(usage(shares, 1, 150) == doctest::Approx(54.101064).epsilon(1e-8));
    CHECK(usage(shares, 1, 200) == doctest::Approx(27.050532).epsilon(1e-8));
    CHECK(usage(shares, 1, 3100) == doctest::Approx(9.3849e-17).epsilon(1e-4));
    CHECK(usage(shares, 1, 3100) * 1024 == usage(shares, 1, 2600));
    shares.submitted(of_user(2, 1));
    CHECK(shares.rank(*shares.find(2), seconds(40'000)) == 1);
    CHECK(shares.rank(*shares.find(1), seconds(40'000)) == 2);
  }

  TEST_CASE("F34: below 2^-1000 processor seconds there is no usage") {
    auto settings = half_life(1);
    settings.users = {{1, 1e9}};
    Shares shares(settings, kProcessors);
    hold(shares, of_user(1, 1), 0, 1);  // 0.72 processor seconds
    CHECK(usage(shares, 1, 1000) == doctest::Approx(1.4427 * 0x1p-1000).epsilon(1e-4));
    CHECK(shares.standing(0, seconds(1000)) > 0);
    CHECK(usage(shares, 1, 1001) == 0);
    CHECK(shares.standing(0, seconds(1001)) == 0);
  }

  TEST_CASE("F34: usage is the closed form over any span, and orders the users") {
    std::mt19937 random(34);
    constexpr std::int64_t kYear = 365 * kDay;
    const std::array kHalfLives{
        std::int64_t{1}, std::int64_t{60}, std::int64_t{3600}, kDay,
        3 * kDay,        7 * kDay,         30 * kDay,          kYear,
        10 * kYear};
    const std::array kSpans{0.001, 0.01, 0.1,  0.5,  1.0,   5.0,
                            20.0,  53.0, 55.7, 60.0, 300.0, 850.0};
    for (const std::int32_t users : {1, 10, 100, 1'000, 10'000}) {
      CAPTURE(users);
      for (const auto life : kHalfLives) {
        CAPTURE(life);
        if (users == 10'000 && life != 1 && life != 7 * kDay && life != 10 * kYear) {
          continue;
        }
        const auto charges = charges_of(users, life, random);
        for (const double halves : kSpans) {
          CAPTURE(halves);
          const auto span = halves * static_cast<double>(seconds(life));
          check_against_closed_form(charges, charges.end + std::llround(span),
                                    seconds(life));
        }
      }
    }
  }

  TEST_CASE("F34: in the fair tree usage of any size stands behind none") {
    auto settings = half_life(1);
    settings.rule = ShareRule::kFairTree;
    settings.users = {{1, 1e9}};
    Shares shares(settings, kProcessors);
    shares.submitted(of_user(1, 1, 1));
    shares.submitted(of_user(2, 1, 1));
    shares.holds(of_user(1, 1, 1), 0);
    shares.releases(of_user(1, 1, 1), seconds(1));
    hold(shares, of_user(3, 1000, 1), 900, 990);
    CHECK(shares.rank(*shares.find(2), seconds(1000)) == 1);
    CHECK(shares.rank(*shares.find(1), seconds(1000)) == 2);
    CHECK(shares.rank(*shares.find(3), seconds(1000)) == 3);
  }

  TEST_CASE("without decay usage is exact") {
    Shares shares(half_life(0), kProcessors);
    hold(shares, of_user(1, 7), 0, 3);
    hold(shares, of_user(1, 1), 1'000'000, 1'000'001);
    CHECK(usage(shares, 1, 2'000'000) == 22.0);
  }

  TEST_CASE("step by step usage is the closed form") {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
      const std::array<std::int64_t, 4> kHalfLives{0, 60, 3600, 7 * kDay};
      const auto life = kHalfLives[static_cast<std::size_t>(round) % 4];
      Shares shares(half_life(life), kProcessors);
      struct Change {
        Time at;
        std::int32_t size;
        bool ends;
      };
      std::vector<Change> changes;
      std::vector<Charged> charges;
      for (int i = 0; i < 40; ++i) {
        const Time from = static_cast<Time>(random() % (3600 * 1'000'000U));
        const Time to = from + static_cast<Time>(random() % (1800 * 1'000'000U));
        const auto size = static_cast<std::int32_t>(1 + random() % 64);
        changes.push_back({from, size, false});
        changes.push_back({to, size, true});
        charges.push_back(
            {static_cast<double>(size), to_seconds(from), to_seconds(to)});
      }
      std::stable_sort(changes.begin(), changes.end(),
                       [](const auto& a, const auto& b) {
                         return a.at != b.at ? a.at < b.at : a.ends < b.ends;
                       });
      shares.submitted(of_user(1, 1));
      for (const auto& change : changes) {
        const auto job = of_user(1, change.size);
        change.ends ? shares.releases(job, change.at) : shares.holds(job, change.at);
      }
      const auto wanted = closed_form(charges, 5400, static_cast<double>(life));
      CHECK(usage(shares, 1, 5400) == doctest::Approx(wanted).epsilon(1e-9));
      CHECK(shares.held(0) == 0);
    }
  }

  TEST_CASE("with a period usage is that of its last multiple") {
    auto settings = half_life(0);
    settings.period = seconds(100);
    Shares shares(settings, kProcessors);
    const auto job = of_user(1, 2);
    shares.submitted(job);
    shares.holds(job, seconds(50));
    CHECK(usage(shares, 1, 99) == 0.0);
    CHECK(usage(shares, 1, 100) == 100.0);
    CHECK(usage(shares, 1, 199) == 100.0);
    shares.releases(job, seconds(230));
    CHECK(usage(shares, 1, 231) == 300.0);  // as at 200
    shares.holds(job, seconds(300));
    CHECK(usage(shares, 1, 300) == 360.0);
    shares.releases(job, seconds(310));
    CHECK(usage(shares, 1, 399) == 360.0);
    CHECK(usage(shares, 1, 400) == 380.0);
  }

  TEST_CASE("a factor for the class of a job multiplies its charge") {
    auto settings = half_life(0);
    settings.class_factor = {{3, 0.5}, {4, 0}};
    Shares shares(settings, kProcessors);
    auto job = of_user(1, 4);
    job.queue_class = 3;
    hold(shares, job, 0, 10);
    CHECK(usage(shares, 1, 10) == 20.0);
    job.queue_class = 4;
    hold(shares, job, 10, 20);
    CHECK(usage(shares, 1, 20) == 20.0);
    job.queue_class = 5;
    hold(shares, job, 20, 30);
    CHECK(usage(shares, 1, 30) == 60.0);
  }

  TEST_CASE("groups come before users in the fair tree") {
    auto settings = half_life(0);
    settings.rule = ShareRule::kFairTree;
    settings.groups = {{1, 3.0}};
    Shares shares(settings, kProcessors);
    hold(shares, of_user(1, 30, 1), 0, 1);  // a
    hold(shares, of_user(2, 10, 1), 1, 2);  // b
    hold(shares, of_user(3, 20, 2), 2, 3);  // c
    CHECK(factor(shares, 2, 3) == 1.0);
    CHECK(factor(shares, 1, 3) == doctest::Approx(2.0 / 3).epsilon(1e-12));
    CHECK(factor(shares, 3, 3) == doctest::Approx(1.0 / 3).epsilon(1e-12));
    CHECK(shares.standing(*shares.find(2), seconds(3)) <
          shares.standing(*shares.find(1), seconds(3)));
  }

  TEST_CASE("groups of equal level are merged, their users ranked as one list") {
    auto settings = half_life(0);
    settings.rule = ShareRule::kFairTree;
    settings.groups = {{1, 2.0}};
    Shares shares(settings, kProcessors);
    hold(shares, of_user(1, 15, 1), 0, 1);  // a
    hold(shares, of_user(2, 5, 1), 1, 2);   // b
    hold(shares, of_user(3, 2, 2), 2, 3);   // c
    hold(shares, of_user(4, 8, 2), 3, 4);   // d
    const std::array kFactors{0.5, 0.75, 1.0, 0.25};
    for (std::int32_t user = 1; user <= 4; ++user) {
      CHECK(factor(shares, user, 4) == kFactors[static_cast<std::size_t>(user - 1)]);
    }
  }

  TEST_CASE("under the ratio the factor orders users as the ratio does") {
    std::mt19937 random(3);
    for (int round = 0; round < 100; ++round) {
      auto settings = half_life(100);
      for (std::int32_t user = 0; user < 6; ++user) {
        settings.users[user] = 1.0 + static_cast<double>(random() % 4);
      }
      Shares shares(settings, kProcessors);
      for (std::int32_t user = 0; user < 6; ++user) {
        const auto size = static_cast<std::int32_t>(1 + random() % 20);
        hold(shares, of_user(user, size), user * 10, user * 10 + 5);
      }
      for (std::uint32_t a = 0; a < 6; ++a) {
        for (std::uint32_t b = 0; b < 6; ++b) {
          const Time now = seconds(100);
          const double difference = shares.standing(a, now) - shares.standing(b, now);
          if (std::abs(difference) < 1e-9) continue;
          CHECK((difference < 0) == (shares.factor(a, now) > shares.factor(b, now)));
          CHECK((difference < 0) == (shares.rank(a, now) < shares.rank(b, now)));
        }
      }
    }
  }

  TEST_CASE("users are known from their first job, those without a name are one") {
    Shares shares(half_life(0), kProcessors);
    CHECK(shares.find(5) == std::nullopt);
    shares.submitted(of_user(5, 1));
    shares.submitted(of_user(kUnknown, 1));
    shares.submitted(of_user(5, 1));
    CHECK(shares.known() == 2);
    CHECK(shares.find(5) == 0U);
    CHECK(shares.find(kUnknown) == 1U);
    CHECK(shares.factor(0, 0) == 1.0);
    const std::vector<Job> unnamed{of_user(kUnknown, 1)};
    CHECK_FALSE(Shares::have_users(unnamed));
    const std::vector<Job> named{of_user(kUnknown, 1), of_user(0, 1)};
    CHECK(Shares::have_users(named));
  }

  TEST_CASE("what is told of usage takes the place of what was counted") {
    Shares shares(half_life(100), kProcessors);
    hold(shares, of_user(7, 2), 0, 50);
    hold(shares, of_user(9, 1), 0, 50);
    shares.told({{7, 1000.0}, {8, 300.0}}, seconds(60));
    CHECK(usage(shares, 7, 60) == 1000);
    CHECK(usage(shares, 7, 160) == doctest::Approx(500));  // it decays from there
    // That of a user who comes later is told, too; that of user 9 was not.
    shares.submitted(of_user(8, 1));
    CHECK(usage(shares, 8, 260) == doctest::Approx(75));
    CHECK(usage(shares, 9, 60) < 50);
    CHECK(usage(shares, 9, 60) > 25);
    // The shares of all users add up to one, so that these are 1 / 3 of the weights.
    const auto all = usage(shares, 7, 60) + usage(shares, 8, 60) + usage(shares, 9, 60);
    CHECK(factor(shares, 7, 60) == doctest::Approx(std::exp2(-3 * 1000 / all)));
  }

  TEST_CASE("a job that runs is charged on from what is told") {
    Shares shares(half_life(0), kProcessors);
    const auto job = of_user(7, 2);
    shares.submitted(job);
    shares.holds(job, seconds(0));
    shares.told({{7, 1000.0}}, seconds(60));
    CHECK(usage(shares, 7, 70) == 1020);
  }

  TEST_CASE("with a period, what is told counts up to the next multiple of it") {
    auto settings = half_life(0);
    settings.period = seconds(100);
    Shares shares(settings, kProcessors);
    const auto job = of_user(7, 2);
    shares.submitted(job);
    shares.holds(job, seconds(0));
    shares.told({{7, 1000.0}}, seconds(120));
    CHECK(usage(shares, 7, 199) == 1000);
    CHECK(usage(shares, 7, 200) == 1160);
  }
}
