#include "engine/machines/reason_list.hpp"

#include <algorithm>

#include "engine/machines/sharing_models.hpp"

namespace berth {

const std::vector<Why>& all_reasons() {
  static const auto kAll = [] {
    const auto common = common_reasons();
    std::vector<Why> all(common.begin(), common.end());
    for (const auto& model : sharing_models()) {
      for (const auto refusal : model.refusals) all.push_back(why_of(refusal));
    }
    std::sort(all.begin(), all.end());
    return all;
  }();
  return kAll;
}

}  // namespace berth
