// The tables of what programs do, one file for each area.
#pragma once

#include <initializer_list>
#include <span>

#include "safety/programs/program.h"

namespace safety {

// Short words for the tables.
inline constexpr auto kChanges = CommandClass::Changes;
inline constexpr auto kDestroys = CommandClass::Destructive;
inline constexpr unsigned kAny = kAnyOption;

std::span<const Program> file_programs();
std::span<const Program> text_programs();
std::span<const Program> system_programs();
std::span<const Program> hardware_programs();
std::span<const Program> network_programs();
std::span<const Program> service_programs();
std::span<const Program> package_programs();
std::span<const Program> container_programs();
std::span<const Program> database_programs();
std::span<const Program> development_programs();
std::span<const Program> shell_builtins();
std::span<const Program> wrapper_programs();

std::span<const std::span<const Program>> all_programs();

}  // namespace safety
