#include "engine/output/log_jsonl.hpp"

#include <string>
#include <variant>

#include "engine/base/json.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/output/csv_fields.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

namespace {

std::string causes_text(sim::Causes causes) {
  std::string text;
  for (const auto& [name, cause] : sim::named_causes()) {
    if ((causes & cause) == 0) continue;
    text += text.empty() ? "\"" : ",\"";
    text += name;
    text += '"';
  }
  return text;
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
  void whole(std::string_view name, std::int64_t value) override {
    to_.print(",\"{}\":{}", name, value);
  }
  void texts(std::string_view name, std::span<const std::string_view> values) override {
    list(name, values, [](std::string_view value) { return Json(value).compact(); });
  }
  void numbers(std::string_view name, std::span<const double> values) override {
    list(name, values, [](double value) { return json_number(value); });
  }

 private:
  template <class Value, class Text>
  void list(std::string_view name, std::span<const Value> values, const Text& text_of) {
    to_.print(",\"{}\":[", name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      to_.print("{}{}", i > 0 ? "," : "", text_of(values[i]));
    }
    to_.print("]");
  }

  BufferedText& to_;
};

// What a policy can bring about again and again in one decision.
bool is_repeatable(const sim::Record& record) {
  const auto* start = std::get_if<sim::StartRecord>(&record);
  const auto* of_machine = std::get_if<sim::MachineRecord>(&record);
  const bool is_bracket = of_machine != nullptr &&
                          of_machine->bracket != sim::MachineRecord::Bracket::kAlone;
  return (start != nullptr && start->resumed) || is_bracket ||
         std::holds_alternative<sim::SuspendRecord>(record) ||
         std::holds_alternative<sim::ChangeRecord>(record) ||
         std::holds_alternative<sim::PlanRecord>(record) ||
         std::holds_alternative<sim::ReservationRecord>(record) ||
         std::holds_alternative<sim::WakeRecord>(record);
}

}  // namespace

LogJsonl::LogJsonl(Sink& sink, std::shared_ptr<const LimitSettings> watched)
    : text_(sink) {
  if (watched == nullptr) return;
  limits_.emplace(
      std::move(watched),
      [this](Time at, const Job& job, const LimitBar* bar) { write(at, job, bar); });
}

void LogJsonl::note(const sim::Record& record) {
  if (limits_) {
    limits_->come_to(std::visit([](const auto& it) { return it.at; }, record));
    limits_->note(record);
  }
  if (std::holds_alternative<sim::PassRecord>(record)) repeated_ = 0;
  if (is_repeatable(record) && ++repeated_ > kMostRepeated) {
    if (repeated_ > kMostRepeated + 1) return;
    std::visit([this](const auto& it) { begin(it.at, "cut"); }, record);
    return text_.append("}\n");
  }
  std::visit([this](const auto& it) { on(it); }, record);
  text_.append("}\n");
}

void LogJsonl::finish(Time at) {
  if (limits_) limits_->finish(at);
  text_.flush();
}

void LogJsonl::write(Time at, const Job& job, const LimitBar* bar) {
  begin(at, "limit");
  text_.print(",\"job\":{},\"event\":\"{}\"", job.id,
              bar == nullptr ? "shown" : "barred");
  if (bar != nullptr) {
    const auto& why = bar->refusal().word().why;
    text_.print(",\"scope\":\"{}\",\"reason\":\"{}\"", name(bar->scope), why.name);
  }
  text_.append("}\n");
}

void LogJsonl::on(const sim::SubmitRecord& record) {
  if (index(record.who.id) >= numbers_.size()) {
    numbers_.resize(index(record.who.id) + 1);
  }
  numbers_[index(record.who.id)] = record.who.job->id;
  if (record.recorded) {
    begin(record.at, "release", record.who);
    text_.print(",\"recorded\":{}}}\n", json_seconds(*record.recorded));
  }
  begin(record.at, "submit", record.who);
  text_.print(",\"size\":{},\"walltime\":{},\"key\":{}", record.who.job->size,
              seconds_text(record.who.job->walltime), json_number(record.key));
}

void LogJsonl::on(const sim::RejectRecord& record) {
  begin(record.at, "reject", record.who);
  text_.print(",\"by\":\"{}\"", record.by_machine ? "machine"
                                : record.by_links ? "dependency"
                                : record.by_limit ? "limit"
                                                  : "policy");
  if (record.never_fits) text_.print(",\"never_embeds\":true");
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

void LogJsonl::on(const sim::ChangeRecord& record) {
  begin(record.at, record.word, record.who);
  if (record.fact != nullptr) fields(*record.fact);
  text_.print(",\"resources\":\"{}\",\"frozen_until\":{}",
              placement_text(record.placement), json_seconds(record.frozen_until));
  if (record.fact == nullptr) text_.print(",\"rate\":{}", json_number(record.rate));
  columns(*record.placement);
  because(record.because);
}

void LogJsonl::on(const sim::MachineRecord& record) {
  const auto word = record.fact->word();
  record.who ? begin(record.at, word, *record.who) : begin(record.at, word);
  fields(*record.fact);
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

void LogJsonl::on(const sim::HostRecord& record) {
  begin(record.at, "host");
  text_.print(",\"host\":{},\"event\":\"{}\"", record.host, word_of(record));
  if (!record.is_up) text_.print(",\"until\":{}", json_seconds(record.until));
}

void LogJsonl::on(const sim::HitRecord& record) {
  begin(record.at, "hit", record.who);
  text_.print(",\"attempt\":{},\"outcome\":\"{}\",\"lost\":{},\"returns\":{}",
              record.attempt, record.returns ? "requeued" : "failed",
              seconds_text(record.lost), json_seconds(record.returns));
  if (!record.saved) return;
  text_.print(",\"saved\":{},\"overhead\":{}", seconds_text(record.saved->in_all),
              seconds_text(record.saved->overhead));
}

void LogJsonl::on(const sim::WindowRecord& record) {
  using Change = sim::WindowRecord::Event;
  const auto& window = *record.window;
  begin(record.at, "window");
  text_.print(",\"name\":{},\"event\":\"{}\",\"from\":{},\"to\":{}",
              Json(window.name).compact(),
              record.event == Change::kAnnounced ? "announced"
              : record.event == Change::kBegins  ? "begins"
                                                 : "ends",
              json_seconds(window.from), json_seconds(window.to));
}

void LogJsonl::on(const sim::ReturnRecord& record) {
  begin(record.at, "return", record.who);
  text_.print(",\"key\":{}", json_number(record.key));
}

void LogJsonl::on(const sim::EstimateRecord& record) {
  begin(record.at, "estimate", record.who);
  text_.print(",\"seconds\":{}", json_seconds(record.estimate));
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

void LogJsonl::fields(const MachineFact& fact) {
  Members members(text_);
  fact.fields(members);
}

void LogJsonl::because(std::string_view reason) {
  if (!reason.empty()) text_.print(",\"because\":{}", Json(reason).compact());
}

}  // namespace berth
