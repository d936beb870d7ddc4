#include "study/slurm/slurm_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/formats/json_records.hpp"
#include "engine/workload/formats/log_text.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kMostNames = 100'000;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 53U;

// One record, whose numbers later releases write as {set, infinite, number}, and whose
// states as lists.
class SlurmRecord {
 public:
  SlurmRecord(const JsonRecord& record, const std::string& file)
      : record_(record), file_(file) {
    for (const auto& field : record.fields) fields_.emplace(field.path, field.text);
  }

  [[nodiscard]] std::string_view text(std::string_view path) const {
    const auto found = fields_.find(path);
    return found == fields_.end() ? std::string_view() : found->second;
  }
  [[nodiscard]] bool has(std::string_view path) const { return fields_.contains(path); }

  // nullopt: it is absent, null, not set or infinite.
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& path) const {
    auto digits = text(path);
    if (!has(path)) {
      const bool is_number =
          text(path + ".set") == "true" && text(path + ".infinite") != "true";
      digits = is_number ? text(path + ".number") : std::string_view();
    }
    if (digits.empty()) return std::nullopt;
    const auto [value, fault] = parse_real(digits);
    if (fault == NumberFault::kNone && value >= 0 && value <= double(kMostNumber)) {
      return static_cast<std::int64_t>(value);
    }
    fail(fmt::format("'{}' is no number that '{}' can have", printable(digits), path));
  }
  [[nodiscard]] std::int64_t whole_or_0(const std::string& path) const {
    return whole(path).value_or(0);
  }
  // A text, or the list of texts that later releases have instead.
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const {
    std::vector<std::string> all;
    if (!text(path).empty()) all.emplace_back(text(path));
    // Bounded: the fields of a record.
    for (int i = 0; has(fmt::format("{}.{}", path, i)); ++i) {
      all.emplace_back(text(fmt::format("{}.{}", path, i)));
    }
    return all;
  }

  [[nodiscard]] const LogPlace& place() const { return record_.place; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", file_, record_.place.line,
                            record_.place.column, what));
  }

  // The paths that begin so, with their texts.
  template <class Visit>
  void visit(std::string_view prefix, const Visit& visit) const {
    for (auto at = fields_.lower_bound(prefix);
         at != fields_.end() && at->first.starts_with(prefix); ++at) {
      visit(at->first.substr(prefix.size()), at->second);
    }
  }

 private:
  const JsonRecord& record_;
  const std::string& file_;
  std::map<std::string_view, std::string_view> fields_;
};

std::string upper(std::string_view text) {
  std::string raised(text);
  for (auto& c : raised) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return raised;
}

// Cores of a node that are told one by one.
std::int64_t cores_of(const SlurmRecord& record, const std::string& entry) {
  std::int64_t count = 0;
  record.visit(entry + "sockets.", [&](std::string_view path, std::string_view text) {
    const bool is_core = path.find("cores.") != path.npos;
    count += is_core && upper(text).starts_with("ALLOCATED") ? 1 : 0;
  });
  return count;
}

// Where a release has what a job holds on its nodes.
struct SharesForm {
  std::string_view list;
  std::string_view name;
  std::string_view processors;
  std::string_view memory;
};
// Of 22.05 and 23.02, as this program writes it, too; of 23.11 and later ones.
constexpr std::array<SharesForm, 2> kSharesForms{
    {{"job_resources.allocated_nodes", "nodename", "cpus", "memory_allocated"},
     {"job_resources.nodes.allocation", "name", "cpus.count", "memory.allocated"}}};

