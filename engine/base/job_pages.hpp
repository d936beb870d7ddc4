#pragma once
// A table of values by job, for the jobs present at one time (in the system, running).
//
// Structure    pages of 64 consecutive jobs; an empty page is reused
// Memory       proportional to the jobs present, plus one pointer for every 64 jobs
//
//   operation             time
//   open, close, find, [] O(1)

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"

namespace berth {

template <class Value>
class JobPages {
 public:
  // Adds a default value.  The reference is valid until close().
  // REQUIRES: the job has no value.
  Value& open(JobId job) { return renew(reopen(job)); }
  // As open, but the value is what an earlier job left there; its heap memory can be
  // reused.
  Value& reopen(JobId job) {
    const auto number = page_of(job);
    if (number >= pages_.size() || !pages_[number]) make_page(number);
    auto& page = *pages_[number];
    BERTH_ASSERT((page.opened & bit_of(job)) == 0);
    page.opened |= bit_of(job);
    ++size_;
    return page.values[at_in_page(job)];
  }
  // Jobs with a value.
  [[nodiscard]] std::size_t size() const { return size_; }

  // REQUIRES: the job has a value.
  [[nodiscard]] Value& operator[](JobId job) {
    return const_cast<Value&>(std::as_const(*this)[job]);  // NOLINT: same object
  }
  [[nodiscard]] const Value& operator[](JobId job) const {
    const Value* const value = find(job);
    BERTH_ASSERT(value != nullptr);
    return *value;
  }
  // As [], but not checked.
  [[nodiscard]] Value& unchecked(JobId job) {
    return pages_[page_of(job)]->values[at_in_page(job)];
  }
  void close(JobId job) {
    BERTH_ASSERT(page_of(job) < pages_.size() && pages_[page_of(job)]);
    auto& page = pages_[page_of(job)];
    BERTH_ASSERT((page->opened & bit_of(job)) != 0);
    page->opened &= ~bit_of(job);
    --size_;
    if (page->opened == 0) spare(page);
  }

  [[nodiscard]] bool has(JobId job) const { return find(job) != nullptr; }
  // Null if the job has no value.
  [[nodiscard]] const Value* find(JobId job) const {
    const auto number = page_of(job);
    if (number >= pages_.size() || !pages_[number]) return nullptr;
    const auto& page = *pages_[number];
    return (page.opened & bit_of(job)) != 0 ? &page.values[at_in_page(job)] : nullptr;
  }
  [[nodiscard]] Value* find(JobId job) {
    return const_cast<Value*>(std::as_const(*this).find(job));  // NOLINT: same object
  }

 private:
  static constexpr std::size_t kPage = 64;  // bits of Page::opened
  struct Page {
    std::uint64_t opened = 0;
    std::array<Value, kPage> values{};
  };

  static std::size_t page_of(JobId job) { return index(job) / kPage; }
  static std::size_t at_in_page(JobId job) { return index(job) % kPage; }
  static std::uint64_t bit_of(JobId job) { return std::uint64_t{1} << at_in_page(job); }

  // Copying a constant is faster than constructing a value.
  static Value& renew(Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      static constexpr Value kFresh{};
      return value = kFresh;
    } else {
      return value = Value{};
    }
  }

  [[gnu::noinline]] void make_page(std::size_t number) {
    if (number >= pages_.size()) pages_.resize(number + 1);
    pages_[number] = take_page();
  }
  [[gnu::noinline]] void spare(std::unique_ptr<Page>& page) {
    spare_.push_back(std::move(page));
  }
  std::unique_ptr<Page> take_page() {
    if (spare_.empty()) return std::make_unique<Page>();
    auto page = std::move(spare_.back());
    spare_.pop_back();
    return page;
  }

  std::vector<std::unique_ptr<Page>> pages_;  // null: no job of the page has a value
  std::vector<std::unique_ptr<Page>> spare_;
  std::size_t size_ = 0;
};

}  // namespace berth
