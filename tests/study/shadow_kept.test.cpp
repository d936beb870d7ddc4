#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/study/slurm_looks.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

// A Slurm of two nodes that starts, ends, holds and cancels as chance will have it.
class ChanceSlurm {
 public:
  explicit ChanceSlurm(std::uint64_t seed) : random_(seed) {}

  ClusterState next() {
    const auto before = now_;
    now_ += 5 + of(40);
    for (auto& each : jobs_) change(each);
    for (auto more = of(4); more > 0; --more) {
      ChanceJob each;
      each.id = ++last_;
      each.size = 1 + of(6);
      each.minutes = 1 + of(20);
      each.submit = before + 1 + of(now_ - before);
      jobs_.push_back(each);
    }
    std::erase_if(jobs_, [](const auto& each) { return each.state == "GONE"; });
    std::vector<std::string> texts;
    for (const auto& each : jobs_) texts.push_back(text(each));
    return look_at(now_, texts);
  }

 private:
  struct ChanceJob {
    int id = 0;
    int size = 0;
    int minutes = 0;
    int submit = 0;
    int start = 0;
    int end = 0;
    std::string state{"PENDING"};
    std::string node{};
    bool is_held = false;
  };

  int of(int count) {
    return static_cast<int>(random_() % static_cast<unsigned>(count));
  }

  void change(ChanceJob& each) {
    if (each.state == "COMPLETED" || each.state == "CANCELLED") {
      if (of(2) == 0) each.state = "GONE";
    } else if (each.state == "RUNNING") {
      if (of(3) > 0) return;
      each.state = "COMPLETED";
      each.end = now_ - of(3);
      free_[each.node] += each.size;
    } else if (of(12) == 0) {
      each.state = "CANCELLED";
      each.start = each.end = now_;
    } else {
      each.is_held = of(5) == 0;
      for (auto& [node, free] : free_) {
        const bool begins = each.state == "PENDING" && free >= each.size && of(4) == 0;
        if (!begins || each.is_held) continue;
        each.state = "RUNNING";
        each.start = now_;
        each.node = node;
        free -= each.size;
      }
    }
  }

  static std::string text(const ChanceJob& each) {
    auto made = job(each.id, each.state, each.size, each.submit, each.start, each.end,
                    each.minutes, each.node.empty() ? "" : on(each.node, each.size));
    if (each.is_held) made.replace(made.find("Priority"), 8, "JobHeldUser");
    return made;
  }

  std::mt19937_64 random_;
  int now_ = 1000;
  int last_ = 0;
  std::vector<ChanceJob> jobs_;
  std::map<std::string, int> free_{{"a", 4}, {"b", 4}};
};

// What each policy starts and why not the rest.
std::string all_decided(const ShadowLook& look) {
  std::string text;
  for (std::size_t policy = 0; policy < look.decisions.size(); ++policy) {
    text += fmt::format("{} | {}\n", starts(look, policy), kept(look, policy));
  }
  return text;
}

// How many starts the policies decide, each as in a session that begins here.
std::size_t starts_as_anew(Shadowed& session, const ClusterState& state) {
  const auto look = session.session.take(state);
  Shadowed anew{"easy", "sjf", "first_fit"};
  CHECK(all_decided(look) == all_decided(anew.session.take(state)));
  std::size_t decided = 0;
  for (const auto& decision : look.decisions) decided += decision.starts.size();
  return decided;
}

// How many books have reservations; every job that waits is decided.
std::size_t books_of(const ShadowLook& look) {
  std::size_t books = 0;
  std::size_t decided = 0;
  for (const auto& decision : look.decisions) {
    books += decision.has_reservations ? 1 : 0;
    decided += decision.starts.size() + decision.kept.size();
  }
  CHECK(decided == look.decisions.size() * look.snapshot->waiting());
  return books;
}

}  // namespace

