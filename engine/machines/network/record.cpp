#include "engine/machines/model_record.hpp"
#include "engine/machines/network/network_law.hpp"
#include "engine/machines/network/network_measure.hpp"
#include "engine/machines/network/slots.hpp"
#include "engine/machines/network/tree/tree_text.hpp"

namespace berth {

namespace {

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

audit::PlaceReader clusters_of(const ModelSpec& spec) {
  const std::shared_ptr<const Topology> topology =
      make_topology(settings_of<SlotsSettings>(spec.machine));
  return [topology](const audit::Stay& stay) -> std::optional<Placement> {
    const auto node = node_named(*topology, stay.top);
    if (stay.places.empty() || !node || is_beyond(stay, topology->processors())) {
      return std::nullopt;
    }
    auto slots = set_of(stay);
    VirtualCluster cluster;
    cluster.node = *node;
    cluster.level = topology->level(*node);
    cluster.name = topology->name(*node);
    cluster.vms = vms_of(*topology, slots);
    cluster.reserved = stay.reserved.value_or(audit::kNotSaid);
    return placement_of(std::move(slots), std::move(cluster));
  };
}

std::shared_ptr<NetworkDemand> demand_of(const ModelSpec& spec) {
  return std::make_shared<NetworkDemand>(settings_of<SlotsSettings>(spec.machine),
                                         spec.seed, spec.attributes);
}

std::unique_ptr<audit::Law> network_law(const ModelSpec& spec) {
  const auto settings = settings_of<SlotsSettings>(spec.machine);
  return std::make_unique<audit::NetworkLaw>(settings, spec.jobs,
                                             bandwidths_of(settings, spec));
}

}  // namespace

ModelRecord network_record() {
  return {
      .name = "slots",
      .help =
          "servers with slots on a network; a job is a virtual cluster with guaranteed "
          "bandwidth",
      .default_migration_cost = seconds(20),
      .preempts = true,
      .counts_tell = false,
      .settings = [] { return own_settings(SlotsSettings{}, slots_setting_records()); },
      .read = read_tree_file,
      .processors =
          [](const std::any& settings) {
            return make_topology(std::any_cast<const SlotsSettings&>(settings))
                ->processors();
          },
      .own_parameter = "embedding",
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
      .network = demand_of,
  };
}

}  // namespace berth
