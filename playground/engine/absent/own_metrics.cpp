// In place of study/metrics/own_metrics.cpp: a page has the metrics of berth alone.

#include "study/metrics/own_metrics.hpp"

#include "engine/base/error.hpp"
#include "engine/explain/explainer.hpp"

namespace berth::study {

void load_own_metrics(Scenario& scenario, const bindings::Limits&) {
  if (scenario.run.own_metrics.empty()) return;
  throw Error(ErrorCode::kUsage, "[metrics]: a page has the metrics of berth alone");
}

OwnMeasures::OwnMeasures(const Scenario& scenario, const Point& point,
                         const bindings::Limits&, MachineMeasure*, Levels)
    : scenario_(scenario), point_(point) {}

OwnMeasures::~OwnMeasures() = default;

std::vector<sim::Observer*> OwnMeasures::observers(const sim::Policy&) { return {}; }

sim::Inspector* OwnMeasures::inspector() { return nullptr; }

OwnMeasures::OfJobs OwnMeasures::add_to(Summary&, const MeasuredRun&) const {
  return {};
}

bindings::ToolRun OwnMeasures::run_of(const Summary&, const MeasuredRun&) const {
  BERTH_ASSERT(false);
}

}  // namespace berth::study

namespace berth::bindings {

struct MetricScript::Desk {};

MetricScript::~MetricScript() = default;

}  // namespace berth::bindings
