// The code of toml++, once for the whole folder.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
