#include "study/watch/fullest_moment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace berth::study {

namespace {

constexpr std::size_t kHostsDrawn = 24;
constexpr std::int64_t kCellsOfHost = 64;  // of all its parts together
constexpr std::int64_t kCellsOfPart = 12;  // at most

// The cells from one to another belong to a job: its number, if it has room, and what
// tells neighbours apart.
void fill_cells(std::string& cells, std::int64_t from, std::int64_t to,
                std::int64_t job, char with) {
  const auto first = static_cast<std::size_t>(from);
  const auto count = static_cast<std::size_t>(to - from);
  std::fill_n(cells.begin() + from, count, with);
  const auto number = fmt::format("{}", job);
  if (number.size() <= count) cells.replace(first, number.size(), number);
}

}  // namespace

void FullestMoment::put(Time at, const sim::Subject& who, const Placement& placement) {
  const auto first = parts_.size();
  hosts_.add(placement, parts_);
  if (parts_.size() == first) return;
  running_[who.job->id] = steps_.size();
  steps_.push_back({who.job->id, first, parts_.size() - first});
  held_ += held_by(steps_.back());
  if (held_ <= most_) return;
  most_ = held_;
  steps_then_ = steps_.size();
  then_ = at;
}

void FullestMoment::leave(const sim::Subject& who) {
  const auto found = running_.find(who.job->id);
  if (found == running_.end()) return;
  held_ -= held_by(steps_[found->second]);
  steps_.push_back({who.job->id, 0, 0});
  running_.erase(found);
}

std::int64_t FullestMoment::held_by(const HeldParts& step) const {
  const auto own = std::span(parts_).subspan(step.first, step.parts);
  return std::accumulate(
      own.begin(), own.end(), std::int64_t{0},
      [&](std::int64_t sum, const DrawnPart& part) { return sum + share_of(part); });
}

// The jobs that had parts then, by host.
std::vector<FullestMoment::Row> FullestMoment::rows_then() const {
  std::map<std::int64_t, std::size_t> last;  // step by job
  for (std::size_t i = 0; i < steps_then_; ++i) last[steps_[i].job] = i;
  std::vector<Row> rows;
  rows.reserve(hosts_.hosts.size());
  for (const auto& host : hosts_.hosts) {
    rows.emplace_back(static_cast<std::size_t>(host.parts));
  }
  for (std::size_t i = 0; i < steps_then_; ++i) {
    const auto& step = steps_[i];
    if (last.at(step.job) != i) continue;
    for (const auto& part : std::span(parts_).subspan(step.first, step.parts)) {
      auto& row = rows[static_cast<std::size_t>(part.host)];
      row[static_cast<std::size_t>(part.part)].push_back({step.job, share_of(part)});
    }
  }
  return rows;
}

std::string FullestMoment::drawn(const Row& row, std::int64_t cells) const {
  std::string text = "|";
  for (const auto& pieces : row) {
    std::string part(static_cast<std::size_t>(cells), '.');
    std::int64_t taken = 0;
    bool is_even = true;
    for (const auto& [job, share] : pieces) {
      const auto from = taken * cells / hosts_.whole;
      taken += share;
      const auto to = (taken * cells + hosts_.whole - 1) / hosts_.whole;
      fill_cells(part, from, std::min(to, cells), job, is_even ? '=' : '-');
      is_even = !is_even;
    }
    text += part + "|";
  }
  return text;
}

std::string FullestMoment::text() const {
  if (most_ == 0) return {};
  std::int64_t parts = 0;
  std::int64_t widest = 1;
  for (const auto& host : hosts_.hosts) {
    parts += host.parts;
    widest = std::max<std::int64_t>(widest, host.parts);
  }
  const auto cells = std::clamp<std::int64_t>(kCellsOfHost / widest, 1, kCellsOfPart);
  const auto shown = std::min(kHostsDrawn, hosts_.hosts.size());
  std::size_t indent = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    indent = std::max(indent, hosts_.hosts[i].name.size());
  }
  const auto rows = rows_then();
  auto text =
      fmt::format("at {} s {:.1f} of {} {} were in use\n", seconds_text(then_),
                  static_cast<double>(most_) / static_cast<double>(hosts_.whole), parts,
                  hosts_.name);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {:<{}}  {}\n", hosts_.hosts[i].name, indent,
                        drawn(rows[i], cells));
  }
  if (shown < rows.size()) {
    text += fmt::format("  and {} hosts more\n", rows.size() - shown);
  }
  return text;
}

}  // namespace berth::study
