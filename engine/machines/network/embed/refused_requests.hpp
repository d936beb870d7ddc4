#pragma once
// Requests that have no place on a network: what asks for no less has none either.
//
// Fewer VMs, or less bandwidth, need no more of any link, since the hose rule takes the
// smaller side; so a place for the larger request holds the smaller one.  What has no
// place has none, either, once more of the network is taken.
//
//   operation    time, n = requests that are kept
//   covers, add  O(n); few are kept, none of which covers another

#include <algorithm>
#include <vector>

#include "engine/machines/network/tree/network.hpp"

namespace berth {

class RefusedRequests {
 public:
  [[nodiscard]] bool covers(const ClusterRequest& request) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Asked& each) {
      return each.vms <= request.vms && each.bandwidth <= request.bandwidth;
    });
  }
  // REQUIRES: it is not covered.
  void add(const ClusterRequest& request) {
    std::erase_if(all_, [&](const Asked& each) {
      return each.vms >= request.vms && each.bandwidth >= request.bandwidth;
    });
    all_.push_back({request.vms, request.bandwidth});
  }
  void clear() { all_.clear(); }

 private:
  struct Asked {
    std::int32_t vms;
    std::int64_t bandwidth;
  };
  std::vector<Asked> all_;
};

}  // namespace berth
