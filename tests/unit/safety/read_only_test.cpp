// What an operator types while diagnosing must run unasked: asking too often trains people to press yes.
#include <gtest/gtest.h>

#include <ctime>

#include "safety/command_classifier.h"

namespace safety {
namespace {

// One command per line.
constexpr std::string_view kDiagnosis = R"ROWS(
df -hT
df -i /
du -sh /var/* 2>/dev/null | sort -rh | head -20
du -xh --max-depth=1 /var | sort -h
lsblk -f
losetup -a
blockdev --getsize64 /dev/sda
iscsiadm -m session
cryptsetup status home
prlimit --pid 1
tuned-adm active
dstat -cdn 1 3
nstat -s
nfsstat -s
smbstatus -b
rndc status
unbound-control stats_noreset
ebtables -L
restorecon -n -R /var/www
matchpathcon /etc/passwd
utmpdump /var/log/wtmp
klist
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
lsof +L1
lsof -i :8080
lsof -p 1234
lsof -nP -iTCP -sTCP:LISTEN
fuser -v /mnt
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
ss -s
ss -tanp state established '( dport = :443 )'
ss -lntup
netstat -tulpn
netstat -s | grep -i retrans
ip a
ip -br addr
ip addr show eth0
ip route
ip route get 8.8.8.8
ip -s link
ip -4 neigh show
ip rule list
ip netns list
ip netns exec blue ss -tln
tc -s qdisc show dev eth0
bridge fdb show
ethtool eth0
ethtool -S eth0 | grep -i drop
ethtool -i eth0
arp -an
route -n
ping -c 3 10.0.0.1
traceroute -n 10.0.0.1
mtr -rwc 5 10.0.0.1
dig +short example.com @8.8.8.8
dig example.com MX +noall +answer
host example.com
nslookup -type=mx example.com
nc -zv db01 5432
nc -z -w 3 10.0.0.5 22
timeout 3 bash -c '</dev/null'
curl -sI https://example.com
curl -s -o /dev/null -w '%{http_code} %{time_total}\n' https://example.com/health
curl -k -L -H 'Host: app.local' https://127.0.0.1/status
curl -sS --max-time 5 http://localhost:9200/_cluster/health?pretty
curl -s localhost:8500/v1/status/leader | jq .
wget -qO- http://127.0.0.1/nginx_status
wget --spider -S https://example.com
curl -s http://127.0.0.1:8080/health?verbose=1
curl -s 'http://prometheus:9090/api/v1/query_range?query=rate(node_cpu_seconds_total{mode="idle"}[5m])&start=1700000000&end=1700003600&step=60'
curl -s 'http://10.0.0.5:9200/_cat/indices?v&h=health,status,index,docs.count,store.size,pri.store.size&s=store.size:desc'
curl -s 'https://api.example.com/v1/items?page=2&per_page=50'
curl -s 'http://es.monitoring.svc:9200/_search?q=level:error+AND+service:checkout+AND+region:eu-central-1&size=5&sort=time'
iptables -L -n -v --line-numbers
iptables -t nat -S
nft list ruleset
firewall-cmd --list-all
ufw status verbose
conntrack -C
conntrack -L -p tcp
tcpdump -i eth0 -nn -c 20 port 53
resolvectl status
nmcli dev status
nmcli -t -f NAME,DEVICE con show
chronyc tracking
chronyc -n sources
ntpq -pn
openssl s_client -connect example.com:443 -servername example.com </dev/null 2>/dev/null | openssl x509 -noout -dates -subject
openssl x509 -in /etc/ssl/certs/site.crt -noout -text
openssl version
echo | openssl s_client -showcerts -connect 10.0.0.1:443 2>&1 | head -40
certbot certificates
ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub
systemctl status nginx --no-pager
systemctl --failed
systemctl list-units --type=service --state=running
systemctl is-active sshd
systemctl cat docker.service
systemctl list-timers --all
systemctl show -p MainPID,ActiveState nginx
service nginx status
service --status-all
systemd-analyze blame | head
systemd-cgls --no-pager
journalctl -u nginx -n 100 --no-pager
journalctl -xe --no-pager | tail -50
journalctl -p err -b --since today
journalctl --disk-usage
journalctl -k -g 'Out of memory' --no-pager
journalctl -u app --since "2024-01-01 00:00" --until "2024-01-01 01:00" -o json | jq -r .MESSAGE
coredumpctl list
loginctl list-sessions
supervisorctl status
crontab -l
cat /etc/crontab /etc/cron.d/*
atq
tail -n 200 /var/log/syslog
tail -f /var/log/nginx/error.log
tail -100 /var/log/messages
head -c 4096 /var/log/app.log
less /var/log/syslog | head
grep -c ' 500 ' /var/log/nginx/access.log
grep -rn 'listen' /etc/nginx/ --include='*.conf'
grep -A5 -B5 'Exception' app.log | tail -100
zgrep -h ERROR /var/log/app.log.*.gz | wc -l
egrep -i 'fail|error' /var/log/auth.log
awk '{print $1}' /var/log/nginx/access.log | sort | uniq -c | sort -rn | head
awk -F: '$3 >= 1000 {print $1}' /etc/passwd
awk '{s+=$10} END {print s/1024/1024 " MB"}' access.log
awk '/error/ || /warn/ {c++} END {print c}' app.log
awk -v t=500 '$9 > t' access.log
awk '{ if ($3 > 80) print $1, $3 }' usage.txt
awk 'NR==1 || $5+0 > 90 {printf "%s %s\n", $1, $5}' df.txt
awk '!seen[$0]++' list.txt
sed -n '100,200p' /var/log/syslog
sed -e 's/foo/bar/g' -e '/^#/d' /etc/app.conf
sed 's/[0-9]\{1,3\}\.[0-9]*/X/g' access.log | head
sed -n '/BEGIN/,/END/p' file.txt
sed '1d;$d' f
sed 's|/var/log|LOG|g; s/x/y/I' f
cut -d: -f1,7 /etc/passwd
sort -t, -k2,2n data.csv | uniq -c
tr -s ' ' '\n' < words.txt | sort | uniq
column -t -s: /etc/passwd
wc -l /var/log/*.log
diff -u /etc/app.conf /etc/app.conf.bak
diff <(sort a) <(sort b)
cmp a b
md5sum /usr/bin/ls
sha256sum *.iso
file /bin/ls
stat -c '%a %U %n' /etc/passwd
ls -la /etc/nginx/sites-enabled
ls -lt /var/log | head
ls -l /proc/1234/fd | wc -l
tree -L 2 /srv
find / -xdev -type f -size +500M 2>/dev/null
find /var/log -name '*.log' -mtime +7 -ls
find /etc -newer /etc/passwd -type f
find . -type d -empty
find /srv -maxdepth 2 -name '*.conf' -exec grep -l proxy_pass {} +
find /var -type f -printf '%s\t%p\n' | sort -rn | head
find /proc/1234/fd -lname '*deleted*'
find . \( -name '*.c' -o -name '*.h' \) -print0 | xargs -0 wc -l
find . ! -name '*.o' -type f | head
xargs -n1 basename < list.txt
which python3 java
command -v docker
type ls
readlink -f /usr/bin/java
ls -l $(which java)
realpath .
cat /etc/hosts /etc/resolv.conf
cat /etc/nginx/nginx.conf | grep -v '^#'
cat /var/log/app/*.log | grep ERROR | tail
strings /usr/bin/app | grep -i version
xxd -l 64 data.bin
jq '.items[] | .metadata.name' pods.json
echo hello
echo "PATH is $PATH"
printf '%s\n' a b c
env | grep -i proxy
printenv PATH
pwd
cd /var/log && ls -la
true; echo $?
test -f /etc/passwd && echo yes
[ -d /srv ] || echo no
[[ -f /etc/passwd && ! -L /etc/passwd ]] && echo ok
if [ -f /etc/redhat-release ]; then cat /etc/redhat-release; else cat /etc/debian_version; fi
for i in 1 2 3; do echo $i; done
for s in nginx redis; do systemctl is-active "$s"; done
for f in /var/log/*.log; do echo "== $f"; tail -n 3 "$f"; done
while read -r l; do echo "$l"; done < /etc/hosts
ps aux | while read -r u p rest; do echo "$p"; done | head
case $(uname -m) in x86_64) echo intel;; *) echo other;; esac
n=nginx; systemctl status $n --no-pager
pid=$(pgrep -o nginx); ls -l /proc/$pid/cwd
x=$(date +%s); echo $((x - 3600))
LANG=C df -h
LC_ALL=C sort -u f
time ls
nice -n 10 du -sh /srv
ionice -c3 du -sh /srv
timeout 10 find / -name core
sudo -n ss -tlnp
sudo journalctl -u sshd -n 20
sudo -u postgres psql -c 'select 1'
sudo cat /var/log/secure | tail
watch -n 1 'ss -s'
stdbuf -oL tail -f log | grep --line-buffered x
env LC_ALL=C ls
bash -c 'df -h; free -m'
sh -c "ps aux | wc -l"
eval 'ls -l'
docker ps -a
docker ps --format '{{.Names}}\t{{.Status}}'
docker logs --tail 100 api
docker logs -f --since 10m api 2>&1 | grep ERROR
docker stats --no-stream
docker inspect api | jq '.[0].State'
docker images
docker system df
docker network ls
docker volume inspect data
docker compose ps
docker compose -f /srv/app/compose.yml logs --tail=50
docker-compose ps
docker top api
docker version
podman ps
crictl ps -a
crictl pods
kubectl get nodes
kubectl get pods -A | grep -v Running
kubectl get pods -n kube-system -o wide
kubectl get events --sort-by=.lastTimestamp -n prod
kubectl get deploy api -n prod -o yaml
kubectl get pods -l app=api -o jsonpath='{.items[*].status.podIP}'
kubectl get secrets -n prod
kubectl describe pod api-0 -n prod
kubectl -n prod logs api-0 --tail=100 --previous
kubectl logs -f deploy/api -c app --since=1h
kubectl top pods -n prod --containers
kubectl top nodes
kubectl rollout status deploy/api -n prod
kubectl rollout history deploy/api
kubectl config current-context
kubectl version
kubectl api-resources
kubectl cluster-info
kubectl explain pod.spec
kubectl get --raw /healthz
kubectl auth can-i delete pods
helm list -A
helm status web -n prod
helm history web
etcdctl endpoint health
git status
git log --oneline -10
git diff HEAD~1
git show --stat HEAD
git branch -a
git remote -v
git --no-pager log -5 --pretty=format:%h
git -C /srv/app rev-parse HEAD
git blame main.c
psql -c 'select count(*) from users'
psql -h db01 -U app -d app -c "SELECT pid, state, query FROM pg_stat_activity WHERE state <> 'idle' ORDER BY query_start LIMIT 10"
psql -l
psql -At -c 'select pg_size_pretty(pg_database_size(current_database()))'
psql -c '\dt'
mysql -e 'show processlist'
mysql -u root -h 127.0.0.1 -e "SHOW ENGINE INNODB STATUS\G"
mysql -Ne 'select table_name, table_rows from information_schema.tables where table_schema = database()'
mysql -e 'explain select * from orders where id = 5'
mysqladmin status
mysqladmin -u root processlist
redis-cli info memory
redis-cli -h 10.0.0.3 -p 6380 ping
redis-cli slowlog get 10
redis-cli --bigkeys
redis-cli config get maxmemory
redis-cli get user:1
sqlite3 app.db 'select * from t limit 5'
sqlite3 -readonly app.db .tables
mongosh --quiet --eval 'rs.status()'
pg_isready -h db01
clickhouse-client -q 'select 1'
rabbitmqctl list_queues name messages
rabbitmqctl cluster_status
ceph -s
ceph osd tree
ceph health detail
gluster volume info
kafka-topics.sh --bootstrap-server b:9092 --list
kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group g
nginx -t
nginx -T 2>/dev/null | grep server_name
apachectl -S
httpd -M
haproxy -c -f /etc/haproxy/haproxy.cfg
sshd -T | grep -i permitroot
postqueue -p
mailq
dpkg -l | grep openssl
dpkg -L nginx
dpkg -S /usr/bin/curl
apt list --installed 2>/dev/null | head
apt-cache policy nginx
apt list --upgradable
rpm -qa | grep kernel
rpm -qf /usr/bin/curl
rpm -q --changelog openssl | head
yum list installed
dnf repolist
yum check-update
pip list
pip3 show requests
npm ls --depth=0
python3 --version
java -version
node -v
php -m
gcc --version
go version
nvidia-smi
nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv
ipmitool sensor
ipmitool sel list
tar -tvf backup.tar.gz | head
unzip -l app.zip
zcat /var/log/syslog.2.gz | grep error
gzip -dc dump.gz | head
gunzip -c app.log.gz | tail
base64 -d token.txt | wc -c
history 20
alias
jobs
getenforce
sestatus
ausearch -m avc -ts recent
auditctl -l
last reboot | head
chage -l deploy
stty size
locale
ls ~/.ssh
cat ~/.ssh/authorized_keys
ls -l /etc/shadow
busybox df -h
taskset -pc 1234
cat <<< "hi"
cat <<EOF
hello
EOF
ls {a,b}*.log
ls /var/log/nginx/{access,error}.log
grep -E "a|b" 'my file'
# just a comment
ls -l # show files
kill -0 1234
kill -l
exportfs -v
showmount -e nfs01
vtysh -c 'show ip bgp summary'
aws ec2 describe-instances --region eu-west-1
aws s3 ls
jps -l
jstack 1234 | head -50
echo "disk: $(df -h / | tail -1)"
echo "`uptime`"
cat /proc/1234/status | grep -i vm
cat /proc/loadavg
ls -1 | wc -l
seq 1 5
sleep 2; uptime
for p in $(kubectl get pods -o name); do kubectl logs --tail=5 $p; done
lsof -p $(pidof nginx)
journalctl -b -1 -e --no-pager
for h in web01 web02; do ping -c1 -W1 $h; done
top -b -n1 -p $(pgrep -d, nginx)
docker inspect $(docker ps -q)
find -L /srv -name y
curl -s localhost:8080/info | python3 -m json.tool
)ROWS";

// These look alike but ask; they are listed so that the rate below is honest about what is left out.
constexpr std::string_view kToleratedAsks = R"ROWS(
for p in $(cat list); do kubectl logs --tail=5 $p; done
)ROWS";

template <typename Visit>
void each_row(std::string_view rows, Visit visit) {
  std::string pending;
  std::string here_doc;
  while (!rows.empty()) {
    const auto end = rows.find('\n');
    const std::string line(rows.substr(0, end));
    rows.remove_prefix(end + 1);
    if (line.empty()) continue;
    if (!pending.empty() || line.find("<<EOF") != std::string::npos) {
      pending += (pending.empty() ? "" : "\n") + line;
      if (line != "EOF") continue;
      visit(pending);
      pending.clear();
      continue;
    }
    visit(line);
  }
}

TEST(ReadOnlyCatalogue, DiagnosisRunsUnasked) {
  const CommandClassifier classifier;
  int total = 0;
  each_row(kDiagnosis, [&](const std::string& command) {
    ++total;
    const auto verdict = classifier.classify(command);
    EXPECT_EQ(name_of(verdict.cls), "read-only") << command << "\n  " << verdict.reason;
  });
  EXPECT_GT(total, 300);
}

TEST(ReadOnlyCatalogue, SaysWhatItFoundOfEachPart) {
  const auto verdict = CommandClassifier().classify("df -h | tail -1; uptime");
  ASSERT_EQ(verdict.parts.size(), 3u);
  EXPECT_EQ(verdict.parts[0].command, "df -h");
  EXPECT_EQ(verdict.parts[1].command, "tail -1");
  EXPECT_EQ(verdict.parts[2].command, "uptime");
  EXPECT_FALSE(verdict.parts[0].reason.empty());
  EXPECT_EQ(verdict.reason, "every part only reads");
}

TEST(ReadOnlyCatalogue, AsksRatherThanGuessesWhereALoopIsFedByACommand) {
  each_row(kToleratedAsks, [&](const std::string& command) {
    EXPECT_EQ(name_of(CommandClassifier().classify(command).cls), "changes") << command;
  });
}

TEST(ReadOnlyCatalogue, IsDecidedInMicroseconds) {
  const CommandClassifier classifier;
  classifier.classify("ls");
  const auto begin = std::clock();
  int total = 0;
  for (int round = 0; round < 5; ++round) {
    each_row(kDiagnosis, [&](const std::string& command) {
      classifier.classify(command);
      ++total;
    });
  }
  const double each = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / total;
  RecordProperty("nanoseconds_per_command", static_cast<int>(each * 1e9));
  EXPECT_LT(each * 1e6, 500) << "microseconds per command";
}

}  // namespace
}  // namespace safety
