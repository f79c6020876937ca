// Services and their logs: systemd, web servers, mail, name servers, certificates.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kServices = {
    .read_only = R"ROWS(
rndc status
unbound-control stats_noreset
certbot certificates
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
supervisorctl status
sudo journalctl -u sshd -n 20
nginx -t
nginx -T 2>/dev/null | grep server_name
apachectl -S
httpd -M
haproxy -c -f /etc/haproxy/haproxy.cfg
sshd -T | grep -i permitroot
postqueue -p
mailq
journalctl -b -1 -e --no-pager
)ROWS",
    .changing = R"ROWS(
rndc flush
unbound-control flush x
nginx -t -c /tmp/x.conf
keytool -list -providerclass x -providerpath /tmp
journalctl --cursor-file=/tmp/x
journalctl --setup-keys
systemctl start nginx
systemctl stop nginx
systemctl reload nginx
systemctl enable nginx
systemctl daemon-reload
systemctl -H other status x
systemctl edit nginx
systemctl set-property x CPUQuota=10%
service nginx restart
journalctl --vacuum-time=1d
journalctl --rotate
journalctl --vacuum-size 1G
journalctl --cursor-file=x
systemd-run ls
certbot renew
busctl call a b c d
supervisorctl restart x
nginx -s reload
nginx
apachectl restart
haproxy -f x
haproxy -c -f /tmp/x.cfg
haproxy -c -f /etc/haproxy/../../tmp/x.cfg
postconf -e a=b
postsuper -r ALL
service x stop
)ROWS",
    .destroying = R"ROWS(
systemctl reboot
systemctl poweroff
systemctl --no-block reboot
)ROWS",
};

}  // namespace safety::commands
