export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The command prints one candidate per line: the word, a tab, its description. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_forklens() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <(forklens __complete "\${words[@]}" 2>/dev/null)
  if [ "\${COMPREPLY[0]}" = ":files" ]; then
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _forklens forklens
`,
  zsh: `#compdef forklens
_forklens() {
  local -a lines candidates
  lines=("\${(@f)$(forklens __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == ":files" ]]; then
    _files
    return
  fi
  local line
  for line in $lines; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe 'forklens' candidates
}
if [[ "\${funcstack[1]}" == _forklens ]]; then
  _forklens "$@" # loaded from a folder of fpath, by the first completion
else
  compdef _forklens forklens
fi
`,
  fish: `function __forklens_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l lines (forklens __complete $words[2..-1] 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $lines
  end
end
complete -c forklens -f -a '(__forklens_complete)'
`,
};

/** A script that a shell runs at its start. */
export const completionScript = (shell: (typeof SHELLS)[number]): string => SCRIPTS[shell];
