#pragma once
// How many hosts are alike: serve the same partition and have the same amounts free.
//
// Shape        What a host has free of each kind on hosts, and its partition.  How many
//              chunks fit on a host depends on its shape alone, so it is worked out
//              once for each shape, however many hosts there are.
//
//   operation    time, s = shapes that hosts have, k = kinds on hosts
//   change       O(k log s), and a short memmove for a shape that appears or vanishes
//   has_room     O(k s)
//   a copy       O(k s), and four bytes a host

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/hosts/kinds.hpp"

namespace berth {

class HostShapes {
 public:
  // No host.  `on_hosts`: the kinds that hosts have.
  explicit HostShapes(std::span<const std::size_t> on_hosts)
      : on_hosts_(on_hosts.begin(), on_hosts.end()) {}

  // The next host.  `free`: of the kinds on hosts, in their order.
  void add(std::int32_t partition, std::span<const std::int64_t> free);
  // The host has so many chunks of the job more free, or less.
  void change(std::int32_t host, const Need& need, std::int64_t chunks);
  // No job has room on the host from now on, whatever it has free.
  void close(std::int32_t host);
  // Whether all hosts together have room for the chunks of the job.
  [[nodiscard]] bool has_room(const Need& need) const;

 private:
  using Shape = std::uint32_t;
  static constexpr std::int64_t kAnyPartition = -1;
  static constexpr std::int64_t kClosedHost = -2;  // the partition of no job
  [[nodiscard]] std::size_t width() const { return on_hosts_.size() + 1; }
  // The partition, then the amounts.
  [[nodiscard]] std::span<const std::int64_t> values(Shape shape) const {
    return std::span(values_).subspan(shape * width(), width());
  }
  // The shape of these values, with one host more.
  Shape enter(std::span<const std::int64_t> values);
  void leave(Shape shape);
  [[nodiscard]] std::vector<Shape>::iterator place_of(
      std::span<const std::int64_t> values);
  // Chunks of the job that fit on a host of this shape; no more than all are counted.
  [[nodiscard]] std::int64_t room(Shape shape, const Need& need) const;

  std::vector<std::size_t> on_hosts_;
  std::vector<std::int64_t> values_;  // of each shape, one after the other
  std::vector<std::int64_t> hosts_;   // of each shape
  std::vector<Shape> sorted_;         // that hosts have, by their values
  std::vector<Shape> unused_;         // numbers that were of shapes
  std::vector<Shape> shape_of_;       // by host
  Shape last_ = 0;                    // that enter() answered
  std::vector<std::int64_t> anew_;    // scratch
};

}  // namespace berth
