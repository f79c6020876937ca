// Networks: interfaces, sockets, names, fetching, firewalls, certificates.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr SubCommand kIw[] = {{.words = "dev,list,phy,reg get", .max_operands = 0}};
constexpr SubCommand kBrctl[] = {{"show,showmacs,showstp"}};
constexpr SubCommand kIpset[] = {
    {.words = "list,-L,save,test,version", .shorts = "nto:", .longs = "name terse output="},
    {"destroy,flush", CommandClass::Destructive, "empties firewall sets"}};
constexpr SubCommand kUfw[] = {{"status,show,version"},
                               {"reset", CommandClass::Destructive, "drops all firewall rules"}};
constexpr SubCommand kCertbot[] = {{"certificates,plugins"}};
constexpr SubCommand kWg[] = {{.words = "show interfaces", .max_operands = 0},
                              {.words = "show", .max_operands = 1},
                              {"showconf", kChanges, "would show private keys"}};
constexpr SubCommand kResolvectl[] = {{"status,query,statistics,service,show-cache,show-server-state"},
                                      {.words = "dns,domain,llmnr,mdns,dnssec", .max_operands = 1}};
constexpr SubCommand kNetworkctl[] = {{"list,status,lldp,label,cat"}};
constexpr SubCommand kChronyc[] = {
    {"tracking,sources,sourcestats,activity,ntpdata,clients,serverstats,rtcdata,smoothing,selectdata,authdata"}};

constexpr Program kNetworkPrograms[] = {
    {.names = "ss",
     .reason = "lists sockets",
     .shorts = "nralmoepsituwxd46f:OHZzbSEMNTvA:F:",
     .longs = "numeric resolve all listening options extended "
              "memory processes info summary tcp udp unix raw family= ipv4 ipv6 no-header oneline context contexts bpf "
              "sctp packet "
              "query= tos cgroup events",
     .traits = kPlain},
    {.names = "netstat", .reason = "lists sockets", .traits = kAny},
    // Without -s it writes down what it showed, and shows only the difference next time.
    {.names = "nstat rtacct",
     .reason = "shows counters",
     .shorts = "aszjp",
     .longs = "noupdate zeros json pretty ignore",
     .needs = "s --noupdate"},
    {.names = "lnstat",
     .reason = "shows counters",
     .shorts = "df:i:jk:s:w:",
     .longs = "dump file= interval= json keys="},
    {.names = "ip", .judge = judge_ip},
    {.names = "tc bridge devlink rdma dcb", .judge = judge_ip},
    {.names = "ifconfig", .reason = "shows interfaces", .shorts = "asv", .max_operands = 1},
    {.names = "iwconfig", .max_operands = 1},
    {.names = "ethtool", .judge = judge_ethtool},
    {.names = "arp", .shorts = "avneH:i:", .longs = "all verbose numeric", .max_operands = 1},
    {.names = "route", .shorts = "nveFCA:46", .longs = "numeric extend verbose", .max_operands = 0},
    {.names = "brctl", .sub = kBrctl},
    {.names = "iptables ip6tables iptables-legacy iptables-nft", .judge = judge_iptables},
    {.names = "iptables-save ip6tables-save",
     .reason = "lists firewall rules",
     .shorts = "ct:",
     .longs = "counters table="},
    {.names = "nft", .judge = judge_nft},
    {.names = "ipset", .sub = kIpset},
    {.names = "ipvsadm",
     .shorts = "Lln",
     .longs = "list numeric stats rate timeout connection exact",
     .needs = "L l --list"},
    {.names = "conntrack",
     .shorts = "LCGSs:d:p:f:o:n",
     .longs = "dump count stats proto= orig-src= orig-dst= dport= sport= state= output=",
     .needs = "L C G S --dump --count --stats"},
    {.names = "ufw", .sub = kUfw},
    {.names = "firewall-cmd", .judge = judge_firewall_cmd},
    {.names = "ping ping6",
     .reason = "sends a few probes",
     .shorts = "46c:i:W:w:I:nqDOs:t:M:Q:vaABC",
     .longs = "",
     .traits = kSends},
    {.names = "traceroute traceroute6 tracepath tracepath6",
     .reason = "traces a route",
     .shorts = "46nm:q:w:p:i:s:ITUAbl:f:",
     .longs = "max-hops= queries= wait= port= icmp tcp udp",
     .traits = kSends},
    {.names = "mtr",
     .shorts = "46nrwbc:i:s:m:jTuP:z",
     .longs = "report report-wide report-cycles= interval= no-dns json show-ips tcp udp port= max-ttl= aslookup",
     .traits = kSends},
    {.names = "dig host nslookup drill whois", .judge = judge_dns},
    {.names = "delv kdig", .judge = judge_dns},
    {.names = "tcpdump",
     .reason = "shows packets",
     .shorts = "AbdDefHi:jKLlnNOpqSs:c:tuUvxXT:r:",
     .longs = "interface= count snapshot-length= no-promiscuous-mode number list-interfaces"},
    {.names = "curl", .judge = judge_curl},
    {.names = "wget", .judge = judge_wget},
    {.names = "nc ncat netcat", .judge = judge_nc},
    {.names = "telnet socat nmap http https httpie ftp lftp aria2c axel",
     .cls = kChanges,
     .reason = "talks to other hosts in ways that can change things"},
    {.names = "ssh", .judge = judge_ssh},
    {.names = "ssh-keygen", .judge = judge_ssh_keygen},
    {.names = "ssh-add", .shorts = "lL", .needs = "l L"},
    {.names = "ssh-keyscan", .shorts = "46cDHp:T:t:v", .traits = kSends},
    {.names = "openssl", .judge = judge_openssl},
    {.names = "keytool", .judge = judge_keytool},
    {.names = "certbot", .sub = kCertbot},
    {.names = "iw", .sub = kIw},
    {.names = "wg", .sub = kWg, .bare = "shows tunnels"},
    {.names = "nmcli", .judge = judge_nmcli},
    {.names = "resolvectl systemd-resolve",
     .shorts = "46i:p:t:c:",
     .longs = "status statistics no-pager interface= type= legend= cache=",
     .sub = kResolvectl,
     .bare = "shows the resolver"},
    {.names = "networkctl",
     .shorts = "asln:",
     .longs = "all stats full lines= no-pager no-legend json=",
     .sub = kNetworkctl,
     .bare = "lists links"},
    {.names = "chronyc", .shorts = "acn46N", .sub = kChronyc},
    {.names = "ntpq", .shorts = "pn46w", .longs = "peers numeric", .needs = "p --peers"},
    {.names = "ntpstat", .traits = kAny},
    {.names = "ntpdate", .shorts = "qdu", .needs = "q d"},
    {.names = "sipcalc ipcalc", .traits = kAny},
    {.names = "vtysh birdc", .judge = judge_router},
    {.names = "showmount", .shorts = "aed", .longs = "all exports directories no-headers"},
    {.names = "exportfs", .shorts = "sv", .max_operands = 0},
    {.names = "ebtables arptables", .shorts = "Lt:n", .longs = "Lc Ln Lx", .needs = "L"},
    {.names = "rpcinfo", .shorts = "psm", .needs = "p s m"},
    {.names = "arping iperf iperf3 hping3 nping tcpreplay", .cls = kChanges, .reason = "puts traffic on the network"},
};

}  // namespace

std::span<const Program> network_programs() {
  return kNetworkPrograms;
}

}  // namespace safety