std::vector<NodeShare> shares_of(const SlurmRecord& record) {
  std::vector<NodeShare> shares;
  for (const auto& form : kSharesForms) {
    // Bounded: the fields of a record.
    for (int i = 0;; ++i) {
      const auto entry = fmt::format("{}.{}.", form.list, i);
      const auto name = record.text(fmt::format("{}{}", entry, form.name));
      if (name.empty()) break;
      const auto told = record.whole(fmt::format("{}{}", entry, form.processors));
      shares.push_back({std::string(name), told ? *told : cores_of(record, entry),
                        record.whole_or_0(fmt::format("{}{}", entry, form.memory))});
    }
    if (!shares.empty()) break;
  }
  return shares;
}

// Where the processors of the nodes are not told, they are shared out evenly.
void complete(std::vector<NodeShare>& shares, const SlurmJob& job) {
  if (shares.empty()) {
    for (auto& name : expand_nodes(job.node_list)) shares.push_back({std::move(name)});
  }
  std::int64_t told = 0;
  for (const auto& share : shares) told += share.processors;
  if (told == job.processors || shares.empty()) return;
  const auto count = static_cast<std::int64_t>(shares.size());
  for (std::int64_t i = 0; i < count; ++i) {
    shares[static_cast<std::size_t>(i)].processors =
        job.processors / count + (i < job.processors % count ? 1 : 0);
  }
}

SlurmJob job_of(const SlurmRecord& record) {
  SlurmJob job;
  const auto number = record.whole("job_id");
  if (!number)
    record.fail("a job without 'job_id': is this the output of squeue --json?");
  job.number = *number;
  if (const auto array = record.whole("array_job_id"); array && *array != 0) {
    job.array = array;
    job.index = record.whole("array_task_id");
    job.indices = record.text("array_task_string");
    job.most_at_once = record.whole_or_0("array_max_tasks");
  }
  if (const auto group = record.whole("het_job_id"); group && *group != 0) {
    job.group = group;
    job.part = record.whole_or_0("het_job_offset");
  }
  const auto states = record.texts("job_state");
  job.state = states.empty() ? std::string() : upper(states.front());
  const bool is_completing =
      std::any_of(states.begin(), states.end(),
                  [](const auto& each) { return upper(each) == "COMPLETING"; });
  if (is_completing) job.state = "COMPLETING";
  job.reason = record.text("state_reason");
  job.partition = record.text("partition");
  job.user = record.text("user_name");
  if (job.user.empty()) {
    if (const auto user = record.whole("user_id")) job.user = fmt::format("{}", *user);
  }
  job.account = record.text("account");
  job.dependency = record.text("dependency");
  job.reservation = record.text("resv_name");
  job.processors = std::max(record.whole_or_0("cpus"), std::int64_t{1});
  job.nodes = std::max(record.whole_or_0("node_count"), std::int64_t{1});
  job.most_nodes = record.whole_or_0("max_nodes");
  job.processors_together = record.whole_or_0("cpus_per_task");
  job.memory_of_processor = record.whole_or_0("memory_per_cpu");
  job.memory_of_node = record.whole_or_0("memory_per_node");
  job.wanted = record.text("tres_req_str");
  job.minutes = record.whole("time_limit");
  job.submit = record.whole_or_0("submit_time");
  job.eligible = record.whole_or_0("eligible_time");
  job.start = record.whole_or_0("start_time");
  job.end = record.whole_or_0("end_time");
  job.priority = record.whole_or_0("priority");
  job.node_list = record.text("nodes");
  if (job.node_list.empty()) job.node_list = record.text("job_resources.nodes.list");
  job.shares = shares_of(record);
  complete(job.shares, job);
  return job;
}

// A node, as 22.05 lists them.
SlurmNode node_of(const SlurmRecord& record) {
  SlurmNode node;
  node.name = record.text("name");
  node.place = record.place();
  if (node.name.empty()) {
    record.fail("a node without 'name': is this the output of sinfo --json?");
  }
  node.processors = record.whole_or_0("cpus");
  node.memory = record.whole_or_0("real_memory");
  node.used_processors = record.whole_or_0("alloc_cpus");
  node.used_memory = record.whole_or_0("alloc_memory");
  node.resources = record.text("gres");
  for (const auto& path : {"state", "state_flags"}) {
    for (const auto& state : record.texts(path)) node.states.push_back(upper(state));
  }
  node.partitions = record.texts("partitions");
  return node;
}

