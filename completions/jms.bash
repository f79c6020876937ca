# bash completion for jms
_jms() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local target="--shell -J -i -p -l -F -o -A --profile --via --protocol" model="--provider --model"
  case $prev in
    --config|--record|-i|-F) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --shell) COMPREPLY=($(compgen -c -- "$cur")); return ;;
    --size) COMPREPLY=($(compgen -W "80x24 120x40" -- "$cur")); return ;;
    --mode) COMPREPLY=($(compgen -W "read-only ask auto" -- "$cur")); return ;;
    --log-level) COMPREPLY=($(compgen -W "off error info debug" -- "$cur")); return ;;
    --tool) COMPREPLY=($(compgen -W "execute_command local_command" -- "$cur")); return ;;
    --provider) COMPREPLY=($(compgen -W "anthropic openai offline" -- "$cur")); return ;;
    --via) COMPREPLY=($(compgen -W "auto ws ssh" -- "$cur")); return ;;
    --with) COMPREPLY=($(compgen -W "password web key token cookie" -- "$cur")); return ;;
    --category) COMPREPLY=($(compgen -W "host device database cloud web" -- "$cur")); return ;;
    --api) COMPREPLY=($(compgen -W "anthropic openai" -- "$cur")); return ;;
    --model|--timeout|--profile|--protocol|--user|--org|--node|--limit|-J|-p|-l|-o) return ;;
  esac
  # The command is the first word that is one; options such as --config FILE may stand before it.
  local word command= sub= words
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -z $command ]]; then
      case $word in exec|ask|login|logout|assets|skills|sessions|policy|redact|audit|about|doctor|debug|local) command=$word ;; esac
    elif [[ -z $sub && $word != -* ]]; then
      sub=$word
    fi
  done
  case $command/$sub in
    /) words="local exec ask login logout assets skills sessions policy redact audit about doctor debug --config --log-level --log-content --plain --record --mode $model $target --help --version" ;;
    exec/*) words="local --json --batch --timeout $target --help" ;;
    ask/*) words="local --json --mode --yes-changes $model $target --help" ;;
    login/*) words="--with --user --org --profile --help" ;;
    logout/*) words="--profile --help" ;;
    assets/*) words="--json --accounts --node --category --limit --cached --org --profile --help" ;;
    skills/) words="list show check trust untrust --help" ;;
    skills/list) words="--json --help" ;;
    skills/check|skills/trust|skills/untrust)
      if [[ $command/$sub == skills/trust && $cur == -* ]]; then COMPREPLY=($(compgen -W --list -- "$cur")); return; fi
      COMPREPLY=($(compgen -d -- "$cur")); return ;;
    skills/show) words=$(jms skills list 2>/dev/null | cut -d' ' -f1) ;;
    sessions/) words="list show resume --help" ;;
    sessions/show) words=$(jms sessions list 2>/dev/null | cut -d' ' -f1) ;;
    sessions/resume) words="$(jms sessions list 2>/dev/null | cut -d' ' -f1) --json --mode --yes-changes $model $target" ;;
    policy/) words="check --help" ;;
    policy/check) words="--json --batch --target --tool --mode --help" ;;
    redact/*) words="--json --help" ;;
    audit/) words="list verify export --help" ;;
    audit/export) words="--markdown --help" ;;
    about/*) words="--json --help" ;;
    doctor/*) words="$model --help" ;;
    debug/) words="screen stream --help" ;;
    debug/screen) words="--size --json --cells --help" ;;
    debug/stream) words="--api --json --help" ;;
    local/*) words="--plain --record --mode $model --shell --help" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _jms jms
