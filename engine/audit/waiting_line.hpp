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
  std::uint32_t join(const Member& member) {
    const bool is_last = line_.empty() || comes_first(line_.back(), member);
    if (!is_last) return join_heap(member), 0;
    line_.push_back(member);
    return static_cast<std::uint32_t>(line_.size() - 1);
  }
  // Nothing happens if no such member came in.  A hint that is out of date does no
  // harm.
  void leave(JobId job, double key, std::uint32_t hint = 0) {
    const bool is_there =
        hint < line_.size() && line_[hint].job == job && !is_out(line_[hint]);
    return is_there ? cross_out(hint) : leave_both(job, key);
  }
  // Null if nobody waits.  The pointer is good until the next change.
  [[nodiscard]] const Member* head() {
    if (!heap_.empty()) return head_of_both();
    return line_.empty() ? nullptr : &line_[first_];
  }

 private:
  static constexpr std::size_t kFew = 32;  // that left may stay in any case

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
  [[gnu::noinline]] void join_heap(const Member& member);
  [[gnu::noinline]] void leave_both(JobId job, double key);
  void leave_heap(JobId job);
  [[nodiscard]] std::size_t search(JobId job, double key) const;
  [[gnu::noinline]] void sweep();
  [[nodiscard]] bool waits(const Member& member) const;
  void sweep_heap();
  bool leave_line(JobId job, double key);
  void cross_out(std::size_t at) {
    line_[at].size = 0;
    ++out_;
    if (out_ == line_.size()) return clear_line();
    if (out_ > kFew && 2 * out_ > line_.size()) return sweep();
    while (is_out(line_[first_])) ++first_;
  }
  void clear_line() {
    line_.clear();
    first_ = out_ = 0;
  }
  [[nodiscard]] const Member* first_of_heap();

  std::vector<Member> line_;  // in order; size 0: left
  std::size_t first_ = 0;     // nobody before it is in
  std::size_t out_ = 0;       // how many of the line left
  std::vector<Member> heap_;  // of the others and of some who left them
  JobMap<Member> others_;
};

}  // namespace berth::audit
