#pragma once
// A vector that moves to a temporary file when it exceeds entries_in_memory() entries.
//
// The file is mapped into memory (see SpillFile); iteration drops the pages behind it.
//
// Memory       in a file: one block where it grows and one for each iteration, plus all
//              pages reached by operator[] until drop_pages() or visited()
// Threads      as for std::vector; drop_pages() is safe from any thread
// Errors       whatever grows the array throws what SpillFile throws
//
//   operation           time
//   push_back           O(1) amortised; a file grows without copying
//   [], front, back     O(1)

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/spill_file.hpp"

namespace berth {

// Iterates over values that may lie in a file; ++ drops the pages behind, so a pass
// keeps one block in memory.
template <class Element>
class SpillingIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<Element>;
  using difference_type = std::ptrdiff_t;
  using pointer = Element*;
  using reference = Element&;

  SpillingIterator() = default;
  // `file`: null for values in memory.
  SpillingIterator(Element* at, const SpillFile* file) : at_(at), file_(file) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as for pointers
  operator SpillingIterator<const Element>() const { return {at_, file_}; }

  reference operator*() const { return *at_; }
  pointer operator->() const { return at_; }
  reference operator[](difference_type by) const { return at_[by]; }

  SpillingIterator& operator++() {
    ++at_;
    const auto in_block =
        reinterpret_cast<std::uintptr_t>(at_) & (SpillFile::kBlock - 1);
    if (in_block < sizeof(Element)) drop_pages();
    return *this;
  }
  SpillingIterator& operator--() { return *this -= 1; }
  SpillingIterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  SpillingIterator operator--(int) {
    auto before = *this;
    --*this;
    return before;
  }
  SpillingIterator& operator+=(difference_type by) {
    at_ += by;
    return *this;
  }
  SpillingIterator& operator-=(difference_type by) { return *this += -by; }

  friend SpillingIterator operator+(SpillingIterator it, difference_type by) {
    return it += by;
  }
  friend SpillingIterator operator+(difference_type by, SpillingIterator it) {
    return it += by;
  }
  friend SpillingIterator operator-(SpillingIterator it, difference_type by) {
    return it -= by;
  }
  friend difference_type operator-(const SpillingIterator& a,
                                   const SpillingIterator& b) {
    return a.at_ - b.at_;
  }
  friend bool operator==(const SpillingIterator& a, const SpillingIterator& b) {
    return a.at_ == b.at_;
  }
  friend std::strong_ordering operator<=>(const SpillingIterator& a,
                                          const SpillingIterator& b) {
    return a.at_ <=> b.at_;
  }

 private:
  void drop_pages() const {
    if (file_ != nullptr) file_->drop_pages_before(at_);
  }

  Element* at_ = nullptr;
  const SpillFile* file_ = nullptr;
};

