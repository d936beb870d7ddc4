#include "study/hosts/host_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/json_records.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/headed_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/slurm/slurm_state.hpp"
#include "study/slurm/slurm_words.hpp"

namespace berth::study {

extern const HostFormat kPlatformHosts;

namespace {

constexpr std::int64_t kKibPerMib = 1024;
constexpr std::int64_t kMostOfHosts = 10'000'000;

// --- Slurm ---

bool is_sinfo(std::string_view head) {
  return has_top_name(head, "nodes") || has_top_name(head, "sinfo");
}

HostList list_of(const std::string& file, const std::vector<SlurmNode>& nodes) {
  HostList list{file};
  list.hosts.reserve(nodes.size());
  for (const auto& node : nodes) list.hosts.push_back(host_of(node));
  return list;
}

HostList read_sinfo_hosts(ByteSource& source, const std::string& file, Budget& budget) {
  ClusterState state;
  read_sinfo(source, file, state, budget);
  return list_of(file, state.nodes);
}

bool is_scontrol(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \r\n"), head.size()));
  return head.starts_with("NodeName=");
}

// What `scontrol show node` says, one node at a time.  Texts that people write (OS,
// Reason, Comment) may hold anything: of a key the first value counts.
class NodeRecords {
 public:
  NodeRecords(ByteSource& source, const std::string& file, Budget& budget)
      : file_(file), lines_(source, file, budget) {}

  std::vector<SlurmNode> read() {
    // Bounded: LineReader charges each line.
    while (const auto line = lines_.next()) {
      auto rest = *line;
      while (!rest.empty()) take(cut_off(rest, ' '), *line);
    }
    finish();
    return std::move(nodes_);
  }

 private:
  enum NodeKey : std::size_t { kName, kProcessors, kMemory, kGres, kNodeState, kParts };
  static constexpr std::array<std::string_view, 6> kKeys{
      "NodeName", "CPUTot", "RealMemory", "Gres", "State", "Partitions"};

  // REQUIRES: the word is a part of the line.
  void take(std::string_view word, std::string_view line) {
    const auto equals = word.find('=');
    if (equals == word.npos) return;
    const auto* const key =
        std::find(kKeys.begin(), kKeys.end(), word.substr(0, equals));
    if (key == kKeys.end()) return;
    const LogPlace at{lines_.number(),
                      static_cast<std::size_t>(word.data() - line.data()) + 1};
    const auto number = static_cast<std::size_t>(key - kKeys.begin());
    if (number == kName) begin(at);
    if (nodes_.empty() || told_[number]) return;
    told_[number] = true;
    read(number, word.substr(equals + 1), at);
  }

  void begin(const LogPlace& at) {
    finish();
    told_ = {};
    nodes_.push_back({});
    nodes_.back().place = at;
  }

  void finish() const {
    if (nodes_.empty() || told_[kProcessors]) return;
    refuse_log(
        file_, nodes_.back().place,
        fmt::format("the node {} says no CPUTot", printable(nodes_.back().name)));
  }

  void read(std::size_t key, std::string_view text, const LogPlace& at) {
    auto& node = nodes_.back();
    switch (key) {
      case kName: node.name = text; break;
      case kProcessors: node.processors = whole(key, text, at); break;
      case kMemory: node.memory = whole(key, text, at); break;
      case kGres: node.resources = text == "(null)" ? std::string_view() : text; break;
      case kNodeState: read_states(text, node.states); break;
      default:
        while (!text.empty()) node.partitions.emplace_back(cut_off(text, ','));
    }
  }

  std::int64_t whole(std::size_t key, std::string_view text, const LogPlace& at) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    const auto [value, fault] = parse_whole(text);
    if (fault == NumberFault::kNone && value >= 0 && value <= kMost) return value;
    refuse_log(file_, at,
               fmt::format("{}: '{}' is no number that a node can have", kKeys[key],
                           printable(text)));
  }

