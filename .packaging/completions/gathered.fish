
# What is really there, one a line: WHAT
function _gathered_really
    set -l words (commandline -opc)
    command $words[1] complete --of $argv[1] -- (commandline -ct | string unescape) $words[2..] \
        2>/dev/null
end
