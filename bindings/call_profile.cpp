#include "bindings/call_profile.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"

namespace berth::bindings {

namespace {

constexpr int kCounted = 5;  // the upvalue

double in_seconds(CallProfile::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

CallProfile::Counted& CallProfile::method(std::string name, lua_CFunction call) {
  return counted_.emplace_back(Counted{std::move(name), this, call});
}

std::size_t CallProfile::begin(Counted& counted) {
  ++counted.calls;
  if (counted.calls_of_entry++ == 0) touched_.push_back(&counted);
  frames_.push_back({&counted, Clock::now()});
  return frames_.size() - 1;
}

CallProfile::Clock::time_point CallProfile::end(std::size_t depth) {
  BERTH_ASSERT(depth < frames_.size());
  const auto now = Clock::now();
  while (frames_.size() > depth) {
    const auto frame = frames_.back();
    frames_.pop_back();
    const auto took = now - frame.since;
    frame.counted->alone += took - frame.within;
    if (!frames_.empty()) frames_.back().within += took;
  }
  return now;
}

void CallProfile::enter(std::string_view kind, std::int64_t number, Time at,
                        std::size_t waiting) {
  auto of_kind = std::find_if(counted_.begin(), counted_.end(), [&](const auto& each) {
    return each.call == nullptr && each.name == kind;
  });
  auto& counted = of_kind != counted_.end() ? *of_kind : method(std::string(kind), {});
  if (depths_.empty()) {
    for (auto* each : touched_) each->calls_of_entry = 0;
    touched_.clear();
    at_hand_ = Entry{std::string(kind), number, at, waiting};
  }
  depths_.push_back(begin(counted));
}

void CallProfile::leave() {
  BERTH_ASSERT(!depths_.empty());
  const auto depth = depths_.back();
  depths_.pop_back();
  const auto since = frames_[depth].since;
  const auto took = end(depth) - since;
  if (!depths_.empty()) return;
  total_ += took;
  ++entries_;
  keep(std::move(*at_hand_), in_seconds(took));
}

void CallProfile::keep(Entry entry, double seconds) {
  if (slowest_.size() == kSlowest && seconds <= slowest_.back().seconds) return;
  entry.seconds = seconds;
  entry.asked = asked();
  const auto behind =
      std::find_if(slowest_.begin(), slowest_.end(),
                   [&](const auto& one) { return one.seconds < seconds; });
  slowest_.insert(behind, std::move(entry));
  if (slowest_.size() > kSlowest) slowest_.pop_back();
}

std::vector<CallProfile::Row> CallProfile::asked() const {
  std::vector<Row> rows;
  rows.reserve(touched_.size());
  for (const auto* each : touched_) {
    if (each->call == nullptr) continue;
    rows.push_back({each->name, each->calls_of_entry});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(b.calls, a.name) < std::tie(a.calls, b.name);
  });
  return rows;
}

std::vector<CallProfile::Row> CallProfile::rows() const {
  std::vector<Row> rows;
  rows.reserve(counted_.size());
  for (const auto& each : counted_) {
    if (each.calls == 0) continue;
    rows.push_back(
        {each.name, each.calls, in_seconds(each.alone), each.call == nullptr});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(b.seconds, a.name) < std::tie(a.seconds, b.name);
  });
  return rows;
}

double CallProfile::seconds() const { return in_seconds(total_); }

int timed_call(lua_State* lua) {
  auto& counted = *static_cast<CallProfile::Counted*>(
      lua_touserdata(lua, lua_upvalueindex(kCounted)));
  const auto depth = counted.profile->begin(counted);
  const int results = counted.call(lua);
  (void)counted.profile->end(depth);
  return results;
}

lua_CFunction method_of(lua_State* lua) {
  const lua_CFunction call = lua_tocfunction(lua, -1);
  if (call != timed_call) return call;
  lua_getupvalue(lua, -1, kCounted);
  const auto* counted = static_cast<CallProfile::Counted*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  return counted->call;
}

}  // namespace berth::bindings
