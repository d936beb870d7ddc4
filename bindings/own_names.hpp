#pragma once
// The names that every policy finds, for messages about those that it does not.

#include <string>
#include <string_view>

namespace berth::bindings {

// For an error of Lua that ends with "a nil value (global 'requir')", a field or a
// method: " (did you mean 'require'?)".  Nothing for other errors, and where no name is
// near.
[[nodiscard]] std::string name_hint(std::string_view message);

}  // namespace berth::bindings
