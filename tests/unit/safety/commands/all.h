// All families of commands together.
#pragma once

#include "containers.h"
#include "databases.h"
#include "disks.h"
#include "files.h"
#include "network.h"
#include "packages.h"
#include "services.h"
#include "shell.h"
#include "system.h"

namespace safety::commands {

inline constexpr Family kAll[] = {kFiles,      kDisks,     kSystem,   kServices, kNetwork,
                                  kContainers, kDatabases, kPackages, kShell};

/// Visits the commands of one table, `&Family::read_only` and so on, of every family.
template <typename Visit>
void each_command(std::string_view Family::*table, Visit visit) {
  for (const Family& family : kAll) each_row(family.*table, visit);
}

}  // namespace safety::commands
