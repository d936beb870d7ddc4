#include "engine/machines/devices/device_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

namespace {

using Column = JobAttributes::Column;
using Given = JobFileForm::Given;

// Columns of the form, in its order; further kinds come behind them.
enum NeedColumn : std::size_t {
  kChunksCell,
  kCpuCell,
  kMemoryCell,
  kGpus,
  kShare,
  kTypes,
  kClass
};
constexpr double kMostCell = static_cast<double>(kMostAmount);
constexpr double kMostCores = 1e9;
constexpr double kMostDevices = 1e6;  // of a chunk

std::string key_of_need(std::string_view name) { return fmt::format("needs.{}", name); }

// Reads the names of its types.
void set_types(const DeviceHosts& hosts, DeviceNeed& need) {
  need.may_use.assign(hosts.types().size(), false);
  each_type(need.types, [&](std::string_view name) {
    const auto type = hosts.type_named(name);
    if (type) need.may_use[static_cast<std::size_t>(*type)] = true;
  });
}

class DeviceNeedsReader {
 public:
  DeviceNeedsReader(const DeviceHosts& hosts, const JobAttributes* attributes)
      : hosts_(hosts),
        attributes_(attributes),
        chunks_(column("chunks")),
        gpus_(column("gpus")),
        share_(column("share")),
        types_(column("types")),
        class_(column("class")) {
    for (const auto& kind : hosts.kinds()) kinds_.push_back(column(kind.name));
  }

  [[nodiscard]] std::int32_t chunks(JobId job) const {
    return static_cast<std::int32_t>(value(chunks_, job).value_or(1));
  }

  [[nodiscard]] DeviceNeed need(JobId id, const Job& job) const {
    DeviceNeed need;
    need.partition = job.partition;
    read_devices(id, need);
    read_class(id, job, need);
    const auto count = chunks(id);
    const auto kinds = hosts_.kinds();
    need.amounts.reserve(kinds.size());
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const auto told = value(kinds_[kind], id);
      auto amount = told.value_or(0);
      if (kind == 0) amount = cpu(id).value_or(job.size * kUnitsOfCore / count);
      if (kinds[kind].name == "memory" && !told) {
        const std::int64_t of_one = std::max<std::int64_t>(0, job.memory_kib);
        amount = std::min(of_one, 2 * kMostAmount / job.size) * job.size / count;
      }
      if (kind == hosts_.gpu()) {
        amount = need.share > 0 ? need.share : need.gpus * hosts_.parts();
      }
      need.amounts.push_back(std::min(amount, 2 * kMostAmount / count));
    }
    return need;
  }

 private:
  // In thousandths of a core.
  [[nodiscard]] std::optional<std::int64_t> cpu(JobId job) const {
    const auto* column = kinds_.front();
    if (column == nullptr || column->of(job).empty()) return std::nullopt;
    return whole_units(column->of(job).front(), kUnitsOfCore);
  }
  [[nodiscard]] const Column* column(std::string_view name) const {
    return attributes_ == nullptr ? nullptr : attributes_->column(key_of_need(name));
  }
  [[nodiscard]] static std::optional<std::int64_t> value(const Column* column,
                                                         JobId job) {
    if (column == nullptr || column->of(job).empty()) return std::nullopt;
    return std::llround(column->of(job).front());
  }

  // A share of all parts is a whole device.
  void read_devices(JobId job, DeviceNeed& need) const {
    const auto share = value(share_, job).value_or(0);
    need.gpus =
        static_cast<std::int32_t>(value(gpus_, job).value_or(share > 0 ? 1 : 0));
    if (need.gpus == 0) return;
    if (share < hosts_.parts()) need.share = share;
    if (types_ == nullptr || types_->of(job).empty()) return;
    need.types = types_->text(types_->of(job).front());
    set_types(hosts_, need);
  }

  // A type on which its class makes no progress is none that it may use.
  void read_class(JobId id, const Job& job, DeviceNeed& need) const {
    if (class_ != nullptr && !class_->of(id).empty()) {
      need.job_class = class_->text(class_->of(id).front());
    }
    if (need.gpus == 0 || hosts_.speeds().empty()) return;
    need.rates = hosts_.speeds().of(class_of(need, job));
    for (std::size_t type = 0; type < need.rates.size(); ++type) {
      if (need.rates[type] > 0) continue;
      if (need.may_use.empty()) need.may_use.assign(need.rates.size(), true);
      need.may_use[type] = false;
    }
  }

