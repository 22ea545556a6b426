
# What is really there, one a line: WHAT. A colon would begin a description.
_gathered_really() {
    "${command_name}" complete --of "${1}" -- "${(Q)PREFIX}" "${(@Q)command_line[2,-1]}" 2>/dev/null |
        sed 's/:/\\:/g'
}
