#pragma once
// Why an action was not possible now: an expected answer, never an error.

#include <string_view>

namespace berth {

// It belongs to the kernel or to one machine; there is one object for each refusal.
struct RefusalWord {
  std::string_view name;   // that a policy sees: "busy", "too_big"
  std::string_view words;  // with which it is explained: "no room", "too big"
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

inline constexpr RefusalWord kBusyWord{"busy", "no room"};
inline constexpr RefusalWord kHeldWord{"held", "would delay"};
inline constexpr RefusalWord kTooBigWord{"too_big", "too big"};

inline constexpr Refusal Refusal::kBusy{kBusyWord};
inline constexpr Refusal Refusal::kHeld{kHeldWord};
inline constexpr Refusal Refusal::kTooBig{kTooBigWord};

// The word a policy sees: "busy", "held", "too_big", ...
[[nodiscard]] constexpr std::string_view name(Refusal refusal) {
  return refusal.word().name;
}

}  // namespace berth
