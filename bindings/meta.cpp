// What `berth api` prints.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/guide.hpp"
#include "bindings/tools/claims_script.hpp"
#include "bindings/tools/frame.hpp"
#include "bindings/tools/metric_script.hpp"
#include "bindings/tools/run.hpp"
#include "bindings/tools/sweep.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/learn/features.hpp"
#include "engine/machines/reason_list.hpp"

namespace berth::bindings {

namespace {

using Out = std::back_insert_iterator<std::string>;

// How a function of it is called; those of a library get no value before the dot.
std::string_view mark_of(const Family& family) {
  return family.reach == "stats" ? "." : ":";
}

// "cluster:start(job: Job, where?: Processors|table) -> true?, refusal? why".
std::string signature(const Family& family, const Primitive& primitive) {
  if (primitive.form() == Form::kField) {
    return fmt::format("{}.{}: {}", family.reach, primitive.name, primitive.returns);
  }
  const auto arrow = primitive.returns.empty() ? "" : " -> ";
  return fmt::format("{}{}{}({}){}{}", family.reach, mark_of(family), primitive.name,
                     primitive.params, arrow, primitive.returns);
}

bool is_meant(std::string_view name, const Family& family, const Primitive& primitive) {
  return name == primitive.name || name == family.type || name == family.reach ||
         name == family.name() ||
         name == fmt::format("{}:{}", family.reach, primitive.name) ||
         name == fmt::format("{}.{}", family.reach, primitive.name);
}

std::string whole_family(const Family& family) {
  auto text = fmt::format("{}: {}\n", family.reach, family.brief);
  for (const auto& primitive : family.primitives) {
    text += fmt::format("  {}\n", signature(family, primitive));
  }
  return text + '\n';
}

// The fields of a policy file and the idioms, a line each.
std::string topic_list() {
  std::string text(
      "a policy file: its fields, cases, refusals, reasons (`berth api NAME`):\n ");
  for (const auto& topic : policy_topics()) text += fmt::format(" {}", topic.name);
  text +=
      " reasons\nagents (`berth api NAME`):\n  features\nidioms (`berth api NAME`):\n";
  for (const auto& idiom : idioms()) {
    text += fmt::format("  {:<14} {}\n", idiom.name, idiom.title);
  }
  return text + '\n';
}

constexpr const char* kReasonsHead =
    "Why a job that waits did not start in a pass: one reason a job and pass, the "
    "first\n"
    "that holds in this order. `berth explain`, cases (`why`), `run:why` and the "
    "debugger\n"
    "give them; the last column is what Slurm's squeue shows.\n\n";

std::string reasons_table() {
  std::string text = "| reason | meaning | squeue |\n|---|---|---|\n";
  for (const auto& why : all_reasons()) {
    const auto& record = why.record();
    text += fmt::format("| `{}` | {} | {} |\n", record.name, record.help, record.slurm);
  }
  return text;
}

constexpr const char* kFeaturesHead =
    "What an agent sees in an environment (berth_bind, berth.env): of each job that "
    "is\n"
    "shown, then of the machine. P: its processors. K: the jobs shown at most.\n"
    "q(x, h) = x / (x + h). Times are in seconds.\n\n";

std::string features_table() {
  std::string text = "| of | feature | value | what |\n|---|---|---|---|\n";
  const auto add = [&](const char* of, const auto& records) {
    for (const auto& feature : records) {
      text += fmt::format("| {} | `{}` | {} | {} |\n", of, feature.name,
                          feature.formula, feature.brief);
    }
  };
  add("job", learn::job_features());
  add("machine", learn::machine_features());
  return text;
}

std::string members_meant(std::string_view name, const Family& family) {
  std::string text;
  for (const auto& primitive : family.primitives) {
    if (!is_meant(name, family, primitive)) continue;
    text += fmt::format("{}\n  {}\n  example: {}\n", signature(family, primitive),
                        primitive.brief, primitive.example);
  }
  return text;
}

std::string topic_meant(std::string_view name) {
  std::string text;
  for (const auto topics : {policy_topics(), idioms()}) {
    for (const auto& topic : topics) {
      if (topic.name != name) continue;
      text += fmt::format("{}{}{}\n", topic.title, topic.text,
                          topic.title.empty() ? "\n" : "");
      text += fmt::format("\n{}\n", topic.example);
    }
  }
  if (name == "policy") text += topic_list();
  if (name == "reasons") text += kReasonsHead + reasons_table();
  if (name == "features") text += kFeaturesHead + features_table();
  for (const auto& why : all_reasons()) {
    const auto& record = why.record();
    if (name == record.name) text += fmt::format("{}: {}\n", record.words, record.help);
  }
  return text;
}

// What is no word of the API, but what many will ask for.
std::string_view meant_by(std::string_view name) {
  constexpr std::array<std::string_view, 8> kKinds{
      "gpu", "gpus", "memory", "gib", "kind", "kinds", "resource", "resources"};
  const bool is_kind = std::find(kKinds.begin(), kKinds.end(), name) != kKinds.end();
  return is_kind ? "; of kinds of resource tell `need` and `hosts`" : "";
}

// Of metrics and other tools, in the order of the reference.
std::vector<Family> families_of_tools() {
  std::vector<Family> all{metric_family(), tool_run_family(), tool_sweep_family()};
  const auto claims = claim_families();
  all.insert(all.end(), claims.begin(), claims.end());
  const auto shared = tool_families();
  all.insert(all.end(), shared.begin(), shared.end());
  return all;
}

std::string tool_meant(std::string_view name, const Family& family) {
  auto text = members_meant(name, family);
  const bool is_whole = name == family.reach || name == family.type;
  return is_whole ? fmt::format("{} ({}): {}\n\n{}", family.reach, family.type,
                                family.brief, text)
                  : text;
}

std::string tool_list() {
  std::string text(
      "tools: metrics of one's own, claims, docs/tools.md (`berth api NAME`):\n ");
  for (const auto& family : families_of_tools()) {
    text += fmt::format(" {}", family.type);
  }
  return text + "\n";
}

[[noreturn]] void unknown(std::string_view name) {
  std::vector<std::string_view> known{"reasons", "features"};
  for (const auto& why : all_reasons()) known.push_back(why.record().name);
  for (const auto topics : {policy_topics(), idioms()}) {
    for (const auto& topic : topics) known.push_back(topic.name);
  }
  for (const auto& family : families()) {
    known.push_back(family.reach);
    for (const auto& primitive : family.primitives) known.push_back(primitive.name);
  }
  const auto tools = families_of_tools();
  for (const auto& family : tools) {
    known.push_back(family.type);
    for (const auto& primitive : family.primitives) known.push_back(primitive.name);
  }
  const std::string meant(meant_by(name));
  throw Error(
      ErrorCode::kUsage,
      fmt::format("the policy API has no '{}'{}; `berth api` lists it all",
                  printable(name), meant.empty() ? did_you_mean(name, known) : meant));
}

// The parts of a list "job: Job, key?: fun(cpu: number, memory: number): number".
std::vector<std::string_view> parts(std::string_view list) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int depth = 0;  // of parentheses
  for (std::size_t at = 0; at < list.size(); ++at) {
    depth += list[at] == '(' ? 1 : list[at] == ')' ? -1 : 0;
    if (list[at] != ',' || depth > 0) continue;
    out.push_back(list.substr(begin, at - begin));
    begin = at + 2;
  }
  if (begin < list.size()) out.push_back(list.substr(begin));
  return out;
}

void define_method(Out out, const Family& family, const Primitive& primitive) {
  fmt::format_to(out, "\n---{}\n---\n---```lua\n---{}\n---```\n", primitive.brief,
                 primitive.example);
  std::string names;
  for (const auto part : parts(primitive.params)) {
    const auto colon = part.find(": ");
    auto name = part.substr(0, colon);
    fmt::format_to(out, "---@param {} {}\n", name, part.substr(colon + 2));
    if (name.ends_with('?')) name.remove_suffix(1);
    if (!names.empty()) names += ", ";
    names += name;
  }
  for (const auto part : parts(primitive.returns))
    fmt::format_to(out, "---@return {}\n", part);
  fmt::format_to(out, "function {}{}{}({}) end\n", family.type, mark_of(family),
                 primitive.name, names);
}

void define_family(Out out, const Family& family) {
  fmt::format_to(out, "\n---{}\n---@class (exact) {}{}{}\n", family.brief, family.type,
                 family.base.empty() ? "" : ": ", family.base);
  for (const auto& primitive : family.primitives) {
    if (primitive.form() != Form::kField) continue;
    fmt::format_to(out, "---@field {} {} {}\n", primitive.name, primitive.returns,
                   primitive.brief);
  }
  if (family.reach == "cluster") {
    for (const auto& part : machine_families())
      fmt::format_to(out, "---@field {} {} {}\n", part.name(), part.type, part.brief);
  }
  if (family.type == "Job") {
    fmt::format_to(out,
                   "---@operator lt(Job): boolean\n---@operator le(Job): boolean\n");
  }
  fmt::format_to(out, "local {} = {{}}\n", family.type);
  for (const auto& primitive : family.primitives) {
    if (primitive.form() == Form::kMethod) define_method(out, family, primitive);
  }
}

constexpr std::string_view kDefinitionsHead =
    R"(---@meta _
-- Written by `berth api --meta`.  Do not edit: change bindings/ and write it again.

---@alias seconds number   simulated seconds, always a float; nil means never

---@alias job_state
---| "waiting"
---| "running"
---| "suspended"
---| "finished"
---| "rejected"
---| "failed"
---| "returning"

---@alias tier
---| "foreground"
---| "background"

---Kinds of event that lead to a pass.
---@alias event
---| "submit"
---| "end"
---| "foreground_end"
---| "background_end"
---| "unfrozen"
---| "wake"
---| "host"
---| "window"

---Why a request was not granted now.  An expected answer, never an error.
---@alias refusal
---| "busy"             # not enough is free now; may succeed later
---| "held"             # would break the plan it was started under
---| "too_big"          # can never succeed on this machine
---| "foreground_busy"  # a foreground slot of its processors is taken
---| "no_room"          # too few usable slots
---| "no_embedding"     # the network has no room for it now
---| "hosts_down"       # it would fit with the hosts that are down
---| "window"           # it would run into a window of maintenance
---| "user_window"      # it would run into a window of other users
---| "limit"            # a limit of its user, group or queue bars it

---A walk over jobs: `for job in queue:fitting() do ... end`.
---@alias Selection fun(): Job?

---Processors a job may use.
---@class Processors

---An order of the queue: a key for each job, least first; one of the first two.
---@class Order
---@field key? fun(job: Job, cluster: Cluster): number
---@field formula? string|fun(params: table): string # over numbers of the job
---@field refresh? "every_pass"|number # when keys are computed anew; absent: never

---An order of servers of the policy's own: one of the two weights, larger ones first.
---@class Embedding
---@field weight? fun(slots: integer, job: Job, network: Network): number
---@field server_weight? fun(server: integer, job: Job, network: Network): number
---@field fill? "largest"|"count_up"|"whole_or_count_up"
---@field scope? "smallest_subtree"|"core_only"
---@field whole_server_first? boolean

---@alias promise "easy"|"conservative"|"top_first"|"in_order"|"first_if_it_fits"

---A switch of a network; tostring gives "edge 3".
---@class Switch

---What a policy file returns.
---@class Policy
---@field schedule? fun(queue: View, cluster: Cluster)
---@field pack? fun(packing: Packer, jobs: Job[], params: table): Packed?, string?
---@field on_submit? fun(job: Job, cluster: Cluster)
---@field on_end? fun(job: Job, cluster: Cluster)
---@field on_host? fun(host: integer, up: boolean, cluster: Cluster)
---@field on_hit? fun(job: Job, cluster: Cluster)
---@field estimate? fun(job: Job, cluster: Cluster): number? # seconds; nil: the walltime
---@field name? string
---@field paper? string
---@field params? table<string, table>
---@field orders? table<string, Order|fun(job: Job, cluster: Cluster): number>
---@field embedding? string|Embedding # where a plain start puts the VMs of a job, on a network
---@field order? string
---@field passes? "every"|"when_a_job_fits" # what may be left out
---@field promises? promise|fun(params: table): promise? # what the audit holds it to
)";

