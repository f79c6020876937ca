// Package managers and language runtimes.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr SubCommand kApt[] = {
    {.words = "list,show,search,policy,depends,rdepends,showsrc,madison",
     .shorts = "aqfn",
     .longs = "installed upgradable upgradeable all-versions manual-installed quiet full names-only",
     .traits = kPlain},
    {"purge,autoremove,remove,autopurge", kDestroys, "removes packages"}};
constexpr SubCommand kAptCache[] = {
    {.words = "show,showpkg,policy,search,depends,rdepends,madison,pkgnames,stats,dump,dumpavail,unmet,showsrc",
     .shorts = "qaifn",
     .longs = "installed recurse all-versions names-only full no-all-versions",
     .traits = kPlain}};
constexpr SubCommand kAptMark[] = {{"showhold,showmanual,showauto,showinstall,showremove"}};
constexpr SubCommand kAptFile[] = {{"search,list,find,show"}};
constexpr SubCommand kYum[] = {
    {.words = "list,info,search,repolist,provides,whatprovides,check-update,deplist,repoquery,history list,history "
              "info,repoinfo,updateinfo,grouplist,groupinfo,module list,check",
     .shorts = "qvCla",
     .longs = "quiet verbose cacheonly installed available all disablerepo= enablerepo= showduplicates list info "
              "security requires whatrequires whatprovides provides qf= queryformat= recursive "
              "latest-limit= upgrades updates extras",
     .traits = kPlain},
    {.words = "history", .max_operands = 0},
    {"remove,erase,autoremove,history undo,history rollback", kDestroys, "removes packages"}};
constexpr SubCommand kZypper[] = {{"search,se,info,if,repos,lr,list-updates,lu,list-patches,lp,packages,pa,patches,"
                                   "products,pd,services,ls,locks,ll,ps,what-provides,wp,patch-check,pchk"},
                                  {"remove,rm", kDestroys, "removes packages"}};
constexpr SubCommand kApk[] = {{"info,list,policy,search,stats,version,dot"}, {"del", kDestroys, "removes packages"}};
constexpr SubCommand kSnap[] = {
    {"list,info,find,changes,services,connections,version,interfaces,remotes,search,history,warnings"},
    {"remove,uninstall", kDestroys, "removes packages"}};
constexpr SubCommand kPip[] = {{.words = "list,show,freeze,check,config list,debug",
                                .shorts = "vqo",
                                .longs = "outdated format= user local verbose files not-required uptodate",
                                .traits = kPlain},
                               {"uninstall", kDestroys, "removes packages"}};
constexpr SubCommand kNpm[] = {{"ls,list,view,outdated,root,prefix,ping,config get,config list,why,explain"},
                               {"uninstall,remove,rm,prune", kDestroys, "removes packages"}};
constexpr SubCommand kGem[] = {{"list,search,environment,env,info,contents,specification,which"},
                               {"uninstall", kDestroys, "removes packages"}};

constexpr Program kPackagePrograms[] = {
    {.names = "dpkg", .judge = judge_dpkg},
    {.names = "dpkg-query", .reason = "asks the package database", .traits = kAny},
    {.names = "apt", .shorts = "aq", .longs = "all-versions quiet", .sub = kApt},
    {.names = "apt-get aptitude", .judge = judge_apt_get},
    {.names = "apt-cache",
     .shorts = "qaifn",
     .longs = "quiet all-versions installed full names-only",
     .sub = kAptCache},
    {.names = "apt-mark", .sub = kAptMark},
    {.names = "apt-file", .shorts = "xlF", .sub = kAptFile},
    {.names = "rpm", .judge = judge_rpm},
    {.names = "yum dnf microdnf tdnf",
     .shorts = "qvCe:d:",
     .longs = "quiet verbose cacheonly disablerepo= enablerepo= showduplicates noplugins",
     .sub = kYum},
    {.names = "repoquery needs-restarting debsums checkrestart",
     .reason = "asks the package database",
     .shorts = "alsrqicf",
     .longs =
         "installed available list info requires provides whatprovides location qf= queryformat= services reboothint"},
    {.names = "zypper", .shorts = "qnx", .longs = "quiet non-interactive no-refresh", .sub = kZypper},
    {.names = "pacman", .judge = judge_pacman},
    {.names = "apk", .shorts = "vq", .longs = "verbose quiet", .sub = kApk},
    {.names = "snap flatpak", .sub = kSnap},
    {.names = "pip pip3", .sub = kPip},
    {.names = "npm yarn pnpm",
     .shorts = "gv",
     .longs = "global prefix=",
     .sub = kNpm,
     .bare = "asks about the program itself"},
    {.names = "gem", .sub = kGem},
    {.names = "python python2 python3 perl ruby node nodejs php lua Rscript tclsh java go rustc gcc g++ cc clang make "
              "cargo mvn gradle "
              "dotnet deno bun erl elixir ghc swift scala kotlin groovy guile",
     .judge = judge_interpreter},
    {.names = "ldd", .cls = kChanges, .reason = "may run the program it looks at; use readelf or objdump -p"},
    {.names = "readelf nm size objdump addr2line", .traits = kAny | kPrints},
    {.names = "jps jstat jinfo jstack jmap jcmd", .judge = judge_java_tools},
};

}  // namespace

std::span<const Program> package_programs() {
  return kPackagePrograms;
}

}  // namespace safety
