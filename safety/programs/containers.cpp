// Containers and clusters.
#include <algorithm>

#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr SubCommand kDocker[] = {
    {"ps,images,inspect,logs,stats,top,port,version,info,diff,history,events,search,container ls,container "
     "list,container ps,container inspect,container logs,"
     "container stats,container top,container port,container diff,image ls,image list,image inspect,image "
     "history,volume ls,volume list,volume inspect,network ls,"
     "network list,network inspect,system df,system info,system events,node ls,node inspect,node ps,service ls,service "
     "ps,service inspect,service logs,stack ls,"
     "stack ps,stack services,context ls,context show,context inspect,plugin ls,plugin inspect,secret ls,secret "
     "inspect,config ls,config inspect,buildx ls,buildx du,"
     "manifest inspect,pod ps,pod ls,pod inspect,pod stats,pod top,healthcheck list,ls,top,stack "
     "config"},
    {.words =
         "compose ps,compose ls,compose logs,compose images,compose top,compose version,compose port,compose events"},
    // --bootstrap would start the builder.
    {.words = "buildx inspect", .traits = kPlain},
    {.words = "compose config", .shorts = "q", .longs = "quiet services volumes images profiles", .traits = kPlain},
    {"system prune,volume rm,volume remove,volume prune,image prune,container prune,network prune,builder prune,buildx "
     "prune,swarm leave,stack rm,stack down,system reset,pod prune",
     kDestroys, "removes containers' data"},
    {"compose down", kDestroys, "removes containers and perhaps their volumes"},
    {"rm,container rm,container remove", kChanges, "removes containers"},
    {"rmi,image rm,image remove", kChanges, "removes images"},
    {"restart,stop,start,kill,pause,unpause,container restart,container stop,container start,container kill", kChanges,
     "starts or stops containers"},
    {"swarm join-token", kChanges, "would show a token"},
};

constexpr SubCommand kCrictl[] = {
    {"ps,pods,images,img,inspect,inspecti,inspectp,logs,stats,statsp,info,version,imagefsinfo,events,metricsp"},
    {"rm,rmi,rmp,stopp", kDestroys, "removes containers or images"},
};
constexpr SubCommand kCtr[] = {
    {"version,info,containers ls,containers list,containers info,c ls,c list,images ls,images list,i ls,i list,tasks "
     "ls,tasks list,t ls,tasks ps,tasks metrics,namespaces ls,"
     "namespaces list,ns ls,snapshots ls,plugins ls,events,content ls"},
};

constexpr std::string_view kKubectlShorts = "n:o:l:Awfc:pL:Rk";
constexpr std::string_view kKubectlLongs =
    "namespace= output= selector= all-namespaces watch watch-only filename= field-selector= sort-by= show-labels "
    "no-headers label-columns= ignore-not-found chunk-size= "
    "show-kind show-managed-fields context= cluster= request-timeout= tail= since= since-time= follow previous "
    "container= all-containers timestamps prefix max-log-requests= "
    "containers list quiet subresource= api-version= recursive cached api-group= namespaced verbs= client short "
    "revision= timeout= raw= for= types= minify flatten "
    "show-events limit-bytes= all-pods sum show-capacity warnings-only template= server-print "
    "insecure-skip-tls-verify-backend ignore-errors pod-running-timeout= v= warnings-as-errors";

constexpr SubCommand kKubectl[] = {
    {.words = "get,describe,logs,log,top,explain,api-resources,api-versions,version,events,wait,rollout status,rollout "
              "history,auth can-i,auth whoami,cluster-info,"
              "config get-contexts,config current-context,config get-clusters,config get-users,plugin list,options,adm "
              "top,status,projects,whoami",
     .reason = "reads from the cluster",
     .shorts = kKubectlShorts,
     .longs = kKubectlLongs,
     .traits = kPrints},
    {.words = "project", .traits = kPlain, .max_operands = 0},
    {.words = "config view", .shorts = "o:", .longs = "output= minify flatten context=", .traits = kPlain},
    {"delete", kDestroys, "deletes cluster objects"},
    {"drain", kDestroys, "evicts everything from a node"},
    {"replace", kChanges, "replaces cluster objects"},
    {"exec,rsh,attach,debug,run", kChanges, "runs code in a container"},
    {"rollout restart,rollout undo,rollout pause,rollout resume", kChanges, "restarts or rolls back a workload"},
    {"scale,autoscale,apply,create,patch,edit,set,label,annotate,expose,cordon,uncordon,taint,cp,port-forward,proxy,"
     "certificate",
     kChanges, "changes the cluster"},
};

