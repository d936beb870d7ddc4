#include "engine/machines/devices/device_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/metrics/ratio.hpp"

namespace berth {

namespace {

constexpr std::size_t kPlainLevels = 4;  // those of types come behind them
constexpr std::array<std::string_view, 4> kJobColumns{"devices", "gpus", "share",
                                                      "gpu_type"};

std::optional<double> percent(Int128 part, double of) {
  return ratio(100 * static_cast<double>(part), of);
}

}  // namespace

MetricGroup device_metrics() {
  return {
      "throughput",
      "throughput",
      {
          {"gpu_allocation", "%", "integral of parts held / (parts, time)",
           "Parts of devices that jobs hold, over time, of those of the machine; on "
           "machines with devices only, as all that begin with gpu_.",
           Better::kHigher},
          {"gpu_allocation_of_demand", "%",
           "integral of parts held / integral of parts asked",
           "The same of the parts that jobs in the system ask for.", Better::kHigher},
          {"gpu_fragmentation", "%", "integral of F / (parts, time)",
           "Idle parts that a job drawn from the target could not use, over time, of "
           "the "
           "parts of the machine.",
           Better::kLower},
          {"gpu_fragmentation_ratio", "%", "integral of F / integral of idle parts",
           "The same of the idle parts.", Better::kLower},
          {"gpu_devices_in_use", "devices", "integral of devices with a job / time",
           "Devices with a job, averaged over time.", Better::kNeither},
          {"gpu_devices_shared", "devices",
           "integral of devices with several jobs / time",
           "Devices with two or more jobs, averaged over time.", Better::kNeither},
          {"gpu_rounding", "%", "integral of parts held and not asked / parts held",
           "Parts that jobs hold because shares are rounded up to slices, of those "
           "held.",
           Better::kLower},
          {"gpu_stranded_cpu", "%", "integral of stranded parts / (parts, time)",
           "Idle parts of hosts that have fewer idle cores than any job of the target "
           "with devices needs, over time, of the parts of the machine.",
           Better::kLower},
          {"gpu_allocation_of.TYPE", "%", "integral of parts of the type held / theirs",
           "Parts of devices of type TYPE that jobs hold, over time, of those that "
           "there are of it.",
           Better::kHigher},
          {"gpu_allocation_at_MARK", "%", "mean of parts held / parts at the mark",
           "Parts of devices that jobs hold when MARK % of the machine have been asked "
           "for, of those of the machine; with metrics.marks only.",
           Better::kHigher},
          {"gpu_fragmentation_at_MARK", "%", "mean of F / parts at the mark",
           "Idle parts that a job drawn from the target could not use when MARK % of "
           "the machine have been asked for, of the parts of the machine.",
           Better::kLower},
      }};
}

DeviceMeasure::DeviceMeasure(std::shared_ptr<const DeviceHosts> hosts,
                             std::shared_ptr<const DeviceNeeds> needs,
                             const DeviceSettings& settings,
                             const DeviceMeasured& measured)
    : hosts_(std::move(hosts)),
      needs_(std::move(needs)),
      target_(hosts_, needs_, settings),
      room_(hosts_),
      time_(measured.window),
      jobs_on_(static_cast<std::size_t>(hosts_->devices())),
      fragments_(hosts_->hosts().size()),
      stranded_(hosts_->hosts().size()),
      level_names_{"gpu_arrived", "gpu_allocated", "gpu_fragmentation",
                   "devices_in_use"},
      parts_of_types_(hosts_->types().size()),
      held_of_types_(hosts_->types().size()),
      totals_of_types_(hosts_->types().size()),
      departures_(measured.departures),
      marks_(settings.marks, static_cast<double>(hosts_->devices()) *
                                 static_cast<double>(hosts_->parts())) {
  for (const auto& type : hosts_->types()) {
    level_names_.push_back("gpu_allocated." + type);
  }
  for (const auto& host : hosts_->hosts()) {
    if (host.type == kUntyped) continue;
    parts_of_types_[static_cast<std::size_t>(host.type)] +=
        host.devices * hosts_->parts();
  }
  set_target();
}

// Counts what is fragmented and stranded anew.
void DeviceMeasure::set_target() {
  least_cpu_ = target_.now().least_cpu().value_or(0);
  for (std::int32_t host = 0; std::cmp_less(host, fragments_.size()); ++host) {
    count_idle_of(host);
  }
}

double DeviceMeasure::fragmented() const {
  return fragmented_before_ +
         static_cast<double>(totals_[3]) / static_cast<double>(target_.now().jobs());
}

std::vector<Metric> DeviceMeasure::values() const {
  std::vector<Metric> all;
  if (started_ == 0) return all;
  const auto& [held, asked, wanted, unused, in_use, shared, stranded] = totals_;
  const auto machine = static_cast<double>(hosts_->devices()) *
                       static_cast<double>(hosts_->parts()) *
                       static_cast<double>(span_);
  const auto fragments = fragmented();
  const std::array<std::optional<double>, 8> values{
      percent(held, machine),
      percent(held, static_cast<double>(wanted)),
      ratio(100 * fragments, machine),
      ratio(100 * fragments, machine - static_cast<double>(held)),
      ratio(static_cast<double>(in_use), static_cast<double>(span_)),
      ratio(static_cast<double>(shared), static_cast<double>(span_)),
      percent(held - asked, static_cast<double>(held)),
      percent(stranded, machine)};
  const auto records = device_metrics().records;
  for (const auto value : values) {
    const auto& record = records.at(all.size());
    all.push_back({record.name, value, record.unit, started_});
  }
  for (std::size_t type = 0; type < totals_of_types_.size(); ++type) {
    const auto parts =
        static_cast<double>(parts_of_types_[type]) * static_cast<double>(span_);
    all.push_back({"gpu_allocation_of." + hosts_->types()[type],
                   percent(totals_of_types_[type], parts), "%", started_});
  }
  const auto marks = marks_.marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    all.push_back({fmt::format("gpu_allocation_at_{}", marks[i]), marks_.allocation(i),
                   "%", started_});
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    all.push_back({fmt::format("gpu_fragmentation_at_{}", marks[i]),
                   marks_.fragmentation(i), "%", started_});
  }
  return all;
}

