#pragma once
// Maps of columns: from the command line, from TOML files, and those that come with
// berth; and a guess where there is none.

#include <memory>
#include <string>
#include <string_view>

#include "engine/workload/formats/column_map.hpp"

namespace berth::study {

// "field=column[:unit],...", a file that ends in .toml, or the name of a map that comes
// with berth.  Throws Error{kInput} with the place of what is wrong.
[[nodiscard]] std::shared_ptr<const ColumnMap> column_map(const std::string& said);

// The map that comes with berth for a table with this first line; null: none does.
[[nodiscard]] std::shared_ptr<const ColumnMap> map_for_header(std::string_view header);

// Whether a map of this name comes with berth.
[[nodiscard]] bool is_ready_map(std::string_view name);

}  // namespace berth::study