constexpr SubCommand kHelm[] = {
    {.words = "list,ls,status,history,hist,get all,get manifest,get notes,get values,get hooks,get metadata,show "
              "chart,show values,show all,show readme,search repo,search hub,version,env,"
              "lint,dependency list,repo list,plugin list",
     .shorts = "n:o:Aaqr",
     .longs = "namespace= output= all-namespaces all short revision= filter= kube-context= max= time-format= "
              "deployed failed pending superseded uninstalled show-resources show-desc version= versions devel",
     .traits = kPlain},
    {"uninstall,delete,del,un", kDestroys, "removes a release"},
};

// Not here: --kubeconfig and -c, whose file can name programs that give credentials.
constexpr SubCommand kIstioctl[] = {
    {.words = "version,proxy-status,ps,analyze,x describe,proxy-config",
     .shorts = "n:o:Ai:",
     .longs = "namespace= output= all-namespaces istioNamespace= context= revision= color= use-kube= "
              "failure-threshold= remote short fqdn= port= direction= subset= address= type= name= verbose",
     .traits = kPrints}};
constexpr SubCommand kEtcdctl[] = {
    {.words = "endpoint health,endpoint status,member list,alarm list,version,check perf-list",
     .shorts = "w:",
     .longs = "endpoints= cluster write-out= cacert= cert= key=",
     .traits = kPlain},
    {"get", kChanges, "would show stored values, which may be secrets"},
    {"del,member remove,snapshot restore,defrag", kDestroys, "removes or rewrites cluster state"},
};

constexpr Program kContainerPrograms[] = {
    {.names = "docker podman nerdctl docker-compose podman-compose", .judge = judge_docker},
    {.names = "crictl",
     .shorts = "r:i:t:D",
     .longs = "runtime-endpoint= image-endpoint= timeout= debug",
     .sub = kCrictl},
    {.names = "ctr", .shorts = "n:a:", .longs = "namespace= address=", .sub = kCtr},
    {.names = "kubectl oc kubecolor k3s microk8s", .judge = judge_kubectl},
    {.names = "helm helm3", .judge = judge_helm},
    {.names = "istioctl", .shorts = "n:", .longs = "namespace=", .sub = kIstioctl},
    {.names = "etcdctl", .longs = "endpoints= cacert= cert= key= write-out= user= cluster", .sub = kEtcdctl},
    {.names = "kubeadm minikube kind k9s skopeo buildah lxc lxc-attach virsh qm pct vagrant", .judge = judge_virtual},
};

constexpr std::string_view kFileFormats[] = {"template-file", "templatefile", "jsonpath-file", "columns-file"};

/// Global options in front of the sub-command that only name a server, and the command with its words.
Judgement judge_rows(const Invocation& call, std::span<const SubCommand> rows, std::string_view shorts,
                     std::string_view longs) {
  const Program program{.names = call.name, .shorts = shorts, .longs = longs, .sub = rows};
  return judge_subcommand(program, call);
}

/// What stands after `--`, or after the pod's name, is a command inside the container.
Judgement judge_inside(const Invocation& call, std::span<const Argument> words, std::string_view where) {
  if (words.empty()) return changes("opens a shell in " + std::string(where));
  return at_least_changes(call.nested.judge_command(words), "runs code in " + std::string(where));
}

std::span<const Argument> after_operands(std::span<const Argument> args, std::string_view shorts,
                                         std::string_view longs, std::size_t operands) {
  const auto options = read_options(args, shorts, longs, kOperandEnds | kAnyOption);
  return options.first_operand + operands < args.size() ? args.subspan(options.first_operand + operands)
                                                        : std::span<const Argument>{};
}

/// `-o go-template-file=…` and its like print what stands in a file of this host.
bool prints_a_file(std::span<const Argument> args) {
  return std::any_of(args.begin(), args.end(), [](const Argument& arg) {
    return std::any_of(std::begin(kFileFormats), std::end(kFileFormats), [&](std::string_view format) {
      return arg.text.find(format) != std::string::npos || arg.tail.find(format) != std::string::npos;
    });
  });
}

bool shows_secret_values(std::span<const Argument> args) {
  bool secret = false;
  bool values = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto& text = args[i].text;
    secret = secret || text.starts_with("secret") || text.find("secret/") != std::string::npos ||
             text.find("secrets") != std::string::npos;
    auto format = std::string_view();
    if ((text == "-o" || text == "--output" || text == "--template") && i + 1 < args.size()) format = args[i + 1].text;
    if (text.starts_with("-o") && text.size() > 2) format = std::string_view(text).substr(2);
    if (text.starts_with("--output=")) format = std::string_view(text).substr(9);
    if (text.starts_with("--template")) format = "template";
    if (format.starts_with('=')) format.remove_prefix(1);
    values = values || (!format.empty() && format != "wide" && format != "name") || text.starts_with("--raw");
  }
  return secret && values;
}

}  // namespace

std::span<const Program> container_programs() {
  return kContainerPrograms;
}

