#include "bindings/tools/job_classes.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "engine/base/error.hpp"
#include "tests/bindings/sandbox_driver.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;

namespace {

Job job(std::int32_t size, std::int64_t walltime, std::int32_t user = 1) {
  Job made;
  made.size = size;
  made.walltime = seconds(walltime);
  made.length = seconds(walltime / 2);
  made.user = user;
  return made;
}

// The jobs that do not say how much they need are those that have no number here.
class OneColumn final : public JobAttributes::Column {
 public:
  explicit OneColumn(std::map<std::uint32_t, double> values)
      : values_(std::move(values)) {}
  [[nodiscard]] std::span<const double> of(JobId job) const override {
    const auto at = values_.find(static_cast<std::uint32_t>(index(job)));
    if (at == values_.end()) return {};
    return {&at->second, 1};
  }

 private:
  std::map<std::uint32_t, double> values_;
};

std::vector<JobClass> made(const JobClasses& said, std::span<const Job> jobs,
                           const bindings::Limits& limits = test::patient_limits()) {
  return bindings::classes_of(said, {jobs, {}}, limits, test::unlimited());
}

JobClasses classes(const std::string& condition) {
  JobClasses all;
  REQUIRE(bindings::wrong_with({"c", condition}) == "");
  all.add({"c", condition});
  return all;
}

std::vector<bool> holding(const std::string& condition, std::span<const Job> jobs) {
  const auto one = made(classes(condition), jobs).front();
  std::vector<bool> all;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) all.push_back(one.has(JobId{i}));
  return all;
}

bool holds(const std::string& condition, const Job& one) {
  return holding(condition, {&one, 1}).front();
}

std::string reason(const std::string& name, const std::string& condition) {
  return bindings::wrong_with({name, condition});
}

// Of a condition that fails on these jobs, with its code.
std::string failure(const std::string& condition, std::span<const Job> jobs,
                    const bindings::Limits& limits = test::patient_limits()) {
  try {
    (void)made(classes(condition), jobs, limits);
  } catch (const Error& error) {
    const std::string what = error.what();
    return fmt::format("{}: {}", static_cast<int>(error.code()),
                       what.substr(0, what.find('\n')));
  }
  return "";
}

std::vector<Job> many_jobs(std::size_t count) {
  std::vector<Job> jobs;
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state >> 33U) % below);
  };
  for (std::size_t i = 0; i < count; ++i) {
    auto one = job(static_cast<std::int32_t>(1 + draw(64)), draw(7200),
                   static_cast<std::int32_t>(draw(9)) - 1);
    one.walltime += draw(3) * (kSecond / 10);
    one.length = draw(5000 * kSecond);
    one.group = static_cast<std::int32_t>(draw(4));
    one.queue_class = static_cast<std::int32_t>(draw(3)) - 1;
    jobs.push_back(one);
  }
  return jobs;
}

}  // namespace

