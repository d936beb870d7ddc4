// Jobs that wait for others (docs/model.md#dependencies).

#include "engine/sim/releases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// A workload with links between its jobs, by their numbers.
struct Linked {
  std::vector<Job> jobs;
  std::vector<JobLink> links{};
  std::vector<std::int64_t> closed{};
  std::vector<std::int64_t> bad{};  // the trace says that they failed
  NeverSatisfied never = NeverSatisfied::kReject;

  std::uint32_t place(std::int64_t id) const {
    const auto at = std::find_if(jobs.begin(), jobs.end(),
                                 [&](const Job& each) { return each.id == id; });
    return static_cast<std::uint32_t>(at - jobs.begin());
  }
  void link(std::int64_t child, LinkKind kind, std::int64_t parent,
            std::int64_t delay = 0) {
    links.push_back({place(parent), place(child), kind, seconds(delay)});
  }
  std::vector<bool> those(const std::vector<std::int64_t>& ids) const {
    std::vector<bool> marked(jobs.size());
    for (const auto id : ids) marked[place(id)] = true;
    return marked;
  }
  std::shared_ptr<const JobLinks> made() const {
    return std::make_shared<const JobLinks>(links, those(closed), those(bad), never);
  }
};

struct LinkedRun {
  Remembering watched;
  std::map<std::int64_t, double> released;  // by job number, of those that came in
};

class Releasing final : public sim::RecordVisitor<Releasing, sim::SubmitRecord> {
 public:
  explicit Releasing(LinkedRun& run) : run_(run) {}
  void on(const sim::SubmitRecord& record) {
    run_.released[record.who.job->id] = to_seconds(record.at);
  }
  void finish(Time) override {}

 private:
  LinkedRun& run_;
};

LinkedRun run_linked(const Linked& linked, std::int32_t processors,
                     ScriptedPolicy::Schedule schedule) {
  const auto machine = a_machine(processors);
  const sim::Settings settings;
  ScriptedPolicy policy(std::move(schedule));
  sim::JobReleases releases(linked.jobs, linked.made());
  sim::Simulation simulation(machine, settings, releases.jobs(), policy,
                             make_model(machine, releases.jobs()), &releases);
  audit::Auditor auditor(
      {machine, settings, releases.jobs(), policy.traits(),
       audit::AuditedLinks{releases.links(), linked.jobs, releases.order()}},
      law_of(machine, releases.jobs()));
  LinkedRun run;
  Releasing releasing(run);
  simulation.audience().observe(run.watched);
  simulation.audience().observe(releasing);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever - 1);
  simulation.finish();
  CHECK(auditor.checked().at("L1") > 0);
  return run;
}

using Span = Remembering::Span;

// Jobs and links drawn so that no job waits for a later one.
Linked a_random_one(std::mt19937_64& random) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Linked made;
  const int jobs = drawn(2, 14);
  int submit = 0;
  for (int i = 1; i <= jobs; ++i) {
    submit += drawn(0, 3);
    made.jobs.push_back(a_job(i, submit, drawn(1, 4), drawn(0, 6)));
  }
  for (int i = 2; i <= jobs; ++i) {
    for (int k = drawn(-1, 2); k > 0; --k) {
      const auto kind = static_cast<LinkKind>(drawn(0, 4));
      const JobLink link{made.place(drawn(1, i - 1)), made.place(i), kind,
                         seconds(drawn(0, 3))};
      const bool is_there =
          std::any_of(made.links.begin(), made.links.end(), [&](const JobLink& each) {
            return each.parent == link.parent && each.child == link.child &&
                   each.kind() == link.kind();
          });
      if (is_there) continue;
      made.links.push_back(link);
      if (drawn(0, 1) == 1) made.closed.push_back(i);
    }
    if (drawn(0, 3) == 0) made.bad.push_back(i);
  }
  if (drawn(0, 3) == 0) made.never = NeverSatisfied::kKeep;
  return made;
}

