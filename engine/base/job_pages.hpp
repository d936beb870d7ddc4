#pragma once
// Values of the jobs that are somewhere just now, by job.
//
// The values of 64 neighbours share a page, and a page without jobs is used again: so
// the memory is that of the jobs that are in, not of all jobs.
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
  // A fresh value.  The reference is good until the job is closed.
  // REQUIRES: the job has none.
  Value& open(JobId job) { return renew(reopen(job)); }
  // As open, but what some other job has left, to be written over: so that a value may
  // keep its memory.
  Value& reopen(JobId job) {
    const auto number = number_of(job);
    if (number >= pages_.size() || !pages_[number]) make_page(number);
    auto& page = *pages_[number];
    BERTH_ASSERT((page.opened & bit_of(job)) == 0);
    page.opened |= bit_of(job);
    return page.values[place_of(job)];
  }

  // REQUIRES: opened and not closed since.
  [[nodiscard]] Value& operator[](JobId job) {
    return const_cast<Value&>(std::as_const(*this)[job]);  // NOLINT: same object
  }
  [[nodiscard]] const Value& operator[](JobId job) const {
    const Value* const value = find(job);
    BERTH_ASSERT(value != nullptr);
    return *value;
  }
  void close(JobId job) {
    BERTH_ASSERT(number_of(job) < pages_.size() && pages_[number_of(job)]);
    auto& page = pages_[number_of(job)];
    BERTH_ASSERT((page->opened & bit_of(job)) != 0);
    page->opened &= ~bit_of(job);
    if (page->opened == 0) spare(page);
  }

  [[nodiscard]] bool has(JobId job) const { return find(job) != nullptr; }
  // Null if the job has none.
  [[nodiscard]] const Value* find(JobId job) const {
    const auto number = number_of(job);
    if (number >= pages_.size() || !pages_[number]) return nullptr;
    const auto& page = *pages_[number];
    return (page.opened & bit_of(job)) != 0 ? &page.values[place_of(job)] : nullptr;
  }
  [[nodiscard]] Value* find(JobId job) {
    return const_cast<Value*>(std::as_const(*this).find(job));  // NOLINT: same object
  }

 private:
  static constexpr std::size_t kPage = 64;  // one bit of a word for each
  struct Page {
    std::uint64_t opened = 0;
    std::array<Value, kPage> values{};
  };

  static std::size_t number_of(JobId job) { return index(job) / kPage; }
  static std::size_t place_of(JobId job) { return index(job) % kPage; }
  static std::uint64_t bit_of(JobId job) { return std::uint64_t{1} << place_of(job); }

  // Copied from one that is fresh where that is all the same: making one takes longer.
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

  std::vector<std::unique_ptr<Page>> pages_;  // null: none of its jobs is in
  std::vector<std::unique_ptr<Page>> spare_;
};

}  // namespace berth
