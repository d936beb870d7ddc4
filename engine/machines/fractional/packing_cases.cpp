#include "engine/machines/fractional/packing_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/machines/fractional/pack/instances_csv.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/metric_record.hpp"

namespace berth {

namespace {

std::vector<MetricRecord> metrics_of_packings() {
  return {
      {"min_yield", "fraction", "mean(min Y)",
       "Smallest yield of a job, averaged over solved instances.", Better::kHigher},
      {"mean_yield", "fraction", "mean(mean Y)",
       "Mean yield of the jobs, averaged over solved instances.", Better::kHigher},
      {"share_of_bound", "fraction", "mean(min Y / bound)",
       "Smallest yield as a share of the relaxed bound, over solved instances.",
       Better::kHigher},
      {"failure_rate", "fraction", "failed / instances",
       "Part of the instances that were not packed."},
      {"degradation", "%", "mean(100 (best - min Y) / best)",
       "What the smallest yield is below the best of all packers, over instances that "
       "one of them solves; a failure counts as 100 % or is left out."},
      {"largest_degradation", "%", "max(100 (best - min Y) / best)",
       "The largest such loss on an instance that was packed."},
      {"degraded_by_3", "fraction", "instances with a loss > 3 % / instances",
       "Part of the instances that were packed, and on which such a loss exceeds 3 %."},
      {"degraded_by_10", "fraction", "instances with a loss > 10 % / instances",
       "The same for 10 %."},
      {"packs", "packs", "mean(yields tried)",
       "Yields that a search tried, over all instances."},
      {"share_of_bound_of_all", "fraction", "mean(min Y / bound), 0 of a failure",
       "The share of the bound over all instances, on request.", Better::kHigher},
      {"mean_share_of_bound", "fraction", "mean(mean Y / bound)",
       "Mean yield as a share of the relaxed bound, at which all jobs have one yield; "
       "over solved instances, on request.",
       Better::kHigher},
      {"work", "units", "mean(units of work)",
       "Units of work of the packer, without raising the yields, over all instances, "
       "on request."},
  };
}

// The mean of what was added; nullopt of nothing.
struct Mean {
  CompensatedSum sum;
  std::int64_t n = 0;

  void add(double value) {
    sum.add(value);
    ++n;
  }
  [[nodiscard]] std::optional<double> value() const {
    if (n == 0) return std::nullopt;
    return sum.value() / static_cast<double>(n);
  }
};

void put(Summary& summary, std::string_view name, std::optional<double> value,
         std::int64_t n) {
  const auto record = find_metric(metrics_of_packings(), name);
  summary.metrics.push_back({record.name, value, record.unit, n});
}

void put(Summary& summary, std::string_view name, const Mean& mean) {
  put(summary, name, mean.value(), mean.n);
}

// The largest yield that a packer reached on each instance; 0: none packed it.
std::vector<double> best_yields(std::span<const PackedInstances* const> packers) {
  std::vector<double> best;
  for (const auto* packer : packers) {
    if (packer == nullptr) continue;
    best.resize(packer->size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = std::max(best[i], (*packer)[i].yield);
    }
  }
  return best;
}

void put_degradation(Summary& summary, const PackedInstances& packed,
                     const std::vector<double>& best, FailedDegradation failed) {
  Mean loss;
  Mean by_3;
  Mean by_10;
  std::optional<double> largest;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (best[i] <= 0) continue;
    if (!packed[i].packed()) {
      if (failed == FailedDegradation::kWhole) loss.add(100);
      continue;
    }
    const double percent = 100 * (best[i] - packed[i].yield) / best[i];
    loss.add(percent);
    by_3.add(percent > 3 ? 1 : 0);
    by_10.add(percent > 10 ? 1 : 0);
    largest = std::max(largest.value_or(0), percent);
  }
  put(summary, "degradation", loss);
  put(summary, "largest_degradation", largest, by_3.n);
  put(summary, "degraded_by_3", by_3);
  put(summary, "degraded_by_10", by_10);
}

// What is measured on request.
void put_more(Summary& summary, const PackedInstances& packed) {
  Mean share;
  Mean of_mean;
  Mean work;
  for (const auto& one : packed) {
    work.add(static_cast<double>(one.effort.work));
    share.add(one.packed() ? one.yield / *one.bound : 0);
    if (one.packed()) of_mean.add(one.mean_yield / *one.bound);
  }
  put(summary, "share_of_bound_of_all", share);
  put(summary, "mean_share_of_bound", of_mean);
  put(summary, "work", work);
}

Summary summary_of(const PackedInstances& packed, const std::vector<double>& best,
                   FailedDegradation failed) {
  Summary summary;
  Mean yield;
  Mean mean_yield;
  Mean share;
  Mean packs;
  for (const auto& one : packed) {
    packs.add(static_cast<double>(one.effort.packs));
    if (!one.packed()) continue;
    yield.add(one.yield);
    mean_yield.add(one.mean_yield);
    share.add(one.yield / *one.bound);
  }
  const auto all = static_cast<std::int64_t>(packed.size());
  std::optional<double> failure_rate;
  if (all > 0) {
    failure_rate = static_cast<double>(all - yield.n) / static_cast<double>(all);
  }
  put(summary, "min_yield", yield);
  put(summary, "mean_yield", mean_yield);
  put(summary, "share_of_bound", share);
  put(summary, "failure_rate", failure_rate, all);
  put_degradation(summary, packed, best, failed);
  put(summary, "packs", packs);
  return summary;
}

// --- the cases ---

struct PackingAnswers final : CaseAnswers {
  PackedInstances packed;
};

PackedInstances& packed_in(CaseAnswers& answers) {
  return dynamic_cast<PackingAnswers&>(answers).packed;
}
const PackedInstances& packed_in(const CaseAnswers& answers) {
  return dynamic_cast<const PackingAnswers&>(answers).packed;
}

PackedInstance packed_of(const pack::Problem& problem, pack::Packing packing) {
  PackedInstance one;
  one.outcome = packing.outcome;
  one.effort = packing.effort;
  one.bound = pack::relaxed_bound(problem);
  if (!packing.packed()) return one;
  one.yield = packing.yield;
  one.mean_yield = packing.mean_yield();
  one.hosts = std::move(packing.hosts);
  one.yields = std::move(packing.yields);
  return one;
}

// 0 where there is none.
double real_in(std::string_view text) {
  return text.empty() ? 0 : parse_real(text).value;
}

template <class Add>
void for_each_word(std::string_view text, const Add& add) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) add(word);
}