// What the rules say of a schedule, worked out backwards from it: by job number, when
// it would come in; nullopt: it would not.
std::optional<double> wanted_release(const Linked& of, const LinkedRun& run,
                                     std::int64_t id) {
  const auto& job = of.jobs[of.place(id)];
  const bool is_closed = of.those(of.closed)[of.place(id)];
  double release = is_closed ? 0 : to_seconds(job.submit);
  for (const auto& link : of.links) {
    if (link.child != of.place(id)) continue;
    const auto parent = of.jobs[link.parent].id;
    const auto ran = run.watched.spans.find(parent);
    const bool has_run = ran != run.watched.spans.end();
    const bool came = run.released.contains(parent);
    const bool is_well = has_run && !of.those(of.bad)[link.parent];
    std::optional<double> at;
    switch (link.kind()) {
      case LinkKind::kAfter:
        if (came) at = has_run ? ran->second.start : run.released.at(parent);
        break;
      case LinkKind::kAfterAny:
        if (came) at = has_run ? ran->second.end : run.released.at(parent);
        break;
      case LinkKind::kAfterOk:
        if (is_well) at = ran->second.end;
        break;
      case LinkKind::kAfterNotOk:
        if (came && !is_well) at = has_run ? ran->second.end : run.released.at(parent);
        break;
      case LinkKind::kWith:
        if (came) at = run.released.at(parent);
        break;
    }
    if (!at) return std::nullopt;
    release = std::max(release, *at + to_seconds(link.delay()));
  }
  return release;
}

}  // namespace

TEST_SUITE("sim/releases") {
  TEST_CASE("a chain: jobs come in when what they wait for has ended") {
    Linked of{
        {a_job(1, 0, 4, 10), a_job(2, 0, 2, 5), a_job(4, 0, 4, 6), a_job(3, 2, 2, 4)}};
    of.link(2, LinkKind::kAfterOk, 1);
    of.link(3, LinkKind::kAfterAny, 2, 3);
    const auto run = run_linked(of, 4, fcfs);
    CHECK(run.watched.spans ==
          std::map<std::int64_t, Span>{
              {1, {0, 10}}, {4, {10, 16}}, {2, {16, 21}}, {3, {24, 28}}});
    CHECK(run.released.at(2) == 10);
    CHECK(run.released.at(3) == 24);
  }

  TEST_CASE("a fate runs down the chain, and a job that can never run is rejected") {
    Linked of{{a_job(1, 0, 2, 5), a_job(2, 0, 1, 4), a_job(3, 0, 1, 4),
               a_job(4, 0, 1, 4), a_job(8, 0, 1, 4), a_job(9, 0, 1, 4),
               a_job(5, 1, 9, 4), a_job(6, 1, 1, 4), a_job(7, 1, 1, 4)},
              {},
              {},
              {1}};
    of.link(2, LinkKind::kAfterOk, 1);
    of.link(3, LinkKind::kAfterNotOk, 1);
    of.link(4, LinkKind::kAfterAny, 1);
    of.link(8, LinkKind::kAfterOk, 2);
    of.link(9, LinkKind::kAfter, 1, 2);
    of.link(6, LinkKind::kAfterOk, 5);
    of.link(7, LinkKind::kAfterAny, 5);
    const auto run = run_linked(of, 4, fcfs);
    CHECK(run.watched.rejected == std::vector<std::int64_t>{5, 6, 2, 8});
    CHECK(run.released.at(6) == 1);
    CHECK(run.released.at(2) == 5);
    CHECK(run.released.at(8) == 5);
    CHECK(run.watched.spans ==
          std::map<std::int64_t, Span>{
              {1, {0, 5}}, {7, {1, 5}}, {9, {2, 6}}, {3, {5, 9}}, {4, {5, 9}}});
  }

  TEST_CASE("in a closed loop a job comes after a time of thought, not as recorded") {
    Linked of{{a_job(1, 0, 2, 10), a_job(4, 0, 2, 20), a_job(2, 15, 2, 10),
               a_job(3, 30, 2, 10)}};
    const auto open = run_linked(
        [&] {
          auto with = of;  // one link that holds nothing back
          with.link(3, LinkKind::kWith, 2);
          return with;
        }(),
        2, fcfs);
    CHECK(open.watched.spans ==
          std::map<std::int64_t, Span>{
              {1, {0, 10}}, {4, {10, 30}}, {2, {30, 40}}, {3, {40, 50}}});
    of.link(2, LinkKind::kAfterAny, 1, 5);
    of.link(3, LinkKind::kAfterAny, 2, 5);
    of.closed = {2, 3};
    const auto closed = run_linked(of, 2, fcfs);
    CHECK(closed.released.at(2) == 15);
    CHECK(closed.released.at(3) == 45);
    CHECK(closed.watched.spans.at(3) == Span{45, 55});
  }

  TEST_CASE("a job that is kept although it can never run stays held to the end") {
    Linked of{
        {a_job(1, 0, 2, 5), a_job(2, 0, 1, 4)}, {}, {}, {1}, NeverSatisfied::kKeep};
    of.link(2, LinkKind::kAfterOk, 1);
    const auto run = run_linked(of, 4, fcfs);
    CHECK_FALSE(run.released.contains(2));
    CHECK(run.watched.rejected.empty());
  }

  TEST_CASE("jobs that are released at one instant stand in the queue by number") {
    // Job 9 was submitted before job 5, and both wait for job 1.
    Linked of{{a_job(1, 0, 1, 10), a_job(9, 1, 1, 3), a_job(5, 2, 1, 3)}};
    of.link(9, LinkKind::kAfterAny, 1);
    of.link(5, LinkKind::kAfterAny, 1);
    const auto run = run_linked(of, 1, fcfs);
    CHECK(run.watched.spans.at(5) == Span{10, 13});
    CHECK(run.watched.spans.at(9) == Span{13, 16});
  }

  TEST_CASE("a chain of jobs as wide as the machine runs one after the other") {
    Linked of;
    for (int i = 1; i <= 50; ++i) of.jobs.push_back(a_job(i, 0, 4, i));
    for (int i = 2; i <= 50; ++i) of.link(i, LinkKind::kAfterAny, i - 1);
    const auto run = run_linked(of, 4, easy);
    double end = 0;
    for (int i = 1; i <= 50; ++i) {
      CHECK(run.watched.spans.at(i) == Span{end, end + i});
      end += i;
    }
  }

  TEST_CASE("random links hold under every kind of policy, judged from the schedule") {
    std::mt19937_64 random(43);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto of = a_random_one(random);
      if (of.links.empty()) continue;
      for (const auto& policy : {fcfs, easy, conservative}) {
        const auto run = run_linked(of, 4, policy);
        for (const auto& job : of.jobs) {
          const auto wanted = wanted_release(of, run, job.id);
          const bool is_refused = std::count(run.watched.rejected.begin(),
                                             run.watched.rejected.end(), job.id) > 0;
          if (is_refused || !run.released.contains(job.id)) {
            CHECK_FALSE(wanted.has_value());
          } else {
            REQUIRE(wanted.has_value());
            CHECK(run.released.at(job.id) == *wanted);
          }
        }
      }
    }
  }

  TEST_CASE("a cycle is found, and named in the order of waiting") {
    Budget& budget = unlimited();
    const std::vector<JobLink> chain{{0, 1, LinkKind::kAfterAny},
                                     {1, 2, LinkKind::kWith}};
    CHECK(cycle_of(chain, 3, budget).empty());
    auto ring = chain;
    ring.push_back({2, 1, LinkKind::kAfter});
    CHECK(cycle_of(ring, 3, budget) == std::vector<std::uint32_t>{1, 2, 1});
  }
}

