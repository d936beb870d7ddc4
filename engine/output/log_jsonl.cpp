#include "engine/output/log_jsonl.hpp"

#include <array>
#include <string>
#include <variant>

#include "engine/base/json.hpp"
#include "engine/machines/fractional/task_hosts.hpp"
#include "engine/machines/network/networked.hpp"
#include "engine/output/number_text.hpp"
#include "engine/output/placement_text.hpp"

namespace berth {

namespace {

struct NamedCause {
  sim::Cause cause;
  std::string_view name;  // in the Lua API
};

constexpr std::array kCauses{
    NamedCause{sim::kSubmit, "submit"},
    NamedCause{sim::kEnd, "end"},
    NamedCause{sim::kForegroundEnd, "foreground_end"},
    NamedCause{sim::kBackgroundEnd, "background_end"},
    NamedCause{sim::kUnfrozen, "unfrozen"},
    NamedCause{sim::kWoken, "wake"},
    NamedCause{sim::kCapacityChanged, "capacity"},
};

std::string causes_text(sim::Causes causes) {
  std::string text;
  for (const auto& [cause, name] : kCauses) {
    if ((causes & cause) == 0) continue;
    text += text.empty() ? "\"" : ",\"";
    text += name;
    text += '"';
  }
  return text;
}

std::string json_mbits(std::int64_t kbits) {
  return json_number(static_cast<double>(kbits) / 1000.0);
}

// Members of the line at hand.
class Members : public FieldWriter {
 public:
  explicit Members(BufferedText& to) : to_(to) {}
  void text(std::string_view name, std::string_view value) override {
    to_.print(",\"{}\":{}", name, Json(value).compact());
  }
  void number(std::string_view name, double value) override {
    to_.print(",\"{}\":{}", name, json_number(value));
  }

