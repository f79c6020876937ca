// The code of toml++, which other files of this room include as declarations only.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
