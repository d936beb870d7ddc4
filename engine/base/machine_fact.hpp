#pragma once
// What only one machine can tell of what happened.

#include <string>
#include <string_view>

#include "engine/base/field_writer.hpp"

namespace berth {

// The machine's law and measure read it by its type; logs and views by its word and
// fields.
class MachineFact {
 public:
  virtual ~MachineFact() = default;
  // The kind that the log gives it: "repacked", "refusal".
  [[nodiscard]] virtual std::string_view word() const = 0;
  // May work them out when asked.
  virtual void fields(FieldWriter& to) const = 0;
  // For the user, behind "3 can be placed"; empty: there are none.
  [[nodiscard]] virtual std::string words() const { return {}; }
};

}  // namespace berth
