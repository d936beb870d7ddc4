#include "tests/fuzz/policy_text.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

namespace berth::fuzz {

namespace {

// $j job, $p plan, $w view, $t time, $n number, $k count, $v any value, $s statement.
constexpr std::string_view kStatements[] = {
    "cluster:start($j)",
    "cluster:start(queue:head())",
    "for j in $w:startable() do cluster:start(j) end",
    "for j in $w:fitting() do cluster:start(j) end",
    "keep_plan(cluster:reserve($j))",
    "keep_plan(cluster:reserve(queue:head()))",
    "cluster:suspend($j)",
    "for j in cluster:running() do cluster:suspend(j) end",
    "cluster:reject($j)",
    "cluster:wake_at($t)",
    "cluster:start($j, { under = $p })",
    "cluster:start($j, $p:room($j, $n))",
    "cluster:start($v, $v)",
    "for j in $w:backfillable($p) do cluster:start(j) end",
    "for j in $w:backfillable($p, $p, $n) do $s end",
    "cluster:book():update()",
    "cluster:book():update($w, \"every_pass\")",
    "cluster:book():update($w, \"start_now\")",
    "for j in cluster:book():due() do cluster:start(j) end",
    "for j in cluster:book():due() do $s end",
    "cluster:wake_at(cluster:book():next())",
    "cluster:book():rebuild($w)",
    "cluster:book():place($j)",
    "cluster:book():drop($j)",
    "cluster:book():of($j)",
    "cluster:book():earliest($n, $n, $t)",
    "cluster:book():free_at($t)",
    "cluster:start($w:tightest())",
    "for j in $w:all() do $s end",
    "for j in $w:after($j) do $s end",
    "for j in $w:fitting($j) do $s end",
    "for j in cluster:running() do $s end",
    "kept[#kept + 1] = $w",
    "kept[#kept + 1] = $v",
    "walks[#walks + 1] = table.pack($w:all())",
    "walks[#walks + 1] = table.pack(cluster:running())",
    "local walk = pick(walks, $k) cluster:start(walk[1](walk[2], walk[3]))",
    "queue:why_not($j, $p)",
    "$p:admits($j, $n)",
    "local x = $p.spare + $p.start + $p:spare_of(1)",
    "local x = $j.size + $j.walltime_left + $j.submit",
    "local x = $v[$v]",
    "$v[$v] = $v",
    "local x = $v($v, $v)",
    "if $j.state == \"waiting\" then $s end",
    "if $j < $j then $s else $s end",
    "for i = 1, $k do $s end",
    "policy.schedule(queue, cluster)",
    "policy.on_submit($j, cluster)",
    "cluster.packing:apply(cluster.packing:mcb($w))",
    "cluster.packing:apply(cluster.packing:admit($w):raised(), { pause = true })",
    "cluster.packing:apply(cluster.packing:adapt({ $j, $j }, { budget = $n }))",
    "cluster.packing:apply(cluster.packing:improve(pick(kept, $k)))",
    "kept[#kept + 1] = cluster.packing:greedy($w, { sorted = true })",
    "kept[#kept + 1] = cluster.packing:search($w, function(draft) kept[#kept + 1] = "
    "draft for task in draft:tasks() do draft:put(task, $k) $s end end, { yield = $n "
    "})",
    "pick(kept, $k):put($n, $k)",
    "for j in pick(kept, $k):jobs() do $s end",
    "cluster:share($j, $n)",
    "error($v)",
    "cluster:because($v)",
    "cluster:random($n, $n)",
    "table.sort(seen, function(a, b) $s return a.size < b.size end)",
    "for key, value in pairs(seen) do $s end",
    "pcall(function() $s $s end)",
    "xpcall(function() $s error($v) end, function() $s end)",
    "string.gsub(\"abc\", \"%w\", function() $s end)",
};

constexpr std::string_view kJobs[] = {"job($k)", "job($k)",      "job(0)", "job(-1)",
                                      "j",       "queue:head()", "j",      "$v"};
constexpr std::string_view kPlans[] = {"plan(-1)", "plan(-1)", "plan($k)", "$v"};
constexpr std::string_view kViews[] = {
    "queue",          "queue", "queue:by(\"first\")", "queue:by(\"second\")",
    "pick(kept, $k)", "$v"};
constexpr std::string_view kTimes[] = {"cluster:now() + $n",
                                       "cluster:now() + 1",
                                       "cluster:now() + 0.000001",
                                       "$n",
                                       "nil",
                                       "$v"};
constexpr std::string_view kNumbers[] = {"1",   "0",      "2",     "3",     "7.5",
                                         "-1",  "1e-7",   "1e308", "1e11",  "0/0",
                                         "1/0", "2^53+1", "-1/0",  "1<<62", "$k"};
constexpr std::string_view kValues[] = {"nil",
                                        "true",
                                        "\"x\"",
                                        "{}",
                                        "queue",
                                        "cluster",
                                        "job",
                                        "job($k)",
                                        "plan($k)",
                                        "pick(kept, $k)",
                                        "$n",
                                        "cluster:book()",
                                        "print",
                                        "\"99\"",
                                        "{ under = job(1) }",
                                        "{ place = plan(0) }",
                                        "string",
                                        "seen",
                                        "cluster.params",
                                        "cluster.tiers",
                                        "cluster.packing",
                                        "policy"};
constexpr std::string_view kKeys[] = {"job.walltime",
                                      "job.size",
                                      "-job.submit",
                                      "0",
                                      "#seen",
                                      "job.id % $k",
                                      "job.size",
                                      "passes > $k and 0/0 or job.size",
                                      "passes > $k and $v or -job.id"};

constexpr int kDeepest = 3;
constexpr int kMostStatements = 40;

constexpr std::string_view kPrelude = R"(local seen, plans, kept, walks = {}, {}, {}, {}
local queue, cluster
local policy, passes = {}, 0
local function pick(list, n) return list[n % math.max(#list, 1) + 1] end
local function job(n) return pick(seen, n) end
local function plan(n) return pick(plans, n) end
local function keep_plan(made) plans[#plans + 1] = made end
)";

class Writer {
 public:
  explicit Writer(Bytes& bytes) : bytes_(bytes) {}

  // Up to `most` statements, protected or not.
  std::string block(int most, int depth) {
    std::string text;
    for (int count = bytes_.below(most + 1); count > 0; --count) {
      text += statement(depth) + "\n";
    }
    return text;
  }

  std::string key() { return filled(one_of(kKeys), kDeepest); }
  int below(int count) { return bytes_.below(count); }

 private:
  template <std::size_t kCount>
  std::string_view one_of(const std::string_view (&list)[kCount]) {
    return list[bytes_.byte() % kCount];
  }

  std::string statement(int depth) {
    if (depth > kDeepest || ++written_ > kMostStatements) return "";
    const auto choice = bytes_.word();
    const auto text = filled(kStatements[choice / 16 % std::size(kStatements)], depth);
    const bool is_bare = choice % 16 == 0;
    return is_bare ? "do " + text + " end" : "pcall(function() " + text + " end);";
  }

  std::string operand(char kind, int depth) {
    switch (kind) {
      case 'j': return filled(one_of(kJobs), depth);
      case 'p': return filled(one_of(kPlans), depth);
      case 'w': return filled(one_of(kViews), depth);
      case 't': return filled(one_of(kTimes), depth);
      case 'n': return filled(one_of(kNumbers), depth);
      case 'v': return filled(one_of(kValues), depth);
      case 's': return statement(depth + 1);
      default: return fmt::format("{}", bytes_.below(16));
    }
  }

  // Operands stand in brackets: only names may be called or indexed without.
  std::string filled(std::string_view pattern, int depth) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '$') {
        text += pattern[i];
        continue;
      }
      const char kind = pattern[++i];
      const auto part = operand(kind, depth);
      text += kind == 's' ? part : "(" + part + ")";
    }
    return text;
  }

