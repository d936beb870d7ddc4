#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;

namespace {

using test::berth_says;
using test::Said;

constexpr std::string_view kLongSmallWaits = R"lua(return metric {
  name = "long_small_waits", unit = "fraction", better = "less",
  says = "share of the finished jobs of up to 8 processors that wait above an hour",
  of = function(run)
    local small = run.finished:where(run.finished.size:le(8))
    return small.wait:gt(3600):mean(), #small
  end,
}
)lua";

// A scenario of two policies with one file of a metric.
struct Study {
  explicit Study(std::string_view metric, const std::string& more = {},
                 const std::string& run = {})
      : lua(scratch.file("mine.lua", metric)),
        file(scratch.file(
            "s.toml",
            fmt::format("seed = 1\n[machine]\nprocessors = 32\n[workload]\nmodel = "
                        "\"lublin\"\njobs = 120\nload = 0.9\nestimates = \"factor\"\n"
                        "[run]\npolicies = [\"fcfs\", \"easy\"]\n{}\n{}",
                        run, more))) {}

  [[nodiscard]] Said run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", file});
    return berth_says(more);
  }
  // As --metric takes it.
  [[nodiscard]] Said with_metric(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--metric", "mean_wait," + lua});
    return run(std::move(more));
  }

  test::ScratchFolder scratch;
  std::string lua;
  std::string file;
};

std::string metric_of(std::string_view function, std::string_view name = "mine") {
  return fmt::format("return metric {{\n  name = \"{}\",\n  of = {},\n}}\n", name,
                     function);
}

// Claims about a sweep over three seeds; `settings` are further lines of it.
struct ClaimedSweep {
  test::ScratchFolder scratch;

  ClaimedSweep(const std::string& claims, const std::string& settings) {
    (void)scratch.file("s.toml",
                       "[machine]\nprocessors = 32\n[workload]\nmodel = "
                       "\"lublin\"\njobs = 300\nload = 0.5\nestimates = "
                       "\"factor\"\n[run]\npolicies = [\"fcfs\", \"easy\"]\n" +
                           settings + "[sweep]\nseed = [1, 2, 3]\n");
    (void)scratch.file("claims.lua", claims);
  }

  [[nodiscard]] Said judged() const {
    return berth_says({"claims", scratch.path().string(), "--json"});
  }
};

constexpr auto kClaimOfSmall =
    "paper { title = \"t\", by = \"b\" }\n"
    "claim { \"1\", says = \"small jobs seldom wait long under EASY\", rule = "
    "\"on_average\", sweep = \"s.toml\", of = \"easy\", against = \"fcfs\", metric "
    "= \"long_small_waits\" }\n";

struct Row {
  double size = 0;
  double wait = 0;
};

