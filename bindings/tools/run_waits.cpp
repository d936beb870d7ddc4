#include "bindings/tools/run_waits.hpp"

#include <algorithm>
#include <array>
#include <optional>
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
  const WaitTimes& all;
  const WaitTimes::Row& time;
  bool waited;
};

struct WaitColumn {
  Values kind;
  std::int64_t (*value)(const WaitRow& row);
};

const std::array<std::pair<std::string_view, WaitColumn>, 9> kWaitColumns{{
    {"job",
     {Values::kWhole, [](const WaitRow& row) { return row_of_job(row.time.job); }}},
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
        const auto in_the_way = row.all.longest_blocker(row.time);
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
  explicit WaitRows(const WaitTimes& all) : all_(all) {
    names_.reserve(kWaitColumns.size());
    for (const auto& each : kWaitColumns) names_.emplace_back(each.first);
  }

  [[nodiscard]] std::size_t rows() const override { return all_.size(); }
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
  // Whether the row is the first of a job that waited.
  [[nodiscard]] bool has_waited(std::size_t place) const {
    const auto job = all_.row(place).job;
    if (place > 0 && all_.row(place - 1).job == job) return false;
    for (auto at = place; at < all_.size() && all_.row(at).job == job; ++at) {
      if (all_.row(at).time > 0) return true;
    }
    return false;
  }

  template <class Value>
  [[nodiscard]] std::vector<Value> values(const WaitColumn& column) const {
    const bool is_mask = column.kind == Values::kMask;
    std::vector<Value> all;
    all.reserve(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const WaitRow row{all_, all_.row(i), is_mask && has_waited(i)};
      all.push_back(static_cast<Value>(column.value(row)));
    }
    return all;
  }

  const WaitTimes& all_;
  std::vector<std::string> names_{};
};

class BlockRows final : public FrameSource {
 public:
  explicit BlockRows(const WaitTimes& all) : all_(all) {}

  [[nodiscard]] std::size_t rows() const override { return all_.blockers().size(); }
  [[nodiscard]] std::string_view what() const override { return "blocks"; }
  [[nodiscard]] std::span<const std::string> names() const override {
    static const std::array<std::string, 2> kNames{"job", "seconds"};
    return kNames;
  }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    if (name == "job") {
      return Column::of_whole(
          values([](const auto& block) { return row_of_job(block.first); }));
    }
    return Column::of_times(values([](const auto& block) { return block.second; }));
  }

 private:
  template <class Get>
  [[nodiscard]] std::vector<std::int64_t> values(const Get& get) const {
    std::vector<std::int64_t> all;
    all.reserve(rows());
    for (std::size_t place = 0; place < all_.size(); ++place) {
      const auto& row = all_.row(place);
      for (std::size_t i = 0; i < row.blockers; ++i) {
        all.push_back(get(all_.blocker(row, i)));
      }
    }
    return all;
  }

  const WaitTimes& all_;
};

// Summed without columns of the blocks, of which 1,000,000 jobs may have 20,000,000.
class BlockerRows final : public FrameSource {
 public:
  explicit BlockerRows(const WaitTimes& all) : all_(all) {}

  [[nodiscard]] std::size_t rows() const override { return sums().rows(); }
  [[nodiscard]] std::string_view what() const override { return "blockers"; }
  [[nodiscard]] std::span<const std::string> names() const override {
    return sums().names();
  }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    return sums().make(name);
  }

 private:
  struct Sum {
    Duration seconds = 0;
    std::int64_t waits = 0;
  };

  // Made when it is first asked for.
  const MadeFrame& sums() const {
    if (sums_) return *sums_;
    std::vector<Sum> by_job;
    for (const auto& [job, time] : all_.blockers()) {
      if (index(job) >= by_job.size()) by_job.resize(index(job) + 1);
      by_job[index(job)].seconds += time;
      ++by_job[index(job)].waits;
    }
    std::vector<std::int64_t> job;
    std::vector<Time> seconds;
    std::vector<std::int64_t> waits;
    for (std::uint32_t i = 0; i < by_job.size(); ++i) {
      if (by_job[i].waits == 0) continue;
      job.push_back(row_of_job(JobId{i}));
      seconds.push_back(by_job[i].seconds);
      waits.push_back(by_job[i].waits);
    }
    std::vector<std::pair<std::string, ColumnPtr>> columns{
        {"job", Column::of_whole(std::move(job))},
        {"seconds", Column::of_times(std::move(seconds))},
        {"waits", Column::of_whole(std::move(waits))}};
    sums_.emplace("blockers", std::move(columns));
    return *sums_;
  }

  const WaitTimes& all_;
  mutable std::optional<MadeFrame> sums_{};
};

}  // namespace

RunWaits run_waits(const WaitTimes& times) {
  return {std::make_shared<WaitRows>(times), std::make_shared<BlockRows>(times),
          std::make_shared<BlockerRows>(times)};
}

}  // namespace berth::bindings
