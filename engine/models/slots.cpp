#include "engine/embed/slots.hpp"

#include "engine/audit/laws/network_law.hpp"
#include "engine/models/records.hpp"
#include "engine/network/tree_text.hpp"

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

}  // namespace

ModelRecord slots_record() {
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
      .law = [](const ModelSpec& spec) -> std::unique_ptr<audit::Law> {
        const auto settings = settings_of<SlotsSettings>(spec.machine);
        return std::make_unique<audit::NetworkLaw>(settings, spec.jobs,
                                                   bandwidths_of(settings, spec));
      },
      .network = [](const ModelSpec& spec) -> std::shared_ptr<NetworkDemand> {
        return std::make_shared<NetworkDemand>(settings_of<SlotsSettings>(spec.machine),
                                               spec.seed, spec.attributes);
      },
  };
}

}  // namespace berth
