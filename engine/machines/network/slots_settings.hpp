#pragma once
// Settings of a machine with a network, and of the bandwidth that its jobs ask for.
//
// Rates and bandwidths are in Mb/s here, and nowhere else.
// Source       Li et al. 2018; docs/model.md#network.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/jobs/job_file_form.hpp"
#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

enum class NetworkShape : std::uint8_t { kFatTree, kStar, kTree };

// The bandwidth of a job of N VMs (docs/model.md#bandwidth).
enum class BandwidthRule : std::uint8_t {
  kServersNeeded,  // drawn up to line rate * servers that it needs / N
  kNormal,         // drawn around a mean that is the same for all
  kCapped,         // drawn up to line rate * servers / N
  kGiven,          // one for all, or by job
};

// The name of an embedding that the policy itself brings (Networked::use).
inline constexpr std::string_view kOwnEmbedding = "own";

struct SlotsSettings {
  NetworkShape topology = NetworkShape::kFatTree;
  std::int32_t k = 6;
  std::int32_t servers = 54;  // of a star
  std::string file{};         // of a tree
  std::int32_t slots = 8;
  double link_rate = 1000;
  std::optional<double> edge_rate{};
  std::optional<double> core_rate{};
  Hose hose = Hose::kSubtree;
  EmbeddingSettings search{};
  std::string embedding = "adaba";

  BandwidthRule rule = BandwidthRule::kServersNeeded;
  double bandwidth = 0;          // kGiven: of a job without a value of its own
  std::string bandwidth_file{};  // of values by job; its reader makes the column
  double bandwidth_mean = 250;   // kNormal
  double bandwidth_cv = 0.2;

  // What the file of a tree says; its reader sets it.
  std::shared_ptr<const Topology> tree{};
};

// The scenario keys of the model: [machine.network], and those of [workload] that only
// this model reads.
[[nodiscard]] std::vector<SettingOf<SlotsSettings>> slots_setting_records();

// bandwidth, in Mb/s of each VM, 0 to 10^9; below 1 kbit/s must be 0.
[[nodiscard]] JobFileForm bandwidth_form();

// REQUIRES: of a tree, its file has been read.
[[nodiscard]] std::shared_ptr<const Topology> make_topology(
    const SlotsSettings& settings);

// The embedding in force; of kOwnEmbedding one that stands in until the policy brings
// its own.  Throws Error{kInput} for one that cannot count as
// machine.network.hose says.
[[nodiscard]] std::unique_ptr<Embedding> make_embedding(const SlotsSettings& settings);

// Mb/s to kbit/s, rounded down (docs/model.md#amounts).  REQUIRES: 0 <= mbits <= 1e12.
[[nodiscard]] std::int64_t kbits(double mbits);

}  // namespace berth
