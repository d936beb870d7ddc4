#pragma once
// Why an action was not possible now: an expected answer, never an error.

#include <cstdint>
#include <string_view>

namespace berth {

// Why a job waits, as files, lists and scripts call it (docs/explain.md).  There is one
// object for each reason.
struct WhyRecord {
  // Reasons are judged, and listed, in this order; those of equal rank by name.
  std::uint8_t rank;
  std::string_view name;   // "no_room": in files and for scripts
  std::string_view words;  // "no room"
  std::string_view slurm;  // what squeue shows for it; empty: it has no word
  std::string_view help;   // one sentence
  // Of a job that has no room: "12 asked, 3 idle".
  std::string_view verb{"idle"};
};

// Ranks of the reasons of want of room, the kernel's and those of machines.
inline constexpr std::uint8_t kRoomRank = 1;
inline constexpr std::uint8_t kMachineRoomRank = 2;

// It belongs to the kernel or to one machine; there is one object for each refusal.
struct RefusalWord {
  std::string_view name;  // that a policy sees: "busy", "too_big"
  const WhyRecord& why;   // of a job that waits for it
  // It says that not even the empty machine has room for a job; {} stands for its size.
  std::string_view never{"no empty machine has room for its {} tasks"};
};

// Equal if the word is the same object.  Takes as much room as a pointer, also in a
// Result.
class Refusal {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a word is a refusal
  constexpr Refusal(const RefusalWord& word) : word_(&word) {}
  [[nodiscard]] constexpr const RefusalWord& word() const { return *word_; }
  friend constexpr bool operator==(Refusal a, Refusal b) { return a.word_ == b.word_; }

  static const Refusal kBusy;    // too few processors are idle; may succeed later
  static const Refusal kHeld;    // not admitted by the plan it was started under
  static const Refusal kTooBig;  // can never succeed on this machine

 private:
  template <class Value, class Reason>
  friend class Result;
  constexpr Refusal() = default;

  const RefusalWord* word_ = nullptr;  // null: none, in a Result with a value
};

inline constexpr WhyRecord kNoRoomWhy{
    kRoomRank, "no_room", "no room", "Resources",
    "It asks for more processors than are idle at the end of the pass."};
inline constexpr WhyRecord kTooBigWhy{3, "too_big", "too big", "BadConstraints",
                                      "It can never start on this machine."};
inline constexpr WhyRecord kWouldDelayWhy{
    4, "would_delay", "would delay", "Priority",
    "It fits, and would end behind the start that is reserved for another job, on "
    "processors which that job needs."};

inline constexpr RefusalWord kBusyWord{"busy", kNoRoomWhy};
inline constexpr RefusalWord kHeldWord{"held", kWouldDelayWhy};
inline constexpr RefusalWord kTooBigWord{"too_big", kTooBigWhy};

inline constexpr Refusal Refusal::kBusy{kBusyWord};
inline constexpr Refusal Refusal::kHeld{kHeldWord};
inline constexpr Refusal Refusal::kTooBig{kTooBigWord};

// The word a policy sees: "busy", "held", "too_big", ...
[[nodiscard]] constexpr std::string_view name(Refusal refusal) {
  return refusal.word().name;
}

}  // namespace berth
