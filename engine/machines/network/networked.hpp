#pragma once
// Capability of machines whose jobs are virtual clusters on a network.
//
// Source       Li et al. 2018; docs/model.md#network.

#include <optional>
#include <span>

#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/network/embed/frame.hpp"

namespace berth {

// The network has no room for the job now.
inline constexpr WhyRecord kNoEmbeddingWhy{
    kMachineRoomRank,
    "no_embedding",
    "no embedding",
    "Resources",
    "The network has no room for its virtual machines and their bandwidth.",
    "can be placed"};
inline constexpr RefusalWord kNoEmbeddingWord{
    "no_embedding", kNoEmbeddingWhy,
    "the empty network has no place for its {} virtual machines and their bandwidth"};
inline constexpr Refusal kNoEmbedding{kNoEmbeddingWord};

// On which network a place is sought.
struct EmbedOptions {
  Embedding* by = nullptr;           // null: the embedding in force
  std::span<const JobId> without{};  // these running jobs count as gone
  bool empty = false;                // the empty network
};

// Why a job has no place now.
struct NoPlace {
  // Of the links below a switch the one that keeps most idle slots from the job.
  struct Link {
    std::string_view lower;
    std::string_view upper;
    std::int64_t needed;  // for one VM more than it lets pass, in kbit/s
    std::int64_t left;
  };

  std::int32_t vms;            // the most that are placed below one switch
  std::int32_t level;          // of that switch; 0: a server
  std::string_view node;       // its name; empty: none is placed anywhere
  std::optional<Link> link{};  // nullopt: each link by itself lets all pass
};

class Networked {
 public:
  virtual ~Networked() = default;

  [[nodiscard]] virtual const Network& network() const = 0;
  // Of each VM of the job, in kbit/s.
  [[nodiscard]] virtual std::int64_t bandwidth(JobId job,
                                               const Demand& demand) const = 0;
  // The largest bandwidth that has arrived.
  [[nodiscard]] virtual std::int64_t largest_request() const = 0;
  // The request that this job is.
  [[nodiscard]] virtual ClusterRequest request(JobId job,
                                               const Demand& demand) const = 0;
  // Where the job would be put; changes nothing.
  [[nodiscard]] virtual std::optional<Placement> embed(
      JobId job, const Demand& demand, const EmbedOptions& options) const = 0;
  // nullopt: the job has a place, or the embedding in force calls the policy and its
  // weights are not known.  Calls no policy.
  [[nodiscard]] virtual std::optional<NoPlace> why_refused(
      JobId job, const Demand& demand) const = 0;
  // The weights with which the embedding in force, one that a policy weighs idle slots
  // for, sought a place for the job last.
  [[nodiscard]] virtual std::optional<SlotWeights> weights_of(JobId job) const = 0;
  // From now on this embedding is in force.
  virtual void use(std::unique_ptr<Embedding> embedding) = 0;
  // An embedding of another name, with the settings of the machine.
  // REQUIRES: find_embedding(name) finds it.
  [[nodiscard]] virtual std::unique_ptr<Embedding> other(
      std::string_view name) const = 0;
};

}  // namespace berth
