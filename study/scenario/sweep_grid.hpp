#pragma once
// The points of a sweep: every combination of the values of its axes.
//
// The last axis varies fastest; seeds are last, so the replications of a cell (all
// other keys equal) follow each other.
//
// Cost  O(axes) a point; points are made when they are asked for.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "study/scenario/scenario.hpp"

namespace berth::study {

// Keys and values as text, in the order of the axes; traces by base name.
using PointSettings = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::size_t kMostPoints = 100'000;

struct SweepPoint {
  std::size_t number = 0;  // from 0
  std::string name;        // "0003-workload.load=0.7,seed=2": number from 1, its folder
  PointSettings settings;
  Scenario scenario;  // with these settings, without a sweep
};

class SweepGrid {
 public:
  // A scenario without a sweep is a grid of one point without settings.
  // REQUIRES: `scenario` outlives this object.
  explicit SweepGrid(const Scenario& scenario);

  [[nodiscard]] std::size_t size() const { return size_; }
  // Seeds; 1 if seeds do not vary.
  [[nodiscard]] std::size_t replications() const { return replications_; }
  // Combinations of all other keys.  Point i belongs to cell i / replications().
  [[nodiscard]] std::size_t cells() const { return size_ / replications_; }

  // REQUIRES: number < size().
  [[nodiscard]] PointSettings settings(std::size_t number) const;
  [[nodiscard]] std::string name(std::size_t number) const;
  // Throws Error{kUsage} for the parameter of a policy that does not run.
  [[nodiscard]] SweepPoint point(std::size_t number) const;
  // The settings of a cell, without the seed.
  [[nodiscard]] PointSettings cell(std::size_t number) const;

 private:
  // Which value each axis has.
  [[nodiscard]] std::vector<std::size_t> places(std::size_t number) const;

  const Scenario& scenario_;
  std::size_t size_ = 1;
  std::size_t replications_ = 1;
};

// "workload.load=0.7, seed=2"; empty without settings.
[[nodiscard]] std::string text_of(const PointSettings& settings);

}  // namespace berth::study