constexpr std::string_view kGlobalsOfTools = R"(
---What the file of a metric returns.
---@param definition Metric
---@return Metric
function metric(definition) return definition end

---Declares a claim; in files of claims.
---@param definition Claim
function claim(definition) end

---Declares what holds for all claims; in files of claims.
---@param definition Paper
function paper(definition) end

---@type Stats
stats = {}
)";

constexpr std::string_view kPageHead =
    R"(# Policy API

Written by `berth api --docs`.  Do not edit: change `bindings/` and write it again.

)";

constexpr std::string_view kSelections =
    R"(
A view is not a list: it is walked by selections, `for job in queue:fitting() do`.  A
selection remembers the place of the last job it gave and continues with the first member
behind that place that meets its condition now, so jobs may be started and rejected on the
way.  `print(queue)` shows the members.
)";

}  // namespace

std::string api_text(std::string_view name) {
  std::string text = name.empty() ? topic_list() : topic_meant(name);
  for (const auto& family : families()) {
    text += name.empty() ? whole_family(family) : members_meant(name, family);
  }
  if (name.empty()) text += tool_list();
  for (const auto& family : families_of_tools()) {
    if (!name.empty()) text += tool_meant(name, family);
  }
  if (text.empty()) unknown(name);
  return text;
}

std::vector<ApiName> api_names() {
  std::vector<ApiName> names{{"reasons", "why a job that waits did not start"},
                             {"features", "what an agent sees in an environment"}};
  for (const auto& topic : policy_topics()) {
    names.push_back({std::string(topic.name), topic.text});
  }
  for (const auto& idiom : idioms()) {
    names.push_back({std::string(idiom.name), idiom.title});
  }
  const auto add = [&](const Family& family, std::string_view called) {
    names.push_back({std::string(called), family.brief});
    for (const auto& primitive : family.primitives) {
      const bool is_field = primitive.form() == Form::kField;
      names.push_back({fmt::format("{}{}{}", family.reach,
                                   is_field ? "." : mark_of(family), primitive.name),
                       primitive.brief});
    }
  };
  for (const auto& family : families()) add(family, family.reach);
  for (const auto& family : families_of_tools()) add(family, family.type);
  std::set<std::string> known;
  std::erase_if(names,
                [&](const auto& each) { return !known.insert(each.name).second; });
  return names;
}

