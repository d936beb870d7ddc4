#pragma once
// What only this machine tells in its records.

#include <cstdint>

#include "engine/base/machine_fact.hpp"

namespace berth {

// It tells the yield of a job that gets another share or other hosts.
class YieldFact final : public MachineFact {
 public:
  explicit YieldFact(double yield) : yield_(yield) {}
  [[nodiscard]] double yield() const { return yield_; }
  [[nodiscard]] std::string_view word() const override { return "yield"; }
  void fields(FieldWriter& to) const override { to.number("yield", yield_); }

 private:
  double yield_;
};

// It tells of a repacking that begins, or is over.
class RepackFact final : public MachineFact {
 public:
  RepackFact(bool is_over, double yield, std::int64_t moved_kib)
      : is_over_(is_over), yield_(yield), moved_kib_(moved_kib) {}
  // The smallest of all running jobs, after it.
  [[nodiscard]] double yield() const { return yield_; }
  // Of tasks that change host.
  [[nodiscard]] std::int64_t moved_kib() const { return moved_kib_; }
  [[nodiscard]] std::string_view word() const override {
    return is_over_ ? "repacked" : "repack";
  }
  void fields(FieldWriter& to) const override {
    to.number("yield", yield_);
    to.whole("moved_kib", moved_kib_);
  }

 private:
  bool is_over_;
  double yield_;
  std::int64_t moved_kib_;
};

}  // namespace berth
