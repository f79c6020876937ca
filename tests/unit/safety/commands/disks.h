// Disks and file systems: partitions, volumes, arrays, mounts, network storage.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kDisks = {
    .read_only = R"ROWS(
df -hT
df -i /
du -sh /var/* 2>/dev/null | sort -rh | head -20
du -xh --max-depth=1 /var | sort -h
lsblk -f
losetup -a
blockdev --getsize64 /dev/sda
iscsiadm -m session
cryptsetup status home
nfsstat -s
smbstatus -b
restorecon -n -R /var/www
matchpathcon /etc/passwd
lsblk
lsblk -o NAME,SIZE,MOUNTPOINT,FSTYPE
findmnt --real
mount | grep nfs
mount -l -t ext4
blkid
fdisk -l /dev/sda
parted -l
swapon --show
pvs && vgs && lvs -a -o +devices
lvs --units g --noheadings
cat /proc/mdstat
mdadm --detail /dev/md0
smartctl -a /dev/sda
smartctl -H /dev/nvme0n1
nvme list
hdparm -I /dev/sda
zpool status -v
zfs list -t snapshot
btrfs filesystem usage /
tune2fs -l /dev/sda1
xfs_info /
iostat -xz 1 3
iotop -b -n 3 -o
fuser -v /mnt
ceph -s
ceph osd tree
ceph health detail
gluster volume info
exportfs -v
showmount -e nfs01
)ROWS",
    .changing = R"ROWS(
blkid -c /tmp/x
nfsstat -z
losetup -f disk.img
cryptsetup luksFormat /dev/sdb
blockdev --setro /dev/sda
iscsiadm -m node --logout
restorecon -R /var/www
cat /dev/sda
strings /dev/mapper/root
head -c 512 /dev/nvme0n1
mount /dev/sdb1 /mnt
mount -o remount,rw /
umount /mnt
swapon /dev/sdb2
ceph osd out 1
ceph osd tree -o f
lvextend -L+1G /dev/x
pvcreate /dev/sdb1
smartctl -t short /dev/sda
smartctl -s off /dev/sda
hdparm -W0 /dev/sda
mdadm --manage /dev/md0 --add /dev/sdb
zpool status -c x
)ROWS",
    .destroying = R"ROWS(
mkfs.ext4 /dev/sdb1
mkfs -t xfs /dev/sdb
mke2fs /dev/sdb
mkswap /dev/sdb1
wipefs -a /dev/sdb
fdisk /dev/sda
parted /dev/sda mklabel gpt
sgdisk -Z /dev/sda
lvremove -f x
vgremove x
zfs destroy x
zpool destroy x
blkdiscard /dev/sda
cat x > /dev/sda
echo x > /dev/nvme0n1
ceph osd purge 1
)ROWS",
};

}  // namespace safety::commands
