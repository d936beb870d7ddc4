#pragma once
// What a machine holds when so many per cent of it have been asked for
// (docs/model.md#fill).
//
// Demand       parts asked by all arrivals so far, whatever became of them, over the
//              parts of the machine, in per cent.
// Mark         It has the arrivals at which demand, rounded with halves to even, is the
//              mark; if there is none, those within 1 of it.  Its value is the mean
//              over them of what is held after the instant, in per cent with two
//              decimals.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth {

class DeviceMarks {
 public:
  // `parts`: of the machine.
  DeviceMarks(std::span<const std::int32_t> marks, double parts)
      : marks_(marks.begin(), marks.end()), sums_(marks.size()), parts_(parts) {}

  [[nodiscard]] bool empty() const { return marks_.empty(); }
  [[nodiscard]] std::span<const std::int32_t> marks() const { return marks_; }
  [[nodiscard]] double parts() const { return parts_; }

  // A job arrives, up to which so many parts have been asked for.
  void arrive(std::int64_t asked);
  // Whether settle() is due.
  [[nodiscard]] bool is_due() const { return !pending_.empty(); }
  // The instant of the last arrivals is over: parts held and fragmented.
  void settle(double held, double fragmented);

  // In per cent, by index of the mark; nullopt: no arrival was near.
  [[nodiscard]] std::optional<double> allocation(std::size_t mark) const;
  [[nodiscard]] std::optional<double> fragmentation(std::size_t mark) const;

 private:
  struct MarkSum {
    double held = 0;
    double fragmented = 0;
    double arrivals = 0;
  };
  struct MarkSums {
    MarkSum at{};    // of arrivals that round to the mark
    MarkSum near{};  // of those within 1
    [[nodiscard]] const MarkSum& best() const { return at.arrivals > 0 ? at : near; }
  };

  std::vector<std::int32_t> marks_;
  std::vector<MarkSums> sums_;
  std::vector<double> pending_{};  // demand at arrivals of this instant
  double parts_;
};

}  // namespace berth