pack::Outcome outcome_of(std::string_view reason) {
  if (reason.empty()) return pack::Outcome::kPacked;
  auto found = pack::Outcome::kNoPacking;
  for (int i = 0; i <= static_cast<int>(pack::Outcome::kNoSolver); ++i) {
    const auto outcome = static_cast<pack::Outcome>(i);
    if (reason == pack::name_of(outcome)) found = outcome;
  }
  return found;
}

class PackingCases final : public CaseSet {
 public:
  PackingCases(PackingSettings settings, std::uint64_t seed,
               std::vector<pack::Instance> instances, Budget& budget)
      : settings_(std::move(settings)), seed_(seed), instances_(std::move(instances)) {
    budget.charge_each(instances_.size());
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      relaxed_.push_back(std::make_unique<Relaxed>());
    }
  }

  [[nodiscard]] std::size_t size() const override { return instances_.size(); }
  [[nodiscard]] std::string words() const override {
    if (!settings_.file.empty()) return {};
    return fmt::format(" of {} jobs on {} hosts", settings_.drawn.jobs,
                       settings_.drawn.hosts);
  }
  void write(std::ostream& to) const override {
    Budget budget;
    pack::write_instances(to, instances_, budget);
  }
  [[nodiscard]] std::unique_ptr<CaseAnswers> answers() const override {
    return std::make_unique<PackingAnswers>();
  }
  void answer(CaseHook& hook, std::size_t number, CaseAnswers& answers) override {
    auto& packer = dynamic_cast<pack::Packer&>(hook);
    packed_in(answers).push_back(
        packed_of(instances_[number].problem, packer.pack(task(number))));
  }
  [[nodiscard]] std::size_t solved(const CaseAnswers& answers) const override {
    const auto& packed = packed_in(answers);
    const auto count = std::count_if(packed.begin(), packed.end(),
                                     [](const auto& one) { return one.packed(); });
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] std::vector<std::optional<Summary>> summaries(
      std::span<const CaseAnswers* const> of_policies) const override {
    std::vector<const PackedInstances*> packers;
    for (const auto* answers : of_policies) {
      packers.push_back(answers == nullptr ? nullptr : &packed_in(*answers));
    }
    return packing_summaries(packers, settings_);
  }
  void tell(const CaseAnswers& answers, std::size_t number,
            FieldWriter& to) const override;
  void read(const FieldOf& field, CaseAnswers& answers) const override;

 private:
  // Divided tasks of one instance.
  struct Relaxed {
    std::once_flag once;
    std::optional<std::vector<double>> parts;
    std::int64_t units = 0;  // what computing them was charged
  };

  [[nodiscard]] pack::PackingTask task(std::size_t number);

  PackingSettings settings_;
  std::uint64_t seed_;
  std::vector<pack::Instance> instances_;
  std::vector<std::unique_ptr<Relaxed>> relaxed_;
};

