// The shell's own language: quoting, expansion, control flow, wrappers, variables.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kShell = {
    .read_only = R"ROWS(
timeout 3 bash -c '</dev/null'
command -v docker
type ls
echo hello
echo "PATH is $PATH"
printf '%s\n' a b c
env | grep -i proxy
printenv PATH
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
sudo -u postgres psql -c 'select 1'
watch -n 1 'ss -s'
stdbuf -oL tail -f log | grep --line-buffered x
env LC_ALL=C ls
bash -c 'df -h; free -m'
sh -c "ps aux | wc -l"
eval 'ls -l'
history 20
alias
jobs
busybox df -h
cat <<< "hi"
cat <<EOF⏎hello⏎EOF
ls {a,b}*.log
# just a comment
ls -l # show files
echo "disk: $(df -h / | tail -1)"
echo "`uptime`"
seq 1 5
sleep 2; uptime
for p in $(kubectl get pods -o name); do kubectl logs --tail=5 $p; done
for h in web01 web02; do ping -c1 -W1 $h; done
)ROWS",
    .changing = R"ROWS(
[ x -eq 'a[$(id)]' ]
echo x > f
echo x >> f
ls > /tmp/list
ls &> out
ls 2> err.log
ls >| f
ls <> f
./script.sh
/tmp/ls
bash script.sh
sh ./x
source env.sh
. ./env.sh
bash
sudo -i
sudo su -
su - root
sudo -s
sudo -u app touch x
env X=1 touch f
env LD_PRELOAD=x ls
nohup ls
nice touch f
timeout 5 touch f
time touch f
setsid touch f
stdbuf -oL touch f
command touch f
builtin eval 'touch f'
exec ls
busybox touch f
watch touch f
watch -n1 'date > f'
flock /tmp/l ls
chroot /x ls
nsenter -t 1 -m ls
script -c ls
unshare -r ls
parallel echo ::: a
export A=b
export PATH=/tmp:$PATH
alias ls=rm
declare -x A=1
unset PATH
set -e
set +H
shopt -s extglob
trap 'ls' EXIT
exit
exec bash
umask 000
hash -p /tmp/x ls
PATH=/tmp ls
PATH=/tmp; ls
IFS=x
PROMPT_COMMAND=ls
LD_PRELOAD=./x.so ls
BASH_ENV=x bash -c ls
PAGER=./x man ls
GIT_SSH_COMMAND=x git log
LESSOPEN='|x %s' ls
PYTHONPATH=. ls
EDITOR=x ls
f() { ls; }
function f { ls; }
ls() { echo; }; ls
coproc ls
somethingunknown
unknown-tool --status
read PATH
printf -v x y
let a=1
((a=1))
((reboot))
echo ${x:=1}
echo ${x=1}
echo ${!x}
echo ${x@P}
echo ${ ls; }
echo $[ 1 > x ]
a[$(ls)]=1
[[ a > b ]]
[[ -v 'a[$(touch x)]' ]]
x='a[$(touch /tmp/p)]'; echo $((x))
echo "!ls"
!!
^a^b
for p in $(cat list); do find $p; done
)ROWS",
    .destroying = R"ROWS(
/bin/rm -rf x
\rm -rf x
'rm' -rf x
r""m -rf x
r\m -rf x
"rm" "-rf" x
$'rm' -rf x
$'\x72\x6d' -rf x
command rm -rf x
sudo rm -rf x
sudo -u root -n -- rm -rf x
env -i rm -rf x
env A=b rm -rf x
nice -n 5 rm -rf x
nohup rm -rf x &
timeout -k 1 5 rm -rf x
timeout --signal=KILL 5 rm -rf x
time rm -rf x
setsid -w rm -rf x
stdbuf -o0 rm -rf x
ionice -c 3 rm -rf x
taskset 1 rm -rf x
chrt -f 1 rm -rf x
exec rm -rf x
builtin command rm -rf x
busybox rm -rf x
watch rm -rf x
sh -c 'rm -rf x'
bash -c "rm -rf x"
bash -lc 'ls; rm -rf x'
bash -o pipefail -c 'rm -rf x'
sh -c "sh -c 'sh -c \"rm -rf x\"'"
su -c 'rm -rf x'
su - app -c 'rm -rf x'
nsenter -t 1 -m rm -rf x
chroot /x rm -rf y
flock /tmp/l rm -rf x
eval 'rm -rf x'
eval rm -rf x
eval "$(echo rm) -rf x"
ls; rm -rf x
ls && rm -rf x
ls || rm -rf x
ls | rm -rf x
ls & rm -rf x
(rm -rf x)
{ rm -rf x; }
! rm -rf x
if true; then rm -rf x; fi
while false; do rm -rf x; done
for i in 1; do rm -rf x; done
case a in a) rm -rf x;; esac
f() { rm -rf x; }; f
echo $(rm -rf x)
echo `rm -rf x`
echo "$(rm -rf x)"
echo "`rm -rf x`"
echo ${x:-$(rm -rf x)}
echo "${x:-`rm -rf x`}"
echo $((a[$(rm -rf x)]))
a[$(rm -rf x)]=1
x=$(rm -rf x)
x=$(rm -rf x) ls
cat <(rm -rf x)
ls > >(rm -rf x)
ls > $(rm -rf x)
cat <<< "$(rm -rf x)"
[[ $(rm -rf x) ]]
[ "$(rm -rf x)" ]
for i in $(rm -rf x); do ls; done
case $(rm -rf x) in a) ;; esac
echo {a,$(rm -rf x)}
a=(1 $(rm -rf x))
{rm,-rf,x}
rm${IFS}-rf${IFS}x
rm$IFS-rf$IFS/srv
$(echo rm) -rf x
`echo rm` -rf x
x=rm; $x -rf y
x=-delete; find / $x
r\⏎m -rf x
ls # a comment⏎rm -rf x
ls \⏎; rm -rf x
echo a#b; rm -rf x
echo 'a' 'b'; rm -rf x
echo "a;b" ; rm -rf x
true<f;rm -rf x
bash <<< 'rm -rf x'
coproc rm -rf x
time -p rm -rf x
:(){ :|:& };:
)ROWS",
};

}  // namespace safety::commands
