// libtomlplusplus, compiled into the program, as linked_in/fmt.cpp does with libfmt.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