std::int64_t DeviceMeasure::level(std::size_t number) const {
  if (number >= kPlainLevels) return held_of_types_[number - kPlainLevels];
  if (number == 0) return arrived_;
  if (number == 1) return now_.held;
  return number == 2 ? now_.fragments / target_.now().jobs() : now_.in_use;
}

double DeviceMeasure::level_unit(std::size_t number) const {
  if (number >= kPlainLevels) {
    return static_cast<double>(parts_of_types_[number - kPlainLevels]) / 100;
  }
  const auto devices = static_cast<double>(std::max(hosts_->devices(), 1));
  const bool is_devices = number == kPlainLevels - 1;
  return (is_devices ? devices : devices * static_cast<double>(hosts_->parts())) / 100;
}

std::span<const std::string_view> DeviceMeasure::job_columns() const {
  return kJobColumns;
}

void DeviceMeasure::tell_job(const sim::Subject& job, FieldWriter& to) {
  const auto& need = needs_->of(job.id);
  to.text(kJobColumns[0], devices_of_last_);
  to.whole(kJobColumns[1], std::int64_t{need.gpus} * needs_->chunks(job.id));
  if (need.share > 0) to.whole(kJobColumns[2], need.share);
  if (need.gpus > 0) to.text(kJobColumns[3], types_of_last_);
}

std::int64_t DeviceMeasure::parts_of(JobId job) const {
  return needs_->of(job).amounts[hosts_->gpu()] * needs_->chunks(job);
}

void DeviceMeasure::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  const auto parts = parts_of(record.who.id);
  now_.wanted += parts;
  arrived_ += parts;
  const auto before = fragmented();
  if (target_.arrive(record.who.id)) {
    fragmented_before_ = before;
    totals_[3] = 0;
    set_target();
  }
  if (!marks_.empty()) marks_.arrive(arrived_);
}

void DeviceMeasure::on(const sim::RejectRecord& record) {
  move_to(record.at);
  now_.wanted -= parts_of(record.who.id);
  forget_last();
}

void DeviceMeasure::on(const sim::StartRecord& record) {
  move_to(record.at);
  const Placement& placement = *record.placement;
  const auto& places = *placement.form_if<DevicePlaces>();
  count(record.who.id, places, 1);
  placed_.insert(record.who.id, places);
  if (!record.resumed) ++started_;
}

void DeviceMeasure::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  leave(record.who.id);
}

void DeviceMeasure::on(const sim::EndRecord& record) {
  move_to(record.at);
  leave(record.who.id);
  now_.wanted -= parts_of(record.who.id);
}

