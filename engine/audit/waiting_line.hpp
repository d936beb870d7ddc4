#pragma once
// The members of a queue and who is its head, the one with the smallest (key, job).
//
// Structure    who comes in behind everybody stands in a line, a sorted array, and is
//              crossed out in place; whoever comes in before somebody (policies with
//              keys, suspended jobs) goes into a heap instead, without removal, beside
//              a table of who waits.
//
//   operation    time, q = members
//   join         O(1) at the back of the line, else O(log q), now and then O(q log q)
//   leave        O(1) from the line with its hint, else O(log q); now and then O(q)
//   head         O(1), O(log q) for each that left the heap since
//   Memory       O(q); no allocation once the arrays have their size.

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

  // A hint where the member stands, for `leave`.
  // REQUIRES: not a member; the key is a number.
  std::uint32_t join(Member member) {
    const bool is_last = length_ == 0 || comes_first(line_[length_ - 1], member);
    if (!is_last) return join_heap(member), 0;
    if (length_ == line_.size()) lengthen();
    line_[length_] = member;
    return first_hint_ + length_++;
  }
  // Nothing happens if no such member came in.  A hint that is out of date does no
  // harm.
  void leave(JobId job, double key, std::uint32_t hint = 0) {
    const std::uint32_t at = hint - first_hint_;
    const bool is_there = at < length_ && line_[at].job == job && !is_out(line_[at]);
    return is_there ? cross_out(at) : leave_both(job, key);
  }
  // Null if nobody waits.  The pointer is good until the next change.
  [[nodiscard]] const Member* head() {
    if (!heap_.empty()) return head_of_both();
    return length_ == 0 ? nullptr : &line_[first_];
  }

 private:
  // That left may stay in any case: in the heap, in the line.
  static constexpr std::size_t kFew = 32;
  static constexpr std::uint32_t kMany = 128;

  [[nodiscard]] static bool comes_first(const Member& a, const Member& b) {
    return a.key != b.key ? a.key < b.key : a.job < b.job;
  }
  // The other way round, as the heap wants it.
  [[nodiscard]] static bool stands_behind(const Member& a, const Member& b) {
    return comes_first(b, a);
  }
  [[nodiscard]] static bool is_out(const Member& member) { return member.size == 0; }
  // Rarely called, and kept apart so that the usual way stays short.
  [[nodiscard, gnu::noinline]] const Member* head_of_both();
  [[gnu::noinline]] void join_heap(Member member);
  [[gnu::noinline]] void lengthen();
  [[gnu::noinline]] void leave_both(JobId job, double key);
  void leave_heap(JobId job);
  [[nodiscard]] std::uint32_t search(JobId job, double key) const;
  [[gnu::noinline]] void sweep();
  [[nodiscard]] bool waits(const Member& member) const;
  void sweep_heap();
  bool leave_line(JobId job, double key);
  void cross_out(std::uint32_t at) {
    line_[at].size = 0;
    ++out_;
    if (out_ == length_) return clear_line();
    while (is_out(line_[first_])) ++first_;
    if (out_ > kMany && 2 * out_ > length_) sweep();
  }
  void clear_line() { length_ = first_ = out_ = 0; }
  [[nodiscard]] const Member* first_of_heap();

  std::vector<Member> line_;  // in order, as far as its length; size 0: left
  std::uint32_t length_ = 0;
  std::uint32_t first_ = 0;       // nobody before it is in
  std::uint32_t first_hint_ = 0;  // that of the line's first place, modulo 2^32
  std::uint32_t out_ = 0;         // how many of the line left
  std::vector<Member> heap_;      // of the others and of some who left them
  JobMap<Member> others_;
};

}  // namespace berth::audit