 private:
  BufferedText& to_;
};

// What a policy can bring about again and again in one decision.
bool is_repeatable(const sim::Record& record) {
  const auto* start = std::get_if<sim::StartRecord>(&record);
  return (start != nullptr && start->resumed) ||
         std::holds_alternative<sim::SuspendRecord>(record) ||
         std::holds_alternative<sim::ShareRecord>(record) ||
         std::holds_alternative<sim::RepackRecord>(record) ||
         std::holds_alternative<sim::PlanRecord>(record) ||
         std::holds_alternative<sim::ReservationRecord>(record) ||
         std::holds_alternative<sim::WakeRecord>(record);
}

}  // namespace

void LogJsonl::note(const sim::Record& record) {
  if (std::holds_alternative<sim::PassRecord>(record)) repeated_ = 0;
  if (is_repeatable(record) && ++repeated_ > kMostRepeated) {
    if (repeated_ > kMostRepeated + 1) return;
    std::visit([this](const auto& it) { begin(it.at, "cut"); }, record);
    return text_.append("}\n");
  }
  std::visit([this](const auto& it) { on(it); }, record);
  text_.append("}\n");
}

void LogJsonl::finish(Time) { text_.flush(); }

void LogJsonl::on(const sim::SubmitRecord& record) {
  if (index(record.who.id) >= numbers_.size()) {
    numbers_.resize(index(record.who.id) + 1);
  }
  numbers_[index(record.who.id)] = record.who.job->id;
  begin(record.at, "submit", record.who);
  text_.print(",\"size\":{},\"walltime\":{},\"key\":{}", record.who.job->size,
              seconds_text(record.who.job->walltime), json_number(record.key));
}

void LogJsonl::on(const sim::RejectRecord& record) {
  begin(record.at, "reject", record.who);
  text_.print(",\"by\":\"{}\"", record.by_machine ? "machine" : "policy");
  if (record.never_embeds) text_.print(",\"never_embeds\":true");
  because(record.because);
}

void LogJsonl::on(const sim::StartRecord& record) {
  begin(record.at, record.resumed ? "resume" : "start", record.who);
  text_.print(",\"resources\":\"{}\",\"frozen_until\":{},\"rate\":{}",
              placement_text(record.placement), json_seconds(record.frozen_until),
              json_number(record.rate));
  columns(*record.placement);
  because(record.because);
}

void LogJsonl::on(const sim::PromoteRecord& record) {
  begin(record.at, name(record.how), record.who);
  text_.print(",\"resources\":\"{}\",\"frozen_until\":{},\"rate\":{}",
              placement_text(record.placement), json_seconds(record.frozen_until),
              json_number(record.rate));
  columns(*record.placement);
  because(record.because);
}

void LogJsonl::on(const sim::ShareRecord& record) {
  begin(record.at, record.moved ? "move" : "share", record.who);
  text_.print(",\"yield\":{},\"resources\":\"{}\",\"frozen_until\":{}",
              json_number(record.placement->form_if<TaskHosts>()->yield),
              placement_text(record.placement), json_seconds(record.frozen_until));
  because(record.because);
}

void LogJsonl::on(const sim::RepackRecord& record) {
  begin(record.at, record.is_over ? "repacked" : "repack");
  text_.print(",\"yield\":{},\"moved_kib\":{}", json_number(record.yield),
              record.moved_kib);
  because(record.because);
}

void LogJsonl::on(const sim::SuspendRecord& record) {
  begin(record.at, "suspend", record.who);
  text_.print(",\"key\":{}", json_number(record.key));
  because(record.because);
}

void LogJsonl::on(const sim::UnfreezeRecord& record) {
  begin(record.at, "unfreeze", record.who);
}

void LogJsonl::on(const sim::RateRecord& record) {
  begin(record.at, "rate", record.who);
  text_.print(",\"rate\":{}", json_number(record.rate));
}

void LogJsonl::on(const sim::EndRecord& record) {
  begin(record.at, "end", record.who);
  text_.print(",\"state\":\"{}\",\"resources\":\"{}\"", name(record.who.entry->state),
              placement_text(record.placement));
}

void LogJsonl::on(const sim::LeftRecord& record) {
  begin(record.at, "left", record.who);
  text_.print(",\"state\":\"{}\",\"resources\":\"{}\"", name(record.who.entry->state),
              placement_text(record.placement));
}

void LogJsonl::on(const sim::PlanRecord& record) {
  begin(record.at, "plan", record.job);
  text_.print(",\"start\":{},\"spare\":{}", json_seconds(record.start), record.spare);
}

void LogJsonl::on(const sim::ReservationRecord& record) {
  begin(record.at, "reservation", record.job);
  text_.print(",\"start\":{}", json_seconds(record.start));
}

void LogJsonl::on(const sim::WakeRecord& record) {
  begin(record.at, "wake");
  text_.print(",\"wake\":{}", json_seconds(record.wake));
}

void LogJsonl::on(const sim::CapacityRecord& record) {
  begin(record.at, "capacity");
  text_.print(",\"processors\":{}", record.processors);
}

void LogJsonl::on(const sim::RekeyRecord& record) {
  begin(record.at, "rekey", record.job);
  text_.print(",\"key\":{}", json_number(record.key));
}

void LogJsonl::on(const sim::PassRecord& record) {
  begin(record.at, "pass");
  text_.print(",\"number\":{},\"causes\":[{}],\"actions\":{}", record.number,
              causes_text(record.causes), record.actions);
}

void LogJsonl::on(const sim::RefusalRecord& record) {
  begin(record.at, "refusal", record.who);
  const auto* network = capability<Networked>(*record.hosts);
  if (network == nullptr) return;
  const auto job = record.who.id;
  if (const auto why = network->why_refused(job, record.who.job->demand())) {
    text_.print(",\"vms\":{}", why->vms);
    if (!why->node.empty()) {
      text_.print(",\"level\":{},\"switch\":{}", why->level, Json(why->node).compact());
    }
    if (const auto& link = why->link) {
      text_.print(",\"link\":[{},{}],\"needed\":{},\"left\":{}",
                  Json(link->lower).compact(), Json(link->upper).compact(),
                  json_mbits(link->needed), json_mbits(link->left));
    }
  }
  if (const auto known = network->weights_of(job)) {
    text_.print(",\"weights\":[");
    for (std::size_t i = 0; i < known->weights.size(); ++i) {
      text_.print("{}{}", i > 0 ? "," : "", json_number(known->weights[i]));
    }
    text_.print("]");
  }
}

void LogJsonl::begin(Time at, std::string_view kind) {
  text_.print("{{\"at\":{},\"record\":\"{}\"", json_seconds(at), kind);
}

void LogJsonl::begin(Time at, std::string_view kind, const sim::Subject& who) {
  begin(at, kind);
  text_.print(",\"job\":{}", who.job->id);
}

void LogJsonl::begin(Time at, std::string_view kind, JobId job) {
  begin(at, kind);
  text_.print(",\"job\":{}", numbers_[index(job)]);
}

void LogJsonl::columns(const Placement& placement) {
  Members members(text_);
  placement.columns(members);
}

void LogJsonl::because(std::string_view reason) {
  if (!reason.empty()) text_.print(",\"because\":{}", Json(reason).compact());
}

}  // namespace berth
