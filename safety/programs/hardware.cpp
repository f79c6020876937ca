// Disks, volumes, sensors, devices.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr std::string_view kLvmShorts = "aAhHo:O:PS:vst";
constexpr std::string_view kLvmLongs =
    "all options= units= noheadings separator= sort= select= reportformat= nosuffix verbose segments "
    "maps columns partial nameprefixes unbuffered aligned";

constexpr SubCommand kNvme[] = {
    {.words = "list,list-subsys,smart-log,id-ctrl,id-ns,error-log,fw-log,show-regs,version",
     .reason = "shows drives",
     .shorts = "o:n:H",
     .longs = "output-format= namespace-id= human-readable",
     .traits = kPlain},
    {"format,sanitize,write,write-zeroes,dsm,delete-ns", kDestroys, "erases a drive"},
};
constexpr SubCommand kDmsetup[] = {{.words = "ls,status,info,table,deps,targets,version",
                                    .shorts = "cCo:",
                                    .longs = "tree columns options= target=",
                                    .traits = kPlain},
                                   {"remove,remove_all,wipe_table", kDestroys, "removes device mappings"}};
constexpr SubCommand kBtrfs[] = {
    {"filesystem show,filesystem df,filesystem usage,fi show,fi df,fi usage,filesystem du,subvolume list,subvolume "
     "show,sub list,sub show,"
     "scrub status,balance status,qgroup show,device usage"},
    {.words = "device stats", .shorts = "c", .longs = "check", .traits = kPlain},
    {"subvolume delete,sub delete,device delete,device remove", kDestroys, "deletes subvolumes or devices"}};
constexpr SubCommand kZpool[] = {
    {.words = "status,list,get,iostat,history,version,events", .shorts = "xvLPHpo:T:gDwlqrils", .traits = kPlain},
    {"destroy,remove,detach,labelclear,offline", kDestroys, "destroys or detaches storage"}};
constexpr SubCommand kZfs[] = {{"list,get,version,holds,diff,userspace,groupspace"},
                               {"destroy,rollback", kDestroys, "destroys data sets or snapshots"}};
constexpr SubCommand kIpmitool[] = {
    {.words = "sensor,sdr,fru,sel", .traits = kPlain, .max_operands = 0},
    {"sdr list,sdr elist,sdr type,fru print,chassis status,power status,chassis power status,lan print,mc info,sel "
     "list,sel elist,sel info,bmc info,user list,dcmi power reading"},
    {"sensor thresh", kChanges, "sets sensor thresholds"},
    {"sel clear", kDestroys, "empties the event log"},
    {"power off,power reset,power cycle,chassis power off,chassis power reset,chassis power cycle", kDestroys,
     "switches the machine off"}};
constexpr SubCommand kCpupower[] = {{"frequency-info,idle-info,info"}};
constexpr SubCommand kUdevadm[] = {{.words = "info,version",
                                    .shorts = "q:p:n:raxet",
                                    .longs = "query= path= name= root attribute-walk export export-db tree",
                                    .traits = kPlain}};

constexpr Program kHardwarePrograms[] = {
    {.names = "lscpu lsmem lspci lsusb lsscsi numastat cpuid x86info lsirq",
     .reason = "lists hardware",
     .traits = kAny},
    {.names = "lshw",
     .reason = "lists hardware",
     .longs = "short class= c= C= businfo json html xml quiet sanitize numeric disable= enable= notime",
     .traits = kOneDash},
    {.names = "dmidecode", .shorts = "qs:t:uh", .longs = "quiet string= type= no-sysfs handle="},
    {.names = "biosdecode inxi hwinfo", .cls = kChanges, .reason = "is not known to only read"},
    {.names = "sensors", .shorts = "Afu", .longs = "fahrenheit no-adapter raw"},
    {.names = "smartctl",
     .shorts = "aAHixcl:d:n:q:jT:f:v:",
     .longs = "all xall info health capabilities attributes log= device= "
              "nocheck= quietmode= json? tolerance= format= scan scan-open"},
    {.names = "hdparm", .shorts = "IitTg", .needs = "I i t T g"},
    {.names = "nvme", .sub = kNvme},
    {.names = "mdadm",
     .shorts = "DEQvs",
     .longs = "detail examine query scan brief verbose export",
     .needs = "D E Q --detail --examine --query"},
    {.names = "lvs vgs pvs lvdisplay vgdisplay pvdisplay",
     .reason = "shows volumes",
     .shorts = kLvmShorts,
     .longs = kLvmLongs},
    {.names = "lvscan lvmdiskscan", .reason = "shows volumes", .shorts = "av"},
    {.names = "lvremove vgremove pvremove lvreduce vgreduce", .cls = kDestroys, .reason = "removes or shrinks volumes"},
    {.names = "lvcreate vgcreate pvcreate lvextend vgextend lvresize pvresize lvchange vgchange lvconvert resize2fs "
              "xfs_growfs growpart partprobe",
     .cls = kChanges,
     .reason = "changes volumes or file systems"},
    {.names = "dmsetup", .sub = kDmsetup},
    {.names = "blockdev",
     .longs = "getsize64 getsz getss getpbsz getbsz getra getro getiomin getioopt getfra getalignoff report",
     .needs = "--getsize64 --getsz --getss --getpbsz --getbsz --getra --getro --getiomin --getioopt --report"},
    {.names = "iscsiadm", .shorts = "m:P:", .longs = "mode= print=", .max_operands = 0, .needs = "m --mode"},
    {.names = "multipath", .shorts = "lv:", .needs = "l"},
    {.names = "blkid",
     .reason = "shows block devices",
     .shorts = "ipo:s:t:lL:U:kn:uD",
     .longs = "output= match-tag= match-token= probe label= uuid="},
    {.names = "fdisk sfdisk gdisk sgdisk cfdisk parted", .judge = judge_partition},
    {.names = "tune2fs dumpe2fs xfs_info xfs_db e2label e2fsck fsck xfs_repair debugfs btrfsck",
     .judge = judge_filesystem},
    {.names = "btrfs", .sub = kBtrfs},
    {.names = "zpool", .sub = kZpool},
    {.names = "zfs", .sub = kZfs},
    {.names =
         "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mke2fs mkswap mkfs.ntfs mkfs.f2fs",
     .cls = kDestroys,
     .reason = "makes a new file system over whatever is there"},
    {.names = "ipmitool", .shorts = "I:H:U:P:L:vf:Ec", .sub = kIpmitool},
    {.names = "numactl", .shorts = "Hs", .longs = "hardware show", .max_operands = 0},
    {.names = "cpupower", .shorts = "c:", .sub = kCpupower},
    {.names = "nvidia-smi",
     .reason = "shows the GPUs",
     .longs = "query list-gpus id= display= query-gpu= query-compute-apps= format= loop= "
              "query-accounted-apps= help-query-gpu q= L l= i= d=",
     .judge = judge_nvidia},
    {.names = "megacli MegaCli storcli storcli64 perccli hpssacli ssacli arcconf tw_cli", .judge = judge_raid},
    {.names = "hwclock", .shorts = "ruv", .longs = "show get verbose utc", .max_operands = 0},
    {.names = "eject setpci flashrom fwupdmgr", .cls = kChanges, .reason = "changes devices"},
    {.names = "udevadm", .sub = kUdevadm},
};

}  // namespace

std::span<const Program> hardware_programs() {
  return kHardwarePrograms;
}

}  // namespace safety