  // "IDLE+DRAIN", and the signs that short forms have behind a state.
  static void read_states(std::string_view text, std::vector<std::string>& to) {
    constexpr std::array<std::pair<char, std::string_view>, 3> kSigns{
        {{'*', "NOT_RESPONDING"}, {'~', "POWERED_DOWN"}, {'$', "MAINT"}}};
    while (!text.empty()) {
      const auto state = cut_off(text, '+');
      to.emplace_back(state);
      for (const auto& [sign, word] : kSigns) {
        if (state.ends_with(sign)) to.emplace_back(word);
      }
    }
  }

  const std::string& file_;
  LineReader lines_;
  std::vector<SlurmNode> nodes_;
  std::array<bool, kKeys.size()> told_{};
};

HostList read_scontrol_hosts(ByteSource& source, const std::string& file,
                             Budget& budget) {
  return list_of(file, NodeRecords(source, file, budget).read());
}

// --- tables ---

constexpr std::string_view kOpenbHeader = "sn,cpu_milli,memory_mib,gpu,model";

bool names_column(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    if (cut_off(header, ',') == name) return true;
  }
  return false;
}

bool is_host_table(std::string_view head) {
  const auto header = first_line_of(head);
  return header == kOpenbHeader ||
         (names_column(header, "processors") && names_column(header, "name"));
}

// A line a host: name, processors, memory in GiB, count, partition and kinds.
class HostTable {
 public:
  HostTable(ByteSource& source, const std::string& file, Budget& budget)
      : table_(file, lines_of(source, file, budget),
               {{"name"},
                {"processors"},
                {"memory", false},
                {"count", false},
                {"partition", false}}) {
    list_.file = file;
  }

  HostList read() {
    while (table_.next()) {  // Bounded: lines_of() charges each line.
      auto& host = list_.hosts.emplace_back();
      host.name = table_.text(kName);
      host.place = {table_.line(), 1};
      host.processors = table_.whole(kProcessors, 0, kMostOfHosts);
      host.memory = memory();
      if (is_told(kCount)) host.count = table_.whole(kCount, 1, kMostOfHosts);
      if (is_told(kPartition)) host.partitions.emplace_back(table_.text(kPartition));
      for (std::size_t i = kFirstKind; i < table_.columns(); ++i) add_kind(host, i);
    }
    return std::move(list_);
  }

 private:
  enum HostColumn : std::size_t {
    kName,
    kProcessors,
    kMemory,
    kCount,
    kPartition,
    kFirstKind
  };

  [[nodiscard]] bool is_told(std::size_t column) const {
    return !table_.text(column).empty();
  }
  [[nodiscard]] std::int64_t memory() const {
    constexpr double kMostGib = 4294967296.0;
    if (!is_told(kMemory)) return 0;
    const auto gib = table_.real(kMemory);
    if (gib < 0 || gib > kMostGib) {
      table_.wrong(kMemory, fmt::format("a host has 0 to {} GiB", kMostGib));
    }
    return kib_of(gib);
  }
  void add_kind(ListedHost& host, std::size_t column) const {
    if (!is_told(column)) return;
    const auto amount = table_.whole(column, 0, kMostAmount);
    if (amount > 0) host.kinds.emplace_back(table_.name(column), amount);
  }

  TableReader table_;
  HostList list_;
};

// A node of openb: processors in thousandths, rounded down, and memory in MiB.
HostList read_openb_hosts(ByteSource& source, const std::string& file, Budget& budget) {
  enum : std::size_t { kName, kMilli, kMemory, kGpu, kModel };
  constexpr std::int64_t kMilliOfOne = 1000;
  constexpr std::int64_t kMostMib = std::int64_t{1} << 42U;
  TableReader table(file, lines_of(source, file, budget),
                    {{"sn"}, {"cpu_milli"}, {"memory_mib"}, {"gpu"}, {"model"}});
  HostList list{file};
  bool has_models = false;
  while (table.next()) {  // Bounded: lines_of() charges each line.
    auto& host = list.hosts.emplace_back();
    host.name = table.text(kName);
    host.place = {table.line(), 1};
    host.processors = table.whole(kMilli, 0, kMostOfHosts * kMilliOfOne) / kMilliOfOne;
    host.memory = table.whole(kMemory, 0, kMostMib) * kKibPerMib;
    const auto gpus = table.whole(kGpu, 0, kMostOfHosts);
    if (gpus > 0) host.kinds.emplace_back("gpu", gpus);
    has_models = has_models || !table.text(kModel).empty();
  }
  if (has_models) list.notes.emplace_back("the column model is not read");
  return list;
}

