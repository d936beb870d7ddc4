#pragma once
// The members of a queue and its head, the member with the smallest (key, job).
//
// Structure    A job that joins behind all others is appended to the line, a sorted
//              array, and marked as left in place.  A job that joins before another one
//              (orders with keys, suspended jobs) goes into a heap, from which it is not
//              removed when it leaves, and into a table of the members in the heap.
//
//   operation    time, q = members
//   join         O(1) at the back of the line, else O(log q); sometimes O(q log q)
//   leave        O(1) from the line with its hint, else O(log q); sometimes O(q)
//   head         O(1); O(log q) for each job that left the heap since
//   Memory       O(q); no allocation once the arrays have their size

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/job_map.hpp"

namespace berth::audit {

class WaitingLine {
 public:
  struct Member {
    double key;
    JobId job;
    std::int32_t size;  // >= 1
    friend bool operator==(const Member&, const Member&) = default;
  };

  // A hint where the member is, for `leave`.
  // REQUIRES: not a member; the key is finite.
  std::uint32_t join(Member member) {
    const bool is_last = length_ == 0 || comes_first(line_[length_ - 1], member);
    if (!is_last) return add_to_heap(member), 0;
    if (length_ == line_.size()) lengthen();
    line_[length_] = member;
    return first_hint_ + length_++;
  }
  // No effect if the job is no member with this key.  An outdated hint costs time only.
  void leave(JobId job, double key, std::uint32_t hint = 0) {
    const std::uint32_t at = hint - first_hint_;
    const bool is_there = at < length_ && line_[at].job == job && !has_left(line_[at]);
    return is_there ? mark_left(at) : find_and_leave(job, key);
  }
  // Null if there are no members.  Valid until the next change.
  [[nodiscard]] const Member* head() {
    if (!heap_.empty()) return head_of_both();
    return length_ == 0 ? nullptr : &line_[first_];
  }

 private:
  // So many jobs that left are kept without clearing the heap, or the line.
  static constexpr std::size_t kMostInHeap = 32;
  static constexpr std::uint32_t kMostInLine = 128;

  [[nodiscard]] static bool comes_first(const Member& a, const Member& b) {
    return a.key != b.key ? a.key < b.key : a.job < b.job;
  }
  // The heap has its largest element first.
  [[nodiscard]] static bool comes_last(const Member& a, const Member& b) {
    return comes_first(b, a);
  }
  [[nodiscard]] static bool has_left(const Member& member) { return member.size == 0; }
  // The rare cases are kept out of line.
  [[nodiscard, gnu::noinline]] const Member* head_of_both();
  [[gnu::noinline]] void add_to_heap(Member member);
  [[gnu::noinline]] void lengthen();
  [[gnu::noinline]] void find_and_leave(JobId job, double key);
  [[gnu::noinline]] void clear_line();
  void clear_heap();
  [[nodiscard]] bool is_in_heap(const Member& member) const;
  [[nodiscard]] const Member* head_of_heap();
  void mark_left(std::uint32_t at) {
    line_[at].size = 0;
    ++left_;
    if (left_ == length_) {
      length_ = first_ = left_ = 0;
      return;
    }
    while (has_left(line_[first_])) ++first_;
    if (left_ > kMostInLine && 2 * left_ > length_) clear_line();
  }

  std::vector<Member> line_;  // sorted, up to length_; size 0: has left
  std::uint32_t length_ = 0;
  std::uint32_t first_ = 0;       // the first member of the line
  std::uint32_t first_hint_ = 0;  // hint of line_[0], modulo 2^32
  std::uint32_t left_ = 0;        // jobs in the line that have left
  std::vector<Member> heap_;      // members, and jobs that have left
  JobMap<Member> in_heap_;        // members
};

}  // namespace berth::audit
