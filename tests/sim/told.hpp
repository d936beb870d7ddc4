#pragma once
// The records of a run as lines of text, for cases in which their order matters.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/machines/fractional/task_hosts.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::test {

// "0 submit 1; 0 start 1 on 0-3; 5 end 1": seconds, what, the trace's job number.
class Told : public sim::Observer {
 public:
  explicit Told(sim::RecordKinds kinds) : kinds_(kinds) {}
  [[nodiscard]] sim::RecordKinds wants() const override { return kinds_; }
  void note(const sim::Record& record) override {
    const auto line = std::visit([](const auto& it) { return write(it); }, record);
    text += (text.empty() ? "" : "; ") + line;
    indices.push_back(record.index());
  }
  void finish(Time at) override { finished.push_back(at); }

  std::string text;
  std::vector<std::size_t> indices;  // of the kinds told, in order
  std::vector<Time> finished;

 private:
  template <class Record>
  static std::string line(const Record& it, std::string_view what) {
    return fmt::format("{} {} {}", seconds_text(it.at), what, it.who.job->id);
  }
  static std::string reason(std::string_view because) {
    return because.empty() ? "" : fmt::format(" ({})", because);
  }
  static std::string on(const Placement* placement) {
    if (placement == nullptr) return "";
    const auto* seat = placement->form_if<TierSlots>();
    if (seat == nullptr) return " on " + placement->text();
    return fmt::format(" {} [{}]", seat->tier == Tier::kForeground ? "fg" : "bg",
                       fmt::join(seat->processors, ","));
  }
  static std::string number(JobId job) { return std::to_string(index(job) + 1); }

  static std::string write(const sim::SubmitRecord& it) { return line(it, "submit"); }
  static std::string write(const sim::RejectRecord& it) {
    return line(it, it.by_machine ? "too wide" : "reject") + reason(it.because);
  }
  static std::string write(const sim::StartRecord& it) {
    const auto frozen = it.frozen_until == it.at
                            ? std::string()
                            : " frozen until " + seconds_text(it.frozen_until);
    return line(it, it.resumed ? "resume" : "start") + on(it.placement) + frozen +
           reason(it.because);
  }
  static std::string write(const sim::ChangeRecord& it) {
    if (const auto* tasks = it.placement->form_if<TaskHosts>()) {
      const bool moved = it.effect == sim::ChangeRecord::Effect::kMigrates;
      return line(it, moved ? "move" : "share of") +
             fmt::format(" = {} [{}]", tasks->yield, fmt::join(tasks->hosts, ",")) +
             reason(it.because);
    }
    const auto frozen = it.frozen_until == it.at
                            ? std::string()
                            : " frozen until " + seconds_text(it.frozen_until);
    return line(it, it.word) + on(it.placement) + frozen + reason(it.because);
  }
  static std::string write(const sim::SuspendRecord& it) {
    return line(it, "suspend") + reason(it.because);
  }
  static std::string write(const sim::UnfreezeRecord& it) { return line(it, "thaw"); }
  static std::string write(const sim::RateRecord& it) {
    return line(it, "rate of") + fmt::format(" = {}", it.rate);
  }
  static std::string write(const sim::EndRecord& it) {
    return line(it, it.who.entry->state == JobState::kFailed ? "kill" : "end");
  }
  static std::string write(const sim::LeftRecord& it) {
    return line(it, "left") + on(it.placement);
  }
  static std::string write(const sim::PlanRecord& it) {
    return fmt::format("{} plan {} at {} spare {}", seconds_text(it.at), number(it.job),
                       seconds_text(it.start), it.spare);
  }
  static std::string write(const sim::ReservationRecord& it) {
    return fmt::format("{} book {} {}", seconds_text(it.at), number(it.job),
                       it.start ? seconds_text(*it.start) : "drop");
  }
  static std::string write(const sim::WakeRecord& it) {
    return fmt::format("{} wake {}", seconds_text(it.at),
                       it.wake ? seconds_text(*it.wake) : "off");
  }
  static std::string write(const sim::CapacityRecord& it) {
    return fmt::format("{} capacity {}", seconds_text(it.at), it.processors);
  }
  static std::string write(const sim::HostRecord& it) {
    return fmt::format("{} host {} {}", seconds_text(it.at), it.host, word_of(it));
  }
  static std::string write(const sim::WindowRecord& it) {
    using Change = sim::WindowRecord::Event;
    return fmt::format("{} window {} {}", seconds_text(it.at), it.window->name,
                       it.event == Change::kAnnounced ? "announced"
                       : it.event == Change::kBegins  ? "begins"
                                                      : "ends");
  }
  static std::string write(const sim::HitRecord& it) {
    return line(it, "hit") + fmt::format(" loses {}", seconds_text(it.lost));
  }
  static std::string write(const sim::ReturnRecord& it) { return line(it, "return"); }
  static std::string write(const sim::EstimateRecord& it) {
    return line(it, "estimate") + " " + seconds_text(it.estimate);
  }
  static std::string write(const sim::RekeyRecord& it) {
    return fmt::format("{} key of {} = {}", seconds_text(it.at), number(it.job),
                       it.key);
  }
  static std::string write(const sim::PassRecord& it) {
    return fmt::format("{} pass {}", seconds_text(it.at), it.number);
  }
  static std::string write(const sim::MachineRecord& it) {
    if (it.who) {
      return fmt::format("{} {} of {}", seconds_text(it.at), it.fact->word(),
                         it.who->job->id);
    }
    const bool is_over = it.bracket == sim::MachineRecord::Bracket::kEnds;
    return fmt::format("{} repack {}{}", seconds_text(it.at),
                       is_over ? "over" : "begins", reason(it.because));
  }
  static std::string write(const sim::KeyRecord& it) {
    return fmt::format("{} of {} was {}, is {}", it.order, number(it.job), it.entered,
                       it.now);
  }
  static std::string write(const sim::SparePassRecord& it) {
    return fmt::format("{} spare pass {} {}", seconds_text(it.at), it.number,
                       it.is_over ? "over" : "begins");
  }

  sim::RecordKinds kinds_;
};

// The records of these kinds that a whole run tells.
[[nodiscard]] inline std::string told(std::vector<Job> jobs,
                                      const sim::Machine& machine, sim::Policy& policy,
                                      const sim::Settings& settings,
                                      sim::RecordKinds kinds) {
  std::sort(jobs.begin(), jobs.end(), comes_first);
  Told told(kinds);
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  simulation.audience().observe(told);
  simulation.advance(kNever);
  simulation.finish();
  return told.text;
}

// What `action` says when it throws a wrong call; "" if it does not throw.
template <class Action>
[[nodiscard]] std::string wrong_call(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kPolicy
               ? error.what()
               : fmt::format("not a wrong call: {}", error.what());
  }
  return "";
}

}  // namespace berth::test