// Nodes that are alike, as releases from 23.02 on group them.  `places`: where a node
// stands in the list.
void add_group(const SlurmRecord& record, std::map<std::string, std::size_t>& places,
               std::vector<SlurmNode>& to) {
  SlurmNode alike;
  alike.place = record.place();
  for (const auto& state : record.texts("node.state")) {
    alike.states.push_back(upper(state));
  }
  alike.partitions = record.texts("partition.name");
  const auto names = record.texts("nodes.nodes");
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(names.size(), 1));
  alike.processors = record.whole_or_0("cpus.maximum");
  alike.memory = record.whole_or_0("memory.maximum");
  alike.used_processors = record.whole_or_0("cpus.allocated") / count;
  alike.used_memory = record.whole_or_0("memory.allocated") / count;
  alike.resources = record.text("gres.total");
  for (const auto& name : names) {
    const auto [there, is_new] = places.emplace(name, to.size());
    if (!is_new) {  // it is in several partitions
      auto& all = to[there->second].partitions;
      all.insert(all.end(), alike.partitions.begin(), alike.partitions.end());
      continue;
    }
    to.push_back(alike);
    to.back().name = name;
  }
}

// What is charged to a user in one account; nothing for an account by itself.
void add_usage(const SlurmRecord& record, std::map<std::string, double>& to) {
  const auto types = record.texts("type");
  const bool is_user = std::any_of(types.begin(), types.end(), [](const auto& each) {
    return upper(each) == "USER";
  });
  if (!is_user) return;
  const auto name = record.text("name");
  const auto usage = record.whole("usage");
  if (name.empty() || !usage) {
    record.fail(
        "a user without 'name' or 'usage': is this the output of sshare --json?");
  }
  to[std::string(name)] += static_cast<double>(*usage);
}

class StateListener final : public JsonListener {
 public:
  StateListener(const std::string& file, ClusterState& state)
      : file_(file), state_(state) {}

  void record(std::string_view list, const JsonRecord& record) override {
    const SlurmRecord fields(record, file_);
    if (list == "jobs") state_.jobs.push_back(job_of(fields));
    if (list == "nodes") state_.nodes.push_back(node_of(fields));
    if (list == "sinfo") add_group(fields, places_, state_.nodes);
    if (list == "shares" && state_.usage) add_usage(fields, *state_.usage);
    if (list == "meta" && upper(record.name) == "SLURM") {
      state_.version = fields.text("release");
    }
    if (list == "errors" && complaint_.empty()) {
      complaint_ = fields.text("description");
      if (complaint_.empty()) complaint_ = fields.text("error");
    }
  }
  void named(std::string_view name) override { has_jobs_ |= name == "jobs"; }
  void value(std::string_view name, std::string_view text,
             const LogPlace& place) override {
    if (name != "time") return;
    const auto [value, fault] = parse_real(text);
    if (fault != NumberFault::kNone || value < 0 || value > double(kMostNumber)) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}:{}:{}: '{}' is no time", file_, place.line,
                              place.column, printable(text)));
    }
    state_.at = static_cast<std::int64_t>(value);
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] bool has_jobs() const { return has_jobs_; }

 private:
  const std::string& file_;
  ClusterState& state_;
  std::map<std::string, std::size_t> places_;  // of nodes, by name
  std::string complaint_;
  bool has_jobs_ = false;
};

// Whether there is a list of jobs, be it empty.
bool read_state(ByteSource& source, const std::string& file, ClusterState& state,
                Budget& budget) {
  StateListener listener(file, state);
  read_json(source, file, listener, budget);
  if (listener.complaint().empty()) return listener.has_jobs();
  throw Error(ErrorCode::kInput, fmt::format("{}: Slurm reports: {}", file,
                                             printable(listener.complaint())));
}