HostList read_host_table(ByteSource& source, const std::string& file, Budget& budget) {
  HeadedSource headed(source);
  auto head = headed.head();
  head.remove_prefix(byte_order_mark(head, file));
  if (first_line_of(head) == kOpenbHeader)
    return read_openb_hosts(headed, file, budget);
  return HostTable(headed, file, budget).read();
}

// --- the list ---

constexpr HostFormat kSinfoHosts{"sinfo", "Slurm: sinfo --json", is_sinfo,
                                 read_sinfo_hosts};
constexpr HostFormat kScontrolHosts{"scontrol", "Slurm: scontrol show node",
                                    is_scontrol, read_scontrol_hosts};
constexpr HostFormat kTableHosts{"hosts",
                                 "a table with name and processors, or of openb",
                                 is_host_table, read_host_table};

const std::array kHostFormats{&kSinfoHosts, &kScontrolHosts, &kTableHosts,
                              &kPlatformHosts};

[[noreturn]] void refuse_hosts(std::string_view head, const std::string& file) {
  if (head.empty()) refuse_log(file, {1, 1}, "there is nothing in it");
  if (const auto what = unread_kind(head); !what.empty()) {
    refuse_log(file, {1, 1}, fmt::format("this is {}", what));
  }
  const auto logs = formats();
  const auto log = std::find_if(logs.begin(), logs.end(),
                                [&](const auto* each) { return each->matches(head); });
  if (log != logs.end()) {
    refuse_log(
        file, {1, 1},
        fmt::format("this is a log of jobs ({}), not a list of hosts: a log goes "
                    "behind --trace",
                    (*log)->name));
  }
  std::vector<std::string> known;
  known.reserve(kHostFormats.size());
  for (const auto* each : kHostFormats) {
    known.push_back(fmt::format("{} ({})", each->name, each->what));
  }
  constexpr std::size_t kShown = 40;
  refuse_log(
      file, {1, 1},
      fmt::format("a list of hosts of no known format begins with '{}'; known are "
                  "{}",
                  printable(head.substr(0, kShown)), fmt::join(known, ", ")));
}

}  // namespace

std::span<const HostFormat* const> host_formats() { return kHostFormats; }

ListedHost host_of(const SlurmNode& node) {
  ListedHost host{node.name, node.place};
  host.processors = node.processors;
  host.memory = node.memory * kKibPerMib;
  for (const auto& [kind, amount] : kinds_of_node(node.resources)) {
    if (amount > 0) host.kinds.emplace_back(kind, amount);
  }
  host.takes_jobs = !is_out_of_service(node);
  host.partitions = node.partitions;
  return host;
}

HostList read_hosts(ByteSource& source, const std::string& file, Budget& budget) {
  HeadedSource headed(source);
  auto head = headed.head();
  head.remove_prefix(byte_order_mark(head, file));
  const auto* const found =
      std::find_if(kHostFormats.begin(), kHostFormats.end(),
                   [&](const auto* each) { return each->matches(head); });
  if (found == kHostFormats.end()) refuse_hosts(head, file);
  return (*found)->read(headed, file, budget);
}

HostList read_hosts_file(const std::string& given, Budget& budget) {
  const auto path = find_input(given);
  const auto name = path == "-" ? std::string("standard input") : path;
  FileSource file(path);
  GzipSource unpacked(file, name, budget);
  return read_hosts(unpacked, name, budget);
}

}  // namespace berth::study
