#pragma once
// What a job asks of a machine: an integer amount of each kind of resource.
//
// Kind 0 is processors.  Further kinds follow in the order of the machine; a machine
// that has none never looks beyond the first.
// Cost         Room for all kinds is inline; a copy costs what the kinds in use cost.

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/error.hpp"

namespace berth {

class Demand {
 public:
  static constexpr std::size_t kMostKinds = 16;

  // REQUIRES: processors >= 1.
  explicit Demand(std::int32_t processors) : processors_(processors) {}
  Demand(const Demand& other) { *this = other; }
  Demand& operator=(const Demand& other) {
    processors_ = other.processors_;
    further_ = other.further_;
    for (std::size_t i = 0; i < further_; ++i) amounts_[i] = other.amounts_[i];
    return *this;
  }

  [[nodiscard]] std::int32_t processors() const { return processors_; }
  // Kinds with an amount: 1 for processors alone.
  [[nodiscard]] std::size_t kinds() const { return std::size_t{1} + further_; }
  // REQUIRES: kind < kinds().
  [[nodiscard]] std::int64_t operator[](std::size_t kind) const {
    return kind == 0 ? processors_ : amounts_[kind - 1];
  }
  friend bool operator==(const Demand& a, const Demand& b) {
    if (a.kinds() != b.kinds()) return false;
    for (std::size_t kind = 0; kind < a.kinds(); ++kind) {
      if (a[kind] != b[kind]) return false;
    }
    return true;
  }
  // Appends the amount of the next kind.  REQUIRES: kinds() < kMostKinds, amount >= 0.
  void add(std::int64_t amount) {
    BERTH_ASSERT(kinds() < kMostKinds && amount >= 0);
    amounts_[further_++] = amount;
  }

 private:
  std::int32_t processors_;
  std::uint32_t further_ = 0;
  std::array<std::int64_t, kMostKinds - 1> amounts_;  // the first `further_` are set
};

}  // namespace berth