  const DeviceHosts& hosts_;
  const JobAttributes* attributes_;
  std::vector<const Column*> kinds_;
  const Column* chunks_;
  const Column* gpus_;
  const Column* share_;
  const Column* types_;
  const Column* class_;
};

JobFileForm::Column whole_column(std::string_view name, double least, double most) {
  return {std::string(name), key_of_need(name), Given::kOrEmpty,
          [least, most](double& number, std::string_view text) -> std::string {
            if (number < least) return fmt::format("{} is below {}", text, least);
            if (number != std::floor(number)) {
              return fmt::format("{} is not a whole number", text);
            }
            return number > most ? fmt::format("{} is above {}", text, most) : "";
          }};
}

// Memory is kept in KiB, cores as they are given.
JobFileForm::Column amount_column(std::string_view name, double most) {
  const bool is_memory = name == "memory";
  return {std::string(name), key_of_need(name), Given::kOrEmpty,
          [most, is_memory](double& number, std::string_view text) -> std::string {
            if (number < 0) return fmt::format("{} is below 0", text);
            if (number > most) return "this is more than any machine has";
            if (is_memory) number = static_cast<double>(kib_of(number));
            return {};
          }};
}

JobFileForm::Column types_column() {
  return {"types", key_of_need("types"), Given::kOrEmpty,
          [](double&, std::string_view text) -> std::string {
            const bool has_empty = text.front() == '|' || text.back() == '|' ||
                                   text.find("||") != std::string_view::npos;
            const bool has_blank = text.find(' ') != std::string_view::npos;
            if (!has_empty && !has_blank) return {};
            return fmt::format("'{}' is no list of types such as V100|T4",
                               printable(text));
          },
          true};
}

JobFileForm::Column class_column() {
  return {"class", key_of_need("class"), Given::kOrEmpty,
          [](double&, std::string_view) { return std::string(); }, true};
}

// Devices and share of one line together.
std::optional<JobFileForm::Wrong> wrong_devices(const Job& job,
                                                JobFileForm::Numbers numbers,
                                                std::int64_t parts) {
  const auto share = numbers[kShare].value_or(0);
  const auto gpus = numbers[kGpus].value_or(share > 0 ? 1 : 0);
  const auto wrong = [&](std::string what) {
    return JobFileForm::Wrong{kShare, fmt::format("job {}: {}", job.id, what)};
  };
  if (share > static_cast<double>(parts)) {
    return wrong(fmt::format("a share of {} parts, and a device has {}{}", share, parts,
                             parts == 1 ? ", which no job can share" : ""));
  }
  if (gpus == 0 && share > 0) return wrong("a share of no device; gpus is 0");
  const bool is_whole = !numbers[kShare] || share == static_cast<double>(parts);
  if (gpus == 1 && !is_whole && share < 1)
    return wrong("a share of less than one part");
  if (gpus > 1 && !is_whole) {
    return wrong(fmt::format("a share of {} parts is of one device, and gpus is {}",
                             share, gpus));
  }
  return std::nullopt;
}

// What tells needs apart.
struct NeedKey {
  std::vector<std::int64_t> numbers;
  std::vector<double> rates;
  std::string types;
  std::string job_class;
  friend bool operator<(const NeedKey& a, const NeedKey& b) {
    return std::tie(a.numbers, a.rates, a.types, a.job_class) <
           std::tie(b.numbers, b.rates, b.types, b.job_class);
  }
};
NeedKey key_of(const DeviceNeed& need) {
  NeedKey key{need.amounts, need.rates, need.types, need.job_class};
  key.numbers.insert(key.numbers.end(), {need.gpus, need.share, need.partition});
  return key;
}

void require_time_for(const DeviceNeed& need, const Job& job) {
  const auto slowest = need.slowest();
  const auto most = static_cast<double>(std::max(job.length, job.walltime));
  if (most / slowest <= kMaxSeconds * static_cast<double>(kSecond)) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("machine.speeds: class {} has a rate of {}, at which job {} would "
                  "take longer than 10^11 s; a rate of 0 keeps a class from a type",
                  printable(class_of(need, job)), slowest, job.id));
}

}  // namespace

