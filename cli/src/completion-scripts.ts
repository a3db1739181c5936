/** What a shell reads once. Each asks the program for what could come next, so the scripts never grow old. */
export const completionScripts = {
  bash: `# Completion of kurz for bash. Add to ~/.bashrc:  source <(kurz completion bash)
_kurz() {
  local IFS=$'\\n' line
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done < <("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _kurz kurz
`,
  zsh: `#compdef kurz
# Completion of kurz for zsh. Add to ~/.zshrc, after compinit:  source <(kurz completion zsh)
_kurz() {
  local line
  local -a suggestions
  while IFS= read -r line; do
    suggestions+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#suggestions} )); then
    _describe -t kurz kurz suggestions
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _kurz ]; then
  _kurz "$@"
else
  compdef _kurz kurz
fi
`,
  fish: `# Completion of kurz for fish. Save it:  kurz completion fish > ~/.config/fish/completions/kurz.fish
function __kurz_complete
    set -l words (commandline -opc) (commandline -ct)
    command $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c kurz -n '__kurz_complete | string length -q' -f
complete -c kurz -a '(__kurz_complete)'
`,
} as const;

export type Shell = keyof typeof completionScripts;
export const shells = Object.keys(completionScripts) as readonly Shell[];
