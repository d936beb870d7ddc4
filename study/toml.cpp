// The code of toml++, once for the whole folder.  It asserts, and with NDEBUG lets the
// compiler assume, what some broken files do not hold and what it has an error for a
// few lines on; so here it does neither.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
