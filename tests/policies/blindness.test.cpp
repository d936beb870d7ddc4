// What a policy cannot know does not show in anything that it can reach.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bindings/families.hpp"
#include "bindings/lua_policy.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Members that a policy is not given, under the names one would try.
constexpr std::string_view kGuesses =
    "\"length\", \"run_time\", \"runtime\", \"duration\", \"remaining\", \"finish\", "
    "\"end_time\", \"progress\", \"true_length\", \"use\", \"loss\", \"efficiency\", "
    "\"next_event\", \"jobs\", \"future\", \"count\", \"last\", \"seed\", 1, true";

// Looks at everything in reach, at every instant, and prints it: all fields and methods
// of all families, each called with many kinds of arguments, and whatever comes back.
constexpr std::string_view kProbe = R"(
local acts = { start = true, suspend = true, reject = true, wake_at = true }
local known, text = {}, {}
local cluster, queue
local function say(...) text[#text + 1] = table.concat(table.pack(...), " ") end
local function tell(value)
  local kind = type(value)
  if kind == "userdata" then return tostring(value) end
  if kind == "number" or kind == "string" then return kind .. " " .. tostring(value) end
  return tostring(value)
end
local function tell_result(name, done, first, second, third)
  if done and type(first) == "function" and type(second) == "userdata" then
    local ids = {}
    for job in first, second do ids[#ids + 1] = job.id end
    say(name, "walk", table.concat(ids, ","))
  else
    say(name, tell(done), tell(first), tell(second), tell(third))
  end
end
local function look(name, object, members)
  for _, member in ipairs(members) do
    local done, value = pcall(function() return object[member] end)
    local label = name .. "." .. tostring(member)
    if done and type(value) == "function" and not acts[member] then
      local head = queue:head()
      local now = cluster:now()
      for _, arguments in ipairs {
        {}, { head }, { known[1] }, { known[#known] }, { 1 }, { 1, 10 }, { now + 5 }, { "end" },
        { "submit" }, { "processors" }, { head, 1 }, { "network" }, { queue },
      } do
        tell_result(label, pcall(value, object, table.unpack(arguments)))
      end
    else
      tell_result(label, done, value)
    end
  end
end
local function look_at_globals(name, values, depth)
  for key, value in pairs(values) do
    if type(value) == "table" and value ~= values and value ~= _G and depth < 3 then
      look_at_globals(name .. "." .. tostring(key), value, depth + 1)
    else
      say(name, tostring(key), tell(value))
    end
  end
end
local function look_at_all(q, c)
  queue, cluster, text = q, c, {}
  look_at_globals("_G", _G, 0)
  for job in queue:all() do
    local is_new = true
    for _, other in ipairs(known) do is_new = is_new and other ~= job end
    if is_new then known[#known + 1] = job end
  end
  for _, job in ipairs(known) do look("job " .. job.id, job, members.Job) end
  look("queue", queue, members.View)
  look("by", queue:by("short"), members.View)
  look("cluster", cluster, members.Cluster)
  look("book", cluster:book(), members.Book)
  look("tiers", cluster.tiers, members.Tiers)
  local head = queue:head()
  if head then look("plan", cluster:reserve(head), members.Plan) end
  print("t", cluster:now(), digest(table.concat(text, "\n")))
end
return {
  orders = { short = function(job) return job.walltime end },
  schedule = function(q, c)
    look_at_all(q, c)
    for job in q:fitting() do c:start(job) end
    look_at_all(q, c)
  end,
}
)";

// What is printed of a long text: its length and a sum that every byte goes into.
constexpr std::string_view kDigest = R"(
local function digest(all)
  local sum = 0
  for at = 1, #all, 100 do
    for _, byte in ipairs { all:byte(at, at + 99) } do
      sum = (sum * 31 + byte) % 1000000007
    end
  end
  return #all, sum
end
)";

std::string member_lists() {
  std::string text = "local members = {\n";
  for (const auto& family : bindings::families()) {
    text += fmt::format("  {} = {{ ", family.type);
    for (const auto& primitive : family.primitives) {
      text += fmt::format("\"{}\", ", primitive.name);
    }
    text += fmt::format("{} }},\n", kGuesses);
  }
  return text + "}\n";
}

struct Seen {
  Time at;
  std::string line;
};

// The lines that the probe prints, each at its time.
std::vector<Seen> seen_in(const std::vector<Job>& jobs) {
  std::vector<Seen> seen;
  bindings::PolicyOptions options;
  options.seed = 3;
  options.print = [&](std::string_view line) {
    seen.push_back(
        {seconds(std::stoll(std::string(line.substr(2)))), std::string(line)});
  };
  const std::string text = member_lists() + std::string(kDigest) + std::string(kProbe);
  bindings::LuaPolicy probe({"probe", "probe.lua", text}, options);
  (void)run(jobs, a_machine(8), probe);
  return seen;
}

// From `t` on everything is different: the jobs submitted later, and the lengths of
// those that have not ended by then.
std::vector<Job> changed_after(const std::vector<Job>& jobs, Time t) {
  auto script = bindings::LuaPolicy(
      {"first_fit", "first_fit.lua",
       "return { schedule = function(queue, cluster) for job in queue:fitting() do "
       "cluster:start(job) end end }"},
      {});
  const auto spans = run(jobs, a_machine(8), script).watched.spans;
  std::vector<Job> changed;
  for (Job job : jobs) {
    const bool is_later = job.submit > t;
    if (is_later && job.id % 3 == 0) continue;  // fewer jobs are to come, too
    if (is_later) job.size = 9 - job.size;
    if (is_later) job.walltime += seconds(50);
    const auto span = spans.find(job.id);
    const bool has_ended = span != spans.end() && span->second.end <= to_seconds(t);
    if (!has_ended) {
      const Time start =
          span == spans.end() ? t : seconds(std::llround(span->second.start));
      job.length = std::max(job.length, t - start) + seconds(40);
    }
    changed.push_back(job);
  }
  return changed;
}

}  // namespace

TEST_SUITE("policies/blindness") {
  TEST_CASE("nothing in reach tells true lengths or jobs to come") {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, {16, 8});
      const Time t = jobs[8].submit;
      const auto before = seen_in(jobs);
      const auto after = seen_in(changed_after(jobs, t));
      std::size_t same = 0;
      for (std::size_t i = 0; i < before.size() && before[i].at <= t; ++i) {
        REQUIRE(i < after.size());
        CHECK(before[i].line == after[i].line);
        ++same;
      }
      CHECK(same >= 8);
      CHECK(same < before.size());
    }
  }

  TEST_CASE("the probe sees what is there to be seen") {
    // So that equal lines above mean something: a job's size, walltime or submit time
    // that is another shows at once.
    const auto jobs = random_jobs(1, {16, 8});
    const auto plain = seen_in(jobs);
    for (const auto& change :
         std::vector<void (*)(Job&)>{[](Job& job) { job.size = job.size % 8 + 1; },
                                     [](Job& job) { job.walltime += seconds(1); },
                                     [](Job& job) { job.user += 1; }}) {
      auto other = jobs;
      change(other[0]);
      CHECK(seen_in(other)[0].line != plain[0].line);
    }
  }
}
