# fish completion for jms
complete -c jms -f
complete -c jms -n __fish_use_subcommand -a local -d 'a shell on this machine'
complete -c jms -n __fish_use_subcommand -a debug -d 'look inside'
complete -c jms -n '__fish_seen_subcommand_from debug' -a screen -d 'the screen after the bytes on standard input'
complete -c jms -l config -r -F -d 'read this file instead of the default config.toml'
complete -c jms -l shell -r -d 'what local runs instead of $SHELL'
complete -c jms -n '__fish_seen_subcommand_from debug' -l size -r -d 'size of the screen, COLSxROWS'
complete -c jms -n '__fish_seen_subcommand_from debug' -l json -d 'everything, as JSON'
complete -c jms -n '__fish_seen_subcommand_from debug' -l cells -d 'with --json: every cell'
complete -c jms -l help -d 'print help'
complete -c jms -l version -d 'print the version'
complete -c jms -l record -r -F -d 'record the output as asciicast v2'
