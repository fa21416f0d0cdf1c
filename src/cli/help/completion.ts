/** Shell completion, generated from the commands themselves: no list of them is kept by hand. */
import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { answered, type CliCommand } from '../command.ts';

/** A command as a shell needs it. `path`: the words that lead to it; empty for the program itself. */
interface Node {
  readonly path: string;
  readonly below: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly { readonly flag: string; readonly says: string }[];
}

function nodesOf(command: CommandUnknownOpts, path = ''): readonly Node[] {
  const own: Node = {
    path,
    below: command.commands.map((one) => ({ name: one.name(), summary: one.summary() })),
    flags: [
      ...command.options.flatMap(({ long, description }) => (long ? [{ flag: long, says: description }] : [])),
      { flag: '--help', says: 'how the command is used' },
    ],
  };
  const below = command.commands.flatMap((one) => nodesOf(one, path === '' ? one.name() : `${path} ${one.name()}`));
  return [own, ...below];
}

/** Returns a text in single quotes, as bash, zsh and fish read it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bashCase = (nodes: readonly Node[], words: (node: Node) => readonly string[]): readonly string[] =>
  nodes.map((node) => `    ${quoted(node.path)}) echo ${quoted(words(node).join(' '))} ;;`);

function bash(nodes: readonly Node[]): readonly string[] {
  return [
    '_paybatch_below() {',
    '  case "$1" in',
    ...bashCase(
      nodes.filter(({ below }) => below.length > 0),
      ({ below }) => below.map(({ name }) => name),
    ),
    '  esac',
    '}',
    '_paybatch_flags() {',
    '  case "$1" in',
    ...bashCase(nodes, ({ flags }) => flags.map(({ flag }) => flag)),
    '  esac',
    '}',
    '_paybatch() {',
    `  local current="$2" path='' word next words`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's own
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's own
    '    next="${path:+$path }$word"',
    '    if [ -n "$(_paybatch_flags "$next")" ]; then path="$next"; fi',
    '  done',
    '  case "$current" in',
    '    -*) words="$(_paybatch_flags "$path")" ;;',
    '    *) words="$(_paybatch_below "$path")" ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    '# Where no word of ours fits, files do: most commands take a sheet.',
    'complete -o default -F _paybatch paybatch',
  ];
}

const zsh = (nodes: readonly Node[]): readonly string[] => [
  'autoload -U +X compinit && compinit',
  'autoload -U +X bashcompinit && bashcompinit',
  ...bash(nodes),
];

function fish(nodes: readonly Node[]): readonly string[] {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return [
    `set -g __paybatch_paths ${paths.join(' ')}`,
    'function __paybatch_at',
    "  set -l path ''",
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string trim -- "$path $word")',
    '    contains -- "$next" $__paybatch_paths; and set path "$next"',
    '  end',
    '  test "$path" = "$argv[1]"',
    'end',
    ...nodes.flatMap(({ path, below, flags }) => {
      const at = `complete -c paybatch -n ${quoted(`__paybatch_at "${path}"`)}`;
      return [
        ...below.map(({ name, summary }) => `${at} -f -a ${name} -d ${fishText(summary)}`),
        ...flags.map(({ flag, says }) => `${at} -l ${flag.slice(2)} -d ${fishText(says)}`),
      ];
    }),
  ];
}

/** Returns a text in single quotes for fish, which knows escapes within them. */
const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the script for PowerShell, which passes the word under the cursor, and completes files on its own if nothing is proposed. */
function powershell(nodes: readonly Node[]): readonly string[] {
  const table = (name: string, of: (node: Node) => readonly (readonly [string, string])[]): readonly string[] => [
    `  $${name} = @{`,
    ...nodes.map((node) => {
      // PowerShell does not show a word whose explanation is empty.
      const pairs = of(node).map(([word, says]) => `${powershellText(word)} = ${powershellText(says || word)}`);
      return `    ${powershellText(node.path)} = [ordered]@{ ${pairs.join('; ')} }`;
    }),
    '  }',
  ];
  return [
    'Register-ArgumentCompleter -Native -CommandName paybatch, paybatch.cmd -ScriptBlock {',
    '  param($word, $ast, $position)',
    ...table('below', ({ below }) => below.map(({ name, summary }) => [name, summary])),
    ...table('flags', ({ flags }) => flags.map(({ flag, says }) => [flag, says])),
    "  $path = ''",
    '  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {',
    '    if ($element.Extent.EndOffset -ge $position) { break }',
    '    $next = "$path $element".Trim()',
    '    if ($flags.ContainsKey($next)) { $path = $next }',
    '  }',
    "  $words = if ($word.StartsWith('-')) { $flags[$path] } else { $below[$path] }",
    '  foreach ($name in $words.Keys) {',
    '    if ($name.StartsWith($word)) {',
    "      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $words[$name])",
    '    }',
    '  }',
    '}',
  ];
}

/**
 * Returns a text in single quotes for PowerShell, where the only escape is a doubled quote. The text is ASCII, so the code page of
 * the pipe does not matter.
 */
const powershellText = (text: string): string =>
  `'${text
    .replaceAll('\u2026', '...')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll("'", "''")}'`;

/** The shells that have a script, and how to install it. A new shell is one entry here. */
const completions = {
  bash: { lines: bash, use: 'paybatch completion bash >> ~/.bashrc' },
  zsh: { lines: zsh, use: 'paybatch completion zsh >> ~/.zshrc' },
  fish: { lines: fish, use: 'paybatch completion fish > ~/.config/fish/completions/paybatch.fish' },
  powershell: { lines: powershell, use: 'paybatch completion powershell | Out-String | Invoke-Expression' },
} as const satisfies Record<string, { lines: (nodes: readonly Node[]) => readonly string[]; use: string }>;

const completedShells = Object.keys(completions) as readonly (keyof typeof completions)[]; // the table's own keys

/** The `completion` command. Its script is generated from the other commands, so it needs commander's own record of them. */
export const completion: CliCommand = {
  example: completions.bash.use,
  moreExamples: [completions.zsh.use, completions.powershell.use],
  declare(command) {
    const declared = command.addArgument(
      new Argument('<shell>', 'bash, zsh, fish or powershell').choices(completedShells),
    );
    return async (shell) => {
      const [name] = declared.processedArgs;
      const lines = completions[name].lines(nodesOf(command.parent as CommandUnknownOpts)); // the parent is the program
      return answered(shell, { type: 'completion', shell: name, script: lines.join('\n') }, lines);
    };
  },
};
