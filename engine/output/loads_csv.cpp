#include "engine/output/loads_csv.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/csv_text.hpp"
#include "engine/output/buffered_text.hpp"

namespace berth {

namespace {

constexpr auto kEach = TimelineBins::kLevels;
constexpr double kScale = 1000.0;

}  // namespace

LoadsCsv::LoadsCsv(Sink& sink, const MachineLoads& loads)
    : LevelWatch(nullptr), sink_(sink), loads_(loads), parts_(loads.loaded_parts()) {
  if (parts_.size() > kMostParts) parts_.clear();
  const auto most = std::min(kMostCells / std::max<std::size_t>(parts_.size(), 1),
                             TimelineBins::kMostBins);
  held_.assign((parts_.size() + kEach - 1) / kEach * kEach, 0);
  bins_.assign(held_.size() / kEach, TimelineBins(most));
}

void LoadsCsv::held_until(Time to) {
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    TimelineBins::Values values{};
    std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(i * kEach), kEach,
                values.begin());
    bins_[i].advance(to, values);
  }
  // The record at hand has changed them, from now on.
  std::copy_n(loads_.loads().begin(), parts_.size(), held_.begin());
}

void LoadsCsv::finish(Time at) {
  LevelWatch::finish(at);
  BufferedText text(sink_);
  text.append("from,to,group,row,share\n");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].capacity > 0) write(text, i);
  }
  text.flush();
}

void LoadsCsv::write(BufferedText& text, std::size_t part) const {
  const auto& bins = bins_[part / kEach];
  const auto& of = parts_[part];
  const auto share = [&](std::size_t i) {
    const auto span = static_cast<double>(bins.to(i) - bins.from(i));
    const auto mean = static_cast<double>(bins.bins()[i].integral[part % kEach]) / span;
    return std::llround(kScale * mean / static_cast<double>(of.capacity));
  };
  const auto count = bins.bins().size();
  for (std::size_t i = 0; i < count;) {
    const auto first = i;
    const auto own = share(first);
    while (i < count && share(i) == own) ++i;
    const bool is_never = i - first == count;
    if (own == 0 && !is_never) continue;
    text.print("{},{},{},{},{}\n", InSeconds{bins.from(first)},
               InSeconds{bins.to(i - 1)}, csv_text(of.group), csv_text(of.name),
               static_cast<double>(own) / kScale);
  }
}

}  // namespace berth
