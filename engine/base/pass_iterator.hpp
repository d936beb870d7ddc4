#pragma once
// Goes over values that may lie in a file, and lets go of what is behind: a pass from
// the begin to the end keeps one block of it in memory.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "engine/base/spill_file.hpp"

namespace berth {

template <class Element>
class PassIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<Element>;
  using difference_type = std::ptrdiff_t;
  using pointer = Element*;
  using reference = Element&;

  PassIterator() = default;
  // `file`: null for values in memory.
  PassIterator(Element* at, const SpillFile* file) : at_(at), file_(file) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as for pointers
  operator PassIterator<const Element>() const { return {at_, file_}; }

  reference operator*() const { return *at_; }
  pointer operator->() const { return at_; }
  reference operator[](difference_type by) const { return at_[by]; }

  PassIterator& operator++() {
    ++at_;
    const auto in_block =
        reinterpret_cast<std::uintptr_t>(at_) & (SpillFile::kBlock - 1);
    if (in_block < sizeof(Element)) let_go();
    return *this;
  }
  PassIterator& operator--() { return *this -= 1; }
  PassIterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  PassIterator operator--(int) {
    auto before = *this;
    --*this;
    return before;
  }
  PassIterator& operator+=(difference_type by) {
    at_ += by;
    return *this;
  }
  PassIterator& operator-=(difference_type by) { return *this += -by; }

  friend PassIterator operator+(PassIterator it, difference_type by) {
    return it += by;
  }
  friend PassIterator operator+(difference_type by, PassIterator it) {
    return it += by;
  }
  friend PassIterator operator-(PassIterator it, difference_type by) {
    return it -= by;
  }
  friend difference_type operator-(const PassIterator& a, const PassIterator& b) {
    return a.at_ - b.at_;
  }
  friend bool operator==(const PassIterator& a, const PassIterator& b) {
    return a.at_ == b.at_;
  }
  friend std::strong_ordering operator<=>(const PassIterator& a,
                                          const PassIterator& b) {
    return a.at_ <=> b.at_;
  }

 private:
  void let_go() const {
    if (file_ != nullptr) file_->let_go_before(at_);
  }

  Element* at_ = nullptr;
  const SpillFile* file_ = nullptr;
};

}  // namespace berth