  Bytes& bytes_;
  int written_ = 0;
};

std::string_view member_of(int choice) {
  static constexpr std::string_view kMembers[] = {
      "", "policy.order = \"first\"\n", "policy.order = \"second\"\n",
      "policy.passes = \"when_a_job_fits\"\n"};
  return kMembers[choice];
}

std::string order_text(Writer& writer) {
  return fmt::format("function(job) {} return {} end", writer.block(1, kDeepest),
                     writer.key());
}

}  // namespace

std::string policy_text(Bytes& bytes) {
  Writer writer(bytes);
  std::string text(kPrelude);
  text += member_of(writer.below(4));
  const auto first = order_text(writer);
  const auto second = order_text(writer);
  text += fmt::format(
      "policy.orders = {{ first = {},\n second = {{ key = {}, refresh = {} }} }}\n",
      first, second, writer.below(8) + 1);
  text += fmt::format(
      "function policy.on_submit(job, c)\n cluster = c seen[#seen + 1] = job\n{}end\n",
      writer.block(2, 1));
  text += fmt::format("function policy.on_end(j, c)\n{}end\n", writer.block(2, 1));
  const int steps = writer.below(4) + 1;
  text += "local steps = {\n";
  for (int i = 0; i < steps; ++i) {
    text += fmt::format("function()\n{}end,\n", writer.block(8, 0));
  }
  text +=
      "}\nfunction policy.schedule(q, c)\n queue, cluster = q, c\n"
      " passes = passes + 1\n steps[passes % #steps + 1]()\nend\nreturn policy\n";
  return text;
}

}  // namespace berth::fuzz
