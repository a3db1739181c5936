/** Printed where the shell should offer files. Suggestions have a tab, so none is mistaken for it. */
export const FILES = ":files";

/** What a shell reads once. Each asks the program for what could come next, so the scripts never grow old. */
export const completionScripts = {
  bash: `# Completion of kurz for bash. Add to ~/.bashrc:  source <(kurz completion bash)
_kurz() {
  COMPREPLY=()
  # Unlike other shells, bash also asks for where output goes.
  if [[ \${COMP_WORDS[COMP_CWORD-1]} == [\\<\\>]* ]]; then compopt -o default 2>/dev/null; return; fi
  local IFS=$'\\n' line word rest=$COMP_LINE
  local words=()
  # bash also splits at = and : (COMP_WORDBREAKS). What has no space before it belongs to the word before.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ -z $word || \${#words[@]} -eq 0 || $rest == [[:space:]]* ]]; then
      words+=("$word")
    else
      words[\${#words[@]}-1]+=$word
    fi
    rest=\${rest#*"$word"}
  done
  # Only what follows the last = or : is replaced.
  local typed=\${words[\${#words[@]}-1]} last=\${COMP_WORDS[COMP_CWORD]} program=\${words[0]}
  if [[ $last == *[!=:]* ]]; then typed=\${typed%"$last"}; fi
  if [[ $program == "~/"* ]]; then program=$HOME/\${program:2}; fi
  while read -r line; do
    if [[ $line == "${FILES}" ]]; then compopt -o default 2>/dev/null; return; fi
    line=\${line%%$'\\t'*}
    # Quoted, so that nothing in it is run.
    printf -v word %q "\${line#"$typed"}"
    COMPREPLY+=("$word")
  done < <("$program" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _kurz kurz
`,
  zsh: `#compdef kurz
# Completion of kurz for zsh. Add to ~/.zshrc, after compinit:  source <(kurz completion zsh)
_kurz() {
  local line program=\${words[1]}
  local -a suggestions
  if [[ $program == "~/"* ]]; then program=$HOME/\${program:2}; fi
  while IFS= read -r line; do
    if [[ $line == "${FILES}" ]]; then
      compset -P 1 '--*='
      _files
      return
    fi
    suggestions+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("$program" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -t kurz kurz suggestions
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
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l suggestions (command $program __complete -- $words[2..-1] 2>/dev/null)
    if test "$suggestions" = "${FILES}"
        complete -C "'' "(commandline -ct)
    else if set -q suggestions[1]
        printf '%s\\n' $suggestions
    end
end
complete -c kurz -f -a '(__kurz_complete)'
`,
} as const;

export type Shell = keyof typeof completionScripts;
export const shells = Object.keys(completionScripts) as readonly Shell[];
