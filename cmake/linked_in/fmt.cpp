// libfmt, compiled into the program: its soname differs from system to system.  Debian
// has no archive of it, but its headers hold the sources.  What the headers declare as
// instantiated elsewhere is instantiated here.
#include <fmt/format-inl.h>

namespace fmt::detail {

template char decimal_point_impl<char>(locale_ref);
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template dragonbox::decimal_fp<float> dragonbox::to_decimal<float>(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal<double>(double) noexcept;

}  // namespace fmt::detail
