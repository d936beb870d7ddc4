#pragma once
// What is kept of each job in the system, by job: JobPages for those who know anyhow
// who is in.
//
//   operation         time
//   open, [], close   O(1)
//   Memory            that of the jobs that are in, in pages of 64

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"

namespace berth::audit {

template <class Life>
class LifePages {
 public:
  // A fresh one.  The reference is good until the job is closed.
  // REQUIRES: the job is not in.
  Life& open(JobId job) {
    static_assert(std::is_trivially_copyable_v<Life>);
    static constexpr Life kFresh{};
    const auto number = index(job) / kPage;
    if (number >= pages_.size() || !pages_[number]) make_page(number);
    ++pages_[number]->inside;
    return (*this)[job] = kFresh;
  }
  // REQUIRES: opened and not closed since; not checked.
  [[nodiscard]] Life& operator[](JobId job) {
    return pages_[index(job) / kPage]->lives[index(job) % kPage];
  }
  [[nodiscard]] const Life& operator[](JobId job) const {
    return pages_[index(job) / kPage]->lives[index(job) % kPage];
  }
  // REQUIRES: opened and not closed since; not checked.
  void close(JobId job) {
    auto& page = pages_[index(job) / kPage];
    if (--page->inside == 0) spare(page);
  }

 private:
  static constexpr std::size_t kPage = 64;
  struct Page {
    std::uint32_t inside = 0;
    std::array<Life, kPage> lives{};
  };

  [[gnu::noinline]] void make_page(std::size_t number) {
    if (number >= pages_.size()) pages_.resize(number + 1);
    if (spare_.empty()) spare_.push_back(std::make_unique<Page>());
    pages_[number] = std::move(spare_.back());
    spare_.pop_back();
  }
  [[gnu::noinline]] void spare(std::unique_ptr<Page>& page) {
    spare_.push_back(std::move(page));
  }

  std::vector<std::unique_ptr<Page>> pages_;  // null: none of its jobs is in
  std::vector<std::unique_ptr<Page>> spare_;
};

}  // namespace berth::audit
