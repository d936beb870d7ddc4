#include "bindings/tools/run_waits.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bindings/tools/run_jobs.hpp"
#include "engine/machines/reason_list.hpp"

namespace berth::bindings {

namespace {

std::int64_t row_of_job(JobId job) { return std::int64_t{index(job)} + 1; }

std::size_t place_of(Why why) {
  const auto& all = all_reasons();
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), why) -
                                  all.begin());
}

// A row of run.waits.
struct WaitRow {
  JobId job;
  const ReasonTime& time;
  bool waited;
};

struct WaitColumn {
  Values kind;
  std::int64_t (*value)(const WaitRow& row);
};

const std::array<std::pair<std::string_view, WaitColumn>, 9> kWaitColumns{{
    {"job", {Values::kWhole, [](const WaitRow& row) { return row_of_job(row.job); }}},
    {"reason",
     {Values::kText,
      [](const WaitRow& row) { return std::int64_t(place_of(row.time.why)); }}},
    {"rank",
     {Values::kWhole,
      [](const WaitRow& row) { return std::int64_t(place_of(row.time.why)) + 1; }}},
    {"seconds", {Values::kTime, [](const WaitRow& row) { return row.time.time; }}},
    {"passes", {Values::kWhole, [](const WaitRow& row) { return row.time.passes; }}},
    {"first", {Values::kTime, [](const WaitRow& row) { return row.time.first; }}},
    {"last", {Values::kTime, [](const WaitRow& row) { return row.time.last; }}},
    {"blocker",
     {Values::kWhole,
      [](const WaitRow& row) {
        const auto in_the_way = row.time.blocker();
        return in_the_way ? row_of_job(*in_the_way) : 0;
      }}},
    {"waited",
     {Values::kMask, [](const WaitRow& row) { return std::int64_t(row.waited); }}},
}};

std::vector<std::string> names_of_reasons() {
  std::vector<std::string> names;
  names.reserve(all_reasons().size());
  for (const auto& why : all_reasons()) names.emplace_back(why.record().name);
  return names;
}

// Columns are made when they are asked for: all of 1,000,000 jobs take 200 MB.
class WaitRows final : public FrameSource {
 public:
  explicit WaitRows(const std::map<JobId, ExplainedJob>& jobs) : jobs_(jobs) {
    for (const auto& [job, explained] : jobs) rows_ += explained.times.size();
    names_.reserve(kWaitColumns.size());
    for (const auto& each : kWaitColumns) names_.emplace_back(each.first);
  }

  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::string_view what() const override { return "waits"; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    const auto* const at =
        std::find_if(kWaitColumns.begin(), kWaitColumns.end(),
                     [&](const auto& each) { return each.first == name; });
    const auto& column = at->second;
    switch (column.kind) {
      case Values::kText:
        return Column::of_texts(values<std::uint32_t>(column), names_of_reasons());
      case Values::kMask: return Column::of_mask(values<std::uint8_t>(column));
      case Values::kTime: return Column::of_times(values<Time>(column));
      default: return Column::of_whole(values<std::int64_t>(column));
    }
  }

 private:
  template <class Value>
  [[nodiscard]] std::vector<Value> values(const WaitColumn& column) const {
    std::vector<Value> all;
    all.reserve(rows_);
    for (const auto& [job, explained] : jobs_) {
      const auto& times = explained.times;
      const bool has_waited = std::any_of(
          times.begin(), times.end(), [](const auto& each) { return each.time > 0; });
      for (const auto& each : times) {
        const bool is_first = &each == times.data();
        all.push_back(
            static_cast<Value>(column.value({job, each, has_waited && is_first})));
      }
    }
    return all;
  }

  const std::map<JobId, ExplainedJob>& jobs_;
  std::size_t rows_ = 0;
  std::vector<std::string> names_{};
};

struct BlockColumns {
  std::vector<std::int64_t> job{};
  std::vector<Time> seconds{};

  void add(const ReasonTime& each) {
    for (const auto& [other, time] : each.blockers) {
      job.push_back(row_of_job(other));
      seconds.push_back(time);
    }
  }

  std::shared_ptr<const FrameSource> frame() {
    std::vector<std::pair<std::string, ColumnPtr>> all{
        {"job", Column::of_whole(std::move(job))},
        {"seconds", Column::of_times(std::move(seconds))}};
    return std::make_shared<MadeFrame>("blocks", std::move(all));
  }
};

}  // namespace

RunWaits run_waits(const std::map<JobId, ExplainedJob>& jobs) {
  BlockColumns blocks;
  for (const auto& [job, explained] : jobs) {
    for (const auto& each : explained.times) blocks.add(each);
  }
  return {std::make_shared<WaitRows>(jobs), blocks.frame()};
}

}  // namespace berth::bindings
