#pragma once
// Values of a LongArray, or of anything else in a row, to be read: a span that can let
// go of what it shows.
//
// A view, cheap to copy: the values outlive it, and the array does not grow meanwhile.

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

#include "engine/base/long_array.hpp"

namespace berth {

template <class T>
class LongView {
 public:
  LongView() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a view of the whole
  LongView(const LongArray<T>& array)
      : shown_(array.data(), array.size()), file_(array.file()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a span
  LongView(std::span<const T> values) : shown_(values) {}
  template <std::ranges::contiguous_range Values>
  requires std::is_convertible_v<const Values&, std::span<const T>>
  // NOLINTNEXTLINE(google-explicit-constructor): as a span is
  LongView(const Values& values) : shown_(values) {}

  [[nodiscard]] std::size_t size() const { return shown_.size(); }
  [[nodiscard]] bool empty() const { return shown_.empty(); }
  // REQUIRES: place < size().
  [[nodiscard]] const T& operator[](std::size_t place) const { return shown_[place]; }
  [[nodiscard]] const T& front() const { return shown_.front(); }
  [[nodiscard]] const T& back() const { return shown_.back(); }
  // A pass by them lets go of what is behind.
  [[nodiscard]] PassIterator<const T> begin() const { return {shown_.data(), file_}; }
  [[nodiscard]] PassIterator<const T> end() const {
    return {shown_.data() + shown_.size(), file_};
  }
  // REQUIRES: from + count <= size().
  [[nodiscard]] LongView part(std::size_t from, std::size_t count) const {
    LongView result(shown_.subspan(from, count));
    result.file_ = file_;
    return result;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  operator std::span<const T>() const { return shown_; }

  // All of the array leaves memory, if it lies in a file.
  void let_go() const {
    if (file_ != nullptr) file_->let_go();
  }

 private:
  std::span<const T> shown_;
  const SpillFile* file_ = nullptr;
};

}  // namespace berth
