#include "engine/output/stretches_csv.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "engine/output/number_text.hpp"

namespace berth {

StretchesCsv::StretchesCsv(Sink& sink, std::vector<std::string_view> further)
    : text_(sink), columns_(std::move(further)) {
  text_.append("job_id,from,to,kind,tier,yield,resources");
  for (const auto column : columns_) text_.print(",{}", column);
  text_.append("\n");
}

void StretchesCsv::finish(Time) { text_.flush(); }

void StretchesCsv::on(const sim::StartRecord& record) {
  if (record.resumed) {
    close(record.who, record.at);
  } else {
    open_.open(record.who.id);
  }
  begin(record);
}

// A frozen job that moves stays frozen.
void StretchesCsv::on(const sim::ChangeRecord& record) {
  if (record.effect == sim::ChangeRecord::Effect::kShares) return;
  close(record.who, record.at);
  begin(record);
}

void StretchesCsv::on(const sim::SuspendRecord& record) {
  close(record.who, record.at);
  open_[record.who.id] = {record.at, Kind::kSuspended, 0.0, {}, {}, further({})};
}

void StretchesCsv::on(const sim::UnfreezeRecord& record) {
  close(record.who, record.at);
  auto& stretch = open_[record.who.id];
  stretch.kind = Kind::kRunning;
  stretch.yield = record.who.entry->rate;
}

void StretchesCsv::on(const sim::RateRecord& record) {
  close(record.who, record.at);
  open_[record.who.id].yield = record.rate;
}

void StretchesCsv::on(const sim::EndRecord& record) {
  close(record.who, record.at);
  open_.close(record.who.id);
}

// A job that fails has an end besides.
void StretchesCsv::on(const sim::HitRecord& record) {
  if (!record.returns) return;
  close(record.who, record.at);
  open_.close(record.who.id);
}

void StretchesCsv::on(const sim::LeftRecord& record) {
  if (open_.has(record.who.id)) close(record.who, record.at);
}

// Opens the stretch that a start or a change begins.
template <class Record>
void StretchesCsv::begin(const Record& record) {
  const bool frozen = record.who.entry->frozen;
  CsvFields where;
  const Placement& placement = *record.placement;
  placement.columns(where);
  open_[record.who.id] = {record.at,
                          frozen ? Kind::kFrozen : Kind::kRunning,
                          frozen ? 0.0 : record.rate,
                          std::string(where.of("tier")),
                          placement.text(),
                          further(where)};
}

std::string StretchesCsv::further(const CsvFields& told) const {
  std::string text;
  for (const auto column : columns_) {
    text += ',';
    text += told.of(column);
  }
  return text;
}

// Writes the stretch that ends now; the next one begins.
void StretchesCsv::close(const sim::Subject& who, Time at) {
  static constexpr std::array<std::string_view, 3> kNames{"running", "frozen",
                                                          "suspended"};
  auto& stretch = open_[who.id];
  if (stretch.from < at) {
    const bool runs = stretch.kind != Kind::kSuspended;
    text_.print("{},{},{},{},{},{},{}{}\n", who.job->id, seconds_text(stretch.from),
                seconds_text(at), kNames[static_cast<std::size_t>(stretch.kind)],
                stretch.tier, runs ? ratio_text(stretch.yield) : std::string(),
                stretch.resources, stretch.further);
  }
  stretch.from = at;
}

}  // namespace berth
