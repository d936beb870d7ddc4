#include "engine/machines/network/slots_settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/setting_list.hpp"

namespace berth {

namespace {

constexpr Range kRate{0.001, 1e9};
constexpr std::array<std::string_view, 3> kRules{"servers_needed", "normal", "capped"};

std::vector<std::string> names_of_embeddings() {
  std::vector<std::string> names;
  // Bounded: the embeddings that there are.
  for (const auto& record : embeddings()) names.emplace_back(record.name);
  return names;
}

void add_network(SettingList<SlotsSettings>& to) {
  to.section("machine.network");
  to.choice(
      "topology", {"fat_tree", "star", "tree"},
      "how servers and switches are linked: a fat tree of parameter k, one switch "
      "above all, or as a file says",
      &SlotsSettings::topology);
  to.whole("k", {2, 64, false, 2}, "ports of each switch of a fat tree",
           &SlotsSettings::k);
  to.whole("servers", {1, 150'000}, "servers of a star", &SlotsSettings::servers);
  to.add(
      {{"machine.network",
        "file",
        SettingKind::kInputFile,
        {},
        {},
        "of a tree: a CSV file node,parent,capacity,slots; its servers are numbered "
        "as the tree is walked depth first"},
       [](SlotsSettings& own, const SettingValue& value) { own.file = text_of(value); },
       [](const SlotsSettings& own) -> std::optional<SettingValue> {
         if (own.file.empty()) return std::nullopt;
         return own.file;
       }});
  to.whole("slots", {1, 64}, "VMs that a server has room for", &SlotsSettings::slots);
  to.real("link_rate", kRate, "Mb/s of the link of a server",
          &SlotsSettings::link_rate);
  to.real("edge_rate", kRate,
          "Mb/s between edge and aggregation switches; open: as link_rate",
          &SlotsSettings::edge_rate);
  to.real("core_rate", kRate,
          "Mb/s between aggregation and core switches; open: as link_rate",
          &SlotsSettings::core_rate);
  to.choice("hose", {"subtree", "per_path"},
            "the VMs below a link count together, or each server by itself",
            &SlotsSettings::hose);
  to.choice(
      "greedy_scope", {"lowest_level", "global"},
      "switches that the embedding greedy compares: of the lowest level at which one "
      "works, or all",
      [](auto& own) -> auto& { return own.search.greedy_scope; });
  to.choice(
      "embedding", names_of_embeddings(),
      "where a plain start puts the VMs of a job; also a parameter of every policy",
      &SlotsSettings::embedding);
}

void set_bandwidth(SlotsSettings& own, const SettingValue& value) {
  const auto text = text_of(value);
  own.bandwidth_file.clear();
  // Bounded: the rules that there are.
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (text == kRules[i]) return void(own.rule = static_cast<BandwidthRule>(i));
  }
  own.rule = BandwidthRule::kGiven;
  if (const auto number = spread_from_text(text)) {
    own.bandwidth = number->least;
  } else {
    own.bandwidth_file = text;
  }
}

std::optional<SettingValue> bandwidth_of(const SlotsSettings& own) {
  if (own.rule != BandwidthRule::kGiven) {
    return std::string(kRules[static_cast<std::size_t>(own.rule)]);
  }
  if (!own.bandwidth_file.empty()) return own.bandwidth_file;
  return text_of(SettingValue(own.bandwidth));
}

void add_bandwidth(SettingList<SlotsSettings>& to) {
  to.add({{"workload",
           "bandwidth",
           SettingKind::kJobValues,
           {0, 1e9},
           {kRules.begin(), kRules.end()},
           "Mb/s of each VM: drawn in one of three ways, one number for all, or a CSV "
           "file job_id,bandwidth"},
          set_bandwidth,
          bandwidth_of});
  to.section("workload");
  to.real("bandwidth_mean", {0, 1e9, true}, "Mb/s; mean of bandwidth = normal",
          &SlotsSettings::bandwidth_mean);
  to.real("bandwidth_cv", {0, 10}, "its standard deviation, as part of the mean",
          &SlotsSettings::bandwidth_cv);
}

}  // namespace

std::vector<SettingOf<SlotsSettings>> slots_setting_records() {
  SettingList<SlotsSettings> list;
  add_network(list);
  add_bandwidth(list);
  return list.take();
}

std::shared_ptr<const Topology> make_topology(const SlotsSettings& settings) {
  const auto server = kbits(settings.link_rate);
  switch (settings.topology) {
    case NetworkShape::kFatTree:
      return std::make_shared<Topology>(Topology::fat_tree(
          settings.k, settings.slots,
          {server, kbits(settings.edge_rate.value_or(settings.link_rate)),
           kbits(settings.core_rate.value_or(settings.link_rate))}));
    case NetworkShape::kStar:
      return std::make_shared<Topology>(
          Topology::star(settings.servers, settings.slots, server));
    case NetworkShape::kTree: break;
  }
  if (settings.tree == nullptr) {
    throw Error(ErrorCode::kInput,
                "machine.network.file: topology = \"tree\" needs a file");
  }
  return settings.tree;
}

std::unique_ptr<Embedding> make_embedding(const SlotsSettings& settings) {
  const bool is_own = settings.embedding == kOwnEmbedding;
  const auto* record = find_embedding(is_own ? "first_fit" : settings.embedding);
  BERTH_ASSERT(record != nullptr);
  if (settings.hose == Hose::kPerPath && !record->takes_per_path) {
    throw Error(ErrorCode::kInput,
                fmt::format("machine.network.hose: {} counts the VMs below a link "
                            "together and knows no per_path",
                            record->name));
  }
  return record->make(settings.search);
}

JobFileForm bandwidth_form() {
  const auto check = [](double& mbits, std::string_view text) -> std::string {
    if (!(mbits >= 0 && mbits <= 1e9)) {
      return fmt::format("{} is not between 0 and 1000000000 Mb/s", printable(text));
    }
    if (mbits == 0 || kbits(mbits) != 0) return {};
    return fmt::format(
        "{} Mb/s rounds to 0 kbit/s; write 0 for a job without bandwidth",
        printable(text));
  };
  return {{{"bandwidth", "bandwidth", JobFileForm::Given::kAlways, check}},
          JobFileForm::Lines::kOne};
}

std::int64_t kbits(double mbits) { return whole_units(mbits, 1000); }

}  // namespace berth