// The finished jobs of a jobs.csv.
std::vector<Row> finished_rows(const std::filesystem::path& file) {
  std::vector<Row> rows;
  std::istringstream text(test::text_of_file(file));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
    if (fields.at(7) != "COMPLETED_SUCCESSFULLY") continue;
    rows.push_back({std::stod(fields.at(4)), std::stod(fields.at(11))});
  }
  return rows;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/own_metrics") {
  TEST_CASE("a metric of one's own over five seeds has the figures of a script") {
    test::ScratchFolder scratch;
    const auto lua = scratch.file("long_small_waits.lua", kLongSmallWaits);
    const auto file = scratch.file("s.toml",
                                   "[machine]\nprocessors = 32\n[workload]\nmodel = "
                                   "\"lublin\"\njobs = 600\nload = "
                                   "0.5\nestimates = \"factor\"\n[run]\npolicies = "
                                   "[\"fcfs\", \"easy\"]\nmetrics = "
                                   "[\"long_small_waits\"]\n[metrics]\nlong_small_"
                                   "waits = \"long_small_waits.lua\"\n"
                                   "[sweep]\nseed = [1, 2, 3, 4, 5]\n");
    const auto said = berth_says({"run", file, "--json"});
    REQUIRE(said.code == 0);
    const auto json = nlohmann::json::parse(said.out);
    const auto& rows = json["metrics"][0]["policies"];
    const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-5); };
    CHECK(rows[0]["value"]["mean"].get<double>() == near(0.711107));
    CHECK(rows[0]["value"]["half_width"].get<double>() == near(0.147350));
    CHECK(rows[1]["value"]["mean"].get<double>() == near(0.215458));
    CHECK(rows[1]["value"]["half_width"].get<double>() == near(0.102911));
    CHECK(rows[1]["difference"]["mean"].get<double>() == near(-0.495650));
    CHECK(rows[1]["difference"]["half_width"].get<double>() == near(0.053706));
  }

  TEST_CASE("a metric of one's own is in the table and in every file of results") {
    const Study study(kLongSmallWaits);
    const auto out = study.scratch.path() / "r";
    const auto said = study.with_metric({"--out", out.string()});
    REQUIRE(said.err == "");
    REQUIRE(said.code == 0);
    CHECK(has(said.out, "long_small_waits"));
    std::int64_t small = 0;
    std::int64_t late = 0;
    for (const auto& row : finished_rows(out / "fcfs" / "jobs.csv")) {
      if (row.size > 8) continue;
      ++small;
      late += row.wait > 3600 ? 1 : 0;
    }
    REQUIRE(small > 0);
    const auto json =
        nlohmann::json::parse(test::text_of_file(out / "fcfs" / "summary.json"));
    const auto& own = json["metrics"]["long_small_waits"];
    CHECK(own["value"].get<double>() ==
          static_cast<double>(late) / static_cast<double>(small));
    CHECK(own["n"].get<std::int64_t>() == small);
    CHECK(own["unit"] == "fraction");
    const auto comparison = test::text_of_file(out / "comparison.csv");
    CHECK(has(comparison, "long_small_waits"));
    CHECK(has(comparison, "lower"));
    const auto again = study.scratch.path() / "again";
    REQUIRE(study.with_metric({"--out", again.string()}).code == 0);
    CHECK(test::text_of_file(again / "fcfs" / "summary.json") ==
          test::text_of_file(out / "fcfs" / "summary.json"));
  }

  TEST_CASE("results with a metric of one's own are read again by every command") {
    const Study study(kLongSmallWaits);
    const auto out = (study.scratch.path() / "r").string();
    const auto page = (study.scratch.path() / "r.html").string();
    REQUIRE(study.with_metric({"--out", out}).code == 0);
    const std::vector<std::vector<std::string>> readers{
        {"report", out, "-o", page},
        {"explain", out + "/easy", "5"},
        {"convert", out + "/easy", (study.scratch.path() / "r.swf").string()}};
    for (const auto& reader : readers) {
      CAPTURE(reader.front());
      const auto said = berth_says(reader);
      CAPTURE(said.err);
      CHECK(said.code == 0);
    }
    CHECK(has(test::text_of_file(page), "long_small_waits"));
  }

  TEST_CASE("built-in metrics written in Lua are the same to the last bit") {
    struct Twin {
      const char* built_in;
      const char* of;
      double least_equal;  // relative; 0: equal bits
    };
    const Twin twins[] = {
        {"mean_wait", "function(run) return run.finished.wait:mean() end", 0},
        {"p95_wait", "function(run) return run.finished.wait:quantile(0.95) end", 0},
        {"max_wait", "function(run) return run.finished.wait:max() end", 0},
        {"mean_bounded_slowdown",
         "function(run) return run.finished.bounded_slowdown:mean() end", 0},
        {"p95_bounded_slowdown",
         "function(run) return run.finished.bounded_slowdown:quantile(0.95) end", 0},
        {"mean_slowdown", "function(run) return run.finished.slowdown:mean() end", 0},
        {"utilisation",
         "function(run) return run.levels.used:mean() / run.machine.processors end",
         1e-12},
        {"mean_queue_length", "function(run) return run.levels.queue:mean() end",
         1e-12}};
    for (const auto& twin : twins) {
      CAPTURE(twin.built_in);
      const auto text = fmt::format(
          "return metric {{ name = \"twin\", needs = {{ \"levels\" }}, of = {} }}",
          twin.of);
      const Study study(text);
      const auto said = study.with_metric({"--json=runs"});
      REQUIRE(said.err == "");
      const auto json = nlohmann::json::parse(said.out);
      for (const auto& run : json) {
        const double built_in = run["metrics"][twin.built_in]["value"].get<double>();
        const double own = run["metrics"]["twin"]["value"].get<double>();
        CHECK(std::abs(built_in - own) <= twin.least_equal * std::abs(built_in));
      }
    }
  }

  TEST_CASE("a metric that needs reasons gets them, and changes nothing else") {
    constexpr std::string_view kWaits =
        "return metric { name = \"mine\", needs = { \"reasons\" },\n"
        "  of = function(run) return run.waits.seconds:sum() / run.jobs.wait:sum(),\n"
        "    #run.blocks end }";
    const Study study(kWaits);
    const auto said = study.with_metric({"--json=runs"});
    REQUIRE(said.err == "");
    const auto with = nlohmann::json::parse(said.out);
    const auto without = nlohmann::json::parse(study.run({"--json=runs"}).out);
    REQUIRE(with.size() == without.size());
    for (std::size_t i = 0; i < with.size(); ++i) {
      auto metrics = with[i]["metrics"];
      CHECK(std::abs(metrics["mine"]["value"].get<double>() - 1) < 1e-12);
      CHECK(metrics["mine"]["n"].get<int>() > 0);
      metrics.erase("mine");
      CHECK(metrics == without[i]["metrics"]);
    }
    const Study bare(metric_of("function(run) return #run.waits end"));
    CHECK(has(bare.with_metric().err,
              "run.waits is there in `berth explain`, and for a "
              "metric with needs = { \"reasons\" }"));
  }

  TEST_CASE("a metric is told how often the audit checked each rule") {
    // EASY promises R1, FCFS nothing that begins with R; W1 is checked once a job.
    const Study study(
        metric_of("function(run) local a = run.audited\n"
                  "    if not a then return -1 end\n"
                  "    if a.W1 ~= run.counts.finished then return nil end\n"
                  "    return (a.R1 or 0) > 0 and 1 or 0, #run.finished end"));
    const auto values = [&](std::vector<std::string> more) {
      more.emplace_back("--json=runs");
      std::vector<double> all;
      for (const auto& run : nlohmann::json::parse(study.with_metric(more).out)) {
        all.push_back(run["metrics"]["mine"]["value"].get<double>());
      }
      return all;
    };
    CHECK(values({}) == std::vector<double>{0, 1});
    CHECK(values({"--no-audit"}) == std::vector<double>{-1, -1});
    const Study setting(metric_of("function(run) run.audited.R1 = 0 end"));
    CHECK(
        has(setting.with_metric().err, "run.audited is read-only: 'R1' cannot be set"));
  }

  TEST_CASE("a mean over jobs is paired over the jobs that finished under both") {
    const Study study(
        "return metric { name = \"twin\", unit = \"s\", better = \"less\",\n"
        "  each = function(run) return run.finished.wait end }",
        "[sweep]\nseed = [1, 2, 3]\n");
    const auto said = study.with_metric({"--json"});
    REQUIRE(said.code == 0);
    const auto json = nlohmann::json::parse(said.out);
    const auto& built_in = json["metrics"][0]["policies"][1];
    const auto& own = json["metrics"][1]["policies"][1];
    for (const char* member : {"value", "difference"}) {
      for (const char* part : {"mean", "half_width"}) {
        CAPTURE(member);
        CHECK(own[member][part].get<double>() ==
              doctest::Approx(built_in[member][part].get<double>()).epsilon(1e-12));
      }
    }
    CHECK(own["common_jobs"] == built_in["common_jobs"]);
  }

  TEST_CASE("a class has a metric of one's own, and one's own metric may decide") {
    const Study study(kLongSmallWaits,
                      "[classes]\nshort = \"walltime <= 1h\"\n[metrics]\n"
                      "long_small_waits = \"mine.lua\"\n",
                      "primary = \"long_small_waits@short\"\n");
    const auto said = study.run({});
    CHECK(said.err == "");
    CHECK(said.code == 0);
    CHECK(has(said.out, "long_small_waits@short"));
  }

  TEST_CASE("of no finished job a metric is undefined") {
    const Study study(metric_of("function(run) return run.finished.wait:mean() end"),
                      "[classes]\nnone = \"size > 1000\"\n");
    const auto said = study.with_metric({"--json=runs"});
    REQUIRE(said.code == 0);
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json[0]["metrics"]["mine@none"]["value"].is_null());
    CHECK(json[0]["metrics"]["mine@none"]["n"] == 0);
    CHECK(!json[0]["metrics"]["mine"]["value"].is_null());
  }

  TEST_CASE("what is wrong with a metric of one's own is said at its line") {
    struct Wrong {
      std::string text;
      int code;
      const char* says;
    };
    const Wrong all[] = {
        {metric_of("function() return \"a\" end"), 4,
         "mine.lua:3: metric mine: of answered a string, expected a number or nil"},
        {metric_of("function() return 1 / 0 end"), 4,
         "mine.lua:3: metric mine: of answered a number: inf is not finite"},
        {metric_of("function() return 0 / 0 end"), 4, "nan is not finite"},
        {metric_of("function(run) return #run.jbos end"), 4,
         "mine.lua:3: a run has no 'jbos', did you mean 'jobs'?"},
        {metric_of("function(run) run.jobs = 1 end"), 4,
         "mine.lua:3: a run is read-only: 'jobs' cannot be set"},
        {metric_of("function() return 1 end", "mean_wait"), 2,
         "mine.lua:1: metric mean_wait: there is a built-in metric of this name"},
        {"return metric { name = \"mine\" }", 4,
         "mine.lua:1: metric mine: there is no function"},
        {"return metric { name = \"mine\", fo = 1 }", 4, "there is no field 'fo'"},
        {"return 17", 4, "mine.lua: the file must return metric { ... }"},
        {"return metric(17)", 4, "mine.lua:1: metric takes a table, got number"},
        {metric_of("function(run) return (run.finished.wait + run.jobs:first(1).wait)"
                   ":mean() end"),
         4, "rows"},
        {metric_of("function() while true do end end"), 5, "mine.lua:3: time limit"},
        {metric_of("function() local t = {} while true do t[#t + 1] = {} end end"), 6,
         "metric mine of fcfs"},
        {metric_of("function() return io.open(\"x\") end"), 4, "mine.lua:3: "},
        {metric_of("function(run) return run.settings[\"workload.laod\"] end"), 4,
         "there is no setting 'workload.laod' (did you mean 'workload.load'?)"},
    };
    for (const auto& wrong : all) {
      CAPTURE(wrong.text);
      const Study study(wrong.text);
      const char* const seconds = wrong.code == 5 ? "0.5" : "60";  // a slow machine
      const auto said =
          study.with_metric({"--time-limit", seconds, "--memory-limit", "16"});
      CHECK(said.code == wrong.code);
      CAPTURE(said.err);
      CHECK(has(said.err, wrong.says));
    }
  }

  TEST_CASE("a claim may be about a metric of one's own, also one of its file") {
    const ClaimedSweep named(kClaimOfSmall,
                             "[metrics]\nlong_small_waits = "
                             "\"long_small_waits.lua\"\n");
    (void)named.scratch.file("long_small_waits.lua", kLongSmallWaits);
    const auto said = named.judged();
    REQUIRE(said.code == 0);
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json["claims"][0]["metric"] == "long_small_waits");
    CHECK(json["claims"][0]["value"].get<double>() > 0);

    auto text = std::string(kLongSmallWaits);
    text.replace(text.find("return metric"), 13, "metric");
    const ClaimedSweep inside(
        text + "metric { name = \"other\", of = function() return 1 end }\n" +
            kClaimOfSmall,
        "");
    const auto again = inside.judged();
    INFO(again.err);
    REQUIRE(again.code == 0);
    CHECK(nlohmann::json::parse(again.out) == json);
  }

  TEST_CASE("what is wrong with a metric of a file of claims is said at its line") {
    struct Wrong {
      std::string metric;
      int code;
      std::string says;
    };
    const std::vector<Wrong> all{
        {"metric { name = \"long_small_waits\" }", 4,
         "claims.lua:1: metric long_small_waits: there is no function of"},
        {"metric { name = \"mean_wait\", of = function() return 1 end }", 2,
         "claims.lua:1: metric mean_wait: there is a built-in metric of this name"},
        {"metric { of = function() return 1 end }", 4,
         "claims.lua:1: metric: expected { name = \"...\", of = ... }"},
        {"for _ = 1, 2 do metric { name = \"x\", of = function() end } end", 4,
         "claims.lua:1: metric: there are two of x"},
        {"metric { name = \"long_small_waits\", of = function() return \"a\" end }", 4,
         "claims.lua:1: metric long_small_waits: of answered a string"}};
    for (const auto& wrong : all) {
      const auto said = ClaimedSweep(wrong.metric + "\n" + kClaimOfSmall, "").judged();
      INFO(wrong.metric << ": " << said.err);
      CHECK(said.code == wrong.code);
      CHECK(has(said.err, wrong.says));
    }
  }

  TEST_CASE("names of metrics of one's own do not meet") {
    const Study study(kLongSmallWaits, "[metrics]\nother = \"mine.lua\"\n");
    const auto said = study.run({});
    CHECK(said.code == 3);
    CHECK(has(said.err,
              "s.toml:13:9: metrics: mine.lua is the metric "
              "'long_small_waits', not 'other'; call it so"));
    const Study twice(kLongSmallWaits, "[metrics]\nlong_small_waits = \"mine.lua\"\n");
    CHECK(twice.with_metric().code == 0);
    const auto other = twice.scratch.file("other.lua", kLongSmallWaits);
    const auto both = twice.run({"--metric", other});
    CHECK(both.code == 2);
    CHECK(has(both.err, "are both the metric 'long_small_waits'"));
  }
}
