// Services, logs, mail and web servers, clusters.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr std::string_view kJournalLongs =
    "no-full full all follow boot? lines? no-tail reverse output= output-fields= utc catalog no-catalog quiet merge "
    "list-boots this-boot "
    "identifier= priority= facility= grep= case-sensitive? dmesg unit= user-unit= since= until= cursor= after-cursor= "
    "show-cursor "
    "header disk-usage list-catalog fields field= no-pager no-hostname system user machine= directory= file= root= "
    "verify interval= "
    "truncate-newline";

constexpr SubCommand kSystemdAnalyze[] = {
    {"time,blame,critical-chain,plot,dot,dump,unit-paths,calendar,timestamp,timespan,verify,security,cat-config,exit-"
     "status"}};
constexpr SubCommand kLoginctl[] = {
    {"list-sessions,list-users,list-seats,session-status,user-status,seat-status,show-session,show-user,show-seat"}};
constexpr SubCommand kCtlStatus[] = {
    {.words = "status,show,list-timezones,list-locales,list-keymaps,timesync-status,show-timesync", .max_operands = 0},
    {.words = "hostname,icon-name,chassis,deployment,location", .max_operands = 0}};
constexpr SubCommand kCoredumpctl[] = {
    {.words = "list,info", .shorts = "n:r1S:U:q", .longs = "no-pager since= until= reverse", .traits = kPlain}};
constexpr SubCommand kBusctl[] = {{"list,status,tree,introspect,get-property,monitor"}};
constexpr SubCommand kSupervisorctl[] = {{"status,tail,pid,avail,maintail,version"}};
constexpr SubCommand kInitctl[] = {{"list,status,show-config,version"}};
constexpr SubCommand kMonit[] = {{"status,summary,report"}};
constexpr SubCommand kPm2[] = {{"list,ls,status,show,describe,logs,prettylist,jlist,info,id,pid"},
                               {"delete,kill", CommandClass::Destructive, "removes processes"}};
constexpr SubCommand kRabbitmq[] = {
    {"status,cluster_status,list_queues,list_exchanges,list_bindings,list_connections,list_channels,list_consumers,"
     "list_users,list_vhosts,"
     "list_permissions,list_policies,environment,report,node_health_check,ping,check_running,check_local_alarms,alarms,"
     "list_parameters,version,memory_breakdown,"
     "check_port_connectivity,check_virtual_hosts,listeners"},
    {"reset,force_reset,delete_queue,purge_queue,delete_vhost,delete_user,forget_cluster_node",
     CommandClass::Destructive, "deletes queues, users or state"}};
constexpr SubCommand kCeph[] = {
    {.words = "status,health,df,osd tree,osd df,osd stat,osd status,osd perf,osd dump,osd pool ls,osd pool stats,osd "
              "pool get,mon stat,mon dump,quorum_status,pg stat,pg dump,pg ls,"
              "mds stat,fs status,fs ls,mgr dump,mgr services,versions,features,crash ls,crash info,config dump,config "
              "get,orch ls,orch ps,orch status,orch host ls,device ls,"
              "osd find,osd metadata,osd blocked-by,pg dump_stuck,progress,log last,osd ok-to-stop,osd safe-to-destroy",
     .shorts = "f:",
     .longs = "format=",
     .traits = kPlain},
    {"osd purge,osd destroy,osd pool delete,osd pool rm,fs rm,osd rm,mon remove", CommandClass::Destructive,
     "removes storage"}};
constexpr SubCommand kRbd[] = {{"ls,info,du,status,df,lspools,showmapped,snap ls"},
                               {"rm,remove,snap purge,snap rm,purge", CommandClass::Destructive, "deletes images"}};
constexpr SubCommand kGluster[] = {{"volume info,volume status,volume list,peer status,pool list"},
                                   {"volume delete", CommandClass::Destructive, "deletes a volume"}};
constexpr SubCommand kPacemaker[] = {
    {"status,config show,resource show,cluster status,stonith show,constraint show,quorum "
     "status,cstate,dstate,role,dump"}};
constexpr SubCommand kConsul[] = {
    {"members,info,catalog datacenters,catalog nodes,catalog services,operator raft list-peers,version,monitor,node "
     "status,status,job status,server members,alloc status,alloc logs"}};
constexpr SubCommand kVault[] = {{"status,version"}, {"read,kv get,token lookup", kChanges, "would show secrets"}};
constexpr SubCommand kFail2ban[] = {{"status,ping,version,banned"}};
constexpr SubCommand kDoveadm[] = {{"who,log errors,log find,quota get"}};

constexpr SubCommand kRndc[] = {{.words = "status,zonestatus,showzone", .traits = kPlain}};
constexpr SubCommand kUnbound[] = {
    {.words = "status,stats_noreset,list_local_zones,list_forwards,list_stubs,get_option", .traits = kPlain}};

