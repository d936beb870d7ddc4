#pragma once
// A vector of any length in the memory of a short one.
//
// Up to entries_in_memory() entries lie in memory; beyond that all of them lie in a
// temporary file (see SpillFile), of which only what is in use takes memory.
//
// Memory       In a file: a block where it grows, a block for each pass by iterators,
//              and what is reached by place until let_go() or passed().
// Threads      As for a vector; any thread may let go.
// Errors       What SpillFile throws, wherever the array grows.
//
//   operation           time
//   push_back           O(1) amortised; a file grows without a copy
//   [], front, back     O(1)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/pass_iterator.hpp"
#include "engine/base/spill_file.hpp"

namespace berth {

template <class T>
class LongArray {
  static_assert(std::is_trivially_copyable_v<T> &&
                alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using iterator = PassIterator<T>;
  using const_iterator = PassIterator<const T>;

  LongArray() = default;
  LongArray(std::initializer_list<T> values)
      : LongArray(std::span<const T>(values.begin(), values.size())) {}
  explicit LongArray(std::span<const T> values) : LongArray() { append(values); }
  explicit LongArray(std::size_t count, T value = T{}) : LongArray() {
    resize(count, value);
  }
  LongArray(const LongArray& other) : LongArray() {
    reserve(other.size_);
    for (const T& value : other) push_back(value);
  }
  LongArray(LongArray&& other) noexcept { swap(other); }
  LongArray& operator=(LongArray other) noexcept {
    swap(other);
    return *this;
  }
  ~LongArray() {
    if (!file_) std::free(data_);
  }

  void swap(LongArray& other) noexcept {
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
  // REQUIRES: place < size().
  [[nodiscard]] T& operator[](std::size_t place) { return data_[place]; }
  [[nodiscard]] const T& operator[](std::size_t place) const { return data_[place]; }
  // REQUIRES: not empty.
  [[nodiscard]] T& front() { return data_[0]; }
  [[nodiscard]] const T& front() const { return data_[0]; }
  [[nodiscard]] T& back() { return data_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

  // A pass by them lets go of what is behind.
  [[nodiscard]] iterator begin() { return {data_, file_.get()}; }
  [[nodiscard]] iterator end() { return {data_ + size_, file_.get()}; }
  [[nodiscard]] const_iterator begin() const { return {data_, file_.get()}; }
  [[nodiscard]] const_iterator end() const { return {data_ + size_, file_.get()}; }

  // Good until the array grows.
  // NOLINTNEXTLINE(google-explicit-constructor): as a vector is
  operator std::span<const T>() const { return {data_, size_}; }

  // By value: it may be one of the array.
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

  // All of it leaves memory, if it lies in a file.
  void let_go() const {
    if (file_) file_->let_go();
  }
  // To be called with every place of a pass that is not made by iterators.
  void passed(std::size_t place) const {
    if (place % kStride == 0) let_go();
  }
  // Null for an array in memory.
  [[nodiscard]] const SpillFile* file() const { return file_.get(); }

  friend bool operator==(const LongArray& a, const LongArray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr std::size_t kStride = 65'536;
  static constexpr std::size_t kSmallest = 8;

  void make_room() {
    if (file_) file_->let_go_before(data_ + size_);
    if (size_ == capacity_) change_capacity(next_capacity());
    set_limit();
  }

  // So much more that few steps are needed, so little that it costs no disk.
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
      // Large ones are moved by their pages, without a copy.
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
      file->let_go();
    }
    std::free(data_);
    data_ = to;
    capacity_ = count;
    file_ = std::move(file);
  }

  // In a file, where the next block begins: there the one before is let go.
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
  std::size_t limit_ = 0;  // of size_, until there is more to do than to write
  std::size_t capacity_ = 0;
  std::unique_ptr<SpillFile> file_;  // null: in memory
};

}  // namespace berth
