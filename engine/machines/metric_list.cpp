#include "engine/machines/metric_list.hpp"

#include <algorithm>
#include <iterator>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth {

namespace {

void insert_behind(std::vector<MetricRecord>& records, const MetricGroup& group) {
  const auto at = std::find_if(records.begin(), records.end(), [&](const auto& each) {
    return each.name == group.listed_behind;
  });
  BERTH_ASSERT(at != records.end());
  records.insert(std::next(at), group.records.begin(), group.records.end());
}

// Of machines whose metrics stand behind the same one the last comes first.
std::vector<MetricRecord> join() {
  const auto common = common_metrics();
  std::vector<MetricRecord> records(common.begin(), common.end());
  for (const auto& model : sharing_models()) {
    if (model.metrics != nullptr) insert_behind(records, model.metrics());
  }
  for (const auto* study : case_studies()) {
    const auto own = study->metrics();
    records.insert(records.end(), own.begin(), own.end());
  }
  return records;
}

}  // namespace

std::span<const MetricRecord> metric_records() {
  static const auto kRecords = join();
  return kRecords;
}

MetricRecord metric_record(std::string_view name, std::span<const MetricRecord> own) {
  if (own.empty()) return find_metric(metric_records(), name);
  const auto built_in = metric_records();
  std::vector<MetricRecord> all(built_in.begin(), built_in.end());
  all.insert(all.end(), own.begin(), own.end());
  return find_metric(all, name);
}

std::vector<std::string_view> metric_names(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const auto end = std::min(list.size(), list.find(','));
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return names;
}

}  // namespace berth