TEST_SUITE("sim/releases/audit") {
  struct Checked {
    Linked of{{a_job(1, 0, 1, 10), a_job(2, 0, 1, 5), a_job(3, 0, 1, 5)}};
    std::shared_ptr<const JobLinks> links;
    std::vector<std::uint32_t> order{0, 1, 2};
    std::optional<audit::ReleaseCheck> check;
    Checked() {
      of.link(2, LinkKind::kAfterOk, 1, 3);
      links = of.made();
      check.emplace(audit::AuditedLinks{*links, of.jobs, order});
      CHECK_FALSE(check->submit(JobId{0}, 0));
      CHECK_FALSE(check->submit(JobId{2}, 0));
    }
  };

  TEST_CASE("a job that comes in before its release, or after it, is found") {
    Checked early;
    CHECK(early.check->submit(JobId{1}, seconds(2))->what ==
          "it comes in while a link of it is not satisfied");
    Checked late;
    late.check->end(JobId{0}, seconds(10), true);
    CHECK(late.check->submit(JobId{1}, seconds(14))->what ==
          "it comes in at another time than its release");
    Checked right;
    right.check->end(JobId{0}, seconds(10), true);
    CHECK_FALSE(right.check->submit(JobId{1}, seconds(13)));
    CHECK_FALSE(right.check->finish());
  }

  TEST_CASE("a job that runs although it never can, or is forgotten, is found") {
    Checked runs;
    runs.check->end(JobId{0}, seconds(10), false);
    CHECK_FALSE(runs.check->submit(JobId{1}, seconds(10)));
    CHECK(runs.check->start(JobId{1}, seconds(10))->rule.code == "L1");
    Checked forgotten;
    forgotten.check->end(JobId{0}, seconds(10), true);
    CHECK(forgotten.check->finish()->what ==
          "a job was not submitted although its links allow it");
  }
}
