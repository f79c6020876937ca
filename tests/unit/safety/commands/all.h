// All families of commands together.
#pragma once

#include "tests/unit/safety/commands/containers.h"
#include "tests/unit/safety/commands/databases.h"
#include "tests/unit/safety/commands/disks.h"
#include "tests/unit/safety/commands/files.h"
#include "tests/unit/safety/commands/network.h"
#include "tests/unit/safety/commands/packages.h"
#include "tests/unit/safety/commands/services.h"
#include "tests/unit/safety/commands/shell.h"
#include "tests/unit/safety/commands/system.h"

namespace safety::commands {

inline constexpr Family kAll[] = {kFiles,      kDisks,     kSystem,   kServices, kNetwork,
                                  kContainers, kDatabases, kPackages, kShell};

/// Visits the commands of one table, `&Family::read_only` and so on, of every family.
template <typename Visit>
void each_command(std::string_view Family::*table, Visit visit) {
  for (const Family& family : kAll) each_row(family.*table, visit);
}

}  // namespace safety::commands
