#pragma once

#include <string_view>

#include "safety/programs/program.h"

namespace safety {

/// A block device or another node through which hardware is written.
bool is_device(std::string_view path);

/// Files that decide who may log in, what runs by itself, or how the system starts.
bool is_persistence_path(std::string_view path);

/// Places whose loss is felt: system and data directories, logs.
bool is_precious_path(std::string_view path);

/// What writing to `target` by a redirection would do. `append` is `>>`.
Judgement judge_write_to(const Argument& target, bool append);

}  // namespace safety