TEST_SUITE("bindings/job_classes") {
  TEST_CASE("all conditions of a class must hold") {
    const std::string text = "walltime <= 1h and size >= 64";
    CHECK(holds(text, job(64, 3600)));
    CHECK_FALSE(holds(text, job(63, 3600)));
    CHECK_FALSE(holds(text, job(64, 3601)));
    CHECK(classes(text).named()[0].condition == text);
  }

  TEST_CASE("each comparison is what it says") {
    const auto of_one = [](const std::string& condition) {
      return holds(condition, job(8, 60, 3));
    };
    CHECK(of_one("size == 8"));
    CHECK(of_one("size != 7"));
    CHECK(of_one("area == 240"));
    CHECK(of_one("user<4"));
    CHECK(of_one("user > 2"));
    CHECK(of_one("walltime >= 60"));
    CHECK_FALSE(of_one("walltime < 1m"));
    CHECK(of_one("queue == -1"));
  }

  TEST_CASE("what is no condition is refused with the reason") {
    CHECK(reason("c", "sise > 3") ==
          "'sise' is no field of a job (did you mean 'size'?): size, walltime, length, "
          "area, user, group, queue, executable, partition");
    CHECK(reason("c", "size 3") ==
          "'size 3' is no condition such as \"walltime <= 1h\"");
    CHECK(reason("c", "size > many") == "'many' is no number");
    CHECK(reason("c", "size > 10m") == "'10m' is no number");
    CHECK(reason("c", "size > 3 and ") != "");
    CHECK(reason("a@b", "size > 3") != "");
    CHECK(reason("", "size > 3") != "");
    CHECK(reason("c", "jobs > 3") != "");
    CHECK(reason("c", "") != "");
  }

  TEST_CASE("a field makes a class of each of its values, unknown ones none") {
    auto said = classes("size > 4");
    CHECK(said.split_by("user"));
    CHECK_FALSE(said.split_by("walltime"));
    std::vector<Job> jobs;
    for (const auto user : {7, 3, kUnknown, 7}) jobs.push_back(job(1, 60, user));
    const auto all = made(said, jobs);
    REQUIRE(all.size() == 3);
    CHECK(all[0].name() == "c");
    CHECK(all[1].name() == "user=3");
    CHECK(all[2].name() == "user=7");
    CHECK(all[2].has(JobId{0}));
    CHECK_FALSE(all[2].has(JobId{1}));
    CHECK_FALSE(all[2].has(JobId{2}));
    CHECK(said.knows("user=9"));
    CHECK(said.knows("c"));
    CHECK_FALSE(said.knows("size=9"));
    CHECK_FALSE(said.knows("narrow"));
  }

  TEST_CASE("a class of the same name replaces the one before") {
    JobClasses said;
    said.add({"wide", "size > 4"});
    said.add({"wide", "size > 8"});
    REQUIRE(said.named().size() == 1);
    CHECK(said.named()[0].condition == "size > 8");
  }

  TEST_CASE("more than a thousand classes are refused") {
    JobClasses said;
    CHECK(said.split_by("user"));
    std::vector<Job> jobs;
    for (std::int32_t user = 0; user < 1000; ++user) jobs.push_back(job(1, 60, user));
    CHECK(made(said, jobs).size() == 1000);
    jobs.push_back(job(1, 60, 1000));
    CHECK_THROWS_AS((void)made(said, jobs), Error);
  }

  TEST_CASE("both forms, masks and rows of Lua, and C++ answer alike") {
    struct Case {
      std::string plain;  // empty: the form has none
      std::string masked;
      std::string by_row;  // an expression that masks do not know
      std::function<bool(const Job&)> is_in;
    };
    const Case all[] = {
        {"walltime <= 1h and size >= 4", "job.walltime <= 3600 and job.size >= 4",
         "math.max(job.walltime, 0) <= 3600 and job.size >= 4",
         [](const Job& one) { return one.walltime <= seconds(3600) && one.size >= 4; }},
        {"walltime != 10.1", "job.walltime ~= 10.1", "job.walltime + 0 ~= 10.1",
         [](const Job& one) { return one.walltime != 101 * (kSecond / 10); }},
        {"area < 24320 and user >= 1", "job.area < 24320 and job.user >= 1",
         "job.size * job.length < 24320 and job.user >= 1",
         [](const Job& one) {
           return one.size * to_seconds(one.length) < 24320 && one.user >= 1;
         }},
        {"queue == -1", "job.queue == -1", "job.queue + 1 == 0",
         [](const Job& one) { return one.queue_class == -1; }},
        {"", "job.size < 4 or job.walltime > 2 * 3600 or job.group == 2",
         "(job.size < 4 or job.walltime > 7200 or job.group == 2) == true",
         [](const Job& one) {
           return one.size < 4 || one.walltime > seconds(7200) || one.group == 2;
         }},
        {"", "not (job.size < 8 and job.user == 1)",
         "(function() return not (job.size < 8 and job.user == 1) end)()",
         [](const Job& one) { return !(one.size < 8 && one.user == 1); }},
        {"", "job.length < job.walltime", "job.length - job.walltime < 0",
         [](const Job& one) { return one.length < one.walltime; }}};
    const auto jobs = many_jobs(9000);  // three pieces
    for (const auto& one : all) {
      CAPTURE(one.masked);
      std::vector<bool> wanted;
      for (const auto& each : jobs) wanted.push_back(one.is_in(each));
      const auto count = std::count(wanted.begin(), wanted.end(), true);
      CHECK(count > 0);
      CHECK(count < static_cast<std::ptrdiff_t>(jobs.size()));
      if (!one.plain.empty()) CHECK(holding(one.plain, jobs) == wanted);
      CHECK(holding(one.masked, jobs) == wanted);
      CHECK(holding(one.by_row, jobs) == wanted);
    }
  }

  TEST_CASE("an expression takes durations, outside of texts") {
    CHECK(holds("job.walltime <= 1h", job(1, 3600)));
    CHECK(!holds("job.walltime <= 1h", job(1, 3601)));
    CHECK(holds("job.walltime <= 1.5h and job.size < 1e3", job(1, 5400)));
    CHECK(holds("job.size == 0x1d and (\"1h\"):len() == 2", job(29, 60)));
  }

  TEST_CASE("an expression may call what the sandbox has") {
    const auto jobs = many_jobs(100);
    const auto got = holding("math.floor(job.size / 2) * 2 == job.size", jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i)
      CHECK(got[i] == (jobs[i].size % 2 == 0));
  }

  TEST_CASE("what jobs need of a kind is read by its name") {
    const std::vector jobs{job(1, 60), job(2, 60), job(3, 60)};
    const OneColumn gpus({{0, 2}, {2, 1}});
    const auto all = bindings::classes_of(classes("(job[\"need.gpu\"] or 0) >= 2"),
                                          {jobs, {{"need.gpu", &gpus}}},
                                          test::patient_limits(), test::unlimited());
    CHECK(all[0].has(JobId{0}));
    CHECK_FALSE(all[0].has(JobId{1}));
    CHECK_FALSE(all[0].has(JobId{2}));
  }

  TEST_CASE("an expression that is none is refused when it is read") {
    CHECK(reason("c", "job.size >") == "unexpected symbol near <eof>");
    CHECK(reason("c", "job.size = 4") == "<eof> expected near '='");
    CHECK(reason("c", "job.size > 4; return true") == "<eof> expected near 'return'");
    CHECK(reason("c", "job.walltime <= 1x") == "malformed number near '1x'");
    CHECK(reason("c", "job.size > 4 and " + std::string(5000, ' ') + "true") ==
          "this condition is too long: make it a function");
  }

  TEST_CASE("an expression that fails says which class, and what is wrong") {
    const std::vector jobs{job(1, 60), job(2, 60)};
    CHECK(failure("job.size", jobs) ==
          "4: class c: answered a number, expected true or false");
    CHECK(failure("job.wait > 60", jobs) ==
          "4: class c: a row of submitted jobs has no 'wait'");
    CHECK(failure("job.walltme > 60", jobs) ==
          "4: class c: a row of submitted jobs has no 'walltme', did you mean "
          "'walltime'?");
    CHECK(failure("is_wide(job)", jobs) ==
          "4: class c: attempt to call a nil value (global 'is_wide')");
    CHECK(failure("error({job})", jobs) ==
          "4: class c: it raised an error that is no text");
    CHECK(failure("job.user + nil > 1", jobs) ==
          "4: class c: attempt to perform arithmetic on a nil value");
    CHECK(failure("io.open(job.id)", jobs) ==
          "4: class c: attempt to index a nil value (global 'io')");
    // A job that decides before the wrong part is no failure.
    CHECK(failure("job.size > 0 or job.wait > 60", jobs) == "");
  }

  TEST_CASE("an expression has the limits of a decision") {
    const std::vector jobs{job(1, 60)};
    const auto endless =
        failure("(function() while true do end end)(job)", jobs, test::quick_limits());
    CAPTURE(endless);
    CHECK(endless.starts_with("5: "));
    CHECK(endless.find("time limit") != std::string::npos);
    const auto greedy =
        failure("(function() local t = {job} while true do t[#t + 1] = {} end end)()",
                jobs, test::quick_limits());
    CAPTURE(greedy);
    CHECK((greedy.starts_with("6: ") || greedy.starts_with("5: ")));
  }
}
