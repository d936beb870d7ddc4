#pragma once
// The points of a sweep: every combination of the values of its axes.
//
// The last axis varies fastest.  What kind of axis a key is:
//
//   seed, workload.window       a replication
//   policies.NAME.PARAMETER     a variant of the policies: they are compared with each
//                               other in one cell
//   any other                   a cell
//
// Seeds are last, so the replications of a cell follow each other.
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
  // Each is 1 without an axis of its kind.
  [[nodiscard]] std::size_t replications() const { return sizes_.replication; }
  [[nodiscard]] std::size_t variants() const { return sizes_.variant; }
  [[nodiscard]] std::size_t cells() const { return sizes_.cell; }

  // Which of each kind a point is.
  struct Where {
    std::size_t cell = 0;
    std::size_t variant = 0;
    std::size_t replication = 0;
  };
  // REQUIRES: number < size().
  [[nodiscard]] Where where(std::size_t number) const;

  // REQUIRES: number < size().
  [[nodiscard]] PointSettings settings(std::size_t number) const;
  [[nodiscard]] std::string name(std::size_t number) const;
  // Throws Error{kUsage} for the parameter of a policy that does not run.
  [[nodiscard]] SweepPoint point(std::size_t number) const;
  // The settings of the cell of a point, without those of the other kinds.
  [[nodiscard]] PointSettings cell_settings(std::size_t number) const;

 private:
  // Which value each axis has.
  [[nodiscard]] std::vector<std::size_t> places(std::size_t number) const;

  const Scenario& scenario_;
  std::size_t size_ = 1;
  Where sizes_{1, 1, 1};
};

// "workload.load=0.7, seed=2"; empty without settings.
[[nodiscard]] std::string point_text(const PointSettings& settings);

}  // namespace berth::study