Judgement judge_docker(const Invocation& call) {
  auto args = std::vector<Argument>(call.args.begin(), call.args.end());
  if (call.name.ends_with("-compose")) args.insert(args.begin(), Argument{.text = "compose"});
  // `docker compose -f x.yml ps`: its own options stand before its sub-command.
  if (!args.empty() && args[0].text == "compose") {
    const auto options =
        read_options(std::span(args).subspan(1),
                     "f:p:", "file= project-name= profile= env-file= project-directory= ansi=", kOperandEnds);
    if (!options.problem.empty()) return changes(options.problem);
    args.erase(args.begin() + 1, args.begin() + 1 + static_cast<std::ptrdiff_t>(options.first_operand));
  }
  Invocation whole{call.name, args, call.around, call.nested};
  const auto globals = read_options(args, "Dl:c:", "debug log-level= context=", kOperandEnds);
  if (globals.problem.empty() && !globals.operands.empty() && globals.operands[0]->known) {
    auto at = globals.first_operand;
    if (args[at].text == "container" || args[at].text == "compose") ++at;
    const auto word = at < args.size() ? args[at].text : "";
    if (word == "exec")
      return judge_inside(call,
                          after_operands(std::span(args).subspan(at + 1), "ditu:e:w:",
                                         "user= env= workdir= interactive tty detach privileged index=", 1),
                          "a container");
    if (word == "run")
      return judge_inside(
          call,
          after_operands(
              std::span(args).subspan(at + 1), "ditu:e:w:v:p:l:h:m:c:",
              "rm name= user= env= workdir= volume= network= entrypoint= mount= publish= restart= cpus= memory= pid=",
              1),
          "a new container");
    const bool volumes = std::any_of(args.begin(), args.end(), [](const Argument& arg) {
      return arg.text == "--volumes" ||
             (arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.find('v') != std::string::npos);
    });
    if ((word == "rm" || word == "down") && volumes) return destroys("removes containers with their data");
  }
  return judge_rows(whole, kDocker, "Dl:c:", "debug log-level= context=");
}

Judgement judge_kubectl(const Invocation& call) {
  auto args = call.args;
  if ((call.name == "k3s" || call.name == "microk8s") && !args.empty()) {
    if (args[0].text != "kubectl") return changes(std::string(call.name) + " can change the cluster");
    args = args.subspan(1);
  }
  constexpr std::string_view kGlobalShorts = "n:v:";
  constexpr std::string_view kGlobalLongs = "namespace= context= cluster= request-timeout= v=";
  const auto globals = read_options(args, kGlobalShorts, kGlobalLongs, kOperandEnds);
  if (globals.problem.empty() && !globals.operands.empty() && globals.operands[0]->text == "exec") {
    const auto rest = args.subspan(globals.first_operand + 1);
    const auto dashes =
        std::find_if(rest.begin(), rest.end(), [](const Argument& arg) { return arg.known && arg.text == "--"; });
    const auto words = dashes != rest.end() ? std::span(dashes + 1, rest.end())
                                            : after_operands(rest, "itn:c:q", "stdin tty namespace= container=", 1);
    return judge_inside(call, words, "a container");
  }
  Invocation whole{call.name, args, call.around, call.nested};
  auto judgement = judge_rows(whole, kKubectl, kGlobalShorts, kGlobalLongs);
  if (judgement.cls == CommandClass::ReadOnly && prints_a_file(args))
    return changes("would show a file of this host as its output format");
  if (judgement.cls == CommandClass::ReadOnly && shows_secret_values(args))
    return changes("would show the values of secrets");
  return judgement;
}

Judgement judge_helm(const Invocation& call) {
  return judge_rows(call, kHelm, "n:", "namespace= kube-context=");
}

Judgement judge_virtual(const Invocation& call) {
  static constexpr SubCommand kRows[] = {
      {"list,version,status,config images "
       "list,token-list,info,domstate,dominfo,nodeinfo,net-list,pool-list,vol-list,domblklist,dumpxml,inspect,profile "
       "list,addons list,get clusters,"
       "certs check-expiration,kubeadm-config,global-status,images,containers,ip,ssh-config,show,storage list,network "
       "list,pending,domstats,domifaddr"},
      {"delete,destroy,undefine,reset,rm,vol-delete,pool-destroy,snapshot-delete,stop", kDestroys,
       "destroys or stops machines"},
      {"create,edit", kChanges, "changes machines"},
  };
  if (call.name == "lxc-attach") return changes("runs code in a container");
  for (const auto& arg : call.args) {
    // qemu+ssh://…?command=… runs a program of the caller's choice to get there.
    const auto uri = arg.text.find("://");
    if (uri != std::string::npos && (!arg.known || arg.text.find_first_of("+?") != std::string::npos))
      return changes("reaches the machines through another program");
  }
  return judge_rows(call, kRows, "c:", "connect=");
}

}  // namespace safety
