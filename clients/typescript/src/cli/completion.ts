import { UsageError } from './exit-codes.ts';
import { COMMON_FLAGS, FILE_COMMANDS, flagName, paramFlags } from './flags.ts';

interface CompletedOption {
  /** Name of the option, with dashes in front. */
  readonly flag: string;
  /** Values to choose from; empty where any text may follow, or none. */
  readonly choices: readonly string[];
  readonly hasValue: boolean;
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
}

interface Listed {
  readonly usage: string;
  readonly summary: string;
}

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  // It reads the functions of bash, once told to.
  zsh: (commands) =>
    `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/**
 * Returns the script that completes the command in a shell.
 * @param others commands that run no operation
 * @throws UsageError for an unknown shell
 */
export function completionScript(shell: string, others: readonly Listed[]): string {
  const build = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!build) throw new UsageError(`Choose a shell: darkroom completion ${Object.keys(SCRIPTS).join('|')}`);
  return build(listCommands(others));
}

function listCommands(others: readonly Listed[]): CompletedCommand[] {
  const operations = FILE_COMMANDS.map(([id, { name, summary }]): CompletedCommand => {
    const own = paramFlags(id).map(([param, { kind, choices = [], initial }]): CompletedOption => {
      const dashes = kind === 'boolean' && initial === 'true' ? '--no-' : '--';
      return { flag: dashes + flagName(param), choices, hasValue: kind !== 'boolean' };
    });
    const common = COMMON_FLAGS.map(({ name: flag, ...option }) => ({ flag: `--${flag}`, ...option }));
    return { name, summary, options: [...own, ...common] };
  });
  const further = others.map(({ usage, summary }): CompletedCommand => {
    const [name = ''] = usage.split(' ');
    const flags = usage.match(/--[\w-]+/g) ?? [];
    const shells = name === 'completion' ? Object.keys(SCRIPTS) : [];
    const options = flags.map((flag) => ({ flag, choices: [], hasValue: usage.includes(`${flag} `) }));
    return {
      name,
      summary,
      options: [...options, ...shells.map((flag) => ({ flag, choices: [], hasValue: false }))],
    };
  });
  return [...operations, ...further];
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    '${name} ${flag}') words='${choices.join(' ')}' ;;`),
  );
  const flags = commands.map(
    ({ name, options }) => `      ${name}) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  return `_darkroom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  case "\${COMP_WORDS[1]} $previous" in
${values.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} --help --version'
  elif [ -z "$words" ]; then
    case "$current:\${COMP_WORDS[1]}" in
      -*:* | *:completion) case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _darkroom darkroom
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c darkroom -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...options.map(({ flag, choices, hasValue }) => {
      const condition = quote(`__fish_seen_subcommand_from ${name}`);
      if (!flag.startsWith('--')) return `complete -c darkroom -n ${condition} -f -a ${flag}`;
      const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : hasValue ? ' -r' : '';
      return `complete -c darkroom -n ${condition} -l ${flag.slice(2)}${value}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
