#include <fmt/format.h>

#include <array>
#include <string_view>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spread.hpp"
#include "engine/machines/model_record.hpp"
#include "engine/machines/network/network_law.hpp"
#include "engine/machines/network/network_measure.hpp"
#include "engine/machines/network/slots.hpp"
#include "engine/machines/network/tree/tree_text.hpp"

namespace berth {

namespace {

OwnSettings settings() {
  return own_settings(SlotsSettings{}, slots_setting_records());
}

void read_tree_file(std::any& settings, const ModelRecord::ReadFile& read) {
  auto& own = std::any_cast<SlotsSettings&>(settings);
  if (own.topology != NetworkShape::kTree || own.file.empty()) return;
  own.tree = std::make_shared<Topology>(tree_from_text(read(own.file), own.file));
}

Bandwidths bandwidths_of(const SlotsSettings& settings, const ModelSpec& spec) {
  return {settings, *make_topology(settings), spec.seed, spec.attributes};
}

std::optional<NetworkNode> node_named(const Topology& topology,
                                      const std::string& name) {
  for (NetworkNode node = 0; node < topology.nodes(); ++node) {
    if (topology.name(node) == name) return node;
  }
  return std::nullopt;
}

// The server that has the slot.
NetworkNode server_of(const Topology& topology, std::int32_t slot) {
  NetworkNode first = 0;
  NetworkNode last = topology.servers() - 1;
  while (first < last) {
    const auto middle = (first + last + 1) / 2;
    if (topology.first_processor(middle) <= slot) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

std::vector<ServerVms> vms_of(const Topology& topology, const IntervalSet& slots) {
  std::vector<ServerVms> vms;
  for (const auto& part : slots.intervals()) {
    for (auto slot = part.first; slot <= part.last; ++slot) {
      const auto server = server_of(topology, slot);
      if (vms.empty() || vms.back().server != server) vms.push_back({server, 0});
      ++vms.back().vms;
    }
  }
  return vms;
}

// Mb/s on all links together.
std::optional<double> reserved_in(std::string_view text) {
  const auto mbits = spread_from_text(text);
  if (!mbits || mbits->least != mbits->most || mbits->least < 0) return std::nullopt;
  return mbits->least;
}

constexpr std::array kPlaceColumns{
    audit::PlaceColumn{"switch"},
    audit::PlaceColumn{"reserved", false, [](std::string_view text) {
                         return reserved_in(text)
                                    ? std::string()
                                    : fmt::format("'{}' is no bandwidth in Mb/s",
                                                  printable(text));
                       }}};

// The name of the node of the virtual switch, and what is reserved on all links
// together, in kbit/s.
std::pair<std::string, std::int64_t> told_of(const audit::Stay& stay) {
  if (stay.of_machine.size() != kPlaceColumns.size()) return {{}, audit::kNotSaid};
  const auto& [top, reserved] = std::tie(stay.of_machine[0], stay.of_machine[1]);
  const auto mbits = reserved_in(reserved);
  return {top, mbits ? kbits(*mbits) : audit::kNotSaid};
}

audit::PlaceReader clusters_of(const ModelSpec& spec) {
  const std::shared_ptr<const Topology> topology =
      make_topology(settings_of<SlotsSettings>(spec.machine));
  return [topology](const audit::Stay& stay) -> std::optional<Placement> {
    const auto& [top, reserved] = told_of(stay);
    const auto node = node_named(*topology, top);
    if (stay.places.empty() || !node || is_beyond(stay, topology->processors())) {
      return std::nullopt;
    }
    auto slots = set_of(stay);
    VirtualCluster cluster;
    cluster.node = *node;
    cluster.level = topology->level(*node);
    cluster.name = topology->name(*node);
    cluster.vms = vms_of(*topology, slots);
    cluster.reserved = reserved;
    return placement_of(std::move(slots), std::move(cluster));
  };
}

std::shared_ptr<NetworkDemand> demand_of(const ModelSpec& spec) {
  return std::make_shared<NetworkDemand>(settings_of<SlotsSettings>(spec.machine),
                                         spec.seed, spec.attributes);
}

// A network that no machine has, a machine on a network that has none, and a bandwidth
// that would be lost.
std::string wrong_network(const sim::Machine& machine, const std::any* given,
                          bool is_mine) {
  if (!is_mine) {
    if (given == nullptr || !is_changed(settings(), *given)) return {};
    return fmt::format(
        "[machine.network] and workload.bandwidth are for "
        "machine.sharing = \"{}\", and it is \"{}\"",
        "slots", machine.sharing);
  }
  if (given == nullptr) {
    return "machine.sharing = \"slots\" needs [machine.network]";
  }
  const auto own = std::any_cast<SlotsSettings>(*given);
  try {
    (void)make_embedding(own);
  } catch (const Error& error) {
    return error.what();
  }
  if (own.bandwidth == 0 || kbits(own.bandwidth) != 0) return {};
  return fmt::format(
      "workload.bandwidth: {} Mb/s rounds to 0 kbit/s; write 0 for jobs "
      "without bandwidth",
      own.bandwidth);
}

std::unique_ptr<audit::Law> network_law(const ModelSpec& spec) {
  const auto settings = settings_of<SlotsSettings>(spec.machine);
  return std::make_unique<audit::NetworkLaw>(settings, spec.jobs,
                                             bandwidths_of(settings, spec));
}

std::vector<NamedAlgorithm> all_embeddings() {
  std::vector<NamedAlgorithm> all;
  for (const auto& record : embeddings()) {
    all.push_back({record.name, record.help, record.source});
  }
  return all;
}

constexpr std::array kRefusals{kNoEmbedding};

}  // namespace

ModelRecord network_record() {
  return {
      .name = "slots",
      .help =
          "servers with slots on a network; a job is a virtual cluster with guaranteed "
          "bandwidth",
      .default_migration_cost = seconds(20),
      .preempts = true,
      .promises_by_count = false,
      .settings = settings,
      .read = read_tree_file,
      .processors =
          [](const sim::Machine&, const std::any& settings) {
            return make_topology(std::any_cast<const SlotsSettings&>(settings))
                ->processors();
          },
      .own_parameter = "embedding",
      .algorithms = all_embeddings,
      .make = [](const ModelSpec& spec) -> std::unique_ptr<SharingModel> {
        return std::make_unique<Slots>(settings_of<SlotsSettings>(spec.machine),
                                       spec.seed, spec.attributes);
      },
      .law = network_law,
      .schedules = {PlaceForm::kSet, clusters_of, network_law},
      .measure = [](const ModelSpec& spec,
                    const Window& window) -> std::unique_ptr<MachineMeasure> {
        return std::make_unique<NetworkMeasure>(demand_of(spec), window);
      },
      .metrics = network_metrics,
      .refusals = kRefusals,
      .place_columns = kPlaceColumns,
      .job_files =
          [](const sim::Machine&) {
            return std::vector<JobFile>{{"workload.bandwidth", bandwidth_form()}};
          },
      .wrong = wrong_network,
  };
}

}  // namespace berth