template <class T>
class SpillingArray {
  static_assert(std::is_trivially_copyable_v<T> &&
                alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using iterator = SpillingIterator<T>;
  using const_iterator = SpillingIterator<const T>;

  SpillingArray() = default;
  SpillingArray(std::initializer_list<T> values)
      : SpillingArray(std::span<const T>(values.begin(), values.size())) {}
  explicit SpillingArray(std::span<const T> values) : SpillingArray() {
    append(values);
  }
  explicit SpillingArray(std::size_t count, T value = T{}) : SpillingArray() {
    resize(count, value);
  }
  SpillingArray(const SpillingArray& other) : SpillingArray() {
    reserve(other.size_);
    for (const T& value : other) push_back(value);
  }
  SpillingArray(SpillingArray&& other) noexcept { swap(other); }
  SpillingArray& operator=(SpillingArray other) noexcept {
    swap(other);
    return *this;
  }
  ~SpillingArray() {
    if (!file_) std::free(data_);
  }

  void swap(SpillingArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(limit_, other.limit_);
    std::swap(capacity_, other.capacity_);
    std::swap(file_, other.file_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  // REQUIRES: index < size().
  [[nodiscard]] T& operator[](std::size_t index) { return data_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data_[index]; }
  // REQUIRES: not empty.
  [[nodiscard]] T& front() { return data_[0]; }
  [[nodiscard]] const T& front() const { return data_[0]; }
  [[nodiscard]] T& back() { return data_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

  [[nodiscard]] iterator begin() { return {data_, file_.get()}; }
  [[nodiscard]] iterator end() { return {data_ + size_, file_.get()}; }
  [[nodiscard]] const_iterator begin() const { return {data_, file_.get()}; }
  [[nodiscard]] const_iterator end() const { return {data_ + size_, file_.get()}; }

  // Valid until the array grows.
  // NOLINTNEXTLINE(google-explicit-constructor): as for std::vector
  operator std::span<const T>() const { return {data_, size_}; }

  // By value: it may alias an element.
  void push_back(T value) {
    if (size_ == limit_) make_room();
    ::new (static_cast<void*>(data_ + size_)) T(value);
    ++size_;
  }
  void append(std::span<const T> values) {
    reserve(size_ + values.size());
    for (const T& value : values) push_back(value);
  }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    if (count < size_) size_ = count;
    while (size_ < count) push_back(value);
    set_limit();
  }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    change_capacity(count);
    set_limit();
  }
  void clear() { resize(0); }

  // Drops all pages from memory if the array lies in a file.
  void drop_pages() const {
    if (file_) file_->drop_pages();
  }
  // Call with each index of a sequential pass by operator[]: drops pages now and then.
  void visited(std::size_t index) const {
    if (index % kStride == 0) drop_pages();
  }
  // nullptr for an array in memory.
  [[nodiscard]] const SpillFile* file() const { return file_.get(); }

  friend bool operator==(const SpillingArray& a, const SpillingArray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr std::size_t kStride = 65'536;
  static constexpr std::size_t kSmallest = 8;

  void make_room() {
    if (file_) file_->drop_pages_before(data_ + size_);
    if (size_ == capacity_) change_capacity(next_capacity());
    set_limit();
  }

  // Doubles in memory; grows by a quarter in a file, to save disk space.
  [[nodiscard]] std::size_t next_capacity() const {
    if (file_) return capacity_ + capacity_ / 4 + SpillFile::kBlock / sizeof(T) + 1;
    const auto kept = entries_in_memory();
    if (size_ < kept) return std::min(std::max(2 * capacity_, kSmallest), kept);
    return size_ + size_ / 4 + SpillFile::kBlock / sizeof(T) + 1;
  }

  // REQUIRES: count > capacity_.
  void change_capacity(std::size_t count) {
    if (!file_ && count > entries_in_memory()) return move_to_file(count);
    if (file_) {
      file_->grow(count * sizeof(T));
      data_ = reinterpret_cast<T*>(file_->data());
    } else {
      // For large blocks realloc remaps pages without copying.
      void* const moved = std::realloc(static_cast<void*>(data_), count * sizeof(T));
      if (moved == nullptr) throw std::bad_alloc();
      data_ = static_cast<T*>(moved);
    }
    capacity_ = count;
  }

  void move_to_file(std::size_t count) {
    auto file = std::make_unique<SpillFile>();
    file->grow(count * sizeof(T));
    T* const to = reinterpret_cast<T*>(file->data());
    constexpr std::size_t kPiece = SpillFile::kBlock / sizeof(T) + 1;
    for (std::size_t i = 0; i < size_; i += kPiece) {
      const auto piece = std::min(kPiece, size_ - i);
      std::memcpy(static_cast<void*>(to + i), data_ + i, piece * sizeof(T));
      file->drop_pages();
    }
    std::free(data_);
    data_ = to;
    capacity_ = count;
    file_ = std::move(file);
  }

  // In a file: where the next block begins, so that the one before is dropped there.
  void set_limit() {
    limit_ = capacity_;
    if (!file_) return;
    const auto in_block =
        reinterpret_cast<std::uintptr_t>(data_ + size_) % SpillFile::kBlock;
    const auto left = (SpillFile::kBlock - in_block) / sizeof(T) + 1;
    limit_ = std::min(capacity_, size_ + left);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t limit_ = 0;  // push_back() calls make_room() when size_ reaches it
  std::size_t capacity_ = 0;
  std::unique_ptr<SpillFile> file_;  // nullptr: in memory
};

}  // namespace berth