TEST_SUITE("study/shadow") {
  // What is kept from look to look must not show where nothing is.
  TEST_CASE("a policy that keeps nothing decides as in a session that begins there") {
    std::size_t decided = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ChanceSlurm slurm(seed);
      Shadowed session{"easy", "sjf", "first_fit"};
      CAPTURE(seed);
      for (int number = 0; number < 12; ++number) {
        decided += starts_as_anew(session, slurm.next());
      }
    }
    CHECK(decided > 500);
  }

  // Reservations that are kept never let more start than there is.
  TEST_CASE("a book that is kept is one that the machine can hold") {
    std::size_t kept_books = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ChanceSlurm slurm(seed);
      Shadowed session{"conservative", "fairshare_conservative"};
      CAPTURE(seed);
      for (int number = 0; number < 12; ++number) {
        kept_books += books_of(session.session.take(slurm.next()));
      }
    }
    CHECK(kept_books > 200);
  }

  // It starts a job at the third pass at which it sees it.  Slurm starts job 6 at 115,
  // so that there is a pass at 100, 115, 130 and 160; job 7 was held until then.
  TEST_CASE("what a policy notes of a job at one look it finds at the next") {
    const test::ScratchFolder scratch;
    const auto file = scratch.file("aged.lua",
                                   "local seen = {}\n"
                                   "return { schedule = function(queue, cluster)\n"
                                   "  for job in queue:all() do\n"
                                   "    seen[job] = (seen[job] or 0) + 1\n"
                                   "    if seen[job] == 3 then cluster:start(job) end\n"
                                   "  end\n"
                                   "end }\n");
    Shadowed shadow{file.c_str()};
    const auto four = job(4, "PENDING", 1, 20, 0, 0, 10);
    const auto seven = job(7, "PENDING", 1, 15, 0, 0, 10);
    auto held = seven;
    held.replace(held.find("Priority"), 8, "JobHeldUser");
    CHECK(starts(shadow.session.take(
                     look_at(100, {four, held, job(6, "PENDING", 2, 30, 0, 0, 9)})))
              .empty());
    const auto six = job(6, "RUNNING", 2, 30, 115, 0, 9, on("b", 2));
    CHECK(starts(shadow.session.take(look_at(130, {four, held, six}))) == "4 on a (1)");
    const auto last = job(9, "PENDING", 1, 120, 0, 0, 9);
    // That it would have started job 4 is not what happened.
    CHECK(starts(shadow.session.take(look_at(160, {four, seven, six, last}))).empty());
    CHECK(starts(shadow.session.take(look_at(170, {four, seven, six, last}))).empty());
    const auto look = shadow.session.take(look_at(180, {four, seven, six, last}));
    CHECK(starts(look) == "7 on a (1); 9 on a (1)");
    // By submit: job 7 had its place while it was held.
    CHECK(kept(look) == "4 declined");
  }

  // An array of 50,003 tasks is cancelled.  At the second look these still count twice
  // as jobs of the look before, at the third they do not.
  TEST_CASE("policies begin anew when more jobs have been seen than are kept") {
    const test::ScratchFolder scratch;
    const auto file =
        scratch.file("first.lua",
                     "local passes = 0\n"
                     "return { schedule = function(queue, cluster)\n"
                     "  passes = passes + 1\n"
                     "  if passes == 1 then cluster:start_all(queue) end\n"
                     "end }\n");
    Shadowed shadow{file.c_str()};
    const auto tasks =
        R"("array_job_id":9,"array_task_id":null,"array_task_string":"1-50003")";
    const auto first =
        shadow.session.take(look_at(100, {job(9, "PENDING", 4, 20, 0, 0, 1, tasks)}));
    CHECK(starts(first) == "9_1 on a; 9_2 on b");
    const auto five = job(5, "PENDING", 8, 105, 0, 0, 1);
    const auto second = shadow.session.take(look_at(110, {five}));
    CHECK(starts(second).empty());
    CHECK(second.snapshot->names.size() == 50'004);
    const auto third = shadow.session.take(look_at(120, {five}));
    CHECK(starts(third) == "5 on a, b");
    CHECK(third.snapshot->names.size() == 1);
    REQUIRE(third.snapshot->remarks.size() == 1);
    CHECK(third.snapshot->remarks.front() ==
          "so many jobs have been seen that what policies kept was dropped");
  }

  // Job 1 has node a until 610, job 2 wants both then, and job 3 would delay it, so
  // that its reservation is behind that of job 2, at 1210.  Job 2 is cancelled, which
  // is no early end: without compression job 3 stands where it stood.  Then job 1 ends
  // early.
  TEST_CASE("a reservation of one look is kept at the next") {
    Shadowed shadow{"conservative"};
    const auto one = job(1, "RUNNING", 4, 5, 10, 0, 10, on("a", 4));
    const auto two = job(2, "PENDING", 8, 20, 0, 0, 10);
    const auto three = job(3, "PENDING", 4, 30, 0, 0, 20);
    const auto first = shadow.session.take(look_at(100, {one, two, three}));
    CHECK(starts(first).empty());
    CHECK(first.snapshot->remarks ==
          std::vector<std::string>{"what conservative would have kept from before the "
                                   "session is not known: its reservations"});
    const auto state = look_at(130, {one, three});
    const auto second = shadow.session.take(state);
    CHECK(starts(second).empty());
    CHECK(second.snapshot->remarks.empty());
    Shadowed without{"conservative"};
    CHECK(starts(without.session.take(state)) == "3 on b");
    const auto ended = job(1, "COMPLETED", 4, 5, 10, 150, 10, on("a", 4));
    CHECK(starts(shadow.session.take(look_at(160, {ended, three}))) == "3 on a");
  }

  // Job 2 would start at 100, and job 3 behind it at 700.  Slurm starts neither: at 130
  // the reservation of job 2 has been missed, and all are made anew, in order.  It
  // starts job 3 at 140, to end by 1340: job 2 is behind it.
  TEST_CASE("a start that Slurm does not make is none, and its own starts count") {
    Shadowed shadow{"conservative"};
    const auto two = job(2, "PENDING", 8, 20, 0, 0, 10);
    const auto three = job(3, "PENDING", 4, 30, 0, 0, 20);
    CHECK(starts(shadow.session.take(look_at(100, {two, three}))) == "2 on a, b");
    CHECK(starts(shadow.session.take(look_at(130, {two, three}))) == "2 on a, b");
    const auto began = job(3, "RUNNING", 4, 30, 140, 0, 20, on("b", 4));
    const auto look = shadow.session.take(look_at(160, {two, began}));
    CHECK(starts(look).empty());
    CHECK(look.decisions.front().has_reservations);
    const auto ended = job(3, "COMPLETED", 4, 30, 140, 170, 20, on("b", 4));
    CHECK(starts(shadow.session.take(look_at(180, {two, ended}))) == "2 on a, b");
  }

  TEST_CASE("hooks are called once a job, for one that is let in when it is") {
    const test::ScratchFolder scratch;
    const auto file = scratch.file(
        "calls.lua",
        "local submits, ends, late = 0, 0, false\n"
        "return {\n"
        "  on_submit = function(job, cluster)\n"
        "    submits = submits + 1\n"
        "    late = cluster:now() > 100\n"
        "  end,\n"
        "  on_end = function() ends = ends + 1 end,\n"
        "  schedule = function(queue, cluster)\n"
        "    if submits == 3 and ends == 1 and late then cluster:start_all(queue) end\n"
        "  end }\n");
    Shadowed shadow{file.c_str()};
    const auto four = job(4, "PENDING", 1, 20, 0, 0, 10);
    const auto one = job(1, "COMPLETED", 4, 5, 10, 90, 60, on("a", 4));
    const auto seven = job(7, "PENDING", 1, 15, 0, 0, 10);
    auto held = seven;
    held.replace(held.find("Priority"), 8, "JobHeldUser");
    CHECK(starts(shadow.session.take(look_at(100, {one, four, held}))).empty());
    CHECK(starts(shadow.session.take(look_at(110, {one, four, held}))).empty());
    CHECK(starts(shadow.session.take(look_at(120, {four, seven}))) ==
          "7 on a (1); 4 on a (1)");
  }

  // The tasks of an array have no numbers of their own yet, and users none at all.
  TEST_CASE("jobs, tasks and users keep their numbers through a session") {
    SessionNumbers numbers;
    const auto at = [&](std::int64_t second, const std::vector<std::string>& jobs) {
      SnapshotOptions options{"p"};
      options.numbers = &numbers;
      return take_snapshot(look_at(second, jobs), options);
    };
    const auto tasks = [](const std::string& which) {
      return R"("array_job_id":9,"array_task_id":null,"array_task_string":")" + which +
             "\"";
    };
    const auto first = at(100, {job(9, "PENDING", 1, 20, 0, 0, 1, tasks("1-2")),
                                job(5, "PENDING", 1, 30, 0, 0, 1)});
    const auto second =
        at(200, {job(9, "PENDING", 1, 20, 0, 0, 1, tasks("2")),
                 job(12, "RUNNING", 1, 20, 120, 0, 1,
                     on("a", 1) + R"(,"array_job_id":9,"array_task_id":1)"),
                 job(4, "PENDING", 1, 150, 0, 0, 1)});
    REQUIRE(first->names.size() == 3);
    REQUIRE(second->names.size() == 4);
    for (std::size_t place = 0; place < 2; ++place) {
      CHECK(first->names[place].name == fmt::format("9_{}", place + 1));
      CHECK(second->names[place].name == first->names[place].name);
      CHECK(second->jobs[place].id == first->jobs[place].id);
      CHECK(second->jobs[place].user == first->jobs[place].user);
    }
    CHECK(second->names[0].start == seconds(120));
    CHECK(second->names[2].is_absent);  // job 5
    CHECK(second->jobs[2].size > second->processors);
    CHECK(second->names[3].name == "4");
    CHECK(second->waiting() == 2);
  }

  // Job 1 of user 1 has used 340 processor seconds, user 2 none that is known here;
  // then Slurm says that user 2 has more, in one account, than user 1 in two.
  TEST_CASE("the use by users is what Slurm says of it") {
    Shadowed shadow{"fairshare_easy"};
    const auto four = job(4, "PENDING", 8, 20, 0, 0, 10);
    const auto five = job(5, "PENDING", 8, 30, 0, 0, 10);
    const auto one = job(1, "COMPLETED", 4, 5, 10, 95, 60, on("a", 4));
    const auto look = shadow.session.take(look_at(100, {one, four, five}));
    CHECK(starts(look) == "5 on a, b");
    CHECK(
        look.snapshot->remarks ==
        std::vector<std::string>{"what fairshare_easy would have kept from before the "
                                 "session is not known: the use by users"});
    auto state = look_at(110, {one, four, five});
    StateText text(R"({"shares":{"shares":[)"
                   R"({"name":"root","parent":"","type":["ASSOCIATION"],"usage":1550},)"
                   R"({"name":"u1","parent":"a","type":["USER"],"usage":250},)"
                   R"({"name":"u2","parent":"a","type":["USER"],"usage":900},)"
                   R"({"name":"u1","parent":"b","type":["USER"],"usage":400}],)"
                   R"("total_shares":4}})");
    Budget budget;
    read_sshare(text, "sshare", state, budget);
    CHECK(state.usage == std::map<std::string, double>{{"u1", 650}, {"u2", 900}});
    CHECK(starts(shadow.session.take(state)) == "4 on a, b");
    state = look_at(120, {one, four, five});
    state.usage = {{"u1", 500}, {"u2", 400}};
    CHECK(starts(shadow.session.take(state)) == "5 on a, b");
    // What was said last counts until something else is said.
    CHECK(starts(shadow.session.take(look_at(130, {one, four, five}))) == "5 on a, b");
  }
}