void DeviceMeasure::on(const sim::LeftRecord& record) {
  move_to(record.at);
  come_to_end();
  forget_last();
  if (placed_.contains(record.who.id)) leave(record.who.id);
}

void DeviceMeasure::forget_last() {
  devices_of_last_.clear();
  types_of_last_.clear();
}

void DeviceMeasure::leave(JobId job) {
  const auto places = placed_.take(job);
  count(job, places, -1);
  std::vector<std::int32_t> types;
  for (const auto& chunk : places.chunks)
    types.push_back(hosts_->host(chunk.host).type);
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  forget_last();
  devices_of_last_ = places.devices_text();
  for (const auto type : types) {
    if (type == kUntyped) continue;
    if (!types_of_last_.empty()) types_of_last_ += "|";
    types_of_last_ += hosts_->types()[static_cast<std::size_t>(type)];
  }
}

void DeviceMeasure::count(JobId job, const DevicePlaces& places, int sign) {
  const auto& need = needs_->of(job);
  sign > 0 ? room_.take(need, places) : room_.give(need, places);
  now_.asked += sign * parts_of(job);
  each_chunk(places, [&](const DeviceChunk& chunk, std::span<const std::int32_t> own) {
    const auto taken = chunk.parts > 0 ? chunk.parts : hosts_->parts();
    const auto& host = hosts_->host(chunk.host);
    const auto parts = sign * taken * std::ssize(own);
    now_.held += parts;
    if (parts != 0) held_of_types_[static_cast<std::size_t>(host.type)] += parts;
    for (const auto device : own) {
      auto& jobs = jobs_on_[DeviceHosts::device(host, device)];
      const auto before = jobs;
      jobs += sign;
      now_.in_use += (jobs > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
      now_.shared += (jobs > 1 ? 1 : 0) - (before > 1 ? 1 : 0);
    }
    count_idle_of(chunk.host);
  });
}

void DeviceMeasure::settle() {
  if (!marks_.is_due()) return;
  marks_.settle(static_cast<double>(now_.held), target_.now().mean(now_.fragments));
}

void DeviceMeasure::finish(Time at) {
  move_to(at);
  come_to_end();
}

// The jobs that are left still hold what they have.
void DeviceMeasure::come_to_end() {
  if (std::exchange(is_over_, true)) return;
  settle();
  if (departures_) return;
  totals_ = levels_now();
  fragmented_before_ = 0;
  std::copy(held_of_types_.begin(), held_of_types_.end(), totals_of_types_.begin());
  span_ = 1;
}

std::unique_ptr<const MachineFact> DeviceMeasure::kept() const {
  return std::make_unique<const FragmentationFact>(now_.fragments,
                                                   target_.now().jobs());
}

std::vector<std::string> DeviceMeasure::remarks() const {
  std::vector<std::string> all;
  const auto marks = marks_.marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks_.allocation(i)) continue;
    all.push_back(fmt::format(
        "metrics.marks: no job arrived when {} % of the devices had been asked for; in "
        "all it was {:.1f} %",
        marks[i], 100 * static_cast<double>(arrived_) / marks_.parts()));
  }
  return all;
}

std::array<Int128, 7> DeviceMeasure::levels_now() const {
  return {now_.held,   now_.asked,  now_.wanted,  now_.fragments,
          now_.in_use, now_.shared, now_.stranded};
}

// Fragments and stranded parts of the host, anew.
void DeviceMeasure::count_idle_of(std::int32_t host) {
  const auto at = static_cast<std::size_t>(host);
  const auto sum = target_.now().sum(room_, host);
  now_.fragments += sum - std::exchange(fragments_[at], sum);
  const auto left = room_.left(host);
  const bool is_stranded = room_.sums().free_on(host, 0) < least_cpu_;
  const auto idle =
      is_stranded ? std::accumulate(left.begin(), left.end(), std::int64_t{0}) : 0;
  now_.stranded += idle - std::exchange(stranded_[at], idle);
}

void DeviceMeasure::move_to(Time at) {
  if (at > std::exchange(now_at_, at)) settle();
  const auto span = time_.come_to(at);
  span_ += span;
  const auto levels = levels_now();
  for (std::size_t i = 0; i < levels.size(); ++i) totals_[i] += levels[i] * span;
  for (std::size_t type = 0; type < totals_of_types_.size(); ++type) {
    totals_of_types_[type] += Int128{held_of_types_[type]} * span;
  }
}

}  // namespace berth
