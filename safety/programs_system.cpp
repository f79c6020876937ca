// The running system: processes, memory, users, kernel, time.
#include "safety/judges.h"
#include "safety/program_tables.h"

namespace safety {
namespace {

constexpr auto kChanges = CommandClass::Changes;
constexpr auto kDestroys = CommandClass::Destructive;
constexpr unsigned kAny = kAnyOption;

constexpr SubCommand kCryptsetup[] = {
    {"status,isLuks,luksUUID"}, {"luksFormat,erase,luksErase,luksKillSlot", kDestroys, "destroys encrypted data"}};
constexpr SubCommand kTuned[] = {{"active,list,recommend,verify"}};
constexpr SubCommand kRealm[] = {{"list"}};

constexpr Program kPrograms[] = {
    {.names = "ps pgrep pidof pstree pwdx", .reason = "lists processes", .traits = kAny},
    {.names = "free vmstat uptime w who whoami id groups users last lastb tload procinfo",
     .reason = "shows the system's state",
     .traits = kAny},
    {.names = "uname arch nproc getconf tty locale logname hostid lsb_release",
     .reason = "shows the system's identity",
     .traits = kAny},
    {.names = "iostat mpstat cifsiostat nfsiostat", .reason = "shows counters", .traits = kAny},
    {.names = "lsmod modinfo lsns lslocks lsipc ipcs prtstat cal ncal",
     .reason = "shows the kernel's tables",
     .traits = kAny},
    {.names = "pmap", .shorts = "xXdqpA:", .longs = "extended device quiet show-path range="},
    {.names = "nfsstat",
     .reason = "shows counters",
     .shorts = "scnr234mo:lv",
     .longs = "server client nfs rpc mounts all list"},
    {.names = "dstat",
     .reason = "shows counters",
     .shorts = "acdDfghilmnprstTvyC:N:S:",
     .longs = "top-cpu top-mem top-io nocolor noheaders"},
    {.names = "pidstat", .reason = "shows counters", .shorts = "dhHIlrRsUtuvwp:C:G:T:", .longs = "human dec="},
    {.names = "lsof",
     .reason = "lists open files",
     .shorts = "aAbc:d:F::f:g::hi::k:K:l:LnNo:Op:PRs::S:t:T:u:UVvwx:X",
     .longs = ""},
    {.names = "fuser", .shorts = "amn:uv4c", .longs = "all mount namespace= user verbose"},
    {.names = "lastlog", .shorts = "b:t:u:", .longs = "before= time= user="},
    {.names = "faillog", .shorts = "at:u:", .longs = "all time= user="},
    {.names = "sar",
     .reason = "shows counters",
     .shorts = "ABbdFHhpqrSuvWwyzCDI:i:m:n:P:s:e:f:1t",
     .longs = "human pretty dec= iface= dev="},
    {.names = "top", .judge = judge_top},
    {.names = "htop atop glances btop nmon iftop nethogs bmon",
     .cls = kChanges,
     .reason = "is interactive and can signal processes; use ps or top -b"},
    {.names = "iotop iotop-c",
     .shorts = "bon:d:p:u:Pakqt",
     .longs = "batch only iter= delay= pid= user= processes accumulated kilobytes time quiet"},
    {.names = "slabtop", .shorts = "od:s:", .longs = "once delay= sort="},
    {.names = "dmesg",
     .reason = "prints the kernel's messages",
     .shorts = "dF:f:HkKLl:NpPrSs:tTuwWx",
     .longs = "show-delta facility= file= human kernel level= nopager raw syslog notime ctime userspace follow "
              "follow-new decode color? "
              "time-format= since= until= reltime json",
     .max_operands = 0},
    {.names = "sysctl", .judge = judge_sysctl},
    {.names = "date", .judge = judge_date},
    {.names = "hostname",
     .reason = "shows the name",
     .shorts = "aAdfiIsy",
     .longs = "alias all-ip-addresses domain fqdn long ip-address short all-fqdns",
     .max_operands = 0},
    {.names = "domainname dnsdomainname nisdomainname ypdomainname", .max_operands = 0},
    {.names = "getent", .judge = judge_getent},
    {.names = "chage", .shorts = "l", .longs = "list", .needs = "l --list"},
    {.names = "passwd", .judge = judge_passwd},
    {.names = "kill", .judge = judge_kill},
    {.names = "pkill killall skill snice renice", .cls = kChanges, .reason = "signals or reprioritises processes"},
    {.names = "shutdown reboot poweroff halt telinit kexec", .judge = judge_shutdown},
    {.names = "init killall5", .cls = kDestroys, .reason = "changes the run level or kills everything"},
    {.names = "modprobe",
     .shorts = "nDcRv",
     .longs = "dry-run show-depends showconfig show show-exports verbose",
     .needs = "n D c R --dry-run --show-depends --showconfig"},
    {.names = "insmod rmmod depmod", .cls = kChanges, .reason = "changes the kernel's modules"},
    {.names =
         "useradd usermod groupadd groupmod adduser addgroup gpasswd chpasswd chsh chfn newusers vipw visudo newgrp",
     .cls = kChanges,
     .reason = "changes accounts"},
    {.names = "userdel groupdel deluser delgroup", .cls = kDestroys, .reason = "removes accounts"},
    {.names = "crontab", .judge = judge_crontab},
    {.names = "atq", .traits = kAny},
    {.names = "at batch atrm anacron", .cls = kChanges, .reason = "changes scheduled jobs"},
    {.names = "mount", .judge = judge_mount},
    {.names = "losetup", .shorts = "alJ", .longs = "all list json raw", .max_operands = 0, .needs = "a l --all --list"},
    {.names = "cryptsetup", .sub = kCryptsetup},
    {.names = "umount swapoff pivot_root quotaon quotaoff", .cls = kChanges, .reason = "changes mounts or swap"},
    {.names = "mountpoint quota repquota", .reason = "shows mounts", .traits = kAny},
    {.names = "swapon",
     .shorts = "sv",
     .longs = "summary show? noheadings raw bytes verbose",
     .max_operands = 0,
     .needs = "s --summary --show"},
    {.names = "sync", .cls = kChanges, .reason = "writes cached data to disk"},
    {.names = "ipcrm ipcmk", .cls = kChanges, .reason = "changes shared memory"},
    {.names = "sestatus getenforce getsebool aa-status seinfo sesearch",
     .reason = "shows security settings",
     .traits = kAny},
    {.names = "matchpathcon", .traits = kAny},
    {.names = "restorecon", .shorts = "nRrv", .needs = "n"},
    {.names = "setenforce setsebool semanage chcon aa-enforce aa-complain aa-disable",
     .cls = kChanges,
     .reason = "changes security settings"},
    {.names = "aureport", .traits = kAny},
    {.names = "ausearch",
     .shorts = "a:c:e:f:g:hik:lm:n:o:p:r:s:t:u:vwx:",
     .longs = "start= end= message= interpret key= comm= pid= uid= raw just-one "
              "success= syscall= file= format="},
    {.names = "auditctl", .shorts = "ls", .needs = "l s"},
    {.names = "strace ltrace gdb gcore perf bpftrace bpftool ftrace trace-cmd stap",
     .cls = kChanges,
     .reason = "attaches to processes or the kernel"},
    {.names = "stty", .judge = judge_stty},
    {.names = "wall write mesg", .cls = kChanges, .reason = "writes to other people's terminals"},
    {.names = "logger", .cls = kChanges, .reason = "writes to the system log"},
    {.names = "logrotate", .shorts = "dv", .longs = "debug verbose", .needs = "d --debug"},
    {.names = "update-alternatives alternatives", .longs = "display= list= query= get-selections"},
    {.names = "ldconfig", .shorts = "pNXv", .longs = "print-cache", .needs = "p --print-cache"},
    {.names = "runlevel klist uuidgen", .traits = kAny},
    {.names = "prlimit", .shorts = "p:", .longs = "pid= raw noheadings output=", .max_operands = 0, .needs = "p --pid"},
    {.names = "utmpdump", .shorts = "f", .max_operands = 1},
    {.names = "smbstatus", .shorts = "bdLpSsu:n", .longs = "brief locks processes shares numeric"},
    {.names = "tuned-adm", .sub = kTuned},
    {.names = "realm", .sub = kRealm},
    {.names = "screen tmux byobu zellij", .cls = kChanges, .reason = "opens or controls a terminal session"},
};

}  // namespace

std::span<const Program> system_programs() {
  return kPrograms;
}

}  // namespace safety
