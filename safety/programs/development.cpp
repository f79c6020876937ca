// Version control, infrastructure and cloud clients.
#include <algorithm>

#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

// What git's readers may be given. Not here: --output, --ext-diff, --textconv, -O, --open-files-in-pager, --exec,
// --upload-pack.
constexpr std::string_view kGitShorts = "n:pU:sbBMCDSG:L:zuwabviqrteclEFPh1";
constexpr std::string_view kGitLongs =
    "oneline stat? shortstat numstat name-only name-status summary patch no-patch graph all branches? tags? remotes? "
    "decorate? no-decorate pretty? format= abbrev-commit no-abbrev-commit "
    "abbrev? since= until= after= before= author= committer= grep= max-count= skip= reverse merges no-merges "
    "first-parent follow cached staged color? no-color word-diff? "
    "ignore-all-space ignore-space-change ignore-blank-lines unified= raw diff-filter= date= relative-date topo-order "
    "date-order left-right cherry-pick cherry "
    "porcelain? short branch long untracked-files? ignored? show-stash ahead-behind no-renames find-renames? "
    "show-toplevel show-current abbrev-ref is-inside-work-tree "
    "is-bare-repository git-dir verify quiet symbolic-full-name others modified deleted exclude-standard stage "
    "full-name line-number count ignore-case name-rev always "
    "dirty? match= exact-match contains= merged? no-merged? list points-at= sort= verbose heads refs get get-all "
    "get-regexp show-origin show-scope name-only local global system "
    "null numbered email summary no-index check submodule? exit-code minimal patience histogram no-ext-diff "
    "no-textconv full-index binary inter-hunk-context= objects "
    "no-walk walk-reflogs show-signature parents children boundary simplify-by-decoration full-history ancestry-path "
    "notes? pickaxe-all compact-summary dirstat? ";

constexpr SubCommand kGit[] = {
    {.words = "status,log,show,diff,blame,shortlog,describe,rev-parse,rev-list,ls-files,ls-tree,cat-file,whatchanged,"
              "name-rev,merge-base,diff-tree,diff-index,for-each-ref,show-ref,count-objects,"
              "var,version,stash list,stash show,reflog show,worktree list,submodule status,notes list,notes "
              "show,cherry,range-diff,annotate,check-ignore,remote get-url,remote show",
     .reason = "looks at the history",
     .shorts = kGitShorts,
     .longs = kGitLongs,
     .traits = kPrints | kNumbers},
    {.words = "branch",
     .shorts = "arvl",
     .longs = "list all remotes verbose show-current contains= merged? no-merged? sort= format= points-at= no-color "
              "color? abbrev?",
     .traits = kPlain,
     .max_operands = 0},
    {.words = "tag",
     .shorts = "ln:",
     .longs = "list contains= merged? sort= format= points-at=",
     .traits = kPlain,
     .max_operands = 0},
    {.words = "remote", .shorts = "v", .longs = "verbose", .traits = kPlain, .max_operands = 0},
    {.words = "reflog", .shorts = "n:", .longs = "", .traits = kNumbers, .max_operands = 0},
    {.words = "config",
     .shorts = "l",
     .longs = "list get= get-all= get-regexp= show-origin show-scope local global system name-only",
     .traits = kPlain,
     .max_operands = 0},
    {.words = "grep",
     .shorts = "niIwlLchHvEFPpe:A:B:C:",
     .longs = "line-number ignore-case word-regexp name-only count cached untracked all-match no-index",
     .traits = kPrints},
    {"clean", kDestroys, "deletes files that are not under version control"},
    {"reset,checkout,restore", CommandClass::Changes, "can throw away local changes"},
    {"push", CommandClass::Changes, "changes the remote repository"},
};

constexpr SubCommand kSvn[] = {{.words = "info,log,status,st,list,ls", .shorts = "vql:r:u", .traits = kPlain}};
constexpr SubCommand kTerraform[] = {
    {"version,show,state list,state show,validate,providers,workspace list,workspace show,graph"},
    {"destroy,state rm", kDestroys, "destroys infrastructure"}};

constexpr Program kDevelopmentPrograms[] = {
    {.names = "git", .judge = judge_git},
    {.names = "svn", .shorts = "v", .sub = kSvn},
    {.names = "terraform tofu", .sub = kTerraform},
    {.names = "aws gcloud az aliyun tccli doctl openstack", .judge = judge_cloud},
    {.names = "ansible ansible-playbook ansible-vault salt puppet chef-client",
     .cls = CommandClass::Changes,
     .reason = "changes other hosts"},
    {.names = "gh glab", .cls = CommandClass::Changes, .reason = "talks to a code host on your behalf"},
};

}  // namespace

std::span<const Program> development_programs() {
  return kDevelopmentPrograms;
}

Judgement judge_git(const Invocation& call) {
  // Remotes of the form ext::command run a command.
  for (const auto& arg : call.args) {
    if (arg.text.find("::") != std::string::npos) return changes("names a git transport that can run a command");
  }
  // Not here: --git-dir and --work-tree, with which git trusts a repository's configuration whoever owns it, and that
  // can name programs (core.fsmonitor, filters). With -C it looks for the owner first.
  const Program program{
      .names = "git", .shorts = "C:P", .longs = "no-pager no-optional-locks literal-pathspecs", .sub = kGit};
  return judge_subcommand(program, call);
}

Judgement judge_cloud(const Invocation& call) {
  bool shows = false;
  for (const auto& arg : call.args) {
    if (!arg.known) return changes("a computed argument could be a command");
    const auto& word = arg.text;
    // aws takes file://… for a value, az @file: what stands there is sent, and quoted in errors.
    if (word.find("file://") != std::string::npos || word.find("fileb://") != std::string::npos ||
        word.starts_with('@') || word.find("=@") != std::string::npos)
      return changes("sends a file of this host");
    if (word.starts_with('-')) continue;
    for (const std::string_view bad : {"delete", "terminate", "destroy", "remove", "rm", "rb", "purge"}) {
      if (word == bad || word.starts_with(std::string(bad) + "-")) return destroys("deletes cloud resources");
    }
    if (word.find("secret") != std::string::npos || word.find("password") != std::string::npos ||
        word.find("token") != std::string::npos || word.find("get-parameter") != std::string::npos ||
        word.find("credentials") != std::string::npos || word.find("keys") != std::string::npos) {
      return changes("may show credentials");
    }
    shows = shows || word.starts_with("describe") || word.starts_with("list") || word == "ls" || word == "show" ||
            word == "version" || word.starts_with("get-caller");
    for (const std::string_view bad :
         {"create", "update", "set", "put", "run", "start", "stop", "reboot", "attach", "detach", "modify", "cp", "mv",
          "sync", "ssh", "scp", "deploy", "invoke", "exec"}) {
      if (word == bad || word.starts_with(std::string(bad) + "-")) return changes("changes cloud resources");
    }
  }
  for (const char* writes : {"--output-file", "--query-file", "--cli-input-json"}) {
    if (mentions(call.args, writes)) return changes("reads or writes a file");
  }
  return shows ? reads("lists cloud resources") : changes("is not known to only read");
}

}  // namespace safety
