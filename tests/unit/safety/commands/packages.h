// Packages, source trees and the versions of things.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kPackages = {
    .read_only = R"ROWS(
git status
git log --oneline -10
git diff HEAD~1
git show --stat HEAD
git branch -a
git remote -v
git --no-pager log -5 --pretty=format:%h
git -C /srv/app rev-parse HEAD
git blame main.c
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
)ROWS",
    .changing = R"ROWS(
git -c core.fsmonitor=/tmp/x status
git --git-dir=/tmp/x status
git --git-dir /tmp/x log
git --work-tree=/tmp/x status
git -C /tmp --git-dir=x diff
git --config-env=core.fsmonitor=X status
git grep --open-files-in-pager=sh x
rpm -q --pipe sh x
rpm --eval '%(touch x)'
apt -o Dpkg::Pre-Invoke::=sh list
git pull
git push
git commit -m x
git checkout main
git reset --hard
git -c core.pager=x log
git -c alias.x='!sh' x
git --exec-path=/tmp log
git log --output=f
git diff --ext-diff
git log -p --textconv
git grep -Ovi x
git grep --open-files-in-pager=x y
git branch new
git branch -D old
git tag v1
git remote add x y
git stash
git config user.name x
git fetch
git ls-remote ext::sh
git show --outp=f
apt install nginx
apt-get update
apt-get upgrade -y
apt -o APT::Pre-Invoke=x list
dpkg -i x.deb
yum install x
yum update
rpm -ivh x.rpm
pip install x
npm install
npm run build
gem install x
snap install x
make
make install
)ROWS",
    .destroying = R"ROWS(
git clean -fdx
apt remove nginx
apt-get purge x
yum remove x
rpm -e x
pip uninstall x
)ROWS",
};

}  // namespace safety::commands
