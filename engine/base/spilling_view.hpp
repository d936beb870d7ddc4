#pragma once
// A read-only span over a SpillingArray or any contiguous range; iteration drops the
// pages behind if the values lie in a file.
//
// Cheap to copy.  The values must outlive it and the array must not grow.

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

#include "engine/base/spilling_array.hpp"

namespace berth {

template <class T>
class SpillingView {
 public:
  SpillingView() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as for std::span
  SpillingView(const SpillingArray<T>& array)
      : shown_(array.data(), array.size()), file_(array.file()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SpillingView(std::span<const T> values) : shown_(values) {}
  template <std::ranges::contiguous_range Values>
  requires std::is_convertible_v<const Values&, std::span<const T>>
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SpillingView(const Values& values) : shown_(values) {}

  [[nodiscard]] std::size_t size() const { return shown_.size(); }
  [[nodiscard]] bool empty() const { return shown_.empty(); }
  // REQUIRES: index < size().
  [[nodiscard]] const T& operator[](std::size_t index) const { return shown_[index]; }
  [[nodiscard]] const T& front() const { return shown_.front(); }
  [[nodiscard]] const T& back() const { return shown_.back(); }
  [[nodiscard]] SpillingIterator<const T> begin() const {
    return {shown_.data(), file_};
  }
  [[nodiscard]] SpillingIterator<const T> end() const {
    return {shown_.data() + shown_.size(), file_};
  }
  // REQUIRES: from + count <= size().
  [[nodiscard]] SpillingView part(std::size_t from, std::size_t count) const {
    SpillingView result(shown_.subspan(from, count));
    result.file_ = file_;
    return result;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator std::span<const T>() const { return shown_; }

  // Drops all pages of the array from memory if it lies in a file.
  void drop_pages() const {
    if (file_ != nullptr) file_->drop_pages();
  }

 private:
  std::span<const T> shown_;
  const SpillFile* file_ = nullptr;
};

}  // namespace berth
