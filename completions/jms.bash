# bash completion for jms
_jms() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  case $prev in
    --config|--record) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --shell) COMPREPLY=($(compgen -c -- "$cur")); return ;;
    debug) COMPREPLY=($(compgen -W "screen" -- "$cur")); return ;;
    --size) COMPREPLY=($(compgen -W "80x24 120x40" -- "$cur")); return ;;
  esac
  case " ${COMP_WORDS[*]} " in
    *" debug screen "*) COMPREPLY=($(compgen -W "--size --json --cells --help" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "local debug --config --shell --record --help --version" -- "$cur")) ;;
  esac
}
complete -F _jms jms
