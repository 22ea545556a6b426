
# What is really there, one a line: WHAT
_gathered_really() {
  "${COMP_WORDS[0]}" complete --of "$1" -- "${cur}" "${COMP_WORDS[@]:1}" 2>/dev/null
}

# Bash takes words apart at the signs of ids and contexts. So the line is read anew, and of what is
# offered the part is left out that stands before the piece that bash completes.
_gathered_whole() {
  local left raw="${COMP_LINE:0:COMP_POINT}"
  local -a COMP_WORDS=() words=()
  local -i COMP_CWORD
  read -ra words <<<"${raw}"
  [[ "${raw}" = *[[:space:]] ]] && words+=('')
  COMP_CWORD=$((${#words[@]} - 1))
  COMP_WORDS=("${words[@]//[\\\'\"]/}")
  left="${words[COMP_CWORD]%"$2"}"
  left="${left//[\\\'\"]/}"
  _gathered "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=("${COMPREPLY[@]#"${left}"}")
  # More may follow a scheme, or a parameter.
  if [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" = *[:=] ]]; then compopt -o nospace; fi
}
complete -o filenames -F _gathered_whole gathered