[[noreturn]] void refuse_answer(const std::string& file, std::string_view what) {
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", file, what));
}

// "1-3", "7", "10-20:5": the numbers, and the digits they are written with.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::int64_t step = 1;
  std::size_t digits = 0;  // at least; from a leading zero
};

std::optional<NumberRange> range_of(std::string_view text) {
  constexpr std::size_t kMostDigits = 13;
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const auto whole = cut_off(text, ':');
  const auto step = text.empty() ? std::optional<std::int64_t>(1) : number(text);
  auto rest = whole;
  const auto low = cut_off(rest, '-');
  const auto first = number(low);
  const auto last = rest.empty() ? first : number(rest);
  if (!first || !last || !step || *step == 0 || *last < *first) return std::nullopt;
  return NumberRange{*first, *last, *step, low.starts_with('0') ? low.size() : 0};
}

// The texts that "n[1-3,07]" stands for, by its first brackets; false: these hold no
// numbers, or too many.
bool expand_first(std::string_view text, std::vector<std::string>& to) {
  const auto open = text.find('[');
  const auto close = text.find(']', open);
  if (close == text.npos) return false;
  auto inside = text.substr(open + 1, close - open - 1);
  while (!inside.empty()) {
    const auto range = range_of(cut_off(inside, ','));
    if (!range) return false;
    for (auto at = range->first; at <= range->last; at += range->step) {
      if (to.size() == kMostNames) return false;
      to.push_back(fmt::format("{}{:0{}}{}", text.substr(0, open), at, range->digits,
                               text.substr(close + 1)));
    }
  }
  return true;
}

// The names of "r[1-2]n[1-3,07]" or "m2", behind those that are there; false: it is
// none of both, or there are too many.
bool expand_name(std::string_view text, std::vector<std::string>& names) {
  constexpr int kMostBrackets = 8;
  if (text.empty()) return false;
  std::vector<std::string> parts{std::string(text)};
  for (int i = 0; parts.front().find('[') != std::string::npos; ++i) {
    std::vector<std::string> next;
    if (i == kMostBrackets) return false;
    for (const auto& part : parts) {
      if (!expand_first(part, next)) return false;
    }
    if (next.empty()) return false;
    parts = std::move(next);
  }
  names.insert(names.end(), parts.begin(), parts.end());
  return names.size() <= kMostNames;
}

Json shares_json(const std::vector<NodeShare>& shares) {
  auto list = Json::array();
  for (const auto& share : shares) {
    list.append({{"nodename", share.node},
                 {"cpus", share.processors},
                 {"memory_allocated", share.memory}});
  }
  return {{"allocated_nodes", std::move(list)}};
}

Json job_json(const SlurmJob& job) {
  return {{"job_id", job.number},
          {"array_job_id", job.array.value_or(0)},
          {"array_task_id", job.index},
          {"array_task_string", job.indices},
          {"array_max_tasks", job.most_at_once},
          {"het_job_id", job.group.value_or(0)},
          {"het_job_offset", job.part},
          {"job_state", job.state},
          {"state_reason", job.reason},
          {"partition", job.partition},
          {"user_name", job.user},
          {"account", job.account},
          {"dependency", job.dependency},
          {"resv_name", job.reservation},
          {"cpus", job.processors},
          {"node_count", job.nodes},
          {"max_nodes", job.most_nodes},
          {"cpus_per_task", job.processors_together},
          {"memory_per_cpu", job.memory_of_processor},
          {"memory_per_node", job.memory_of_node},
          {"tres_req_str", job.wanted},
          {"time_limit", job.minutes},
          {"submit_time", job.submit},
          {"eligible_time", job.eligible},
          {"start_time", job.start},
          {"end_time", job.end},
          {"priority", job.priority},
          {"nodes", job.node_list},
          {"job_resources", shares_json(job.shares)}};
}

