#include "report/bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace berth::report {

namespace {

constexpr std::size_t kWholeSecondsFrom = 100'000;  // stretches

Time end_of(const JobsOfFile& of, Budget& budget) {
  budget.charge_each(of.jobs.size());
  Time end = 0;
  for (const auto& job : of.jobs) {
    end = std::max(end, job.submit);
    if (job.has_ended()) end = std::max(end, job.finish);
  }
  return end;
}

bool touches(const std::optional<PageWindow>& only, Time from, Time to) {
  return !only || (from < only->to && to > only->from);
}

double share_of(Half half) { return half == Half::kWhole ? 1.0 : 0.5; }

// Two-dimensional differences over unit cells, and their sums.
class Cells {
 public:
  Cells(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), sums_((columns + 2) * (rows + 2), 0.0) {}

  void add(double left, double right, double top, double bottom, double weight) {
    const auto across = steps(left, right, columns_);
    const auto down = steps(top, bottom, rows_);
    // Bounded: four steps at most.
    for (const auto& [y, dy] : down) {
      // Bounded: four steps at most.
      for (const auto& [x, dx] : across) {
        sums_[y * (columns_ + 2) + x] += weight * dx * dy;
      }
    }
  }

  // By row, in 255ths.
  [[nodiscard]] std::vector<std::int64_t> shares(Budget& budget) const {
    std::vector<std::int64_t> made;
    made.reserve(columns_ * rows_);
    std::vector<double> above(columns_, 0.0);
    for (std::size_t y = 0; y < rows_; ++y) {
      double along = 0.0;
      budget.charge_each(columns_);
      for (std::size_t x = 0; x < columns_; ++x) {
        along += sums_[y * (columns_ + 2) + x];
        above[x] += along;
        made.push_back(std::llround(std::clamp(above[x], 0.0, 1.0) * 255.0));
      }
    }
    return made;
  }

 private:
  using Step = std::pair<std::size_t, double>;

  // The differences of the shares of cells that [from, to) covers; those that are not
  // needed are 0.
  static std::array<Step, 4> steps(double from, double to, std::size_t most) {
    const auto low = std::clamp(from, 0.0, static_cast<double>(most));
    const auto high = std::clamp(to, low, static_cast<double>(most));
    const auto first = static_cast<std::size_t>(low);
    const auto last = static_cast<std::size_t>(high);
    if (first == last) {
      return {Step{first, high - low}, Step{first + 1, low - high}, Step{}, Step{}};
    }
    const auto head = static_cast<double>(first + 1) - low;
    const auto tail = high - static_cast<double>(last);
    return {Step{first, head}, Step{first + 1, 1 - head}, Step{last, tail - 1},
            Step{last + 1, -tail}};
  }

  std::size_t columns_;
  std::size_t rows_;
  std::vector<double> sums_;
};

struct Size {
  std::size_t columns;
  std::size_t rows;
};
constexpr std::array<Size, 3> kLevels{{{512, 64}, {2048, 128}, {8192, 256}}};

Json far_level(const RunResult& run, const PageWindow& whole, const Size& most,
               Blocks& blocks) {
  const auto rows = std::min<std::size_t>(
      most.rows, static_cast<std::size_t>(std::max(run.processors, 1)));
  Cells cells(most.columns, rows);
  const auto across = static_cast<double>(most.columns) /
                      static_cast<double>(std::max<Time>(whole.to - whole.from, 1));
  const auto down =
      static_cast<double>(rows) / static_cast<double>(std::max(run.processors, 1));
  each_bar(run, blocks.budget(), [&](const Bar& bar) {
    const auto left = static_cast<double>(bar.from - whole.from) * across;
    const auto right = static_cast<double>(bar.to - whole.from) * across;
    // Bounded: the places of a bar, for which each_bar() charges.
    for (const auto& part : bar.places) {
      cells.add(left, right, part.first * down, (part.last + 1) * down,
                share_of(bar.half));
    }
  });
  return {{"columns", most.columns},
          {"rows", rows},
          {"use", blocks.add(cells.shares(blocks.budget()))}};
}

std::int64_t count(std::span<const Interval> places) {
  std::int64_t sum = 0;
  // Bounded: the places of one bar or job, for which those who ask charge.
  for (const auto& part : places) sum += part.last - part.first + 1;
  return sum;
}

// Intervals of processors as columns: of each first interval its first processor, of
// each further one the gap before it, of all but the last one what it has above one
// processor; the last one takes the rest of the job's size, and `beyond` besides.
class PlaceColumns {
 public:
  void add(std::span<const Interval> places, std::int64_t size) {
    counts_.push_back(static_cast<std::int64_t>(places.size()));
    beyond_.push_back(places.empty() ? 0 : count(places) - size);
    // Bounded: the places of one job or stretch, for which those who add charge.
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i == 0) {
        first_.push_back(places[i].first);
      } else {
        gap_.push_back(places[i].first - places[i - 1].last - 1);
      }
      if (i + 1 < places.size()) more_.push_back(places[i].last - places[i].first);
    }
  }

  void add_to(Json& json, Blocks& blocks) const {
    json.add("intervals", blocks.add(counts_));
    json.add("first", blocks.add(first_));
    json.add("gap", blocks.add(gap_));
    json.add("more", blocks.add(more_));
    json.add("beyond", blocks.add(beyond_));
  }

 private:
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> beyond_;
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> gap_;
  std::vector<std::int64_t> more_;
};

}  // namespace

