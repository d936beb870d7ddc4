// In place of bindings/sandbox/watchdog.cpp: a page has no second thread to watch the
// first.  Scripts have a work limit, and the page ends the Worker that they run in.

#include "bindings/sandbox/watchdog.hpp"

#include "engine/base/error.hpp"

namespace berth::bindings {

Watched::Watched(Stop stop, void* context, double, double)
    : stop_(stop), context_(context), limit_(), grace_() {}

void Watched::begin() {}

bool Watched::end(Watchdog&) { return false; }

void Watchdog::watch(Watched&) {}

void Watchdog::forget(Watched&) {}

void Watchdog::admit_signal() const {}

Watchdog::~Watchdog() = default;

std::shared_ptr<Watchdog> shared_watchdog() {
  throw Error(ErrorCode::kUsage, "time limit: there is none in a browser");
}

}  // namespace berth::bindings
