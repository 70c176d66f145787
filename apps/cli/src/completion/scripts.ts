/**
 * What the shells load. Each asks the command line itself what could come next, and quotes what it answers: names come
 * from the server.
 */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# roomkeeper completion for bash: source <(roomkeeper completion bash)
_roomkeeper() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <(roomkeeper complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _roomkeeper roomkeeper
`,
  zsh: `#compdef roomkeeper
# roomkeeper completion for zsh: source <(roomkeeper completion zsh)
_roomkeeper() {
  local -a candidates
  candidates=("\${(@f)$(roomkeeper complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_roomkeeper" ]; then
  _roomkeeper "$@"
else
  compdef _roomkeeper roomkeeper
fi
`,
  fish: `# roomkeeper completion for fish: roomkeeper completion fish | source
function __roomkeeper_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    roomkeeper complete -- $words "$typed" 2>/dev/null
end
complete -c roomkeeper -f -a '(__roomkeeper_complete)'
`,
}
