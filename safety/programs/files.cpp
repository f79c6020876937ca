// Files and directories: coreutils, searching, archives.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr Program kFilePrograms[] = {
    {.names = "ls dir vdir eza exa", .reason = "lists files", .traits = kAny},
    {.names = "stat readlink realpath basename dirname pathchk",
     .reason = "looks at names and metadata",
     .traits = kAny},
    {.names = "df findmnt lsblk", .reason = "shows disk usage and mounts", .traits = kAny},
    {.names = "du", .reason = "shows disk usage", .traits = kAny, .judge = judge_counter},
    {.names = "which whereis whatis apropos locate plocate", .reason = "finds programs and pages", .traits = kAny},
    {.names = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum crc32 xxhsum",
     .reason = "computes checksums",
     .traits = kAny},
    {.names = "cmp", .reason = "compares files", .traits = kAny | kPrints},
    {.names = "getfacl lsattr getcap getfattr namei", .reason = "shows permissions", .traits = kAny},
    {.names = "file",
     .shorts = "bckhiLNnprsvzZe:F:P:0",
     .longs = "brief mime mime-type mime-encoding dereference "
              "no-dereference keep-going uncompress special-files separator= extension",
     .traits = kPlain},
    {.names = "tree",
     .shorts = "adfilpsughDFqNQrtUxXJSnCAL:P:I:H:T:R",
     .longs = "noreport du si prune dirsfirst inodes "
              "device filelimit= timefmt= charset= sort= filesfirst gitignore matchdirs ignore-case"},
    {.names = "find", .judge = judge_find},
    {.names = "fd fdfind",
     .shorts = "HIusigFapLt:e:d:E:S:c:1q0lo:",
     .longs = "hidden no-ignore unrestricted case-sensitive "
              "ignore-case glob fixed-strings absolute-path full-path follow type= extension= max-depth= min-depth= "
              "exclude= size= "
              "changed-within= changed-before= color= owner= print0 list-details quiet"},

    {.names = "rm", .judge = judge_rm},
    {.names = "rmdir", .cls = kChanges, .reason = "removes directories"},
    {.names = "unlink", .cls = kChanges, .reason = "removes a file"},
    {.names = "shred srm wipe wipefs blkdiscard",
     .cls = kDestroys,
     .reason = "overwrites data so that it cannot be restored"},
    {.names = "dd", .judge = judge_dd},
    {.names = "truncate", .cls = kDestroys, .reason = "cuts a file's contents"},
    {.names = "fallocate", .cls = kChanges, .reason = "allocates or punches file contents"},
    {.names = "cp mv ln install link mkdir mkfifo mknod touch mktemp rename rsync scp sftp ditto",
     .cls = kChanges,
     .reason = "creates, moves or copies files"},
    {.names = "chmod chown chgrp chattr setfacl setfattr setcap", .judge = judge_chmod},
    {.names = "tee split csplit sponge patch dos2unix unix2dos", .judge = judge_tee},

    {.names = "tar gtar bsdtar", .judge = judge_tar},
    {.names = "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 pigz lzma", .judge = judge_gzip},
    {.names = "unzip", .judge = judge_unzip},
    {.names = "zipinfo", .reason = "lists an archive", .traits = kAny},
    {.names = "cpio", .shorts = "itvn", .longs = "list verbose", .needs = "t --list"},
    {.names = "zip 7z 7za rar ar compress uncompress", .cls = kChanges, .reason = "writes files or archives"},
};

}  // namespace

std::span<const Program> file_programs() {
  return kFilePrograms;
}

}  // namespace safety
