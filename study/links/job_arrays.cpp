#include "study/links/job_arrays.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/links/trace_places.hpp"

namespace berth::study {

namespace {

class ArrayReader {
 public:
  ArrayReader(ByteSource& source, const std::string& name, const Workload& workload,
              Budget& budget)
      : places_(workload, budget),
        table_(name, lines_of(source, name, budget),
               {{"array"}, {"job_id"}, {"limit", false}},
               "a file of arrays has array, job_id and limit") {}

  TraceArrays read() {
    while (table_.next()) read_row();
    return std::move(made_);
  }

 private:
  enum ArrayColumn : std::size_t { kArrayColumn, kMemberColumn, kLimitColumn };

  void read_row() {
    const std::string name(table_.text(kArrayColumn));
    if (name.empty()) table_.wrong(kArrayColumn, "an array has a name");
    const auto id = table_.whole(kMemberColumn);
    const auto place = places_.of(id);
    if (place == TracePlaces::kNowhere) {
      table_.wrong(kMemberColumn, fmt::format("the workload has no job {}", id));
    }
    const auto [at, is_new] = arrays_.try_emplace(place, name);
    if (!is_new) {
      table_.wrong(kMemberColumn, fmt::format("job {} is in array {} already", id,
                                              printable(at->second)));
    }
    auto& array = made_.by_name[name];
    array.members.push_back(place);
    read_limit(array);
  }

  void read_limit(TraceArrays::NamedArray& array) {
    if (!table_.has(kLimitColumn) || table_.text(kLimitColumn).empty()) return;
    const auto limit = table_.whole(kLimitColumn, 1);
    if (array.limit.value_or(limit) != limit) {
      table_.wrong(kLimitColumn,
                   fmt::format("the array has the limit {} already", *array.limit));
    }
    array.limit = limit;
  }

  TracePlaces places_;
  TableReader table_;
  TraceArrays made_;
  std::unordered_map<std::uint32_t, std::string> arrays_;  // by place
};

}  // namespace

std::optional<TraceArrays> trace_arrays(const LinkKeys& keys, const Workload& workload,
                                        Budget& budget) {
  if (keys.arrays.empty()) return std::nullopt;
  const auto name = find_input(keys.arrays);
  FileSource file(name);
  GzipSource unpacked(file, name, budget);
  return read_arrays(unpacked, name, workload, budget);
}

TraceArrays read_arrays(ByteSource& source, const std::string& name,
                        const Workload& workload, Budget& budget) {
  return ArrayReader(source, name, workload, budget).read();
}

std::shared_ptr<const LimitedArrays> arrays_of_jobs(const TraceArrays& of,
                                                    const Workload& workload,
                                                    Budget& budget) {
  budget.charge_each(workload.jobs.size());
  // By place, the jobs that are copies of it, in their order.
  std::unordered_map<std::uint32_t, std::vector<std::int64_t>> copies;
  for (const auto& [name, array] : of.by_name) {
    if (!array.limit) continue;
    for (const auto place : array.members) copies.try_emplace(place);
  }
  if (copies.empty()) return nullptr;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const auto at = copies.find(workload.of_trace[i]);
    if (at != copies.end()) at->second.push_back(workload.jobs[i].id);
  }
  auto made = std::make_shared<LimitedArrays>();
  std::int32_t first = 0;  // of the labels of this array
  for (const auto& [name, array] : of.by_name) {
    if (!array.limit) continue;
    std::int32_t rounds = 0;
    for (const auto place : array.members) {
      std::int32_t round = 0;
      for (const auto id : copies.at(place)) made->of.emplace(id, first + round++);
      rounds = std::max(rounds, round);
    }
    for (std::int32_t round = 0; round < rounds; ++round) {
      made->limits[first + round].running_jobs = array.limit;
    }
    first += rounds;
  }
  return made;
}

}  // namespace berth::study