std::string class_of(const DeviceNeed& need, const Job& job) {
  if (!need.job_class.empty() || job.queue_class == kUnknown) return need.job_class;
  return fmt::format("{}", label_number(job.queue_class));
}

double DeviceNeed::slowest() const {
  std::optional<double> least;
  for (std::size_t type = 0; gpus > 0 && type < rates.size(); ++type) {
    if (!allows(static_cast<std::int32_t>(type))) continue;
    least = std::min(least.value_or(rates[type]), rates[type]);
  }
  return least.value_or(1.0);
}

DeviceNeeds::DeviceNeeds(const DeviceHosts& hosts, std::span<const Job> jobs,
                         const JobAttributes* attributes) {
  const DeviceNeedsReader reader(hosts, attributes);
  std::map<NeedKey, std::uint32_t> known;
  of_jobs_.reserve(jobs.size());
  std::uint32_t number = 0;
  for (const auto& job : jobs) {
    const JobId id{number++};
    auto need = reader.need(id, job);
    if (!need.rates.empty()) require_time_for(need, job);
    const auto next = static_cast<std::uint32_t>(all_.size());
    const auto [at, is_new] = known.try_emplace(key_of(need), next);
    if (is_new) all_.push_back({std::move(need)});
    ++all_[at->second].jobs;
    of_jobs_.push_back({at->second, reader.chunks(id), job.size});
  }
  const auto* source = attributes != nullptr ? attributes->source() : nullptr;
  if (source == nullptr) return;
  of_source_ = DeviceNeeds(hosts, source->jobs, &source->attributes).all_;
}

JobFileForm device_needs_form(const DeviceHosts& hosts) {
  JobFileForm form{{whole_column("chunks", 1, 1e6), amount_column("cpu", kMostCores),
                    amount_column("memory", kMostCell / kKibPerGib),
                    whole_column("gpus", 0, kMostDevices),
                    whole_column("share", 0, 1e6), types_column(), class_column()},
                   JobFileForm::Lines::kAtMostOne,
                   "the machine has no kind",
                   [parts = hosts.parts()](const Job& job, JobFileForm::Numbers of) {
                     return wrong_devices(job, of, parts);
                   }};
  for (std::size_t kind = 1; kind < hosts.kinds().size(); ++kind) {
    const auto& name = hosts.kinds()[kind].name;
    if (name == "memory" || kind == hosts.gpu()) continue;
    form.columns.push_back(whole_column(name, 0, kMostCell));
  }
  return form;
}

std::vector<TargetNeed> target_from_file(const DeviceHosts& hosts,
                                         const DeviceSettings& settings) {
  enum TargetCell : std::size_t { kCores, kWhole, kPart, kNames, kJobs };
  Budget budget;
  TableReader table(
      settings.target, lines_of(settings.target_text, budget),
      {{"cpu"}, {"gpus"}, {"share", false}, {"types", false}, {"jobs", false}});
  const auto whole = [&](TargetCell cell, std::int64_t most) {
    return table.text(cell).empty() ? 0 : table.whole(cell, 0, most);
  };
  std::vector<TargetNeed> all;
  // Bounded: lines_of() charges each line.
  while (table.next()) {
    auto& [need, jobs] = all.emplace_back();
    const auto cores = table.real(kCores);
    if (cores < 0 || cores > kMostCores)
      table.wrong(kCores, "is not from 0 to 10^9 cores");
    need.amounts = {whole_units(cores, kUnitsOfCore)};
    need.gpus = static_cast<std::int32_t>(whole(kWhole, std::int64_t(kMostDevices)));
    const auto share = whole(kPart, hosts.parts());
    if (need.gpus > 0 && share < hosts.parts()) need.share = share;
    jobs = table.text(kJobs).empty() ? 1 : table.whole(kJobs, 0, 1'000'000'000);
    if (need.gpus == 0 || table.text(kNames).empty()) continue;
    need.types = table.text(kNames);
    set_types(hosts, need);
  }
  return all;
}

}  // namespace berth