pack::PackingTask PackingCases::task(std::size_t number) {
  const auto& [id, problem] = instances_[number];
  pack::PackingTask task{problem, id, seed_, settings_.rules, {}};
  // So many may be kept until the last packer of the point has run.
  constexpr std::size_t kMostKept = 1000;
  if (instances_.size() > kMostKept) return task;
  // Each packer is charged what the first paid, so that none stops earlier or later for
  // the order in which they ask.
  task.parts = [this, number](Budget& budget) -> const std::vector<double>* {
    auto& relaxed = *relaxed_[number];
    bool is_first = false;
    std::call_once(relaxed.once, [&] {
      const auto before = budget.charged();
      relaxed.parts = pack::relaxed_parts(instances_[number].problem, budget,
                                          settings_.rules.relaxed_source);
      relaxed.units = budget.charged() - before;
      is_first = true;
    });
    if (!is_first) budget.charge(relaxed.units);
    return relaxed.parts ? &*relaxed.parts : nullptr;
  };
  return task;
}

void PackingCases::tell(const CaseAnswers& answers, std::size_t number,
                        FieldWriter& to) const {
  const auto& one = packed_in(answers).at(number);
  to.whole("instance", instances_[number].number);
  to.whole("solved", one.packed() ? 1 : 0);
  if (!one.packed()) to.text("reason", pack::name_of(one.outcome));
  if (one.packed()) {
    to.number("min_yield", one.yield);
    to.number("mean_yield", one.mean_yield);
    to.number("gap", (*one.bound - one.yield) / *one.bound);
  }
  if (one.bound) to.number("bound", *one.bound);
  to.whole("packs", one.effort.packs);
  to.whole("steps", one.effort.steps);
  to.whole("work", one.effort.work);
  to.text("placement", fmt::format("{}", fmt::join(one.hosts, " ")));
  to.numbers("yields", one.yields);
}

void PackingCases::read(const FieldOf& field, CaseAnswers& answers) const {
  PackedInstance one;
  one.outcome = outcome_of(field("reason"));
  one.yield = real_in(field("min_yield"));
  one.mean_yield = real_in(field("mean_yield"));
  if (const auto bound = field("bound"); !bound.empty()) one.bound = real_in(bound);
  one.effort.packs = parse_whole(field("packs")).value;
  one.effort.steps = parse_whole(field("steps")).value;
  one.effort.work = parse_whole(field("work")).value;
  for_each_word(field("placement"), [&](const std::string& word) {
    one.hosts.push_back(static_cast<int>(parse_whole(word).value));
  });
  for_each_word(field("yields"), [&](const std::string& word) {
    one.yields.push_back(parse_real(word).value);
  });
  packed_in(answers).push_back(std::move(one));
}

std::unique_ptr<CaseSet> make_cases(const CaseSpec& spec, Budget& budget) {
  auto settings = std::any_cast<PackingSettings>(spec.settings);
  std::vector<pack::Instance> instances;
  if (spec.text) {
    instances = pack::read_instances(*spec.text, spec.file, budget);
  } else {
    for (std::int64_t number = 1; number <= settings.instances; ++number) {
      instances.push_back(
          {number, pack::random_instance(settings.drawn, budget, spec.seed, number)});
    }
  }
  return std::make_unique<PackingCases>(std::move(settings), spec.seed,
                                        std::move(instances), budget);
}

constexpr std::array<std::string_view, 12> kColumns{
    "instance", "solved", "reason", "min_yield", "mean_yield", "bound",
    "gap",      "packs",  "steps",  "work",      "placement",  "yields"};
constexpr std::array<std::string_view, 6> kMetrics{"min_yield",      "mean_yield",
                                                   "share_of_bound", "failure_rate",
                                                   "degradation",    "packs"};
constexpr std::array<std::string_view, 9> kOfDrawn{
    "hosts",     "jobs",         "slack",    "mean_cpu", "cv_cpu",
    "cv_memory", "memory_total", "parallel", "instances"};

}  // namespace

std::vector<std::optional<Summary>> packing_summaries(
    std::span<const PackedInstances* const> packers, const PackingSettings& settings) {
  const auto best = best_yields(packers);
  std::vector<std::optional<Summary>> summaries;
  for (const auto* packer : packers) {
    auto& made = summaries.emplace_back();
    if (packer == nullptr) continue;
    made = summary_of(*packer, best, settings.failed_degradation);
    if (settings.more_metrics) put_more(*made, *packer);
  }
  return summaries;
}

const CaseStudy& packing_study() {
  static const CaseStudy kStudy{
      .name = "packing",
      .help = "instances for packers",
      .hook = "pack",
      .asks = "packing, jobs, params",
      .cases = "instances",
      .answers = "packings",
      .solved = "packed",
      .columns = kColumns,
      .metrics = metrics_of_packings,
      .usual = kMetrics,
      .of_drawn = kOfDrawn,
      .settings =
          [] { return own_settings(PackingSettings{}, packing_setting_records()); },
      .shorten =
          [](std::any& settings, std::int64_t most) {
            auto& own = std::any_cast<PackingSettings&>(settings);
            own.instances = std::min(own.instances, most);
          },
      .trial =
          [](std::int64_t cases) {
            PackingSettings own;
            own.instances = cases;
            own.rules.relaxed_source = pack::RelaxedSource::kUniform;
            return std::any(own);
          },
      .make = make_cases};
  return kStudy;
}

}  // namespace berth
