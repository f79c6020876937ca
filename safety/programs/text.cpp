// Text tools: printing, filtering, searching, small languages.
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr unsigned kShow = kAnyOption | kPrints;

constexpr Program kTextPrograms[] = {
    {.names = "cat tac nl od hexdump hd strings rev zcat gzcat bzcat xzcat zstdcat lz4cat",
     .reason = "prints files",
     .traits = kShow},
    {.names = "head tail", .reason = "prints part of a file", .traits = kShow},
    {.names = "grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
     .reason = "searches text",
     .traits = kShow},
    {.names = "wc", .reason = "counts", .traits = kAny, .judge = judge_counter},
    {.names = "cut paste fold fmt expand unexpand column comm join pr tsort ptx base64 base32 basenc",
     .reason = "reformats text",
     .traits = kShow},
    {.names = "tr seq factor numfmt expr", .reason = "computes on text", .traits = kAny},
    {.names = "diff diff3 colordiff zdiff zcmp", .reason = "compares files", .traits = kShow},
    {.names = "jq gojq", .reason = "reads JSON", .traits = kShow},
    {.names = "sdiff", .shorts = "iEZbWBalsw:dH", .traits = kPrints},
    {.names = "sort",
     .reason = "sorts",
     .shorts = "bdfgiMhnRrVcCmsuzk:t:S:T:",
     .longs =
         "ignore-leading-blanks dictionary-order "
         "fold-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort "
         "reverse sort= "
         "version-sort check? merge stable unique zero-terminated key= field-separator= buffer-size= parallel= debug",
     .traits = kPrints},
    {.names = "shuf",
     .shorts = "ei:n:rz",
     .longs = "echo input-range= head-count= repeat zero-terminated",
     .traits = kPrints},
    {.names = "uniq",
     .reason = "drops repeated lines",
     .shorts = "cdDf:is:uzw:",
     .longs = "count repeated all-repeated? "
              "skip-fields= ignore-case skip-chars= unique zero-terminated check-chars= group?",
     .traits = kPrints,
     .max_operands = 1},
    {.names = "xxd",
     .reason = "dumps bytes",
     .shorts = "abc:Ceg:hil:o:n:pPrs:uv",
     .traits = kPrints,
     .max_operands = 1},
    {.names = "iconv", .shorts = "f:t:lcs", .longs = "from-code= to-code= list", .traits = kPrints},
    {.names = "rg",
     .reason = "searches text",
     .shorts = "A:B:C:cEe:f:FHhIiLlM:m:NnopqrsStT:uUvVwxzg:0j:",
     .longs = "after-context= before-context= context= count count-matches color= column encoding= file= files "
              "files-with-matches "
              "files-without-match fixed-strings follow glob= iglob= heading no-heading hidden ignore-case json "
              "line-number no-line-number "
              "max-count= max-depth= max-filesize= multiline no-filename no-ignore no-messages null only-matching "
              "passthru pcre2 pretty "
              "quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-list type-not= "
              "unrestricted vimgrep "
              "with-filename word-regexp invert-match line-regexp search-zip",
     .traits = kPrints},
    {.names = "yq",
     .shorts = "reMPnCjo:p:yYc",
     .longs = "raw-output output-format= input-format= prettyPrint no-colors colors exit-status "
              "null-input indent=",
     .traits = kPrints},
    {.names = "xmllint",
     .longs = "format noout xpath= html recover nonet noblanks pretty= valid schema= version",
     .traits = kPrints},
    {.names = "awk gawk mawk nawk original-awk", .judge = judge_awk},
    {.names = "sed gsed", .judge = judge_sed},
    {.names = "less more most pg lv zless zmore bzless xzless", .judge = judge_pager},
    {.names = "vi vim nvim view nano pico emacs ed ex joe mcedit micro kak",
     .cls = kChanges,
     .reason = "opens an editor, which can write files and run commands"},
    {.names = "man info", .shorts = "afkwSs:M:L:", .longs = "all whatis apropos where path location sections= locale="},
    {.names = "tput clear", .reason = "writes to the terminal only", .traits = kAny},
    {.names = "bc", .reason = "computes", .shorts = "hilqsv", .longs = "mathlib quiet standard"},
    {.names = "dc", .cls = kChanges, .reason = "can run shell commands"},
};

}  // namespace

std::span<const Program> text_programs() {
  return kTextPrograms;
}

}  // namespace safety
