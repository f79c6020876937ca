// Processes, memory, users, the kernel and the hardware.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kSystem = {
    .read_only = R"ROWS(
prlimit --pid 1
tuned-adm active
dstat -cdn 1 3
utmpdump /var/log/wtmp
klist
lsof +L1
lsof -i :8080
lsof -p 1234
lsof -nP -iTCP -sTCP:LISTEN
free -m
free -h -s 1 -c 3
vmstat 1 5
vmstat -s
cat /proc/meminfo | head -5
ps aux --sort=-%mem | head -n 20
ps -ef | grep [n]ginx
ps -eo pid,rss,cmd --sort=-rss | awk 'NR<=10'
ps -o pid,stat,wchan:30,cmd -p 1234
pgrep -af java
pidof nginx
pstree -ap 1
pmap -x 1234 | tail -1
top -b -n 1 | head -20
top -bn1 -o %MEM
uptime
w
who -b
last -n 20
lastb | head
id deploy
getent passwd deploy
getent hosts db01
uname -a
hostnamectl
hostname -f
hostname -I
timedatectl
timedatectl status
date
date -u +%FT%TZ
date -d '1 hour ago' '+%Y-%m-%d %H:%M'
cat /etc/os-release
lsb_release -a
lscpu
nproc
numactl --hardware
lspci -nnk | grep -A3 -i ethernet
lsusb
dmidecode -t memory
sensors
dmesg -T | tail -50
dmesg --level=err,warn
dmesg -T | grep -iE 'oom|killed process'
lsmod | grep nf_conntrack
modinfo ixgbe
sysctl -a 2>/dev/null | grep somaxconn
sysctl -n vm.swappiness
cat /proc/sys/net/core/somaxconn
ulimit -a
ulimit -n
mpstat -P ALL 1 2
pidstat -u 1 3
sar -q -f /var/log/sysstat/sa15
sar -n DEV 1 3
coredumpctl list
loginctl list-sessions
crontab -l
cat /etc/crontab /etc/cron.d/*
atq
ps aux | while read -r u p rest; do echo "$p"; done | head
nvidia-smi
nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv
ipmitool sensor
ipmitool sel list
getenforce
sestatus
ausearch -m avc -ts recent
auditctl -l
last reboot | head
chage -l deploy
stty size
locale
taskset -pc 1234
kill -0 1234
kill -l
jps -l
jstack 1234 | head -50
cat /proc/1234/status | grep -i vm
cat /proc/loadavg
lsof -p $(pidof nginx)
top -b -n1 -p $(pgrep -d, nginx)
)ROWS",
    .changing = R"ROWS(
prlimit --pid 1 --nofile=10
utmpdump -r f
tuned-adm profile x
pidstat -e rm x
coredumpctl dump -o f
kill 1234
kill -9 1234
pkill -f app
killall nginx
renice 10 -p 1
date -s '2020-01-01'
date 010100002020
hostname newname
hostnamectl set-hostname x
timedatectl set-ntp true
sysctl -w vm.swappiness=1
sysctl vm.swappiness=1
sysctl -p
dmesg -c
dmesg --clear
dmesg -n 1
crontab file
crontab -e
crontab -
modprobe dummy
logout
ulimit -n 100000
stty -echo
stty raw
logger hi
wall hi
useradd x
passwd
passwd root
usermod -aG x y
at now
dmesg | less
strace -p 1
gdb -p 1
perf record ls
htop
top
loginctl terminate-user x
ipmitool power cycle
nvidia-smi -pm 1
lshw -dump f
dmidecode --dump-bin f
udevadm info --cleanup-db
pmap -N f 1
pidstat -e touch f
sar -o f 1 1
lsof -D b
update-alternatives --config java
ldconfig
ldd ./x
lsof -D $(pidof x)
)ROWS",
    .destroying = R"ROWS(
echo b > /proc/sysrq-trigger
reboot
poweroff
halt
shutdown -h now
init 0
sudo reboot
kill -9 -1
kill -9 1
crontab -r
userdel -r x
)ROWS",
};

}  // namespace safety::commands
