#pragma once
// Instants of jobs, the starts of reservations or the ends of claims, earliest first.
//
// Structure    a binary heap without removal.  An entry is dead once its job has
//              another instant or none; the caller knows which (`is_live`) and sweeps
//              when dead entries are the majority.
//
//   operation             time, n = entries, d = entries up to the instant asked about
//   push                  O(log n)
//   up_to, first_behind   O(d)
//   take_up_to            O(d log n)

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth {

class StartHeap {
 public:
  struct Entry {
    Time start;
    JobId job;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  // Of all entries, dead ones too; kNever if there is none.
  [[nodiscard]] Time earliest() const {
    return heap_.empty() ? kNever : heap_.front().start;
  }
  void clear() { heap_.clear(); }
  void push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }
  // Removes dead entries from the top.
  template <class IsLive>
  void trim(const IsLive& is_live) {
    // Bounded: each dead start once in all.
    while (!heap_.empty() && !is_live(heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      heap_.pop_back();
    }
  }
  // Removes every dead entry.
  template <class IsLive>
  void sweep(const IsLive& is_live) {
    std::erase_if(heap_, [&](const Entry& entry) { return !is_live(entry); });
    std::make_heap(heap_.begin(), heap_.end(), Later{});
  }

  // Every entry up to `until`, dead ones too, in no order; replaces `out`.
  void up_to(Time until, std::vector<Entry>& out) const {
    out.clear();
    walk(0, [&](const Entry& entry) {
      if (entry.start > until) return false;
      out.push_back(entry);
      return true;
    });
  }
  // The same in order of time; they are entries no longer.
  void take_up_to(Time until, std::vector<Entry>& out) {
    out.clear();
    // Bounded: each entry is taken once.
    while (earliest() <= until && !heap_.empty()) {
      out.push_back(heap_.front());
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      heap_.pop_back();
    }
  }
  // The earliest live start later than `after`; nullopt: none.
  template <class IsLive>
  [[nodiscard]] std::optional<Time> first_behind(Time after,
                                                 const IsLive& is_live) const {
    Time first = kNever;
    walk(0, [&](const Entry& entry) {
      if (entry.start >= first) return false;
      if (entry.start > after && is_live(entry)) {
        first = entry.start;
        return false;
      }
      return true;
    });
    return first == kNever ? std::nullopt : std::optional(first);
  }

 private:
  struct Later {  // a type of its own, so that it is inlined
    bool operator()(const Entry& a, const Entry& b) const { return a.start > b.start; }
  };

  // Visits the children of a node if visit(node) is true.
  template <class Visit>
  void walk(std::size_t node, const Visit& visit) const {
    if (node >= heap_.size() || !visit(heap_[node])) return;
    walk(2 * node + 1, visit);
    walk(2 * node + 2, visit);
  }

  std::vector<Entry> heap_;
};

}  // namespace berth
