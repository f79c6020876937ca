# fish completion for jms
function __jms_under
    # The first word that is no option is the command, the next one its part.
    set -l words (commandline -opc | string match -v -- '-*')
    test "$words[2]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    test "$words[3]" = "$argv[2]"
end
function __jms_wants_part
    set -l words (commandline -opc | string match -v -- '-*')
    test (count $words) -eq 2; and test "$words[2]" = "$argv[1]"
end
function __jms_session
    # No command: a target, or nothing yet.
    set -l words (commandline -opc | string match -v -- '-*')
    not contains -- "$words[2]" exec ask login logout assets skills sessions policy redact audit about doctor debug
end
function __jms_opens
    set -l words (commandline -opc | string match -v -- '-*')
    not contains -- "$words[2]" login logout assets skills sessions policy redact audit about doctor debug; or __jms_under sessions resume
end
function __jms_asks
    __jms_under ask; or __jms_under sessions resume
end
function __jms_models
    __jms_session; or __jms_asks; or __jms_under doctor
end

complete -c jms -f
complete -c jms -n __fish_use_subcommand -a local -d 'a shell on this machine'
complete -c jms -n __fish_use_subcommand -a exec -d 'run a command: its output, its exit code'
complete -c jms -n __fish_use_subcommand -a ask -d 'let the agent answer a question about a target'
complete -c jms -n __fish_use_subcommand -a login -d 'sign in to a JumpServer'
complete -c jms -n __fish_use_subcommand -a logout -d 'forget the sign-in to a JumpServer'
complete -c jms -n __fish_use_subcommand -a assets -d 'what a JumpServer lets you reach'
complete -c jms -n __fish_use_subcommand -a skills -d 'the runbooks that the agent knows'
complete -c jms -n __fish_use_subcommand -a sessions -d 'kept conversations'
complete -c jms -n __fish_use_subcommand -a policy -d 'what jms thinks of a command'
complete -c jms -n __fish_use_subcommand -a redact -d 'standard input to standard output, secrets masked'
complete -c jms -n __fish_use_subcommand -a audit -d 'what was run, by whom, approved how'
complete -c jms -n __fish_use_subcommand -a about -d 'size, start time, memory and echo delay of this binary'
complete -c jms -n __fish_use_subcommand -a doctor -d 'check terminal, config, permissions and the model'
complete -c jms -n __fish_use_subcommand -a debug -d 'look inside'
complete -c jms -n '__jms_wants_part exec; or __jms_wants_part ask' -a local -d 'a shell on this machine'
complete -c jms -n '__jms_wants_part skills' -a 'list show check trust untrust'
complete -c jms -n '__jms_wants_part sessions' -a 'list show resume'
complete -c jms -n '__jms_wants_part policy' -a check
complete -c jms -n '__jms_wants_part audit' -a 'list verify export'
complete -c jms -n '__jms_wants_part debug' -a 'screen stream'
complete -c jms -n '__jms_under skills show' -a '(jms skills list 2>/dev/null | string split -f1 " ")'
complete -c jms -n '__jms_under skills check; or __jms_under skills trust; or __jms_under skills untrust' -a '(__fish_complete_directories)'
complete -c jms -n '__jms_under sessions show; or __jms_under sessions resume' -a '(jms sessions list 2>/dev/null | string split -f1 " ")'

complete -c jms -l help -d 'print help'
complete -c jms -n __jms_session -l version -d 'print the version'
complete -c jms -n __jms_session -l config -r -F -d 'read this file instead of the default config.toml'
complete -c jms -n __jms_session -l log-level -x -a 'off error info debug' -d 'how much goes into jms.log'
complete -c jms -n __jms_session -l log-content -d 'log what the remote prints, too'
complete -c jms -n __jms_session -l plain -d 'the panel as lines, for screen readers'
complete -c jms -n __jms_session -l record -r -F -d 'record the output as asciicast v2'
complete -c jms -n __jms_opens -l shell -r -d 'what local runs instead of $SHELL'
complete -c jms -n __jms_opens -s J -x -d 'bastions on the way'
complete -c jms -n __jms_opens -s i -r -F -d 'identity file'
complete -c jms -n __jms_opens -s p -x -d port
complete -c jms -n __jms_opens -s l -x -d user
complete -c jms -n __jms_opens -s F -r -F -d 'ssh_config file'
complete -c jms -n __jms_opens -s o -x -d 'ssh_config option, KEY=VALUE'
complete -c jms -n __jms_opens -s A -d 'forward the authentication agent'
complete -c jms -n '__jms_opens; or __jms_under login; or __jms_under logout; or __jms_under assets' -l profile -x -d 'which JumpServer'
complete -c jms -n __jms_opens -l via -x -a 'auto ws ssh' -d 'how a JumpServer asset is reached'
complete -c jms -n __jms_opens -l protocol -x -d 'which protocol of a JumpServer asset'
complete -c jms -n '__jms_under login' -l with -x -a 'password web key token cookie' -d 'the way to sign in'
complete -c jms -n '__jms_under login' -l user -x -d 'who signs in'
complete -c jms -n '__jms_under login; or __jms_under assets' -l org -x -d organisation
complete -c jms -n '__jms_under assets' -l json -d 'one asset per line'
complete -c jms -n '__jms_under assets' -l accounts -d 'of the one named, its accounts and protocols'
complete -c jms -n '__jms_under assets' -l node -x -d 'only below this node'
complete -c jms -n '__jms_under assets' -l category -x -a 'host device database cloud web' -d 'only of this kind'
complete -c jms -n '__jms_under assets' -l limit -x -d 'at most so many'
complete -c jms -n '__jms_under assets' -l cached -d 'as last fetched'
complete -c jms -n '__jms_under exec' -l batch -d 'JSON lines in, one result line each'
complete -c jms -n '__jms_under exec' -l timeout -x -d 'seconds a command may take'
complete -c jms -n '__jms_under exec; or __jms_under redact; or __jms_under about; or __jms_under skills list; or __jms_under policy check; or __jms_under debug screen; or __jms_under debug stream; or __jms_asks' -l json -d 'as JSON'
complete -c jms -n '__jms_session; or __jms_asks; or __jms_under policy check' -l mode -x -a 'read-only ask auto' -d 'how much runs unasked'
complete -c jms -n __jms_asks -l yes-changes -d 'run what would ask; never destructive commands'
complete -c jms -n __jms_models -l provider -x -a 'anthropic openai offline' -d 'who answers'
complete -c jms -n __jms_models -l model -x -d 'which model'
complete -c jms -n '__jms_under policy check' -l batch -d 'JSON strings on standard input'
complete -c jms -n '__jms_under policy check' -l target -x -d 'what becomes of it there'
complete -c jms -n '__jms_under policy check' -l tool -x -a 'execute_command local_command' -d 'as a call of this tool'
complete -c jms -n '__jms_under skills trust' -l list -d 'the folders that are trusted'
complete -c jms -n '__jms_under audit export' -l markdown -d 'as Markdown'
complete -c jms -n '__jms_under debug screen' -l size -x -d 'size of the screen, COLSxROWS'
complete -c jms -n '__jms_under debug screen' -l cells -d 'with --json: every cell'
complete -c jms -n '__jms_under debug stream' -l api -x -a 'anthropic openai' -d 'whose format'
