#include "engine/hosts/host_event_source.hpp"

#include <algorithm>
#include <boost/random/weibull_distribution.hpp>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

using HostKind = HostEvent::Kind;

constexpr std::string_view kStream = "machine.failures";
// What is later than that does not happen in a run.
constexpr Time kLatest = seconds(100'000'000'000);

class ListedEvents final : public HostEventSource {
 public:
  explicit ListedEvents(std::shared_ptr<const std::vector<HostEvent>> all)
      : all_(std::move(all)) {}

  [[nodiscard]] Time next_at() const override {
    return next_ < size() ? (*all_)[next_].at : kNever;
  }
  std::span<const HostEvent> take() override {
    const Time at = next_at();
    const auto first = next_;
    while (next_ < size() && (*all_)[next_].at == at) ++next_;
    return std::span(*all_).subspan(first, next_ - first);
  }

 private:
  [[nodiscard]] std::size_t size() const { return all_ == nullptr ? 0 : all_->size(); }

  std::shared_ptr<const std::vector<HostEvent>> all_;
  std::size_t next_ = 0;
};

// Whole seconds, as the times of logs are; at least one, so that a host is never up and
// down at one instant.
Duration drawn(Duration mean, double shape, JobEngine& engine) {
  const double scale = static_cast<double>(mean) / std::tgamma(1 + 1 / shape);
  boost::random::weibull_distribution<double> spans(shape, scale);
  const double span = std::round(spans(engine) / static_cast<double>(kSecond));
  if (!(span < to_seconds(kLatest))) return kLatest;
  return std::max<Duration>(1, static_cast<Duration>(span)) * kSecond;
}

class DrawnEvents final : public HostEventSource {
 public:
  DrawnEvents(std::shared_ptr<const DrawnFailures> of, Time begin)
      : of_(std::move(of)) {
    for (const auto& each : of_->units) add(each, begin);
  }

  [[nodiscard]] Time next_at() const override {
    return next_.empty() ? kNever : next_.top().first;
  }

  std::span<const HostEvent> take() override {
    events_.clear();
    const Time at = next_at();
    while (next_at() == at) {
      const auto number = next_.top().second;
      next_.pop();
      change(units_[number], at);
      draw_next(number, at);
    }
    std::sort(events_.begin(), events_.end());
    return events_;
  }

 private:
  struct FailingUnit {
    const FailingUnits* of;
    std::int32_t first_host;
    std::int32_t end_host;  // behind the last
    JobEngine engine;
    bool is_up;
  };
  using NextOfUnit = std::pair<Time, std::size_t>;

  void add(const FailingUnits& of, Time begin) {
    const auto end = of.first_host + of.hosts;
    units_.reserve(units_.size() + static_cast<std::size_t>(of.hosts / of.per_unit) +
                   1);
    for (auto host = of.first_host; host < end;) {
      const auto last = host + std::min(of.per_unit, end - host);
      units_.push_back({&of, host, last, job_stream(of_->seed, kStream, host), true});
      draw_next(units_.size() - 1, begin);
      host = last;
    }
  }

  void draw_next(std::size_t number, Time now) {
    auto& unit = units_[number];
    const auto& of = *unit.of;
    const Time at =
        after(now, unit.is_up ? drawn(of.mtbf, of.shape, unit.engine)
                              : drawn(of.repair, of.repair_shape, unit.engine));
    if (at <= kLatest) next_.emplace(at, number);
  }

  void change(FailingUnit& unit, Time at) {
    unit.is_up = !unit.is_up;
    const auto kind = unit.is_up ? HostKind::kUp : HostKind::kDown;
    const Time until = unit.is_up ? at : after(at, unit.of->repair);
    for (auto host = unit.first_host; host < unit.end_host; ++host) {
      events_.push_back({at, kind, host, until});
    }
  }

  std::shared_ptr<const DrawnFailures> of_;
  std::vector<FailingUnit> units_;
  // The first at the top.
  std::priority_queue<NextOfUnit, std::vector<NextOfUnit>, std::greater<>> next_;
  std::vector<HostEvent> events_;  // of the instant that was taken last
};

}  // namespace

std::unique_ptr<HostEventSource> source_of(const HostLife& life, Time begin) {
  BERTH_ASSERT(life.events == nullptr || life.failures == nullptr);
  if (life.failures == nullptr) return std::make_unique<ListedEvents>(life.events);
  return std::make_unique<DrawnEvents>(life.failures, begin);
}

}  // namespace berth