std::string api_definitions() {
  std::string text(kDefinitionsHead);
  for (const auto& family : families()) define_family(Out(text), family);
  for (const auto& family : families_of_tools()) define_family(Out(text), family);
  return text + std::string(kGlobalsOfTools);
}

std::string api_page() {
  std::string text(kPageHead);
  Out out(text);
  for (const auto& topic : policy_topics()) {
    const auto heading = topic.name == "policy" ? std::string("## A policy file")
                                                : fmt::format("### `{}`", topic.name);
    fmt::format_to(out, "\n{}\n\n{}\n\n```lua\n{}```\n", heading, topic.text,
                   topic.example);
  }
  fmt::format_to(out, "\n### `reasons`\n\n{}{}", kReasonsHead, reasons_table());
  fmt::format_to(out, "\n### `features`\n\n{}{}", kFeaturesHead, features_table());
  fmt::format_to(out,
                 "\n## Idioms\n\nEach is a file in [examples](examples), with its "
                 "cases beside it.\n");
  for (const auto& idiom : idioms()) {
    fmt::format_to(out, "\n### {} (`{}`)\n\n```lua\n{}```\n", idiom.title, idiom.name,
                   idiom.example);
  }
  for (const auto& family : families()) {
    fmt::format_to(out, "\n## {} (`{}`)\n\n{}\n", family.type, family.reach,
                   family.brief);
    if (family.type == "View") text += kSelections;
    for (const auto& primitive : family.primitives) {
      fmt::format_to(out, "\n### `{}`\n\n{}\n\n```lua\n{}\n```\n",
                     signature(family, primitive), primitive.brief, primitive.example);
    }
  }
  text +=
      "\n## Tools\n\nWhat metrics of one's own and other tools are given, and what "
      "they can call; [tools.md](tools.md) tells it in order.\n";
  for (const auto& family : families_of_tools()) {
    fmt::format_to(out, "\n### {} (`{}`)\n\n{}\n\n", family.type, family.reach,
                   family.brief);
    for (const auto& primitive : family.primitives) {
      fmt::format_to(out, "* `{}`: {}\n", signature(family, primitive),
                     primitive.brief);
    }
  }
  return text;
}

}  // namespace berth::bindings