constexpr Program kServicePrograms[] = {
    {.names = "systemctl", .judge = judge_systemctl},
    {.names = "journalctl",
     .reason = "reads the journal",
     .shorts = "aefb::kn::mlqro:c:t:p:u:g:S:U:xF:ND:M:",
     .longs = kJournalLongs,
     .traits = kNumbers},
    {.names = "service", .judge = judge_service},
    {.names = "rc-service", .judge = judge_service},
    {.names = "chkconfig", .longs = "list", .max_operands = 1, .needs = "--list"},
    {.names = "rc-status systemd-detect-virt systemd-cgls systemd-path systemd-escape systemd-id128", .traits = kAny},
    {.names = "systemd-cgtop", .shorts = "bn:d:pctmi1kPr", .longs = "batch iterations= delay= depth= raw"},
    {.names = "systemd-analyze", .longs = "no-pager user system", .sub = kSystemdAnalyze, .bare = "shows boot times"},
    {.names = "systemd-run systemd-tmpfiles systemd-sysusers systemd-nspawn machinectl",
     .cls = kChanges,
     .reason = "starts or changes units"},
    {.names = "loginctl",
     .shorts = "p:al",
     .longs = "no-pager no-legend property= all full",
     .sub = kLoginctl,
     .bare = "lists sessions"},
    {.names = "hostnamectl timedatectl localectl",
     .longs = "no-pager static pretty transient json=",
     .sub = kCtlStatus,
     .bare = "shows settings"},
    {.names = "coredumpctl",
     .shorts = "n:r1S:U:q",
     .longs = "no-pager no-legend since= until= reverse",
     .sub = kCoredumpctl,
     .bare = "lists core dumps"},
    {.names = "busctl", .longs = "user system no-pager no-legend list", .sub = kBusctl, .bare = "lists bus names"},
    {.names = "supervisorctl", .shorts = "c:s:", .sub = kSupervisorctl},
    {.names = "initctl", .sub = kInitctl},
    {.names = "monit", .sub = kMonit},
    {.names = "pm2", .sub = kPm2},
    {.names = "nginx tengine openresty",
     .reason = "checks its configuration",
     .shorts = "tTvVqh",  // A configuration from elsewhere may load code.
     .needs = "t T v V"},
    {.names = "apache2ctl apachectl httpd apache2", .judge = judge_apache},
    {.names = "haproxy", .judge = judge_haproxy},
    // What they cannot read in a file they quote.
    {.names = "named-checkconf named-checkzone", .shorts = "pzhvxj", .longs = "", .traits = kPrints},
    {.names = "sshd", .shorts = "tTC:f:", .traits = kPrints, .needs = "t T"},
    {.names = "rndc", .sub = kRndc},
    {.names = "unbound-control", .shorts = "c:", .sub = kUnbound},
    {.names = "postconf", .judge = judge_postconf},
    {.names = "mailq", .max_operands = 0},
    {.names = "postqueue", .shorts = "pj", .needs = "p j"},
    {.names = "sendmail mail mailx mutt swaks", .cls = kChanges, .reason = "sends mail"},
    {.names = "squid varnishd", .cls = kChanges, .reason = "controls a proxy server"},
    {.names = "varnishstat varnishlog", .shorts = "1n:f:q:g:d", .longs = ""},
    {.names = "php-fpm php-fpm7.4 php-fpm8.2", .shorts = "tvim"},
    {.names = "rabbitmqctl rabbitmq-diagnostics",
     .shorts = "n:p:qt:",
     .longs = "node= vhost= quiet timeout= formatter= silent",
     .sub = kRabbitmq},
    {.names = "ceph", .shorts = "swf:", .longs = "status format= watch", .sub = kCeph, .bare = "shows the cluster"},
    {.names = "rbd rados", .shorts = "p:", .longs = "pool=", .sub = kRbd},
    {.names = "gluster", .sub = kGluster},
    {.names = "pcs crm drbdadm", .sub = kPacemaker},
    {.names = "crm_mon corosync-cfgtool corosync-quorumtool", .shorts = "1ArnfsHo", .longs = "one-shot"},
    {.names = "consul nomad", .sub = kConsul},
    {.names = "vault", .sub = kVault},
    {.names =
         "kafka-topics.sh kafka-topics kafka-consumer-groups.sh kafka-consumer-groups kafka-configs.sh kafka-configs "
         "kafka-log-dirs.sh kafka-broker-api-versions.sh",
     .judge = judge_kafka},
    {.names = "fail2ban-client", .sub = kFail2ban},
    {.names = "zabbix_agentd", .shorts = "pV", .needs = "p V"},
    {.names = "lpstat lpq", .traits = kAny},
    {.names = "doveadm", .sub = kDoveadm},
};

}  // namespace

std::span<const Program> service_programs() {
  return kServicePrograms;
}

}  // namespace safety
