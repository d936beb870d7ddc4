#include "bindings/tools/run_waits.hpp"

#include <algorithm>

#include "bindings/tools/run_jobs.hpp"
#include "engine/machines/reason_list.hpp"

namespace berth::bindings {

namespace {

std::int64_t row_of_job(JobId job) { return std::int64_t{index(job)} + 1; }

struct WaitColumns {
  std::vector<std::int64_t> job{}, rank{}, passes{}, blocker{};
  std::vector<std::uint32_t> reason{};
  std::vector<Time> seconds{}, first{}, last{};
  std::vector<std::uint8_t> waited{};

  explicit WaitColumns(std::size_t rows) {
    for (auto* each : {&job, &rank, &passes, &blocker, &seconds, &first, &last}) {
      each->reserve(rows);
    }
    reason.reserve(rows);
    waited.reserve(rows);
  }

  void add(JobId of, const ReasonTime& each, std::size_t place, bool is_wait) {
    const auto in_the_way = each.blocker();
    job.push_back(row_of_job(of));
    reason.push_back(static_cast<std::uint32_t>(place));
    rank.push_back(static_cast<std::int64_t>(place) + 1);
    seconds.push_back(each.time);
    passes.push_back(each.passes);
    first.push_back(each.first);
    last.push_back(each.last);
    blocker.push_back(in_the_way ? row_of_job(*in_the_way) : 0);
    waited.push_back(is_wait ? 1 : 0);
  }

  std::shared_ptr<const FrameSource> frame() {
    std::vector<std::string> names;
    names.reserve(all_reasons().size());
    for (const auto& why : all_reasons()) names.emplace_back(why.record().name);
    std::vector<std::pair<std::string, ColumnPtr>> all{
        {"job", Column::of_whole(std::move(job))},
        {"reason", Column::of_texts(std::move(reason), std::move(names))},
        {"rank", Column::of_whole(std::move(rank))},
        {"seconds", Column::of_times(std::move(seconds))},
        {"passes", Column::of_whole(std::move(passes))},
        {"first", Column::of_times(std::move(first))},
        {"last", Column::of_times(std::move(last))},
        {"blocker", Column::of_whole(std::move(blocker))},
        {"waited", Column::of_mask(std::move(waited))}};
    return std::make_shared<MadeFrame>("waits", std::move(all));
  }
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

std::size_t place_of(Why why) {
  const auto& all = all_reasons();
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), why) -
                                  all.begin());
}

}  // namespace

RunWaits run_waits(const std::map<JobId, ExplainedJob>& jobs) {
  std::size_t rows = 0;
  for (const auto& [job, explained] : jobs) rows += explained.times.size();
  WaitColumns waits(rows);
  BlockColumns blocks;
  for (const auto& [job, explained] : jobs) {
    const bool has_waited = std::any_of(explained.times.begin(), explained.times.end(),
                                        [](const auto& each) { return each.time > 0; });
    for (const auto& each : explained.times) {
      const bool is_first = &each == explained.times.data();
      waits.add(job, each, place_of(each.why), has_waited && is_first);
      blocks.add(each);
    }
  }
  return {waits.frame(), blocks.frame()};
}

}  // namespace berth::bindings