void each_bar(const RunResult& run, Budget& budget,
              const std::function<void(const Bar&)>& action) {
  const auto& jobs = run.jobs->jobs;
  if (run.stretches) {
    const std::span all(run.stretches->intervals);
    for (const auto& one : run.stretches->stretches) {
      budget.charge_each(1 + one.intervals);
      action({one.job, one.from, one.to, one.half,
              all.subspan(one.first_interval, one.intervals)});
    }
    return;
  }
  const auto end = end_of(*run.jobs, budget);
  const std::span all(run.jobs->intervals);
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const auto& job = jobs[i];
    budget.charge_each(1 + job.intervals);
    if (!job.has_started()) continue;
    action({i, job.start, job.has_ended() ? job.finish : std::max(end, job.start),
            Half::kWhole, all.subspan(job.first_interval, job.intervals)});
  }
}

std::int64_t rectangles_of(const RunResult& run) {
  if (!run.jobs) return 0;
  return static_cast<std::int64_t>(run.stretches ? run.stretches->intervals.size()
                                                 : run.jobs->intervals.size());
}

void add_places(Json& to, const JobsOfFile& of, const std::optional<PageWindow>& only,
                Blocks& blocks) {
  PlaceColumns columns;
  const auto end = end_of(of, blocks.budget());
  const std::span<const Interval> all(of.intervals);
  for (const auto& job : of.jobs) {
    blocks.budget().charge_each(1 + job.intervals);
    const auto last = job.has_ended() ? job.finish : end;
    const auto kept = touches(only, job.start, last) ? job.intervals : 0U;
    columns.add(all.subspan(job.first_interval, kept), job.size);
  }
  columns.add_to(to, blocks);
}

// Times are whole seconds where there are many: a pixel is longer.  The first stretch
// of a job is measured from its start, the last one of an ended job to its end.
Json stretch_columns(const RunResult& run, const std::optional<PageWindow>& only,
                     Blocks& blocks) {
  const auto& of = *run.stretches;
  const bool whole = of.stretches.size() >= kWholeSecondsFrom;
  const auto drawn = [&](Time at) {
    return whole ? (at + kSecond / 2) / kSecond * kSecond : at;
  };
  std::vector<const Stretch*> kept;
  blocks.budget().charge_each(of.stretches.size());
  for (const auto& one : of.stretches) {
    if (touches(only, one.from, one.to)) kept.push_back(&one);
  }
  std::vector<std::int64_t> step;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> lasting;
  std::vector<std::int64_t> look;
  PlaceColumns columns;
  const std::span<const Interval> all(of.intervals);
  std::span<const Interval> before;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& one = *kept[i];
    blocks.budget().charge_each(1 + one.intervals);
    const auto& owner = run.jobs->jobs[one.job];
    const bool is_first = i == 0 || kept[i - 1]->job != one.job;
    const bool is_last = i + 1 == kept.size() || kept[i + 1]->job != one.job;
    step.push_back(one.job - (i == 0 ? 0 : kept[i - 1]->job));
    from.push_back(drawn(one.from) - drawn(is_first ? owner.start : kept[i - 1]->to));
    lasting.push_back(drawn(one.to) -
                      drawn(is_last && owner.has_ended() ? owner.finish : one.from));
    look.push_back(static_cast<std::int64_t>(one.half) + (one.is_frozen ? 3 : 0) +
                   (one.is_hit ? 6 : 0));
    const auto places = all.subspan(one.first_interval, one.intervals);
    const bool stays = !is_first && std::equal(places.begin(), places.end(),
                                               before.begin(), before.end());
    columns.add(stays ? places.first(0) : places, owner.size);
    before = places;
  }
  Json made{{"whole", whole},
            {"job", blocks.add(step)},
            {"from", blocks.add_times(from)},
            {"lasting", blocks.add_times(lasting)},
            {"look", blocks.add(look)}};
  columns.add_to(made, blocks);
  return made;
}

Json far_levels(const RunResult& run, Blocks& blocks) {
  PageWindow whole{kNever, 0};
  each_bar(run, blocks.budget(), [&](const Bar& bar) {
    whole.from = std::min(whole.from, bar.from);
    whole.to = std::max(whole.to, bar.to);
  });
  auto levels = Json::array();
  // Bounded: the three levels.
  for (const auto& level : kLevels) {
    levels.append(far_level(run, whole, level, blocks));
  }
  return {{"from", to_seconds(whole.from)},
          {"to", to_seconds(whole.to)},
          {"levels", levels}};
}

void add_tiers(RunResult& run, Budget& budget) {
  if (!run.timeline) return;
  auto& of = *run.timeline;
  std::array<std::vector<double>, 2> means;
  means.fill(std::vector<double>(of.from.size(), 0.0));
  each_bar(run, budget, [&](const Bar& bar) {
    if (bar.half == Half::kWhole) return;
    auto& mean = means.at(bar.half == Half::kForeground ? 0 : 1);
    const auto processors = static_cast<double>(count(bar.places));
    const auto from = to_seconds(bar.from);
    const auto to = to_seconds(bar.to);
    const auto first = std::upper_bound(of.to.begin(), of.to.end(), from);
    for (auto i = static_cast<std::size_t>(first - of.to.begin());
         i < mean.size() && of.from[i] < to; ++i) {
      budget.charge();
      const auto held = std::min(to, of.to[i]) - std::max(from, of.from[i]);
      if (held > 0) mean[i] += processors * held / (of.to[i] - of.from[i]);
    }
  });
  of.names.insert(of.names.end(), {"foreground_mean", "background_mean"});
  of.values.insert(of.values.end(), means.begin(), means.end());
}

}  // namespace berth::report