Json node_json(const SlurmNode& node) {
  return {{"name", node.name},
          {"cpus", node.processors},
          {"real_memory", node.memory},
          {"alloc_cpus", node.used_processors},
          {"alloc_memory", node.used_memory},
          {"gres", node.resources},
          {"state", node.states},
          {"partitions", node.partitions}};
}

Json usage_json(const std::pair<const std::string, double>& usage) {
  return {{"name", usage.first},
          {"type", "USER"},
          {"usage", static_cast<std::int64_t>(usage.second)}};
}

// A record a line, so that two recordings can be compared.
template <class Records, class Print>
void write_records(const ClusterState& state, std::string_view list,
                   const Records& records, const Print& print, Sink& to) {
  const Json release({{"release", state.version}});
  const Json meta({{"Slurm", release}});
  to.write(fmt::format("{{\n\"time\": {},\n\"meta\": {},\n\"{}\": [", state.at,
                       meta.compact(), list));
  const char* separator = "\n";
  for (const auto& record : records) {
    to.write(separator);
    to.write(print(record).compact());
    separator = ",\n";
  }
  to.write("\n]\n}\n");
}

}  // namespace

std::int64_t ClusterState::instant() const {
  if (at > 0) return at;
  std::int64_t latest = 0;
  for (const auto& job : jobs) {
    latest = std::max(latest, job.submit);
    const bool is_past = job.state != "PENDING";
    if (is_past) latest = std::max(latest, job.start);
    if (is_past && job.state != "RUNNING" && job.state != "SUSPENDED") {
      latest = std::max(latest, job.end);
    }
  }
  return latest;
}

void read_squeue(ByteSource& source, const std::string& file, ClusterState& state,
                 Budget& budget) {
  if (read_state(source, file, state, budget)) return;
  refuse_answer(file, "there are no jobs in it; squeue --json prints \"jobs\"");
}

void read_sinfo(ByteSource& source, const std::string& file, ClusterState& state,
                Budget& budget) {
  (void)read_state(source, file, state, budget);
  if (!state.nodes.empty()) return;
  refuse_answer(file,
                "there is no node in it; sinfo --json prints \"nodes\" or \"sinfo\"");
}

void read_sshare(ByteSource& source, const std::string& file, ClusterState& state,
                 Budget& budget) {
  state.usage.emplace();
  (void)read_state(source, file, state, budget);
  if (!state.usage->empty()) return;
  refuse_answer(file, "there is no user in it; sshare --all --json prints \"shares\"");
}

void write_squeue(const ClusterState& state, Sink& to) {
  write_records(state, "jobs", state.jobs, job_json, to);
}

void write_sinfo(const ClusterState& state, Sink& to) {
  write_records(state, "nodes", state.nodes, node_json, to);
}

void write_sshare(const ClusterState& state, Sink& to) {
  write_records(state, "shares", *state.usage, usage_json, to);
}

std::vector<std::string> expand_nodes(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    // A comma within brackets belongs to them.
    auto end = list.find(',');
    const auto open = list.find('[');
    if (open < end) {
      const auto close = list.find(']', open);
      if (close == list.npos) return {};
      end = list.find(',', close);
    }
    const auto part = list.substr(0, end);
    list = end == list.npos ? std::string_view() : list.substr(end + 1);
    if (!expand_name(part, names)) return {};
  }
  return names;
}

std::vector<std::int64_t> expand_indices(std::string_view list) {
  std::vector<std::int64_t> indices;
  list = cut_off(list, '%');
  while (!list.empty()) {
    const auto range = range_of(cut_off(list, ','));
    if (!range) return {};
    for (auto at = range->first; at <= range->last; at += range->step) {
      if (indices.size() == kMostNames) return {};
      indices.push_back(at);
    }
  }
  return indices;
}

}  // namespace berth::study
